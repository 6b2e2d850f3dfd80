package evolve

import (
	"go/token"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// readHooks checks the functions that are called after the generated conversion of a struct, and
// sorts them by version.
func (h *evolver) readHooks() {
	for _, t := range h.pkg.Types {
		t.Changes = slices.DeleteFunc(t.Changes, func(c model.Change) bool {
			hook, ok := c.(*model.Hook)
			return ok && !h.readHook(t, hook)
		})
	}
}

func (h *evolver) readHook(t *model.Type, c *model.Hook) bool {
	v, ok := h.index[c.Since]
	switch {
	case !ok:
		return false // reported
	case v == 0:
		h.firstVersion(&c.ChangeBase)
		return false
	case !t.IsStruct() || t.Kind != nil && t.Kind.List:
		h.bag.Errorf(c.Span, codeHook, "%s is not a struct with fields; +%s is for structs, such as the spec", t.Name, c.Tag.Name)
		return false
	case c.Split != nil:
		return c.Split.Fields != nil // or reported
	case t.Generic:
		h.bag.Errorf(c.Span, codeGeneric, "%s is generic, and no function takes all its instances; declare a struct for each instance, with its fields", t.Name)
		return false
	case c.Upgrade.Or("") == "" && c.Downgrade.Or("") == "":
		h.bag.Errorf(c.Span, codeHook, `add the functions to call, such as upgrade: "Upgrade%s" and downgrade: "Downgrade%[1]s"`, t.Name).RestsOn(tag.ArgumentsOf(c.Span))
		return false
	}
	own := model.PointerTo(model.Named(t.Package, t.Name))
	upgrade, downgrade := h.checkHook(t, c.Upgrade, v, 0, own), h.checkHook(t, c.Downgrade, v, 1, own)
	return upgrade && downgrade
}

// checkHook checks the function of one direction. was is the index of the parameter with the fields
// of the version before.
func (h *evolver) checkHook(t *model.Type, function *model.Value, v, was int, own *model.Ref) bool {
	name := function.Or("")
	if name == "" {
		return true
	}
	fn := h.pkg.Funcs[name]
	signature := "func " + name + "(in *Before, out *" + t.Name + ") error"
	if was == 1 {
		signature = "func " + name + "(in *" + t.Name + ", out *Before) error"
	}
	switch {
	case fn == nil || !token.IsExported(name):
		h.bag.Errorf(function.Span, codeMissingFunction, "package %s has no exported function %s", h.pkg.Name, name).
			Note(function.Span, "write: %s, where Before is a struct with the fields that %s had in %s and that the function needs", signature, t.Name, h.versions[v-1].Name)
		return false
	case len(fn.Params) != 2 || !model.SameGo(fn.Params[1-was], own) || h.before(fn.Params[was]) == nil ||
		len(fn.Results) > 1 || len(fn.Results) == 1 && !isError(fn.Results[0]):
		h.bag.Errorf(function.Span, codeSignature, "%s must take the struct in both versions; write: %s, where Before is a struct of package %s with the fields that %s had in %s and that the function needs",
			name, signature, h.pkg.Name, t.Name, h.versions[v-1].Name).Note(fn.Span, "declared here")
		return false
	}
	ok := true
	for _, f := range h.before(fn.Params[was]).Fields {
		g := h.ofStruct(t, f.JSON, v-1)
		switch {
		case g == nil:
			h.bag.Errorf(f.Span, codeHook, "%s has no field %q in %s that %s could have", t.Name, fieldLabel(f), h.versions[v-1].Name, name).Note(function.Span, "the hook")
		case h.of(g).move != nil:
			h.bag.Errorf(f.Span, codeHook, "%s moves, and a hook sees only what has one path; move it with the hook instead", h.of(g).label).Note(function.Span, "the hook")
		case !model.SameGo(f.Type, h.typeAt(g, v-1)):
			h.bag.Errorf(f.TypeSpan, codeHook, "%s has type %s in %s, which the field must have too", h.of(g).label, h.spell(h.typeAt(g, v-1)), h.versions[v-1].Name).Note(function.Span, "the hook")
		default:
			continue
		}
		ok = false
	}
	return ok
}

// before returns the struct that a parameter points to, nil if it is none of the package.
func (h *evolver) before(r *model.Ref) *model.Type {
	if r.Kind != model.KindPointer {
		return nil
	}
	t := h.m.Type(r.Elem.ID())
	if t == nil || t.Package != h.pkg.Path || !t.IsStruct() {
		return nil
	}
	return t
}

// ofStruct returns a struct's own field with a JSON name in a version, or nil.
func (h *evolver) ofStruct(t *model.Type, name string, v int) *model.Field {
	for _, f := range h.fields(t) {
		if _, was := h.fieldAt(f, v); name != "" && was == name && !f.Inline && h.of(f).exists(v) {
			return f
		}
	}
	return nil
}
