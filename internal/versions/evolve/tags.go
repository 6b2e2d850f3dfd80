package evolve

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
)

// items are the tags and the default of one item in one version.
type items struct {
	tags    []*model.Tag
	markers []model.Marker
	def     *model.Default
}

// selected returns the tags that apply to an item in a version. It unwraps since and until.
func (h *evolver) selected(v int, tags []*model.Tag, markers []model.Marker, def *model.Default) items {
	out := items{markers: slices.Clone(markers), def: def}
	for _, c := range tags {
		kept, wrapped := h.holds(c, v)
		switch {
		case kept == nil:
		case wrapped && kept.Role == model.RoleDefault:
			h.selectDefault(&out, kept)
		case wrapped && h.tags.FamilyOf(kept.Name) == nil:
			out.markers = append(out.markers, model.Marker{Name: kept.Name, Text: strings.TrimPrefix(kept.Span.Text(), "+"), Span: kept.Span})
		default:
			out.tags = append(out.tags, kept)
		}
	}
	return out
}

// holds returns a tag without its since and until; nil if the tag does not apply in the version.
func (h *evolver) holds(c *model.Tag, v int) (kept *model.Tag, wrapped bool) {
	if c.Is(model.RoleSince, model.RoleUntil) {
		limit, ok := h.limit(c)
		if !ok || c.Inner == nil || c.Role == model.RoleSince && v < limit || c.Role == model.RoleUntil && v > limit {
			return nil, true
		}
		kept, _ = h.holds(c.Inner, v)
		if c.Role == model.RoleUntil {
			kept = h.until(kept, limit)
		}
		return kept, true
	}
	if c.Inner == nil {
		return c, false
	}
	inner, _ := h.holds(c.Inner, v)
	if inner == c.Inner {
		return c, false
	}
	if inner == nil {
		return nil, true
	}
	n := *c
	n.Inner, n.Until = inner, inner.Until
	return &n, false
}

// until wraps a tag, which may be nil, so that versions after the limit do not have it.
func (h *evolver) until(c *model.Tag, limit int) *model.Tag {
	if c == nil || limit >= h.newest() || c.Until != "" && h.index[c.Until] <= limit {
		return c
	}
	n := *c
	n.Until = h.versions[limit].Name
	return &n
}

// limit returns the version of a since or until.
func (h *evolver) limit(c *model.Tag) (v int, ok bool) {
	name := c.ArgText("")
	v, ok = h.index[name]
	span := c.Span
	if a := c.Arg(""); a != nil && !a.Span.IsZero() {
		span = a.Span
	}
	switch {
	case name == "":
		h.bag.Errorf(c.Span, codeNoSince, `the tag has no version; write +%s("%s")=+<tag>`, c.Name, h.pkg.Version)
	case !ok:
		h.undeclared(span, name)
	case c.Inner == nil:
		h.bag.Errorf(c.Span, codeNoTag, `the tag that applies in these versions is missing; write +%s("%s")=+<tag>`, c.Name, name)
		return v, false
	case c.Inner.Role.IsAboutVersions() && !c.Inner.Is(model.RoleSince, model.RoleUntil):
		h.bag.Errorf(c.Inner.Span, codeNoTag, "+%s is not a tag that applies in some versions; write it without +%s", c.Inner.Name, c.Name)
		return v, false
	case c.Role == model.RoleSince && v == 0, c.Role == model.RoleUntil && v == h.newest():
		h.bag.Warnf(c.Span, codeAlways, "+%s(%q) covers every version; write the tag itself", c.Name, name).
			Suggest(c.Span, "+"+strings.TrimPrefix(c.Inner.Span.Text(), "+"), "write %s", c.Inner.Describe())
	}
	return v, ok
}

// selectDefault sets the item's default from an unwrapped default tag.
func (h *evolver) selectDefault(out *items, c *model.Tag) {
	d := defaulting.Read(c, h.bag)
	if d == nil {
		return
	}
	if out.def != nil {
		h.bag.Errorf(d.Span, codeTwoDefaults, "the item has two defaults in some versions; add since or until to both").
			Note(out.def.Span, "the other default is here")
		return
	}
	out.def = d
}

// unwrapHub unwraps since and until in the newest version itself.
func (h *evolver) unwrapHub() {
	newest := h.newest()
	for _, t := range h.pkg.Types {
		s := h.selected(newest, t.Tags, t.Markers, t.Default)
		t.Tags, t.Markers, t.Default = s.tags, s.markers, s.def
		for _, f := range t.Fields {
			s := h.selected(newest, f.Tags, f.Markers, f.Default)
			f.Tags, f.Markers, f.Default = s.tags, s.markers, s.def
		}
		for _, c := range t.Consts {
			s := h.selected(newest, c.Tags, c.Markers, nil)
			c.Tags, c.Markers = s.tags, s.markers
		}
	}
}
