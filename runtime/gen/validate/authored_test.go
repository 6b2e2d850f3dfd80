package validate

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestAuthored(t *testing.T) {
	below := func(at *field.Path) *field.Path { return at.Child("low") }
	at := (*Path)(nil).Child("spec")
	for _, test := range []struct {
		rule    Rule
		message string
		want    string
	}{
		{Rule{Type: field.ErrorTypeInvalid, Message: "fixed"}, "", `spec: Invalid value: 3: fixed`},
		{Rule{Type: field.ErrorTypeInvalid, Message: "fixed", Path: below}, " computed ", `spec.low: Invalid value: 3: computed`},
		{Rule{Type: field.ErrorTypeRequired, Message: "fixed"}, "two\nlines", `spec: Required value: fixed`},
		{Rule{Type: field.ErrorTypeForbidden, Message: "fixed"}, strings.Repeat("x", maxMessage+1), `spec: Forbidden: fixed`},
		{Rule{Type: field.ErrorTypeDuplicate, Message: "fixed"}, "computed", `spec: Duplicate value: 3`},
	} {
		var r Run
		if NotAuthored(&r, &at, 3, &test.rule, test.message) {
			t.Errorf("%q holds", test.want)
		}
		if got := r.Errors(); len(got) != 1 || got[0].Error() != test.want || got[0].Origin != "" {
			t.Errorf("got %v, want %s", got, test.want)
		}
	}
	var r Run
	rule := Rule{Type: field.ErrorTypeInvalid, Message: "fixed"}
	if Authored(&r, &at, false, &rule) || AuthoredOf(&r, &at, 3, false, &rule) {
		t.Error("what does not hold, holds")
	}
	if got := r.Errors().ToAggregate().Error(); got != "[spec: Invalid value: fixed, spec: Invalid value: 3: fixed]" {
		t.Error(got)
	}
	if n := testing.AllocsPerRun(10, func() { Authored(&r, &at, true, &rule); AuthoredOf(&r, &at, "x", true, &rule) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
