package evolve

import (
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// typeExists reports whether a version has a type. It has a list type if it has the item type.
func (h *evolver) typeExists(t *model.Type, v int) bool {
	if !h.of(t).exists(v) {
		return false
	}
	if t.Kind != nil && t.Kind.Item != nil {
		if item := h.local(t.Kind.Item); item != nil {
			return h.of(item).exists(v)
		}
	}
	return true
}

// local returns the package's type with a name, or nil.
func (h *evolver) local(r *model.Ref) *model.Type {
	if r.Kind != model.KindNamed || r.Package != h.pkg.Path {
		return nil
	}
	return h.pkg.Type(r.Name)
}

// locals calls f for every type of the package in a type expression.
func (h *evolver) locals(r *model.Ref, f func(*model.Type)) {
	r.Declared(func(name model.Name) {
		if t := h.pkg.Type(name.Name); name.Package == h.pkg.Path && t != nil {
			f(t)
		}
	})
}

// olderLocals calls f for every type of a type expression that older versions have themselves.
func (h *evolver) olderLocals(r *model.Ref, f func(*model.Type)) {
	if r == nil {
		return
	}
	if h.isCommon(r) {
		return
	}
	if t := h.local(r); t != nil {
		f(t)
	}
	h.olderLocals(r.Elem, f)
	h.olderLocals(r.Key, f)
	for _, a := range r.Args {
		h.olderLocals(a, f)
	}
}

// isCommon reports whether older versions refer to a type as the newest one does, with its type arguments: a common type, or an
// instance of another package's generic type.
func (h *evolver) isCommon(r *model.Ref) bool {
	return h.common[h.local(r)] || r.Package != h.pkg.Path && len(r.Args) > 0
}

// commonTypes returns the types that a generated older version uses of the newest one's package: generic
// types, and types with hand-written JSON methods, if they do not change and the older version does not
// declare them.
func (h *evolver) commonTypes(existing *model.Package, hand byHand) map[*model.Type]bool {
	common, varies := map[*model.Type]bool{}, h.varyingGenerics()
	for _, t := range h.pkg.Types {
		written := existing != nil && existing.Decls[t.Name] || len(hand.methods[t.Name]) > 0
		if (t.Generic || hasJSONMethods(t)) && (exported(t.Name) || !t.Generic) && t.Kind == nil && !written && !varies[t] && h.isUnchanged(t) {
			common[t] = true
		}
	}
	return common
}

// varyingGenerics returns the generic types of the package of which an instance has a type argument that differs between
// versions.
func (h *evolver) varyingGenerics() map[*model.Type]bool {
	varies := map[*model.Type]bool{}
	var mark func(owner *model.Type, r *model.Ref)
	mark = func(owner *model.Type, r *model.Ref) {
		if r == nil {
			return
		}
		mark(owner, r.Elem)
		mark(owner, r.Key)
		for _, a := range r.Args {
			mark(owner, a)
			if t := h.local(r); t != nil && (h.refChanges(a, map[*model.Type]bool{}) || varies[owner] && a.HasParams()) {
				varies[t] = true
			}
		}
	}
	for n := -1; n < len(varies); { // a generic type may have instances of others
		n = len(varies)
		for _, t := range h.pkg.Types {
			mark(t, t.Def)
			for _, f := range h.fields(t) {
				for v := range h.versions {
					mark(t, h.typeAt(f, v))
				}
			}
		}
	}
	return varies
}

// stays reports whether a type does not differ between versions.
func (h *evolver) isUnchanged(t *model.Type) bool { return !h.changes(t, map[*model.Type]bool{}) }

func hasJSONMethods(t *model.Type) bool {
	return slices.ContainsFunc(jsonMethods, func(name string) bool { return t.Methods[name] != nil })
}

// changes reports whether a type, or one that it uses, differs between versions.
func (h *evolver) changes(t *model.Type, seen map[*model.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	differs := func(changes []model.Change, tags []*model.Tag) bool {
		return len(changes) > 0 || slices.ContainsFunc(tags, func(c *model.Tag) bool {
			kept, _ := h.holds(c, 0)
			return kept != c
		})
	}
	if differs(t.Changes, t.Tags) || len(h.former[t]) > 0 || h.refChanges(t.Def, seen) {
		return true
	}
	return slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return differs(f.Changes, f.Tags) || h.refChanges(f.Type, seen) }) ||
		slices.ContainsFunc(t.Consts, func(c *model.Const) bool { return differs(c.Changes, c.Tags) })
}

func (h *evolver) refChanges(r *model.Ref, seen map[*model.Type]bool) bool {
	changes := false
	h.locals(r, func(t *model.Type) { changes = changes || h.changes(t, seen) })
	return changes
}

