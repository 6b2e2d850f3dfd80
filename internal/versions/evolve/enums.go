package evolve

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// checkEnums checks the arguments of markers on constants.
func (h *evolver) checkEnums() {
	identities := h.identities()
	for _, t := range h.pkg.Types {
		for _, c := range t.Consts {
			h.checkConst(t, c)
			identity, ok := identities[t.ID()]
			if !ok {
				continue
			}
			for _, s := range h.of(c).steps {
				if identity.mapKey && (s.changed != nil || s.renames()) {
					h.bag.Errorf(s.change().Base().Span, codeMapKey, "%s is %s; map keys cannot be renamed", t.Name, identity.what)
				}
			}
			if hs := h.of(c); hs.added > 0 && hs.addedBy.DowngradeTo.Or("") != "" {
				h.bag.Errorf(hs.addedBy.DowngradeTo.Place(hs.addedBy.Span), codeMapKey, "%s is %s; downgradeTo could make two of them equal", t.Name, identity.what)
			}
		}
	}
}

// identity is a use of a type whose values identify others.
type identity struct {
	what   string
	mapKey bool
}

// identities returns the types of map keys, of items of sets and of keys of lists.
func (h *evolver) identities() map[model.Name]identity {
	found := map[model.Name]identity{}
	add := func(owner *model.Type, r *model.Ref, what string, mapKey bool) {
		for _, r := range h.arguments(owner, r, nil) {
			if r, _ = h.m.Deref(r); r != nil && (mapKey || found[r.ID()].what == "") {
				found[r.ID()] = identity{what, mapKey}
			}
		}
	}
	var maps func(owner *model.Type, r *model.Ref, label string)
	maps = func(owner *model.Type, r *model.Ref, label string) {
		if r == nil {
			return
		}
		if r.Key != nil && (r.Key.Kind == model.KindNamed || r.Key.Kind == model.KindParam) {
			add(owner, r.Key, "the key type of the map "+label, true)
		}
		maps(owner, r.Elem, label)
	}
	for _, t := range h.pkg.Types {
		maps(t, t.Def, t.Name)
		for _, f := range h.fields(t) {
			label := t.Name + "." + fieldLabel(f)
			maps(t, f.Type, label)
			r, _ := h.m.Deref(f.Type)
			list := h.m.Underlying(r)
			if list.Kind != model.KindSlice {
				continue
			}
			n := tag.FieldNode(h.m, h.tags, t, f)
			if n.Semantics() == model.ListSet {
				add(t, list.Elem, "the item type of the set "+label, false)
			}
			item, _ := h.m.Deref(list.Elem)
			for _, key := range n.ListMapKeys() {
				add(h.m.Struct(item), key.Type, "the type of the key "+key.JSON+" of the list "+label, false)
			}
		}
	}
	return found
}

// arguments returns what a type of a struct's field may be: a type parameter of the struct may be each argument of its
// instances.
func (h *evolver) arguments(owner *model.Type, r *model.Ref, seen []*model.Type) []*model.Ref {
	i := slices.Index(owner.TypeParams, r.Name)
	if r.Kind != model.KindParam || i < 0 {
		return []*model.Ref{r}
	}
	if slices.Contains(seen, owner) {
		return nil
	}
	seen = append(seen, owner)
	var found []*model.Ref
	var find func(user *model.Type, r *model.Ref)
	find = func(user *model.Type, r *model.Ref) {
		if r == nil {
			return
		}
		if h.local(r) == owner && i < len(r.Args) {
			found = append(found, h.arguments(user, r.Args[i], seen)...)
		}
		for _, part := range append([]*model.Ref{r.Elem, r.Key}, r.Args...) {
			find(user, part)
		}
	}
	for _, t := range h.pkg.Types {
		find(t, t.Def)
		for _, f := range h.fields(t) {
			find(t, f.Type)
		}
	}
	return found
}

func (h *evolver) checkConst(t *model.Type, c *model.Const) {
	hs := h.of(c)
	for _, s := range hs.steps {
		if from := s.fromName(); from != "" && !c.IsString {
			if _, err := strconv.ParseInt(from, 10, 64); err != nil {
				h.bag.Errorf(s.changed.FromName.Span, codeBadArgument, "fromName of %s must be a number: the previous value of the constant", c.Name)
			}
		}
	}
	if hs.added == 0 {
		return
	}
	to := hs.addedBy.DowngradeTo.Or("")
	if to == "" {
		if t.IsEnum() {
			h.bag.Errorf(hs.addedBy.Span, codeDowngradeTo,
				"versions before %s cannot represent %q, since the enum %s is closed; add downgradeTo: with the value that replaces it there",
				hs.addedBy.Since, c.Value, t.Name)
		}
		return
	}
	target := constNamed(t, to)
	switch {
	case target == nil:
		h.bag.Errorf(hs.addedBy.DowngradeTo.Place(hs.addedBy.Span), codeDowngradeTo, "%s has no constant with the value %q%s", t.Name, to, h.formerly(t, to, hs.added))
	case target == c:
		h.bag.Errorf(hs.addedBy.DowngradeTo.Place(hs.addedBy.Span), codeDowngradeTo, "%s cannot replace itself: versions before %s lack it", to, hs.addedBy.Since)
	case h.of(target).added >= hs.added:
		h.bag.Errorf(hs.addedBy.DowngradeTo.Place(hs.addedBy.Span), codeDowngradeTo, "%q was also added in %s, so versions before %s lack it; name an older value",
			to, h.versions[h.of(target).added].Name, hs.addedBy.Since)
	}
}

// formerly says which constant had a value in a version before another; "" if none had.
func (h *evolver) formerly(t *model.Type, value string, before int) string {
	for v := before - 1; v >= 0; v-- {
		for _, c := range t.Consts {
			if _, was := h.constAt(c, v); was == value && h.of(c).exists(v) {
				return fmt.Sprintf(": this is what %s is in %s; write %q", c.Name, h.versions[v].Name, c.Value)
			}
		}
	}
	return ""
}

// constNamed returns the type's constant with the given value or Go name, or nil.
func constNamed(t *model.Type, name string) *model.Const {
	i := slices.IndexFunc(t.Consts, func(c *model.Const) bool { return c.Value == name })
	if i < 0 {
		i = slices.IndexFunc(t.Consts, func(c *model.Const) bool { return c.Name == name })
	}
	if i < 0 {
		return nil
	}
	return t.Consts[i]
}

// standIn returns the constant that replaces another in a version: itself if the version has it,
// else the one that downgradeTo names; nil if there is none.
func (h *evolver) standIn(t *model.Type, c *model.Const, v int) *model.Const {
	for range len(t.Consts) + 1 {
		hs := h.of(c)
		if hs.exists(v) {
			return c
		}
		if c = constNamed(t, hs.addedBy.DowngradeTo.Or("")); c == nil {
			return nil
		}
	}
	return nil
}

// valueAt returns an enum value in a version.
func (h *evolver) valueAt(t *model.Type, value string, v int) string {
	i := slices.IndexFunc(t.Consts, func(c *model.Const) bool { return c.Value == value })
	if i < 0 {
		return value
	}
	if c := h.standIn(t, t.Consts[i], v); c != nil {
		_, value = h.constAt(c, v)
	}
	return value
}
