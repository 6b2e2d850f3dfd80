// Package setters decides which types get functions that set defaults, and what these functions do: the
// defaults that code has to set, and the hand-written functions that it calls.
//
// [New] plans a package: which functions [Plan] has for its types.
package setters

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/fixpoint"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
)

// Plan determines which types have defaults.
type Plan struct {
	m *model.Model
	p *model.Package
	// needs has the answers of Needs.
	needs fixpoint.Question[model.Name]
}

// New returns the plan of the code that is written for a package.
func New(m *model.Model, p *model.Package) *Plan {
	return &Plan{m: m, p: p}
}

// Needs reports whether a struct type has defaults in it.
func (p *Plan) Needs(t *model.Type) bool {
	return p.needs.Ask(t.ID(), func() bool { return p.examine(t) })
}

func (p *Plan) examine(t *model.Type) bool {
	if t.Generic {
		return false
	}
	if len(p.ByHand(t)) > 0 || p.ObjectByHand(t) != (model.Name{}) {
		return true
	}
	if !t.IsStruct() {
		return p.NeedsRef(t.Def)
	}
	return slices.ContainsFunc(t.Fields, func(f *model.Field) bool {
		if !p.Visible(f) {
			return false
		}
		e, ok := defaulting.OfField(p.m, t, f)
		return ok && p.Sets(f.Type, e) || p.NeedsRef(f.Type)
	})
}

// NeedsRef reports whether values of type r have defaults below them.
func (p *Plan) NeedsRef(r *model.Ref) bool {
	switch r.Kind {
	case model.KindNamed:
		t := p.m.Type(r.ID())
		return t != nil && p.Needs(t)
	case model.KindPointer:
		return p.NeedsRef(r.Elem)
	case model.KindSlice, model.KindArray, model.KindMap:
		if e, ok := defaulting.OfValue(p.m, r.Elem); ok && p.Sets(r.Elem, e) {
			return true
		}
		return p.NeedsRef(r.Elem)
	}
	return false
}

// Copied reports whether defaulting a map value of type r changes the value itself
// instead of memory that it refers to, so that it must be stored back.
func (p *Plan) Copied(r *model.Ref) bool {
	if e, ok := defaulting.OfValue(p.m, r); ok && p.Sets(r, e) {
		return true
	}
	for range 64 {
		t := p.m.Type(r.ID())
		if t == nil {
			return r.Kind == model.KindArray
		}
		if t.IsStruct() || len(p.ByHand(t)) > 0 {
			return true
		}
		r = t.Def
	}
	return false
}

// Sets reports whether code has to set a default. It does not for zero values, {} on
// a struct, and null.
func (p *Plan) Sets(r *model.Ref, e defaulting.Effective) bool {
	if e.IsAuto() || e.OnServers {
		return false
	}
	if e.Value.Kind == value.Null {
		return false
	}
	switch defaulting.KindOf(p.m, r) {
	case defaulting.Free:
		return p.m.Underlying(r).Kind != model.KindInterface
	case defaulting.Scalar:
		return !value.IsZero(p.m, r, e.Value)
	case defaulting.Opaque:
		return value.IsKnown(r)
	}
	return false
}

// Visible reports whether generated code can access a field and should.
func (p *Plan) Visible(f *model.Field) bool {
	return token.IsExported(f.Name) && f.Name != "_"
}

// ByHand returns the functions SetDefaults_<Type> and SetDefaults_<Type>_<Any> by name: those of the
// type's package, then those of the package that code is written for.
func (p *Plan) ByHand(t *model.Type) []model.Name {
	base := gofile.Defaulting + t.Name
	return p.functions(t, func(f *model.Func) bool { return f.Name == base || strings.HasPrefix(f.Name, base+"_") })
}

// ObjectByHand returns the hand-written function that does everything for a type, zero if there is
// none: SetObjectDefaults_<Type>, or SetDefaults_<Type> with +k8s:defaulter-gen=covers.
func (p *Plan) ObjectByHand(t *model.Type) model.Name {
	found := p.functions(t, func(f *model.Func) bool {
		return f.Name == gofile.ObjectDefaulting+t.Name || f.Covers && f.Name == gofile.Defaulting+t.Name
	})
	if len(found) == 0 {
		return model.Name{}
	}
	return found[len(found)-1] // SetObjectDefaults_ is the last
}

// functions returns the hand-written functions of a type.
func (p *Plan) functions(t *model.Type, wanted func(*model.Func) bool) []model.Name {
	var names []model.Name
	for i, path := range []string{t.Package, p.p.Path} {
		pkg := p.m.Package(path)
		if pkg == nil || i > 0 && path == t.Package {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(pkg.Funcs)) {
			if gofile.IsDefaulting(name) && wanted(pkg.Funcs[name]) && TakesPointer(pkg.Funcs[name], t) {
				names = append(names, model.Name{Package: path, Name: name})
			}
		}
	}
	return names
}

// OnlyByHand returns the hand-written function if a struct needs nothing else, else zero.
func (p *Plan) OnlyByHand(t *model.Type) model.Name {
	names := p.ByHand(t)
	if len(names) != 1 {
		return model.Name{}
	}
	for _, f := range t.Fields {
		if !p.Visible(f) {
			continue
		}
		if e, ok := defaulting.OfField(p.m, t, f); ok && p.Sets(f.Type, e) || p.NeedsRef(f.Type) {
			return model.Name{}
		}
	}
	return names[0]
}

// TakesPointer reports whether a function is func(*T).
func TakesPointer(f *model.Func, t *model.Type) bool {
	return f != nil && len(f.Params) == 1 && len(f.Results) == 0 &&
		f.Params[0].Equal(model.PointerTo(model.Named(t.Package, t.Name)))
}
