package eval

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// Constant validates a value of a field in a new object against the tags on the field and its type;
// without a field, against the type only. Rules on other fields of the struct do not run.
//
// It first sets defaults in the value, and returns the value with these. Paths of errors begin at
// the value.
func (s *Set) Constant(t *model.Type, f *model.Field, raw any) (defaulted any, errors []Error) {
	ref := model.Named(t.Package, t.Name)
	if f != nil {
		ref = f.Type
	}
	typ := s.typeOf(ref)
	e := &evaluation{
		set: s, run: validate.NewRun(context.Background(), operation.Operation{Type: operation.Create}, field.NewPath(constant)),
		rules: map[*field.Error]*rule.Rule{}, skipped: map[string]bool{},
	}
	set := &defaulter{set: s, evaluation: e}
	defaulted = set.below(typ, clone(raw))
	d := &decoder{run: &e.run}
	v := d.decode(typ, nil, defaulted)
	if len(d.malformed) > 0 {
		return defaulted, nil
	}
	if f == nil {
		if s.order.Needed(t) {
			e.typ(s.order.Of(t), nil, v, nil)
		}
	} else if body := s.order.Field(t, f); body != nil {
		e.body(body, &place{v: v})
	}
	errors = e.result().Errors
	for i := range errors {
		errors[i].Field = strings.TrimPrefix(strings.TrimPrefix(errors[i].Field, constant), ".")
	}
	return defaulted, errors
}

// constant is the root of error paths in constants.
const constant = "constant"
