package defaults

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/emit"
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
	if len(p.byHand(t)) > 0 || p.objectByHand(t) != "" {
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

// byHand returns the functions SetDefaults_<Type> and SetDefaults_<Type>_<Any>
// of the type's package, by name.
func (p *plan) byHand(t *model.Type) []string {
	pkg := p.m.Package(t.Package)
	if pkg == nil {
		return nil
	}
	prefix := "SetDefaults_" + t.Name
	var names []string
	for _, name := range slices.Sorted(maps.Keys(pkg.Funcs)) {
		if (name == prefix || strings.HasPrefix(name, prefix+"_")) && takesPointer(pkg.Funcs[name], t) {
			names = append(names, name)
		}
	}
	return names
}

// objectByHand returns the hand-written SetObjectDefaults_<Type>, or "".
func (p *plan) objectByHand(t *model.Type) string {
	name := "SetObjectDefaults_" + t.Name
	if pkg := p.m.Package(t.Package); pkg != nil && takesPointer(pkg.Funcs[name], t) {
		return name
	}
	return ""
}

// onlyByHand returns the hand-written function if a struct needs nothing else, or "".
func (p *plan) onlyByHand(t *model.Type) string {
	names := p.byHand(t)
	if len(names) != 1 {
		return ""
	}
	for _, f := range t.Fields {
		if !p.visible(f) {
			continue
		}
		if e, ok := defaulting.OfField(p.m, t, f); ok && p.sets(f.Type, e) || p.needsRef(f.Type) {
			return ""
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
		for _, prefix := range []string{"SetDefaults_", "SetObjectDefaults_"} {
			typ, ok := strings.CutPrefix(name, prefix)
			if !ok {
				continue
			}
			t := c.Package.Type(typ)
			if t != nil && !t.Generic && !takesPointer(c.Package.Funcs[name], t) {
				c.Diags.Errorf(c.Package.Funcs[name].Span, codeSignature, "%s has the wrong signature, so generated code does not call it; it must be func(in *%s)", name, typ)
			}
		}
	}
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
