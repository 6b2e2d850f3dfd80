package evolve

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/model"
)

// items are the tags and the default of one item in one version.
type items struct {
	constraints []*model.Constraint
	markers     []model.Marker
	def         *model.Default
}

// selected returns the tags that apply to an item in a version. It unwraps since and until.
func (h *hub) selected(v int, constraints []*model.Constraint, markers []model.Marker, def *model.Default) items {
	out := items{markers: slices.Clone(markers), def: def}
	for _, c := range constraints {
		kept, wrapped := h.holds(c, v)
		switch {
		case kept == nil:
		case wrapped && kept.Role == model.RoleDefault:
			h.selectDefault(&out, kept)
		case wrapped && h.tags.FamilyOf(kept.Name) == nil:
			out.markers = append(out.markers, model.Marker{Name: kept.Name, Text: strings.TrimPrefix(kept.Span.Text(), "+"), Span: kept.Span})
		default:
			out.constraints = append(out.constraints, kept)
		}
	}
	return out
}

// holds returns a tag without its since and until; nil if the tag does not apply in the version.
func (h *hub) holds(c *model.Constraint, v int) (kept *model.Constraint, wrapped bool) {
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
func (h *hub) until(c *model.Constraint, limit int) *model.Constraint {
	if c == nil || limit >= h.newest() || c.Until != "" && h.index[c.Until] <= limit {
		return c
	}
	n := *c
	n.Until = h.versions[limit].Name
	return &n
}

// limit returns the version of a since or until.
func (h *hub) limit(c *model.Constraint) (v int, ok bool) {
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
		h.bag.Errorf(span, codeUndeclared, "version %s is not declared; the versions are %s", name, names(h.versions))
	case c.Inner == nil:
		h.bag.Errorf(c.Span, codeNoTag, `the tag that applies in these versions is missing; write +%s("%s")=+<tag>`, c.Name, name)
		return v, false
	}
	return v, ok
}

// selectDefault sets the item's default from an unwrapped default tag.
func (h *hub) selectDefault(out *items, c *model.Constraint) {
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
func (h *hub) unwrapHub() {
	newest := h.newest()
	for _, t := range h.pkg.Types {
		s := h.selected(newest, t.Constraints, t.Markers, t.Default)
		t.Constraints, t.Markers, t.Default = s.constraints, s.markers, s.def
		for _, f := range t.Fields {
			s := h.selected(newest, f.Constraints, f.Markers, f.Default)
			f.Constraints, f.Markers, f.Default = s.constraints, s.markers, s.def
		}
		for _, c := range t.Consts {
			s := h.selected(newest, c.Constraints, c.Markers, nil)
			c.Constraints, c.Markers = s.constraints, s.markers
		}
		t.Unions = model.UnionsOf(t)
	}
}
