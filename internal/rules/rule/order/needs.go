package order

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Scope selects the types and rules that validators enforce.
type Scope struct {
	// Subject reports whether the run generates validators for a package. Alpha rules
	// of another module's API are compared with that API's own hand-written
	// validation and never enforced, so they do not apply where its types are
	// embedded.
	Subject func(pkg string) bool
	// Own reports whether validators see the unexported fields of a package's types.
	Own func(pkg string) bool
}

// Skips reports whether validators skip a type because API servers validate it in
// every object, with the type's rules at the server's level. A run that also
// generates for the package of these types validates them like any other.
func (s Scope) Skips(t *model.Type) bool {
	switch t.ID() {
	case model.TypeMeta, model.ObjectMeta, model.ListMeta:
		return !s.Subject(t.Package)
	}
	return false
}

// Enforces reports whether validators enforce a rule of a type's tags.
func (s Scope) Enforces(owner *model.Type, r rule.Rule) bool {
	under := rule.Outermost(r)
	alpha := len(under) > 0 && under[0].Level == rule.Alpha
	return !alpha || s.Subject(owner.Package)
}

// Sees reports whether validators can access a field.
func (s Scope) Sees(f *model.Field, t *model.Type) bool {
	return !f.Skipped && (f.Exported() || s.Own(t.Package))
}

// typeRules returns the rules of a type's tags that validators enforce.
func (s *Set) typeRules(t *model.Type) []rule.Rule { return s.enforced(t, s.Programs.Of(t).Rules) }

// FieldRules returns the rules of a field's tags that validators enforce.
func (s *Set) FieldRules(t *model.Type, f *model.Field) rule.FieldRules {
	of := s.Programs.Field(t, f)
	of.Rules, of.Around = s.enforced(t, of.Rules), s.enforced(t, of.Around)
	return of
}

func (s *Set) enforced(t *model.Type, rules []rule.Rule) []rule.Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r rule.Rule) bool { return !checks(r) || !s.Enforces(t, r) })
}

// checks reports whether a rule checks anything or stops other rules. A rule for an atomic list
// does not.
func checks(r rule.Rule) bool {
	switch p := r.Must.(type) {
	case *rule.Each, *rule.Part, *rule.Item:
		return slices.ContainsFunc(rule.Below(p), checks)
	}
	return rule.Checks(r.Must)
}

// effective reports whether any of the rules can fail: guards report nothing.
func effective(rules []rule.Rule) bool {
	return slices.ContainsFunc(rules, func(r rule.Rule) bool {
		switch p := r.Must.(type) {
		case *rule.Each, *rule.Part, *rule.Item:
			return effective(rule.Below(p))
		}
		return r.Effect != rule.Guard && rule.Checks(r.Must)
	})
}

// Needed reports whether values of a declared type, or values in them, need validation.
func (s *Set) Needed(t *model.Type) bool {
	return s.needed.Ask(t.ID(), func() bool { return s.examine(t) })
}

func (s *Set) examine(t *model.Type) bool {
	if t.Generic || s.Skips(t) {
		return false
	}
	place := s.Programs.Of(t).Place
	switch {
	case effective(s.typeRules(t)):
		return true
	case place.Opaque:
		return false
	case t.Def.Kind == model.KindSlice || t.Def.Kind == model.KindMap:
		return s.values(place)
	case !t.IsStruct():
		return s.Below(s.Programs.ValueOf(t.Def))
	}
	return slices.ContainsFunc(t.Fields, func(f *model.Field) bool {
		if !s.Sees(f, t) {
			return false
		}
		of := s.FieldRules(t, f)
		// A field with any rule, even one that reports nothing, must not have nil items.
		return effective(of.Rules) || effective(of.Around) || s.Below(of.Place) || len(of.Rules) > 0 && len(s.Programs.NoNils(of.Place)) > 0
	})
}

// Below reports whether the type of a place needs validation. Tags can make the place opaque.
func (s *Set) Below(p *rule.Place) bool {
	if p.Opaque {
		return false
	}
	if r := p.Value(s.Programs.Model); r.Kind == model.KindNamed {
		t := s.Programs.Model.Type(r.ID())
		if t == nil || !s.Needed(t) {
			return false
		}
		if s.calls(t) {
			return true
		}
	}
	return s.values(p)
}

// values is Below for the values and keys at a place.
func (s *Set) values(p *rule.Place) bool {
	switch u := p.Underlying(s.Programs.Model); u.Kind {
	case model.KindSlice:
		return s.Below(s.Programs.Elem(p))
	case model.KindMap:
		return s.Programs.StringKeys(u) && (s.Below(s.Programs.Key(p)) || s.Below(s.Programs.Elem(p)))
	}
	return false
}

// calls reports whether the validator of a type that needs validation is called for its values. A
// list type without its own rules is validated where it is used, since the place defines how its
// items are correlated.
func (s *Set) calls(t *model.Type) bool {
	return s.Programs.Model.Struct(model.Named(t.Package, t.Name)) != nil || s.own(t)
}

func (s *Set) own(t *model.Type) bool {
	program := s.Programs.Of(t)
	if effective(s.typeRules(t)) || slices.ContainsFunc(program.Rules, isListRule) {
		return true
	}
	if t.Def.Kind != model.KindNamed || program.Place.Opaque {
		return false
	}
	base := s.Programs.Model.Type(t.Def.ID())
	return base != nil && s.own(base)
}

func isListRule(r rule.Rule) bool {
	switch r.Must.(type) {
	case *rule.ListType, *rule.Unique:
		return true
	}
	return false
}

// Reaches reports whether validating a place can call the validator of a declared type.
func (s *Set) Reaches(p *rule.Place, t *model.Type) bool {
	return s.search(p, t, map[model.Name]bool{})
}

func (s *Set) search(p *rule.Place, t *model.Type, seen map[model.Name]bool) bool {
	if !s.Below(p) {
		return false
	}
	m := s.Programs.Model
	if r := p.Value(m); r.Kind == model.KindNamed {
		at := m.Type(r.ID())
		if at == t && s.calls(t) {
			return true
		}
		if seen[r.ID()] {
			return false
		}
		seen[r.ID()] = true
		if at.Def.Kind == model.KindNamed && s.search(s.Programs.ValueOf(at.Def), t, seen) {
			return true
		}
		for _, f := range at.Fields {
			if s.Sees(f, at) && s.search(s.Programs.Field(at, f).Place, t, seen) {
				return true
			}
		}
	}
	switch p.Underlying(m).Kind {
	case model.KindSlice, model.KindMap:
		return s.search(s.Programs.Elem(p), t, seen)
	}
	return false
}
