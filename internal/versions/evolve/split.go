package evolve

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// readSplits reads the strings of a struct that were split into fields or joined from them. The string or
// the fields, whichever is newer, exist since then, and the others are removed fields, with the changes among
// ofFields.
func (h *evolver) readSplits(t *model.Type, ofFields []model.Change) {
	for _, change := range slices.Clone(t.Changes) {
		if c, ok := change.(*model.Hook); ok && c.Split != nil && t.IsStruct() && h.index[c.Since] > 0 {
			h.readSplit(t, c, h.index[c.Since], ofFields)
		}
	}
}

func (h *evolver) readSplit(t *model.Type, c *model.Hook, v int, ofFields []model.Change) {
	name, pattern := c.Split.Name.Or(""), c.Split.Parts
	parts, err := jsonconvert.ParsePattern(pattern.Or(""))
	switch {
	case upperFirst(name) == "":
		h.bag.Errorf(c.Split.Name.Place(c.Span), codeSplit, `add the JSON name of the string, such as name: "address"`).RestsOn(tag.ArgumentsOf(c.Span))
		return
	case err != nil:
		h.bag.Errorf(pattern.Place(c.Span), codeSplit, `parts is what the string consists of, such as "{host}[:{port}]": %v`, err).RestsOn(tag.ArgumentsOf(c.Span))
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
		if f == nil && h.partMoves(t, c, key, v) {
			return
		}
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
			h.readRemoved(t, removed, ofFields)
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
func (h *evolver) addPart(c *model.Hook, f *model.Field, v int) bool {
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

// checkPart reports a string that is none, and a part that is no scalar. They must not move, and their types
// may change only to others with the same JSON.
func (h *evolver) checkPart(c *model.Hook, f *model.Field, whole bool) bool {
	hs := h.of(f)
	switch {
	case whole && !h.m.Underlying(single(f.Type)).IsString():
		h.bag.Errorf(c.Span, codeSplit, "%s is %s, not a string", hs.label, h.withArticle(f.Type))
	case !h.isScalar(f.Type):
		h.bag.Errorf(c.Span, codeSplit, "%s is %s; parts are strings, integers and bools", hs.label, h.withArticle(f.Type))
	case hs.removedBy != nil && hs.removedBy.ToPath != nil:
		h.bag.Errorf(hs.removedBy.ToPath.Span, codeSplit, "%s is in the parts of a split in %s; remove toPath", hs.label, c.Since).Note(c.Span, "the split")
	case len(hs.moves) > 0:
		h.reportMoving(c, f, hs.moves[0])
	default:
		for _, s := range hs.steps {
			if s.changed != nil && (s.changed.From != nil && !h.isScalar(s.changed.From) || converts(s.changed)) {
				h.bag.Errorf(c.Span, codeSplit, "the type of %s changes in %s, and what converts it does not convert the string; split it with functions, +%s", hs.label, s.changed.Since, h.name(model.RoleHook)).
					Note(s.changed.Span, "changed here")
				return false
			}
		}
		return true
	}
	return false
}

// partMoves reports a part that is at another path in the struct in later versions.
func (h *evolver) partMoves(t *model.Type, c *model.Hook, key string, v int) bool {
	for _, f := range t.Fields {
		for _, m := range h.of(f).moves {
			path := m.by.FromPath.Or("")
			if m.version > v && (f.JSON == key || path[strings.LastIndexByte(path, '.')+1:] == key) {
				h.reportMoving(c, f, m)
				return true
			}
		}
	}
	return false
}

// isSplit reports whether a split of a struct names a field.
func isSplit(t *model.Type, name string) bool {
	return slices.ContainsFunc(t.Changes, func(change model.Change) bool {
		c, ok := change.(*model.Hook)
		return ok && c.Split != nil && (c.Split.Name.Or("") == name || strings.Contains(c.Split.Parts.Or(""), "{"+name+"}"))
	})
}

func (h *evolver) reportMoving(c *model.Hook, f *model.Field, m *move) {
	h.bag.Errorf(c.Span, codeSplit, "%s moves in %s, and a split is within its struct in all versions; to split into a struct elsewhere, move the string there with transform: %q",
		h.of(f).label, m.by.Since, "split("+c.Split.Parts.Text+")").Note(m.by.Span, "moved here")
}

// converts reports whether a change of type has a function or a transform, or makes a list.
func converts(c *model.Changed) bool {
	return c.UpgradeWith != nil || c.DowngradeWith != nil || c.Transform != nil || c.Wraps
}

// isScalar reports whether a type, or what it points to, can be a part of a string.
func (h *evolver) isScalar(r *model.Ref) bool {
	u := h.m.Underlying(single(r))
	return u.IsString() || u.IsBool() || u.IsInteger()
}
