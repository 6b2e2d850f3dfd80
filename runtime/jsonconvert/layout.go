package jsonconvert

import (
	"slices"
	"strings"
)

// layout is the keys of an object of a type, in their order. Most items of a list have the same, so conversions that only rename
// decide once for all of these what the keys become. A memory keeps layouts for the next conversions.
type layout struct {
	of    *shape
	names []string
	// quoted are the names as the text of an object has them, with the colon, and below what is parsed of their values.
	quoted []string
	below  []*shape
	// next are the layouts after each step in each direction.
	next []nextLayout
}

// nextLayout is what an object's keys become.
type nextLayout struct {
	isKnown bool
	// of is nil if more than the keys changes.
	of *layout
}

// The layouts of a type that a memory keeps, and their keys. Other objects are converted one by one.
const (
	manyLayouts = 32
	manyKeys    = 64
	longKey     = 64
)

// layouts are those of a type.
type layouts struct {
	last *layout
	all  []*layout
}

// layoutsOf returns the layouts of a type.
func (m *memory) layoutsOf(of *shape) *layouts {
	if of.id >= len(m.layouts) {
		m.layouts = append(m.layouts, make([]layouts, of.id+1-len(m.layouts))...)
	}
	return &m.layouts[of.id]
}

// layoutOf returns the layout of an object of a type with some keys; nil if it is not kept.
func (m *memory) layoutOf(of *shape, names []string) *layout {
	known := m.layoutsOf(of)
	for _, l := range known.all {
		if slices.Equal(l.names, names) {
			return l
		}
	}
	if len(known.all) == manyLayouts || len(names) > manyKeys {
		return nil
	}
	l := &layout{of: of}
	for _, name := range names {
		if len(name) > longKey {
			return nil
		}
		l.names, l.quoted = append(l.names, strings.Clone(name)), append(l.quoted, `"`+name+`":`)
		l.below = append(l.below, of.below(name))
	}
	known.all = append(known.all, l)
	return l
}

// below returns what is parsed of a member.
func (of *shape) below(name string) *shape {
	if of == nil {
		return nil
	}
	if below := of.members[name]; below != nil {
		return below
	}
	return of.items
}

// key returns the index of the value if a text has the key of a member at an index; 0 if it has another.
func (l *layout) key(s string, at, member int) int {
	if member < len(l.quoted) && strings.HasPrefix(s[at:], l.quoted[member]) {
		return space(bytesOf(s), at+len(l.quoted[member]))
	}
	return 0
}

// renamed returns the layout after a conversion of a type that changes nothing but keys; nil if it may change more.
func (m *memory) renamed(l *layout, t *rules, d int, stored bool) *layout {
	at := 2 * t.slot
	if stored {
		at++
	}
	if at = 2*at + d; at >= len(l.next) {
		l.next = append(l.next, make([]nextLayout, at+1-len(l.next))...)
	}
	next := &l.next[at]
	if !next.isKnown {
		next.isKnown = true
		if names, ok := t.rename(l.names, d, stored); ok {
			next.of = m.layoutOf(l.of, names)
		}
	}
	return next.of
}

// rename returns what keys become in a direction; false if more than the keys changes.
func (t *rules) rename(names []string, d int, stored bool) ([]string, bool) {
	if len(t.moves)+len(t.hooks) > 0 {
		return nil, false
	}
	out := slices.Clone(names)
	for i, name := range names {
		f := t.field(d, name)
		switch {
		case f == nil && t.field(1-d, name) == nil:
		case f == nil || f.val != nil || f.key[1-d].Name == "":
			return nil, false
		default:
			out[i] = f.key[1-d].Name
		}
	}
	for _, f := range t.fills {
		if d == newer && !slices.Contains(names, f.key[newer].Name) || d == older && !slices.Contains(out, f.key[newer].Name) {
			return nil, false
		}
	}
	for i := range t.fields {
		if k := &t.fields[i].key[1-d]; stored && k.Required && !slices.Contains(out, k.Name) {
			return nil, false
		}
	}
	return out, true
}
