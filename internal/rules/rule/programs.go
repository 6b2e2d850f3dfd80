package rule

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/core/fixpoint"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Programs are the programs of a model's types.
type Programs struct {
	Model    *model.Model
	programs map[model.Name]*Program
	build    func(t *model.Type, params map[string]*model.Ref) *Program
	types    *modeltype.Builder
	// unconditional is the result of Unconditional.
	unconditional *Programs
	// strict has the answers of Strict.
	strict fixpoint.Question[model.Name]
}

// NewPrograms returns the programs of a model, which are built on first use; params are the type
// arguments of an instance of a generic type.
func NewPrograms(m *model.Model, build func(t *model.Type, params map[string]*model.Ref) *Program) *Programs {
	return &Programs{Model: m, programs: map[model.Name]*Program{}, build: build}
}

// Of returns the program of a type.
func (s *Programs) Of(t *model.Type) *Program {
	id := t.ID()
	p, ok := s.programs[id]
	if !ok {
		p = s.build(t, nil)
		s.programs[id] = p
	}
	return p
}

// Instance returns the program of a generic type with type arguments, by the names
// of its parameters.
func (s *Programs) Instance(t *model.Type, params map[string]*model.Ref) *Program {
	if len(params) == 0 {
		return s.Of(t)
	}
	return s.build(t, params)
}

// Strict reports whether values of a type have unions that are checked on all updates, so that an
// unchanged value is validated too.
func (s *Programs) Strict(r *model.Ref) bool {
	if r == nil {
		return false
	}
	t := s.Model.Type(r.ID())
	if t == nil {
		return s.Strict(r.Elem)
	}
	return s.strict.Ask(t.ID(), func() bool {
		if t.Generic {
			return false
		}
		isStrict := func(r Rule) bool { u, ok := r.Must.(*Union); return ok && u.Strict }
		program := s.Of(t)
		return slices.ContainsFunc(program.Rules, isStrict) ||
			slices.ContainsFunc(program.Fields, func(f FieldRules) bool { return slices.ContainsFunc(f.Around, isStrict) }) ||
			s.Strict(t.Def) ||
			slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return !f.Skipped && s.Strict(f.Type) })
	})
}

// Field returns the rules of a field of a type.
func (s *Programs) Field(t *model.Type, f *model.Field) FieldRules { return s.FieldOf(s.Of(t), f) }

// FieldOf returns the rules of a field in the program of a struct.
func (s *Programs) FieldOf(program *Program, f *model.Field) FieldRules {
	for i := range program.Fields {
		if program.Fields[i].Field == f.Name {
			return program.Fields[i]
		}
	}
	p := s.ValueOf(f.Type)
	p.Scope, p.Owner, p.Field, p.Unset = OnField, program.Type, f.Name, s.Model.Unset(f)
	return FieldRules{Field: f.Name, Place: p}
}

// Elem returns the place of the values of the list or map at a place.
func (s *Programs) Elem(p *Place) *Place {
	if p.Elem != nil {
		return p.Elem
	}
	scope := OnValue
	if p.Underlying(s.Model).Kind == model.KindMap {
		scope = OnMapValue
	}
	return s.inside(p, scope, p.Underlying(s.Model).Elem)
}

// Key returns the place of the keys of the map at a place.
func (s *Programs) Key(p *Place) *Place {
	if p.Key != nil {
		return p.Key
	}
	return s.inside(p, OnKey, p.Underlying(s.Model).Key)
}

func (s *Programs) inside(p *Place, scope Scope, r *model.Ref) *Place {
	in := s.ValueOf(r)
	in.Scope, in.Owner, in.Field = scope, p.Owner, p.Field
	return in
}

// ValueOf returns the place of a value of a type, regardless of its use.
func (s *Programs) ValueOf(r *model.Ref) *Place {
	p := &Place{Scope: OnType, Type: r, Unset: s.Model.UnsetValue(r)}
	value := p.Value(s.Model)
	if t := s.Model.Type(value.ID()); t != nil {
		p.List = s.Of(t).Place.List
	}
	if p.List == nil && s.Model.Underlying(value).Kind == model.KindSlice {
		p.List = &List{Type: Atomic, Identity: Atomic}
	}
	return p
}

// StringKeys reports whether the keys of a map are strings, as those of JSON
// objects are.
func (s *Programs) StringKeys(r *model.Ref) bool { return s.Model.Underlying(r.Key).IsString() }

