package evolve

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
)

// typeExists reports whether a version has a type. A list goes with its items.
func (h *hub) typeExists(t *model.Type, v int) bool {
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

// local returns the package's type that a reference names, or nil.
func (h *hub) local(r *model.Ref) *model.Type {
	if r.Kind != model.KindNamed || r.Package != h.pkg.Path {
		return nil
	}
	return h.pkg.Type(r.Name)
}

// locals calls f for every type of the package that a type expression names.
func (h *hub) locals(r *model.Ref, f func(*model.Type)) {
	if r == nil {
		return
	}
	if t := h.local(r); t != nil {
		f(t)
	}
	h.locals(r.Elem, f)
	h.locals(r.Key, f)
	for _, a := range r.Args {
		h.locals(a, f)
	}
}

// reachable returns the types that a version consists of: its kinds and all
// that these lead to, or every exported type of a package without kinds.
func (h *hub) reachable(v int) map[*model.Type]bool {
	seen := map[*model.Type]bool{}
	var visit func(t *model.Type)
	visit = func(t *model.Type) {
		if seen[t] || !h.typeExists(t, v) {
			return
		}
		seen[t] = true
		h.locals(t.Def, visit)
		for _, f := range t.Fields {
			if h.of(f).exists(v) && onWire(f) {
				h.locals(h.typeAt(f, v), visit)
			}
		}
	}
	kinds := h.hasKinds()
	for _, t := range h.pkg.Types {
		if t.Kind != nil {
			visit(t)
		}
	}
	for _, t := range h.pkg.Types {
		if len(t.Changes) > 0 || !kinds && exported(t.Name) && !t.Alias && !t.Generic && isData(t.Def) {
			visit(t)
		}
	}
	return seen
}

func (h *hub) hasKinds() bool {
	return slices.ContainsFunc(h.pkg.Types, func(t *model.Type) bool { return t.Kind != nil })
}

// onWire reports whether other packages can see the field at all.
func onWire(f *model.Field) bool { return f.Exported() }

func isData(r *model.Ref) bool {
	return r.Kind != model.KindInterface && r.Kind != model.KindFunc && r.Kind != model.KindChan
}

func exported(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

// checkReachable reports what stands in the way of a version's types.
func (h *hub) checkReachable(v int, types map[*model.Type]bool) {
	for _, t := range h.pkg.Types {
		if !types[t] {
			continue
		}
		switch {
		case t.Generic:
			h.bag.Errorf(t.Span, codeGeneric, "%s is generic, and generic types cannot be versioned yet; declare a type for each instance", t.Name)
		case !exported(t.Name):
			h.bag.Errorf(t.Span, codeUnexportedType, "%s is converted from and to other packages, which cannot name it; call it %s", t.Name, upperFirst(t.Name))
		}
		for _, f := range t.Fields {
			if h.of(f).exists(v) && onWire(f) {
				h.checkFieldType(f, v)
			}
		}
	}
}

func (h *hub) checkFieldType(f *model.Field, v int) {
	r := h.typeAt(f, v)
	for e := r; e != nil; e = e.Elem {
		if e.Kind == model.KindStruct {
			h.bag.Errorf(f.TypeSpan, codeAnonymous, "%s has a struct type without a name, which older versions cannot repeat; declare it as a type", h.of(f).label)
		}
	}
	h.locals(r, func(t *model.Type) {
		if h.typeExists(t, v) {
			return
		}
		since := h.versions[h.of(t).added].Name
		h.bag.Errorf(f.Span, codeTypeNotYet, "%s exists in %s, and its type %s only from %s on; say +%s(since: %q) on the field too",
			h.of(f).label, h.versions[v].Name, t.Name, since, h.name(model.RoleAdded), since).
			Note(h.of(t).addedBy.Span, "the type was added here")
	})
}
