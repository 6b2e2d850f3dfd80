package marker_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/marker"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

// ignoreSpans compares tags without their spans.
var ignoreSpans = cmp.Options{
	cmpopts.IgnoreTypes(source.Span{}),
	cmpopts.EquateEmpty(),
}

// scan returns the markers of a comment that is a whole file.
func scan(text string) (source.Span, []marker.Marker) {
	file := source.NewFile("types.go", []byte(text))
	span := file.Span(0, len(text))
	return span, marker.Scan(span)
}

// parseLine parses a tag written without "// +". It returns nil for text that is not a
// marker.
func parseLine(text string) (*marker.Tag, []*diag.Diagnostic) {
	_, markers := scan("// +" + text)
	if len(markers) == 0 {
		return nil, nil
	}
	var bag diag.Bag
	tag := marker.Parse(markers[0], &bag)
	return tag, bag.All()
}

// rendered returns diagnostics as goldens have them.
func rendered(list []*diag.Diagnostic) string {
	return string(goldentest.Diagnostics(list, ""))
}

// sameTag fails the test if two tags differ in anything but their spans.
func sameTag(t *testing.T, what string, want, got *marker.Tag) {
	t.Helper()
	if diff := cmp.Diff(want, got, ignoreSpans); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