// NoNils returns the rules that lists of pointers at a place have no nil items, including nested
// lists up to the next struct. They stop all other rules of the place.
func (s *Programs) NoNils(p *Place) []Rule { return s.noNils(p, map[model.Name]bool{}) }

func (s *Programs) noNils(p *Place, seen map[model.Name]bool) []Rule {
	if r := p.Value(s.Model); r.Kind == model.KindNamed {
		if seen[r.ID()] {
			return nil
		}
		seen[r.ID()] = true
	}
	u := p.Underlying(s.Model)
	if u.Kind != model.KindSlice && (u.Kind != model.KindMap || !s.StringKeys(u)) {
		return nil
	}
	elem := s.Elem(p)
	var rules []Rule
	if u.Kind == model.KindSlice && elem.IsPointer(s.Model) {
		rules = append(rules, Rule{Effect: Stop, Must: &NoNils{}, Errors: []Error{{Type: "Required", At: "[*]"}}})
	}
	return append(rules, ForEach("", Each{Place: elem, Rules: s.noNils(elem, seen)})...)
}

// ForEach returns the rules of a tag on each value or key. Rules that stop others are separate:
// they run before all other rules of the list or map, and one broken rule stops these.
func ForEach(tag string, each Each) []Rule {
	var out []Rule
	stopping, others := cut(each.Rules)
	add := func(rules []Rule, effect Effect) {
		if len(rules) > 0 {
			out = append(out, Rule{Tag: tag, Effect: effect, Must: &Each{Keys: each.Keys, Place: each.Place, Rules: rules}})
		}
	}
	add(stopping, Stop)
	add(others, Report)
	return out
}

// cut splits rules into those that stop others with an error, and the rest. A guard stops only the
// rules of its own value.
func cut(rules []Rule) (stopping, others []Rule) {
	for _, r := range rules {
		switch p := r.Must.(type) {
		case *Part, *Item:
			stop, rest := cut(Below(p))
			if len(stop) > 0 {
				out := r
				out.Must = Within(p, func([]Rule) []Rule { return stop })
				if part, ok := out.Must.(*Part); ok {
					part.Unless = nil
				}
				stopping = append(stopping, out)
			}
			if len(rest) > 0 {
				r.Must = Within(p, func([]Rule) []Rule { return rest })
				others = append(others, r)
			}
		default:
			if r.Effect == Stop {
				stopping = append(stopping, r)
			} else {
				others = append(others, r)
			}
		}
	}
	return stopping, others
}

// Silently returns the rules that can stop a cohort, as guards that report nothing.
func Silently(rules []Rule) []Rule {
	var guards []Rule
	for _, r := range rules {
		switch r.Must.(type) {
		case *Each, *Part, *Item, *Modes:
			continue
		}
		if r.Effect == Report {
			continue
		}
		r.Effect = Guard
		guards = append(guards, r)
	}
	return guards
}

// Rewritten returns the programs with f applied to the rules of each place.
func (s *Programs) Rewritten(f func(p *Place, rules []Rule) []Rule) *Programs {
	return NewPrograms(s.Model, func(t *model.Type, params map[string]*model.Ref) *Program {
		p := *s.Instance(t, params)
		p.Rules = f(p.Place, p.Rules)
		p.Fields = slices.Clone(p.Fields)
		for i := range p.Fields {
			of := &p.Fields[i]
			of.Rules, of.Around = f(of.Place, of.Rules), f(p.Place, of.Around)
		}
		return &p
	})
}

// Unconditional returns the programs without the conditions of rules. It omits unions whose members
// have different conditions.
func (s *Programs) Unconditional() *Programs {
	if s.unconditional == nil {
		s.unconditional = s.Rewritten(func(_ *Place, rules []Rule) []Rule { return unconditional(rules) })
	}
	return s.unconditional
}

func unconditional(rules []Rule) []Rule {
	var out []Rule
	for _, r := range rules {
		r.Under = nil
		r.Must = Within(r.Must, unconditional)
		switch must := r.Must.(type) {
		case *Union:
			if must.Mixed {
				continue
			}
		case *Part: // a copy
			must.Unless = unconditional(must.Unless)
		case *Enum:
			in := *must
			in.Values = slices.Clone(must.Values)
			for i := range in.Values {
				in.Values[i].Excluded = nil
			}
			r.Must = &in
		}
		if len(r.Unless) == 0 {
			out = append(out, r)
		}
	}
	return out
}
