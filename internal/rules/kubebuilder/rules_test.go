package kubebuilder_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

func TestRead(t *testing.T) {
	const prefix = "kubebuilder:validation:XValidation:"
	for _, tc := range []struct {
		marker string
		want   *rule.CEL // nil for markers that are refused
		// at is the text that the rule's span has; "" for none.
		at string
	}{
		{`rule="self.a > 3"`, &rule.CEL{Rule: "self.a > 3"}, "self.a > 3"},
		{"rule=`self.a == \"x\"`", &rule.CEL{Rule: `self.a == "x"`}, `self.a == "x"`},
		{`rule="self == \"x\""`, &rule.CEL{Rule: `self == "x"`}, ""}, // with escapes
		{`rule="self > 3" # a comment`, &rule.CEL{Rule: "self > 3"}, "self > 3"},
		{
			`rule="self > 3",message="too small",messageExpression="'is ' + string(self)",reason=FieldValueForbidden,fieldPath=".a['b']",optionalOldSelf=true`,
			&rule.CEL{
				Rule: "self > 3", Message: "too small", MessageExpression: "'is ' + string(self)",
				Reason: rule.ReasonForbidden, FieldPath: ".a['b']", OptionalOldSelf: true,
			}, "self > 3",
		},
		{`rule="self >"`, &rule.CEL{Rule: "self >"}, "self >"}, // that it does not parse is reported where it is checked
		{`rule`, nil, ""},
		{`rule="self > 3",optionalOldSelf=maybe`, nil, ""},
		{`rule="self > 3",unknown="x"`, nil, ""},
		{`rule="self > 3`, nil, ""},
	} {
		text := prefix + tc.marker
		file := source.NewFile("types.go", []byte("+"+text))
		span := source.Span{File: file, End: len(text) + 1}
		got, ok := kubebuilder.Read(model.Marker{Name: prefix + "rule", Text: text, Span: span}, true)
		if ok != (tc.want != nil) {
			t.Errorf("%s: read %t", tc.marker, ok)
			continue
		}
		if !ok {
			continue
		}
		if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(rule.CEL{}, "Tree", "MessageTree", "RuleSpan", "MessageSpan")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.marker, diff)
		}
		at := ""
		if !got.RuleSpan.IsZero() {
			at = got.RuleSpan.Text()
		}
		if at != tc.at {
			t.Errorf("%s: the rule is at %q, want %q", tc.marker, at, tc.at)
		}
	}
	if _, ok := kubebuilder.Read(model.Marker{Name: "kubebuilder:validation:Minimum", Text: "kubebuilder:validation:Minimum=3"}, true); ok {
		t.Error("another marker is read as a rule")
	}
}
