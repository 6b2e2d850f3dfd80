package evolve

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// argSpan returns the place of an argument of a version's marker, or the whole
// marker when the argument is not written.
func argSpan(p *model.Package, v *model.Version, arg string) source.Span {
	if c := versionMarker(p, v); c != nil {
		for _, a := range c.Args {
			if a.Name == arg && !a.Value.Span.IsZero() {
				return a.Value.Span
			}
		}
	}
	return v.Span
}

// versionMarker returns the marker that declares a version, or nil.
func versionMarker(p *model.Package, v *model.Version) *model.Constraint {
	for _, c := range model.Find(p.Constraints, model.RoleVersion) {
		if c.Span == v.Span {
			return c
		}
	}
	return nil
}

// at returns the place of a change's argument, or the whole marker.
func at(c *model.Change, arg string) source.Span {
	if s, ok := c.ArgSpans[arg]; ok && !s.IsZero() {
		return s
	}
	return c.Span
}

// nameSpan returns the place that gave an item its name in a version: a
// fromName, or the item itself.
func (h *hub) nameSpan(item any, v int) source.Span {
	for _, s := range h.of(item).after(v) {
		if s.Arg("fromName") != "" {
			return at(s.Change, "fromName")
		}
	}
	switch item := item.(type) {
	case *model.Field:
		return item.Span
	case *model.Const:
		return item.Span
	case *model.Type:
		return item.Span
	}
	return source.Span{}
}
