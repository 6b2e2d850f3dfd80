package evolve

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/value"
)

// checkEnums checks the arguments of markers on constants.
func (h *hub) checkEnums() {
	keys := h.mapKeys()
	for _, t := range h.pkg.Types {
		for _, c := range t.Consts {
			h.checkConst(t, c)
			if keys[t.ID()] == "" {
				continue
			}
			for _, s := range h.of(c).steps {
				if s.changed != nil || s.renames() {
					h.bag.Errorf(s.change().Base().Span, codeMapKey, "%s is the key type of the map %s; map keys cannot be renamed", t.Name, keys[t.ID()])
				}
			}
			if hs := h.of(c); hs.added > 0 && hs.addedBy.DowngradeTo.Or("") != "" {
				h.bag.Errorf(hs.addedBy.DowngradeTo.Place(hs.addedBy.Span), codeMapKey,
					"%s is the key type of the map %s; downgrading a map key could make two keys equal", t.Name, keys[t.ID()])
			}
		}
	}
}

// mapKeys returns the package's types that are map keys, with a field that has such a map.
func (h *hub) mapKeys() map[model.Name]string {
	keys := map[model.Name]string{}
	var walk func(r *model.Ref, label string)
	walk = func(r *model.Ref, label string) {
		if r == nil {
			return
		}
		if r.Key != nil && r.Key.Kind == model.KindNamed {
			keys[r.Key.ID()] = label
		}
		walk(r.Elem, label)
	}
	for _, t := range h.pkg.Types {
		walk(t.Def, t.Name)
		for _, f := range t.Fields {
			walk(f.Type, t.Name+"."+fieldLabel(f))
		}
	}
	return keys
}

func (h *hub) checkConst(t *model.Type, c *model.Const) {
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
		if value.Closed(t) {
			h.bag.Errorf(hs.addedBy.Span, codeDowngradeTo,
				"versions before %s cannot represent %q, since the enum %s is closed; add downgradeTo: with the value that replaces it there",
				hs.addedBy.Since, c.Value, t.Name)
		}
		return
	}
	target := constNamed(t, to)
	switch {
	case target == nil:
		h.bag.Errorf(hs.addedBy.DowngradeTo.Place(hs.addedBy.Span), codeDowngradeTo, "%s has no constant with the value %q", t.Name, to)
	case target == c:
		h.bag.Errorf(hs.addedBy.DowngradeTo.Place(hs.addedBy.Span), codeDowngradeTo, "%s cannot replace itself: versions before %s lack it", to, hs.addedBy.Since)
	case h.of(target).added >= hs.added:
		h.bag.Errorf(hs.addedBy.DowngradeTo.Place(hs.addedBy.Span), codeDowngradeTo, "%q was also added in %s, so versions before %s lack it; name an older value",
			to, h.versions[h.of(target).added].Name, hs.addedBy.Since)
	}
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
func (h *hub) standIn(t *model.Type, c *model.Const, v int) *model.Const {
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
func (h *hub) valueAt(t *model.Type, value string, v int) string {
	i := slices.IndexFunc(t.Consts, func(c *model.Const) bool { return c.Value == value })
	if i < 0 {
		return value
	}
	if c := h.standIn(t, t.Consts[i], v); c != nil {
		_, value = h.constAt(c, v)
	}
	return value
}
