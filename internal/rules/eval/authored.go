package eval

import (
	"bytes"
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// authored is a compiled CEL rule.
type authored struct {
	// holds is nil, with the reason, for a rule that does not compile.
	holds  *celProgram
	reason string
	// message computes the message; nil if the rule has a fixed one.
	message *celProgram
	report  validate.Rule
	// omitted is set if errors have no value.
	omitted bool
	// field is the member of the rule, which JSON may omit if it is empty; nil for other places.
	field *model.Member
}

// authoredOf prepares a CEL rule at a place.
func (s *Set) authoredOf(p *rule.Place, c *rule.CEL) *authored {
	sees := s.programs.Sees(p)
	a := &authored{field: s.programs.At(p), report: validate.Rule{Type: field.ErrorType("FieldValue" + c.ErrorType()), Message: c.Text()}}
	switch sees.Kind {
	case expr.ListKind, expr.MapKind, expr.ObjectKind:
		a.omitted = true
	}
	if steps := s.programs.Steps(p, c); len(steps) > 0 {
		a.report.Path = func(at *field.Path) *field.Path {
			for _, step := range steps {
				if step.Key {
					at = at.Key(step.Name)
				} else {
					at = at.Child(step.Name)
				}
			}
			return at
		}
	}
	a.holds, a.message, a.reason = s.compile(sees, c)
	return a
}

// authored evaluates a CEL rule. An empty field that JSON omits has no value.
func (e *evaluation) authored(c *order.Check, p *place) bool {
	a := e.set.operand(c).authored
	self, old := p.v.deref(), p.old.deref()
	if !written(a.field, self) {
		return true
	}
	hasOld := p.hasOldValue() && written(a.field, old)
	if c.Moment == rule.OnUpdateOfValue && !hasOld {
		return true
	}
	if a.holds == nil {
		e.note(NotRun{Name: c.Text, Reason: a.reason, Declared: c.Span})
		return true
	}
	now, err := self.decoded()
	before := noOldSelf()
	if err == nil && hasOld {
		before, err = old.decoded()
	}
	if err != nil {
		e.note(NotRun{Name: c.Text, Reason: err.Error(), Declared: c.Span})
		return true
	}
	if holds, err := a.holds.Bool(now, before); holds && err == nil {
		return true
	}
	message, value := "", validate.Omitted()
	if !a.omitted {
		value = self.inError()
	}
	if a.message != nil {
		message, _ = a.message.String(now, before) // "" for one that fails
	}
	return validate.NotAuthored(&e.run, p.at, value, &a.report, message)
}

// written reports whether JSON has the value of a field. It always has values of other places, for
// which the field is nil, and values behind pointers.
func written(m *model.Member, v *value) bool {
	if m == nil || v == nil || m.Type.Kind == model.KindPointer {
		return true
	}
	switch m.Absent {
	case model.LackNever:
		return true
	case model.LackEmpty:
		return !v.isEmpty()
	}
	return !v.isZero()
}

// decoded returns the value as encoding/json decodes it. A nil list or map is an
// empty one, as it is in Go.
func (v *value) decoded() (any, error) {
	if v.null {
		switch v.typ.form {
		case listForm:
			return []any{}, nil
		case mapForm:
			return map[string]any{}, nil
		}
	}
	text, err := v.append(nil)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var out any
	err = d.Decode(&out)
	return out, err
}
