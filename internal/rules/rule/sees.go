package rule

import (
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Types returns the CEL types of the model's types.
func (s *Programs) Types() *modeltype.Builder {
	if s.types == nil {
		s.types = &modeltype.Builder{
			Model:    s.Model,
			Field:    func(owner *model.Type, f *model.Field, t *expr.Type) { s.Field(owner, f).Place.shape(t) },
			Declared: func(decl *model.Type, t *expr.Type) { s.Of(decl).Place.Schema.apply(t) },
		}
	}
	return s.types
}

// Sees returns the CEL type of self for a rule at a place.
func (s *Programs) Sees(p *Place) *expr.Type {
	value := p.Value(s.Model)
	if t := s.Model.Type(value.ID()); p.Scope == OnType && t != nil && t.Kind != nil {
		return s.Types().Root(value)
	}
	t := *s.Types().Of(value)
	p.shape(&t)
	return &t
}

// shape applies the tags of a place to a type.
func (p *Place) shape(t *expr.Type) {
	p.Schema.apply(t)
	if t.Kind != expr.ListKind || p.List == nil || p.List.Type == Atomic {
		return
	}
	t.ListType = string(p.List.Type)
	for _, k := range p.List.Keys {
		t.ListKeys = append(t.ListKeys, k.JSON)
	}
}

// At returns the member that a place is the value of; nil for any other place.
func (s *Programs) At(p *Place) *model.Member {
	t := s.Model.Type(p.Owner)
	if p.Scope != OnField || t == nil {
		return nil
	}
	return s.Model.MemberOf(t, t.Field(p.Field))
}

// Step is one step of the path to where an error is reported.
type Step struct {
	Name string
	// Key is set on the key of a map.
	Key bool
}

// Steps returns the steps from the place of a rule to its error.
func (s *Programs) Steps(p *Place, c *CEL) []Step {
	var steps []Step
	t := s.Sees(p)
	for _, name := range c.Path() {
		step := Step{Name: name, Key: t != nil && t.Kind == expr.MapKind}
		switch {
		case step.Key:
			t = t.Elem
		case t != nil:
			t = s.Types().Objects[t.Name][name]
		}
		steps = append(steps, step)
	}
	return steps
}

// OnlyAuthored reports whether a type is not a struct and has only CEL rules, which do not apply to
// empty fields that JSON omits.
func (s *Programs) OnlyAuthored(t *model.Type) bool {
	if t.IsStruct() {
		return false
	}
	for _, r := range s.Of(t).Rules {
		if _, ok := r.Must.(*CEL); !ok {
			return false
		}
	}
	if base := s.Model.Type(t.Def.ID()); t.Def.Kind == model.KindNamed && base != nil {
		return s.OnlyAuthored(base)
	}
	return true
}
