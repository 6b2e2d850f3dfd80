package evolve

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// readSplits reads the strings of a struct that were split into fields or joined from them. The string or
// the fields, whichever is newer, exist since then, and the others are removed fields.
func (h *hub) readSplits(t *model.Type) {
	for _, change := range slices.Clone(t.Changes) {
		if c, ok := change.(*model.Hook); ok && c.Split != nil && t.IsStruct() && h.index[c.Since] > 0 {
			h.readSplit(t, c, h.index[c.Since])
		}
	}
}

func (h *hub) readSplit(t *model.Type, c *model.Hook, v int) {
	name, pattern := c.Split.Name.Or(""), c.Split.Parts
	parts, err := wire.ParsePattern(pattern.Or(""))
	switch {
	case upperFirst(name) == "":
		h.bag.Errorf(c.Split.Name.Place(c.Span), codeSplit, `add the JSON name of the string, such as name: "address"`)
		return
	case err != nil:
		h.bag.Errorf(pattern.Place(c.Span), codeSplit, `parts is what the string consists of, such as "{host}[:{port}]": %v`, err)
		return
	}
	var keys []string
	for _, p := range parts {
		if p.Key != "" {
			keys = append(keys, p.Key)
		}
	}
	newer, older := keys, []string{name}
	if f := h.ofStruct(t, name, v); f != nil && h.of(f).removed == 0 {
		c.Split.Joined, newer, older = true, older, keys
	}
	fields := map[string]string{}
	for _, key := range newer {
		f := h.ofStruct(t, key, v)
		if f == nil || h.of(f).removed > 0 {
			h.bag.Errorf(pattern.Span, codeSplit, "%s has neither a field %s nor all parts of it: it has no field %s", t.Name, name, key)
			return
		}
		if !h.checkPart(c, f, key == name) || !h.addPart(c, f, v) {
			return
		}
		fields[key] = f.Name
	}
	for _, key := range older {
		if h.ofStruct(t, key, v-1) == nil {
			base := c.ChangeBase
			base.Role = model.RoleRemoved
			removed := &model.Removed{ChangeBase: base, Name: &model.Value{Kind: model.StringValue, Text: key, Span: c.Span}, Type: &model.Value{Kind: model.StringValue, Text: "string", Span: c.Span}}
			t.Changes = append(t.Changes, removed)
			h.readRemoved(t, removed, nil)
		}
		f := h.ofStruct(t, key, v-1)
		switch {
		case f == nil:
			return // reported
		case h.of(f).removed != v:
			h.bag.Errorf(c.Span, codeSplit, "%s exists in %s too; remove the field, or mark the version in which it was added", h.of(f).label, c.Since).Note(f.Span, "declared here")
			return
		case !h.checkPart(c, f, key == name):
			return
		}
	}
	c.Split.Fields = fields
}

// addPart marks a field as added by a split.
func (h *hub) addPart(c *model.Hook, f *model.Field, v int) bool {
	hs := h.of(f)
	if hs.addedBy == nil {
		hs.added, hs.addedBy = v, &model.Added{ChangeBase: c.ChangeBase, Losses: c.Losses}
		f.Changes = append(f.Changes, hs.addedBy)
	}
	if hs.added != v || slices.ContainsFunc(hs.steps, func(s step) bool { return s.version <= v }) {
		h.bag.Errorf(c.SinceSpan, codeSplit, "%s is in versions before %s, or changes in it, so it is not new; correct since", hs.label, c.Since).Note(f.Span, "declared here")
		return false
	}
	return true
}

// checkPart reports a string that is none, and a part that is no scalar. Their types must not change.
func (h *hub) checkPart(c *model.Hook, f *model.Field, whole bool) bool {
	hs := h.of(f)
	switch {
	case whole && !h.m.Underlying(single(f.Type)).IsString():
		h.bag.Errorf(c.Span, codeSplit, "%s is %s, not a string", hs.label, h.a(f.Type))
	case !h.isScalar(f.Type):
		h.bag.Errorf(c.Span, codeSplit, "%s is %s; parts are strings, integers and bools", hs.label, h.a(f.Type))
	case len(hs.moves) > 0 || hs.move != nil || slices.ContainsFunc(hs.steps, func(s step) bool { return s.changed != nil && s.changed.From != nil }):
		h.bag.Errorf(c.Span, codeSplit, "%s moves, or its type changes; split it with functions, +%s", hs.label, h.name(model.RoleHook))
	default:
		return true
	}
	return false
}

// isScalar reports whether a type, or what it points to, can be a part of a string.
func (h *hub) isScalar(r *model.Ref) bool {
	u := h.m.Underlying(single(r))
	return u.IsString() || u.IsBool() || u.IsInteger()
}
