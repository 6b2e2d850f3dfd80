package rule_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

func TestAuthoredRules(t *testing.T) {
	c := &rule.CEL{Rule: " self != oldSelf ", Tree: expr.Tree{Expr: expr.Ne(&expr.Var{Name: "self"}, &expr.Var{Name: "oldSelf"})}, Reason: rule.ReasonForbidden, FieldPath: `.a['b.c'].d`}
	r := rule.Authored("XValidation", c)
	if r.Moment != rule.OnUpdateOfValue || !reflect.DeepEqual(r.Errors, []rule.Error{{Type: "Forbidden", At: "a.b.c.d"}}) || c.Text() != "failed rule: self != oldSelf" {
		t.Errorf("got %+v, %q", r, c.Text())
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back rule.Rule
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("%s reads as %+v, %v", text, back, err)
	}
	c.OptionalOldSelf = true
	if r := rule.Authored("XValidation", c); r.Moment != rule.Always {
		t.Errorf("a rule that takes no old value applies %q", r.Moment)
	}
}
