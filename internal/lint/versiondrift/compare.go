package versiondrift

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// comparison compares two versions of one group.
type comparison struct {
	m            *model.Model
	tags         *tag.Set
	older, newer *model.Package
	seen         map[[2]model.Name]bool
	found        []difference
}

// difference is a tag that differs between two versions of a type or field.
type difference struct {
	typ, field, tag string // of the older version
	older, newer    setting
}

// setting is the value of a tag in one version, and its span.
type setting struct {
	texts []string
	span  source.Span
}

func (d difference) report(c *comparison, bag *diag.Bag) {
	what := "type " + d.typ
	if d.field != "" {
		what = "field " + d.field + " of " + d.typ
	}
	bag.Warnf(d.older.span, codeDiffers, "%s has %s in %s and %s in %s; make them the same, or list the difference in %s",
		what, d.older.words(d.tag), c.older.Version, d.newer.words(d.tag), c.newer.Version, FileName).
		Note(d.newer.span, "this is %s", c.newer.Version)
}

func (s setting) words(name string) string {
	if len(s.texts) == 0 {
		return "no +" + name
	}
	return strings.Join(s.texts, " ")
}

// kinds compares the kinds that both versions have, and all types that they use.
func (c *comparison) kinds() {
	for _, t := range c.older.Types {
		if t.Kind == nil {
			continue
		}
		if other := c.newer.Type(t.Name); other != nil && other.Kind != nil {
			c.types(t, other)
		}
	}
}

func (c *comparison) types(a, b *model.Type) {
	pair := [2]model.Name{a.ID(), b.ID()}
	if a == b || c.seen[pair] {
		return
	}
	c.seen[pair] = true
	c.tagsOf(place{a, nil}, place{b, nil})
	if !a.IsStruct() || !b.IsStruct() {
		c.refs(a.Def, b.Def)
		return
	}
	for _, f := range a.Fields {
		g := counterpart(a, f, b)
		if g == nil || f.Skipped || tag.ShapeOf(c.m, f.Type) != tag.ShapeOf(c.m, g.Type) {
			continue
		}
		c.tagsOf(place{a, f}, place{b, g})
		c.refs(f.Type, g.Type)
	}
}

// counterpart returns the corresponding field of another version's type: as the
// newest version's markers define, else the field with the same JSON name.
func counterpart(t *model.Type, f *model.Field, other *model.Type) *model.Field {
	switch {
	case f.Origin != nil && t.Hub != nil && *t.Hub == other.ID():
		return other.Field(f.Origin.Field)
	case f.Inline:
		return other.Field(f.Name)
	}
	return other.FieldByJSON(f.JSON)
}

// refs compares the declared types in two references of the same structure.
func (c *comparison) refs(a, b *model.Ref) {
	a, _ = c.m.Deref(a)
	b, _ = c.m.Deref(b)
	if a.Kind == model.KindNamed && b.Kind == model.KindNamed {
		if x, y := c.m.Type(a.ID()), c.m.Type(b.ID()); x != nil && y != nil {
			c.types(x, y)
		}
		return
	}
	if a.Kind != b.Kind || a.Elem == nil || b.Elem == nil {
		return
	}
	c.refs(a.Elem, b.Elem)
	if a.Key != nil && b.Key != nil {
		c.refs(a.Key, b.Key)
	}
}

// place is a type, or a field of it.
type place struct {
	t *model.Type
	f *model.Field
}

func (c *comparison) tagsOf(a, b place) {
	x, y := c.settings(a), c.settings(b)
	names := map[string]bool{}
	for name := range x {
		names[name] = true
	}
	for name := range y {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if slices.Equal(x[name].texts, y[name].texts) {
			continue
		}
		d := difference{typ: a.t.Name, tag: name, older: a.where(x[name]), newer: b.where(y[name])}
		if a.f != nil {
			d.field = a.f.Name
		}
		c.found = append(c.found, d)
	}
}

// where is the span for a missing tag.
func (p place) where(s setting) setting {
	if s.span.IsZero() {
		s.span = p.t.Span
		if p.f != nil {
			s.span = p.f.Span
		}
	}
	return s
}

// settings returns the values of the tags of a place, by tag name.
func (c *comparison) settings(p place) map[string]setting {
	tags, def := p.t.Tags, p.t.Default
	if p.f != nil {
		tags, def = p.f.Tags, p.f.Default
	}
	all := map[string]setting{}
	add := func(name, text string, span source.Span) {
		s := all[name]
		if len(s.texts) == 0 {
			s.span = span
		}
		s.texts = append(s.texts, text)
		slices.Sort(s.texts)
		all[name] = s
	}
	for _, con := range tags {
		if con.Role.IsAboutVersions() {
			continue
		}
		name := con.Name
		if d := c.tags.Lookup(name); d != nil {
			name = d.Name
		}
		add(name, con.Describe(), con.Span)
	}
	if def != nil {
		add("default", c.spell(p.t, def), def.Span)
	}
	return all
}

// spell formats a default by its value: its constant may belong to another version.
func (c *comparison) spell(t *model.Type, d *model.Default) string {
	e, ok := defaulting.OfType(c.m, &model.Type{Package: t.Package, Default: d})
	if !ok {
		return fmt.Sprintf("+default=ref(%s)", d.Ref)
	}
	return "+default=" + e.JSON()
}
