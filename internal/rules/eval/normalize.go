package eval

import (
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// Normalize returns an object after the normalisation of unions, and the members that this removed.
// old is nil on a create. It does not change an object that does not fit its type.
func (s *Set) Normalize(name TypeName, r union.Request, object, old map[string]any) (out map[string]any, cleared []union.Cleared, err error) {
	t, err := s.goType(name)
	if err != nil {
		return object, nil, err
	}
	shape, ok := s.shapes[name]
	if !ok {
		shape = unions.NewPlans(s.programs, unions.Correlated).Shape(s.model.Type(name))
		s.shapes[name] = shape
	}
	if shape == nil {
		return object, nil, nil
	}
	d := &decoder{run: &validate.Run{}}
	d.decode(t, nil, object)
	if old != nil {
		d.decode(t, nil, old)
	}
	if len(d.malformed) > 0 {
		return object, nil, nil
	}
	out, _ = clone(object).(map[string]any)
	return out, shape.Normalize(r, out, old), nil
}
