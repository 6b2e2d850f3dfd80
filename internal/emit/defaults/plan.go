package defaults

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/value"
)

// plan determines which types have defaults.
type plan struct {
	m     *model.Model
	p     *model.Package
	known map[model.Name]bool
}

func newPlan(m *model.Model, p *model.Package) *plan {
	return &plan{m: m, p: p, known: map[model.Name]bool{}}
}

// needs reports whether a struct type has defaults in it.
func (p *plan) needs(t *model.Type) bool {
	if known, ok := p.known[t.ID()]; ok {
		return known
	}
	found := p.search(t, map[model.Name]bool{})
	p.known[t.ID()] = found
	return found
}

// search visits all types that a type refers to, each type once.
func (p *plan) search(t *model.Type, seen map[model.Name]bool) bool {
	if seen[t.ID()] || t.Generic {
		return false
	}
	seen[t.ID()] = true
	if len(p.byHand(t)) > 0 || p.objectByHand(t) != (model.Name{}) {
		return true
	}
	if !t.IsStruct() {
		return p.searchRef(t.Def, seen)
	}
	for _, f := range t.Fields {
		if !p.visible(f) {
			continue
		}
		if e, ok := defaulting.OfField(p.m, t, f); ok && p.sets(f.Type, e) || p.searchRef(f.Type, seen) {
			return true
		}
	}
	return false
}

func (p *plan) searchRef(r *model.Ref, seen map[model.Name]bool) bool {
	switch r.Kind {
	case model.KindNamed:
		t := p.m.Type(r.ID())
		return t != nil && p.search(t, seen)
	case model.KindPointer:
		return p.searchRef(r.Elem, seen)
	case model.KindSlice, model.KindArray, model.KindMap:
		if e, ok := defaulting.OfValue(p.m, r.Elem); ok && p.sets(r.Elem, e) {
			return true
		}
		return p.searchRef(r.Elem, seen)
	}
	return false
}

// needsRef reports whether values of type r have defaults below them.
func (p *plan) needsRef(r *model.Ref) bool { return p.searchRef(r, map[model.Name]bool{}) }

// copied reports whether defaulting a map value of type r changes the value itself
// instead of memory that it refers to, so that it must be stored back.
func (p *plan) copied(r *model.Ref) bool {
	if e, ok := defaulting.OfValue(p.m, r); ok && p.sets(r, e) {
		return true
	}
	for range 64 {
		t := p.m.Type(r.ID())
		if t == nil {
			return r.Kind == model.KindArray
		}
		if t.IsStruct() || len(p.byHand(t)) > 0 {
			return true
		}
		r = t.Def
	}
	return false
}

// sets reports whether code has to set a default. It does not for zero values, {} on
// a struct, and null.
func (p *plan) sets(r *model.Ref, e defaulting.Effective) bool {
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

// visible reports whether generated code can access a field and should.
func (p *plan) visible(f *model.Field) bool {
	return token.IsExported(f.Name) && f.Name != "_"
}

// byHand returns the functions SetDefaults_<Type> and SetDefaults_<Type>_<Any> by name: those of the
// type's package, then those of the package that code is written for.
func (p *plan) byHand(t *model.Type) []model.Name {
	base := gofile.Defaulting + t.Name
	return p.functions(t, func(f *model.Func) bool { return f.Name == base || strings.HasPrefix(f.Name, base+"_") })
}

// objectByHand returns the hand-written function that does everything for a type, zero if there is
// none: SetObjectDefaults_<Type>, or SetDefaults_<Type> with +k8s:defaulter-gen=covers.
func (p *plan) objectByHand(t *model.Type) model.Name {
	found := p.functions(t, func(f *model.Func) bool {
		return f.Name == gofile.ObjectDefaulting+t.Name || f.Covers && f.Name == gofile.Defaulting+t.Name
	})
	if len(found) == 0 {
		return model.Name{}
	}
	return found[len(found)-1] // SetObjectDefaults_ is the last
}

// functions returns the hand-written functions of a type.
func (p *plan) functions(t *model.Type, wanted func(*model.Func) bool) []model.Name {
	var names []model.Name
	for i, path := range []string{t.Package, p.p.Path} {
		pkg := p.m.Package(path)
		if pkg == nil || i > 0 && path == t.Package {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(pkg.Funcs)) {
			if gofile.IsDefaulting(name) && wanted(pkg.Funcs[name]) && takesPointer(pkg.Funcs[name], t) {
				names = append(names, model.Name{Package: path, Name: name})
			}
		}
	}
	return names
}

// onlyByHand returns the hand-written function if a struct needs nothing else, else zero.
func (p *plan) onlyByHand(t *model.Type) model.Name {
	names := p.byHand(t)
	if len(names) != 1 {
		return model.Name{}
	}
	for _, f := range t.Fields {
		if !p.visible(f) {
			continue
		}
		if e, ok := defaulting.OfField(p.m, t, f); ok && p.sets(f.Type, e) || p.needsRef(f.Type) {
			return model.Name{}
		}
	}
	return names[0]
}

// takesPointer reports whether a function is func(*T).
func takesPointer(f *model.Func, t *model.Type) bool {
	return f != nil && len(f.Params) == 1 && len(f.Results) == 0 &&
		f.Params[0].Equal(model.PointerTo(model.Named(t.Package, t.Name)))
}

// checkFunctions reports functions that have the name of a defaulting function but
// the wrong signature.
func checkFunctions(c *emit.Context) {
	for _, name := range slices.Sorted(maps.Keys(c.Package.Funcs)) {
		for _, prefix := range []string{gofile.Defaulting, gofile.ObjectDefaulting} {
			typ, ok := strings.CutPrefix(name, prefix)
			if !ok {
				continue
			}
			meant := func(t *model.Type) bool { return t.Name == typ && !t.Generic }
			types := slices.DeleteFunc(slices.Clone(inputs(c)), func(t *model.Type) bool { return !meant(t) })
			if len(types) > 0 && !slices.ContainsFunc(types, func(t *model.Type) bool { return takesPointer(c.Package.Funcs[name], t) }) {
				c.Diags.Errorf(c.Package.Funcs[name].Span, codeSignature, "%s has the wrong signature, so generated code does not call it; it must be func(in *%s)", name, typ)
			}
		}
	}
}

// inputs returns the types of the package and of its +k8s:defaulter-gen-input packages.
func inputs(c *emit.Context) []*model.Type {
	types := slices.Clone(c.Package.Types)
	for _, path := range c.Package.DefaultInputs {
		if p := c.Model.Package(path); p != nil {
			types = append(types, p.Types...)
		}
	}
	return types
}

// checkGenerics warns about defaults in generic types, which get no code.
func checkGenerics(c *emit.Context) {
	for _, t := range c.Package.Types {
		if !t.Generic {
			continue
		}
		for _, f := range t.Fields {
			if f.Default != nil {
				c.Diags.Warnf(f.Default.Span, codeGeneric, "defaults in the generic type %s apply in the schema only; set this one in a SetDefaults_ function of a type that uses %s", t.Name, t.Name)
			}
		}
	}
}
