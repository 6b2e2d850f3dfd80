package openapi_test

import (
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/emit/openapi"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

func TestGolden(t *testing.T) { emittest.Golden(t, openapi.Emitter(), "./testdata/shop") }

// TestMistakes checks that all fields without a definition are reported, and that no file is written.
func TestMistakes(t *testing.T) {
	files, found := emittest.Roots(t, openapi.Emitter(), "./testdata/mistakes")
	if len(files) > 0 {
		t.Errorf("%d files were written", len(files))
	}
	var got []string
	for _, d := range found {
		if strings.HasPrefix(d.Code.String(), "openapi/") {
			got = append(got, d.Span.Text()+": "+d.Code.String())
		}
	}
	want := `[]Bounds[int32]: openapi/generic
Bounds2[int32]: openapi/generic
map[string]chan bool: openapi/type
complex128: openapi/type
Excluded: openapi/type
+k8s:validation:maxLength="x": openapi/marker
+k8s:validation:cel[1]:rule="true": openapi/marker
+k8s:validation:items:maxLength=3: openapi/marker
+k8s:validation:pattern=^a: openapi/marker`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// TestUnsaid checks that a package with rules that have no keyword gets one hint, with their number.
func TestUnsaid(t *testing.T) {
	files, found := emittest.Roots(t, openapi.Emitter(), "./testdata/unsaid")
	if len(files) == 0 {
		t.Error("no file was written")
	}
	var got []string
	for _, d := range found {
		if strings.HasPrefix(d.Code.String(), "openapi/") {
			got = append(got, d.Severity.String()+": "+d.Message)
		}
	}
	want := "hint: definitions do not have +k8s:immutable, and 9 more rules of this package, because OpenAPI has no keyword for them; tell clients in the comments of your fields"
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	// the rule of an inlined struct is about the object that has its fields
	_, after, _ := strings.Cut(string(files[0].Content), "func schema_Thing(")
	thing, _, _ := strings.Cut(after, "\n}\n")
	if rule := `"rule": "!has(self.more) || self.more != 'z'"`; !strings.Contains(thing, rule) {
		t.Errorf("the definition of Thing does not have the rule of Inner:\n%s", thing)
	}
}