// reachable returns the types of a version: its kinds and all types that they use. It adds types that no kind uses in any
// version: those with change markers, and every exported type of a package without kinds.
func (h *evolver) reachable(v int) map[*model.Type]bool {
	var kinds, others []*model.Type
	for _, t := range h.pkg.Types {
		switch {
		case t.Kind != nil:
			kinds = append(kinds, t)
		case len(t.Changes) > 0, !h.hasKinds() && exported(t.Name) && !t.Alias && !t.Generic && isData(t.Def):
			others = append(others, t)
		}
	}
	used := map[*model.Type]bool{}
	for _, t := range kinds {
		used[t] = true
	}
	for n := 0; n < len(used); { // a type may be in removed fields only, of a struct that later versions use only
		n = len(used)
		for w := range h.versions {
			maps.Copy(used, h.closure(w, slices.Collect(maps.Keys(used))))
		}
	}
	others = slices.DeleteFunc(others, func(t *model.Type) bool { return used[t] })
	return h.closure(v, append(kinds, others...))
}

// closure returns the types that a version has of some, and all types that these use.
func (h *evolver) closure(v int, from []*model.Type) map[*model.Type]bool {
	seen := map[*model.Type]bool{}
	var visit func(t *model.Type)
	visit = func(t *model.Type) {
		if seen[t] || h.common[t] || !h.typeExists(t, v) {
			return
		}
		seen[t] = true
		h.olderLocals(t.Def, visit)
		for _, f := range h.fields(t) {
			if h.of(f).exists(v) && h.onWire(f) {
				h.olderLocals(h.typeAt(f, v), visit)
			}
		}
	}
	for _, t := range from {
		visit(t)
	}
	return seen
}

func (h *evolver) hasKinds() bool {
	return slices.ContainsFunc(h.pkg.Types, func(t *model.Type) bool { return t.Kind != nil })
}

// onWire reports whether older versions have a field.
func (h *evolver) onWire(f *model.Field) bool { return h.m.IsConverted(f) }

func isData(r *model.Ref) bool {
	return r.Kind != model.KindInterface && r.Kind != model.KindFunc && r.Kind != model.KindChan
}

func exported(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

// checkReachable reports types that older versions cannot have.
func (h *evolver) checkReachable(v int, types map[*model.Type]bool) {
	for _, t := range h.pkg.Types {
		if !types[t] {
			continue
		}
		if slices.ContainsFunc(t.Constraints, func(c *model.Ref) bool { return c.Kind == model.KindInvalid }) {
			h.bag.Errorf(t.Span, codeGeneric, "%s is generic and must be generated for older versions, whose types need not satisfy its constraint; use any, comparable or predeclared types as the constraint, or declare a struct for each instance", t.Name)
		}
		h.checkArguments(t.Span, t.Def)
		for _, f := range h.fields(t) {
			switch {
			case !h.of(f).exists(v) || f.Skipped:
			case h.onWire(f):
				h.checkFieldType(f, v)
			case f.Embedded && f.Type.Kind == model.KindPointer:
				h.bag.Errorf(f.Span, codeUnexportedType, "Go cannot decode JSON into an embedded pointer to %s, which is not exported; embed the struct itself, or rename the type to %s", f.Name, upperFirst(f.Name))
			case f.Embedded:
				h.bag.Errorf(f.Span, codeUnexportedType, "older versions cannot have the embedded field %s, which is not exported and no struct of this package; rename the type to %s, or give the field an exported name and a JSON name", f.Name, upperFirst(f.Name))
			}
		}
	}
}

func (h *evolver) checkFieldType(f *model.Field, v int) {
	r := h.typeAt(f, v)
	for e := r; e != nil; e = e.Elem {
		if e.Kind == model.KindStruct {
			h.bag.Errorf(f.TypeSpan, codeAnonymous, "%s has an anonymous struct type, which older versions cannot repeat; declare a named type", h.of(f).label)
		}
	}
	h.checkArguments(f.TypeSpan, r)
	h.olderLocals(r, func(t *model.Type) {
		if h.typeExists(t, v) || h.bag.Has(f.Span, codeTypeNotYet) {
			return // one version is enough to report
		}
		since := h.versions[h.of(t).added].Name
		h.bag.Errorf(f.Span, codeTypeNotYet, "%s exists in %s, but its type %s only since %s; add +%s(since: %q) to the field too",
			h.of(f).label, h.versions[v].Name, t.Name, since, h.name(model.RoleAdded), since).
			Note(h.of(t).addedBy.Span, "the type was added here")
	})
}

// checkArguments reports type arguments that differ between versions.
func (h *evolver) checkArguments(span source.Span, r *model.Ref) {
	if r == nil {
		return
	}
	if h.isCommon(r) && slices.ContainsFunc(r.Args, func(a *model.Ref) bool { return h.refChanges(a, map[*model.Type]bool{}) }) {
		h.bag.Errorf(span, codeGeneric, "a type argument of %s, which is not of this package, changes between versions; declare a struct for this instance, with its fields", h.spell(model.Named(r.Package, r.Name))).
			Voids(diag.Meaning(span)) // the struct is copied, too
	}
	h.checkArguments(span, r.Elem)
	h.checkArguments(span, r.Key)
	for _, a := range r.Args {
		h.checkArguments(span, a)
	}
}
