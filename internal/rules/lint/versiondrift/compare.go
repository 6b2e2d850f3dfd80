package versiondrift

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
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
	c.fields(a, b)
}

// fields compares the fields of a struct with those of another version, which inlines other structs, or has some fields in
// structs that it inlines.
func (c *comparison) fields(a, b *model.Type) {
	for _, f := range a.Fields {
		if f.Skipped {
			continue
		}
		owner, g := c.counterpart(a, f, b)
		if g == nil {
			if s := c.m.Struct(f.Type); f.Inline && s != nil {
				pair := [2]model.Name{s.ID(), b.ID()}
				if c.seen[pair] {
					continue
				}
				c.seen[pair] = true
				c.fields(s, b)
			}
			continue
		}
		if tag.ShapeOf(c.m, f.Type) != tag.ShapeOf(c.m, g.Type) {
			continue
		}
		c.tagsOf(place{a, f}, place{owner, g})
		c.refs(f.Type, g.Type)
	}
}

// counterpart returns the corresponding field of another version's type, and the struct that declares it: as the
// newest version's markers define, else the field with the same JSON name. Inlined structs correspond if the fields have the same
// Go name, else if they have JSON names in common: the Go name is that of the type, which can have another in each version.
func (c *comparison) counterpart(t *model.Type, f *model.Field, other *model.Type) (*model.Type, *model.Field) {
	if f.Origin != nil && f.Origin.Field != "" && t.Hub != nil {
		switch {
		case *t.Hub == other.ID():
			return other, other.Field(f.Origin.Field)
		case other.Hub != nil && *t.Hub == *other.Hub:
			for _, g := range other.Fields {
				if g.Origin != nil && g.Origin.Field == f.Origin.Field {
					return other, g
				}
			}
		}
	}
	if !f.Inline {
		return c.m.FieldByJSON(other, f.JSON)
	}
	if g := other.Field(f.Name); g != nil && g.Inline {
		return other, g
	}
	for _, g := range other.Fields {
		if g.Inline && t.Field(g.Name) == nil && c.shares(c.m.Struct(f.Type), c.m.Struct(g.Type), 0) {
			return other, g
		}
	}
	return nil, nil
}

// shares reports whether two structs have a field with the same JSON name.
func (c *comparison) shares(a, b *model.Type, depth int) bool {
	const deepest = 8 // structs can inline themselves
	return a != nil && b != nil && depth <= deepest && slices.ContainsFunc(a.Fields, func(f *model.Field) bool {
		if f.Skipped {
			return false
		}
		if f.Inline {
			return c.shares(c.m.Struct(f.Type), b, depth+1)
		}
		_, g := c.m.FieldByJSON(b, f.JSON)
		return g != nil
	})
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
