package validation_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit/validation"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

// TestNotInGo checks the warnings about parts of rules that Go does not enforce.
func TestNotInGo(t *testing.T) {
	files, found := emittest.Roots(t, validation.Emitter(), "./testdata/notingo")
	source, err := os.ReadFile("testdata/notingo/types.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Fatalf("%d files", len(files))
	}
	if text := string(files[0].Content); strings.Count(text, "validate.Authored(") != 1 || !strings.Contains(text, `obj.Name != "bad"`) {
		t.Errorf("the part that Go has is not alone in\n%s", text)
	}
	var got []string
	for _, d := range found {
		if d.Severity != diag.Warning || d.Code.String() != "validation/cel-not-in-go" {
			t.Errorf("found %v", d)
		}
		got = append(got, fmt.Sprintf("%s: %s", source[d.Span.Start:d.Span.End], d.Message))
	}
	want := []string{
		"(self.name): generated Go does not enforce this part of the rule: Go does not have strings.quote",
		"missing: generated Go does not enforce the rule: undefined field 'missing'",
		"self.name: generated Go does not enforce the rule: its value is a string, not a bool",
		"self.name !=: generated Go does not enforce the rule: the expression ends where a value is expected",
		`+kubebuilder:validation:XValidation:rule="strings.quote(self) != \"worst\"": generated Go does not enforce this part of the rule: Go does not have strings.quote`,
		"(self): generated Go does not compute the message of the rule, and reports another: Go does not have strings.quote",
		"missing: generated Go does not compute the message of the rule, and reports another: undeclared reference to 'missing'",
		"self.getFullYear() > 2000: generated Go does not enforce the rule: rules see the format date-time as a value that Go does not have",
		"self == oldSelf: generated Go does not enforce this part of the rule: Go does not have the comparison of values of type object: API servers compare the text of self.steps[*].wait, and Go the value",
		"self == oldSelf: generated Go does not enforce this part of the rule: Go does not have the comparison of values of type list: API servers compare the text of self[*].steps[*].wait, and Go the value",
		"size: generated Go does not enforce the rule: rules cannot refer to field 'size': a marker gives the value a schema that differs from its Go type",
		"list: generated Go does not enforce the rule: rules cannot refer to field 'list': a marker gives the value a schema that differs from its Go type",
		"odd: generated Go does not enforce the rule: rules cannot refer to field 'odd': the method MarshalJSON of Odd decides what its JSON is",
		"self == 'x': generated Go does not enforce the rule: a marker gives the value a schema that differs from its Go type",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
