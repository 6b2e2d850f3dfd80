package evolve

import (
	"fmt"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// pairHandWritten pairs a hand-written older version with the newest: types by name, fields by
// their JSON name in the version, constants by value. Types that are missing have been reported.
func (h *evolver) pairHandWritten(p *model.Package, v int, types map[*model.Type]bool, missing map[string]bool) {
	p.Hub = h.pkg.Path
	if p.Group == "" {
		p.Group = h.pkg.Group
	}
	p.Tags = slices.Concat(p.Tags, model.Find(h.pkg.Tags, model.RoleSkip), h.skips(v))
	z := &handWrittenVersion{evolver: h, v: v, types: types, pkg: p}
	var absent []*model.Type
	var written *model.Type
	for _, t := range h.pkg.Types {
		if !types[t] {
			continue
		}
		name := h.typeNameAt(t, v)
		old := p.Type(name)
		if old == nil && (missing[name] || t.Kind == nil && h.hasKinds()) {
			continue // a field that needs it is reported
		}
		if old == nil {
			absent = append(absent, t)
			continue
		}
		if written == nil && p.Decls[name] {
			written = old
		}
		h.pairType(z, t, old)
	}
	h.checkAbsent(p, v, absent, written)
	h.moves(p, v, func(at pathStep) string {
		if old := p.PairOf(at.owner.ID()); old != nil {
			if f := z.counterpart(at.field, old); f != nil {
				return f.Name
			}
		}
		return "" // reported
	})
}

// checkAbsent reports the types that a hand-written version lacks. written is one of those that it has, nil if there are none.
func (h *evolver) checkAbsent(p *model.Package, v int, absent []*model.Type, written *model.Type) {
	if len(absent) == 0 {
		return
	}
	names, what, them := make([]string, len(absent)), "type ", "it"
	for i, t := range absent {
		names[i] = h.typeNameAt(t, v)
	}
	if len(absent) > 1 {
		what, them = "types ", "them"
	}
	d := h.bag.Errorf(h.versions[v].NameSpan, codeHandWrittenMissing, "hand-written package %s has no %s; declare %s, or add +%s to %[3]s in %[5]s",
		p.Path, what+english.And(names), them, h.name(model.RoleAdded), h.pkg.Name)
	if written != nil {
		d.Message += ", or remove the hand-written types that " + h.pkg.Name + " has too, to generate the version"
		d.Note(written.Span, "a hand-written type")
	}
	for _, t := range absent {
		d.Note(t.Span, "the type in the newest version")
		if at := h.nameSpan(t, v); at != t.Span {
			d.Note(at, "its name in %s", h.versions[v].Name)
		}
	}
}

// handWrittenVersion is a hand-written older version that is being paired.
type handWrittenVersion struct {
	*evolver
	v     int
	types map[*model.Type]bool
	pkg   *model.Package
}

func (h *evolver) pairType(z *handWrittenVersion, t, old *model.Type) {
	id := t.ID()
	old.Hub = &id
	byHand := z.convertedByHand(t, old)
	switch {
	case len(t.TypeParams) != len(old.TypeParams):
		h.bag.Errorf(old.Span, codeHandWrittenType, "%s has %d type parameters here and %d in %s; declare it with as many", old.Name, len(old.TypeParams), len(t.TypeParams), h.pkg.Name).
			Note(t.Span, "the type in the newest version")
		return
	case t.IsStruct() && old.IsStruct():
		z.pairFields(t, old, byHand)
	case !byHand && !z.crosses(renameParams(old.Def, old, t), t.Def):
		h.bag.Errorf(old.Span, codeHandWrittenType, "%s is %s here and %s in %s; write %s and the reverse conversion by hand",
			old.Name, english.A(z.spellOld(old.Def)), h.withArticle(t.Def), h.pkg.Name, model.ConversionFunc(z.pkg, old.Name, z.next(z.v), h.typeNameAt(t, z.v+1)))
	}
	z.pairConsts(t, old, byHand)
}

// convertedByHand reports whether both conversions of a type are hand-written.
func (z *handWrittenVersion) convertedByHand(t, old *model.Type) bool {
	next := z.next(z.v)
	up, down := conversions(z.pkg, old.Name, next, z.typeNameAt(t, z.v+1))
	return byOne(up, z.pkg, next) && byOne(down, z.pkg, next)
}

// next returns the package of the version after one; one with a name alone if it is generated later.
func (h *evolver) next(v int) *model.Package {
	if v+1 == h.newest() {
		return h.pkg
	}
	if p := h.m.Package(h.versions[v+1].Package); p != nil {
		return p
	}
	return &model.Package{Name: h.versions[v+1].Name}
}

// conversions returns the names of the functions between a type of two versions.
func conversions(p *model.Package, older string, next *model.Package, newer string) (up, down string) {
	return model.ConversionFunc(p, older, next, newer), model.ConversionFunc(next, newer, p, older)
}

// byOne reports whether one of two packages has a function.
func byOne(name string, p, next *model.Package) bool {
	return p.Funcs[name] != nil || next.Funcs[name] != nil
}

func (z *handWrittenVersion) pairFields(t, old *model.Type, byHand bool) {
	for _, f := range z.fields(t) {
		if !z.of(f).exists(z.v) || !z.onWire(f) {
			continue
		}
		g := z.counterpart(f, old)
		if g == nil {
			if !byHand {
				_, name := z.fieldAt(f, z.v)
				z.bag.Errorf(old.Span, codeHandWrittenMissing,
					"%s has no field with the JSON name %q for %s; add it, or add +%s or fromName to the newest version's field",
					old.Name, name, z.of(f).label, z.name(model.RoleAdded)).Note(f.Span, "the field in the newest version")
			}
			continue
		}
		was := z.typeAt(f, z.v)
		if !z.crosses(renameParams(g.Type, old, t), was) {
			if !byHand {
				z.reportType(old, g, f, was)
			}
			continue
		}
		g.Origin = origin(f, z.of(f), z.v)
	}
	for _, g := range old.Fields {
		if g.Origin == nil && z.onWire(g) && !byHand && z.counterpartOf(g, t) == nil {
			z.bag.Errorf(g.Span, codeHandWrittenExtra, "%[3]s does not have %[1]s.%[2]s; add +%[4]s(since: …, name: %[5]q, type: %[6]q) to %[3]s.%[7]s",
				old.Name, fieldLabel(g), z.evolver.pkg.Name, z.name(model.RoleRemoved), fieldLabel(g), z.spellOld(z.inHub(renameParams(g.Type, old, t))), t.Name)
		}
	}
}

// renameParams returns a type in a generic one with the parameters' names of another.
func renameParams(r *model.Ref, from, to *model.Type) *model.Ref {
	params := map[string]*model.Ref{}
	for i, name := range from.TypeParams {
		params[name] = &model.Ref{Kind: model.KindParam, Name: to.TypeParams[i]}
	}
	return r.Substitute(params)
}

// reportType reports a hand-written field with another type than the markers of the newest version's field say.
func (z *handWrittenVersion) reportType(old *model.Type, g, f *model.Field, was *model.Ref) {
	expected := z.renamed(was, func(t *model.Type) string {
		if t.Package == z.evolver.pkg.Path {
			return z.typeNameAt(t, z.v)
		}
		return t.Name
	})
	remedy := fmt.Sprintf("add +%s(since: …, fromType: %q) there", z.name(model.RoleChanged), z.spellOld(z.inHub(g.Type)))
	if !model.SameGo(expected, was) && z.spellOld(g.Type) == z.spell(was) {
		remedy = "rename the type here, or change the fromName of the type there"
	}
	z.bag.Errorf(g.TypeSpan, codeHandWrittenType, "%s.%s is %s here but %s by the newest version's markers; %s",
		old.Name, fieldLabel(g), english.A(z.spellOld(g.Type)), z.withArticle(expected), remedy).Note(f.Span, "the field in the newest version")
}

// counterpart returns the hand-written field for a field of the newest version, or nil.
func (z *handWrittenVersion) counterpart(f *model.Field, old *model.Type) *model.Field {
	goName, jsonName := z.fieldAt(f, z.v)
	i := slices.IndexFunc(old.Fields, func(g *model.Field) bool {
		if f.JSON == "" {
			return g.JSON == "" && g.Name == goName
		}
		return g.JSON == jsonName
	})
	if i < 0 {
		return nil
	}
	return old.Fields[i]
}

func (z *handWrittenVersion) counterpartOf(g *model.Field, t *model.Type) *model.Field {
	for _, f := range z.fields(t) {
		goName, jsonName := z.fieldAt(f, z.v)
		if z.of(f).exists(z.v) && (g.JSON != "" && jsonName == g.JSON || g.JSON == "" && g.Name == goName) {
			return f
		}
	}
	return nil
}

func (z *handWrittenVersion) pairConsts(t, old *model.Type, byHand bool) {
	for _, c := range t.Consts {
		if !z.of(c).exists(z.v) {
			if to := z.standIn(t, c, z.v); to != nil {
				_, value := z.constAt(to, z.v)
				if k := constNamed(old, value); k != nil {
					old.Fallbacks = append(old.Fallbacks, model.Fallback{Hub: c.Name, To: k.Name})
				}
			}
			continue
		}
		_, was := z.constAt(c, z.v)
		if k := constNamed(old, was); k != nil && k.Value == was {
			k.Origin = c.Name
		} else if t.IsEnum() && !byHand {
			z.bag.Errorf(old.Span, codeHandWrittenMissing, "%s has no constant with the value %q; add it, or add +%s to %s.%s",
				old.Name, was, z.name(model.RoleAdded), z.evolver.pkg.Name, c.Name).Note(c.Span, "the constant in the newest version")
		}
	}
}

// crosses reports whether generated code can convert a hand-written older type to the newest
// package's type and back: they have the same shape, and their types are paired.
func (z *handWrittenVersion) crosses(a, b *model.Ref) bool {
	if model.SameGo(a, b) && !z.refChanges(b, map[*model.Type]bool{}) {
		return true // of the newest package, too
	}
	if len(a.Args) != len(b.Args) {
		return false
	}
	for i, arg := range a.Args {
		if !z.crosses(arg, b.Args[i]) {
			return false
		}
	}
	if a.Kind == model.KindNamed && a.Package == z.pkg.Path || b.Kind == model.KindNamed && b.Package == z.evolver.pkg.Path {
		if t := z.local(b); t != nil && z.types[t] && a.Package == z.pkg.Path && a.Name == z.typeNameAt(t, z.v) {
			return true
		}
		if t := z.local(b); t != nil && z.changesValue(t, z.v) {
			return false // its constants are converted one by one
		}
		x, y := model.Canonical(z.m.Underlying(a)), model.Canonical(z.m.Underlying(b))
		return x.IsScalar() && y.IsScalar() && x.Name == y.Name
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case model.KindPointer, model.KindSlice:
		return z.crosses(a.Elem, b.Elem)
	case model.KindArray:
		return a.Len == b.Len && z.crosses(a.Elem, b.Elem)
	case model.KindMap:
		return z.crosses(a.Key, b.Key) && z.crosses(a.Elem, b.Elem)
	}
	return model.SameGo(a, b)
}

// inHub returns a type of the hand-written package with the names that the types have in the newest one.
func (z *handWrittenVersion) inHub(r *model.Ref) *model.Ref {
	return z.renamed(r, func(t *model.Type) string {
		if own := z.typeNamed(z.types, t.Name, z.v); own != nil && t.Package == z.pkg.Path {
			return own.Name
		}
		return t.Name
	})
}

// renamed returns a type expression with other names for the types of the packages.
func (z *handWrittenVersion) renamed(r *model.Ref, name func(*model.Type) string) *model.Ref {
	if r == nil {
		return nil
	}
	c := *r
	if t := z.m.Type(r.ID()); r.Kind == model.KindNamed && t != nil {
		c.Name = name(t)
	}
	c.Elem, c.Key, c.Args = z.renamed(r.Elem, name), z.renamed(r.Key, name), nil
	for _, a := range r.Args {
		c.Args = append(c.Args, z.renamed(a, name))
	}
	return &c
}

// spellOld returns the spelling of a type in the hand-written package.
func (z *handWrittenVersion) spellOld(r *model.Ref) string { return z.spell(z.unqualified(r)) }

// unqualified returns a type whose parts of the hand-written package are those of the newest one.
func (z *handWrittenVersion) unqualified(r *model.Ref) *model.Ref {
	if r == nil {
		return nil
	}
	c := *r
	if r.Package == z.pkg.Path {
		c.Package = z.evolver.pkg.Path
	}
	c.Elem, c.Key, c.Args = z.unqualified(r.Elem), z.unqualified(r.Key), nil
	for _, a := range r.Args {
		c.Args = append(c.Args, z.unqualified(a))
	}
	return &c
}
