package jsonconvert

import (
	"math/bits"
	"slices"
	"strings"
)

// layout is the keys of an object of a type, in their order. Most objects of a type have the same few, so conversions decide once
// for all of these what the keys become, and which values convert. A memory keeps layouts for the next conversions.
type layout struct {
	of    *shape
	names []string
	hash  uint64
	// isUnique means that no name is repeated.
	isUnique bool
	// quoted are the names as the text of an object has them, with the colon, and below what is parsed of their values.
	quoted []string
	below  []*shape
	// next is what happens in each step in each direction, and longer are the layouts with one name more.
	next   []plan
	longer []*layout
}

// plan is what a step does with the objects of a layout.
type plan struct {
	isKnown bool
	// to is the layout of what the objects become, unless a value becomes absent; nil if the objects are converted one by one.
	to *layout
	// from are the indexes of the members that stay; nil for all.
	from    []int
	changes []change
}

// change is a member that is converted, or dropped.
type change struct {
	// to is the index in the result; -1 for a member that is dropped.
	index, to int
	field     *field
}

// The layouts of a type that a memory keeps, and their keys. Other objects are converted one by one.
const (
	manyLayouts = 128
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
	if known.last != nil && slices.Equal(known.last.names, names) {
		return known.last
	}
	hash := uint64(len(names))
	for _, name := range names {
		hash = hash*1099511628211 ^ bits.RotateLeft64(bit(name), len(name))
	}
	for _, l := range known.all {
		if l.hash == hash && slices.Equal(l.names, names) {
			return l
		}
	}
	if len(known.all) == manyLayouts || len(names) > manyKeys {
		return nil
	}
	l := &layout{of: of, hash: hash, isUnique: true}
	for i, name := range names {
		l.isUnique = l.isUnique && !slices.Contains(names[:i], name)
		if len(name) > longKey {
			return nil
		}
		l.names, l.quoted = append(l.names, strings.Clone(name)), append(l.quoted, `"`+name+`":`)
		l.below = append(l.below, of.below(name))
	}
	known.all = append(known.all, l)
	return l
}

// longer returns the layout with one name more, which it lacks; nil if it is not kept.
func (m *memory) longer(l *layout, name string) *layout {
	if i := l.indexLonger(name); i >= 0 {
		return l.longer[i]
	}
	longer := m.layoutOf(l.of, append(slices.Clone(l.names), name))
	if longer != nil {
		l.longer = append(l.longer, longer)
	}
	return longer
}

func (l *layout) indexLonger(name string) int {
	for i, longer := range l.longer {
		if longer.names[len(l.names)] == name {
			return i
		}
	}
	return -1
}

// lacks reports whether objects of a layout are known to lack a name, because it was added to one of them.
func (l *layout) lacks(name string) bool { return l.indexLonger(name) >= 0 }

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

// plan returns what a step does with the objects of a layout.
func (m *memory) plan(l *layout, t *rules, d int, stored bool) *plan {
	at := 2 * t.slot
	if stored {
		at++
	}
	if at = 2*at + d; at >= len(l.next) {
		l.next = append(l.next, make([]plan, at+1-len(l.next))...)
	}
	next := &l.next[at]
	if !next.isKnown {
		*next = m.newPlan(l, t, d, stored)
	}
	return next
}

// newPlan makes the plan of a layout.
func (m *memory) newPlan(l *layout, t *rules, d int, stored bool) plan {
	out := plan{isKnown: true, from: []int{}}
	if len(t.moves)+len(t.hooks) > 0 {
		return out
	}
	var names []string
	for i, name := range l.names {
		f := t.field(d, name)
		switch {
		case f == nil && t.field(1-d, name) == nil:
		case f == nil || f.key[1-d].Name == "": // the other version has no such name, or one that means something else
			out.changes = append(out.changes, change{i, -1, f})
			continue
		default:
			if name = f.key[1-d].Name; f.val != nil {
				out.changes = append(out.changes, change{i, len(names), f})
			}
		}
		names, out.from = append(names, name), append(out.from, i)
	}
	for _, f := range t.fills {
		if d == newer && !slices.Contains(l.names, f.key[newer].Name) || d == older && !slices.Contains(names, f.key[newer].Name) {
			return out
		}
	}
	for i := range t.fields {
		if k := &t.fields[i].key[1-d]; stored && k.Required && !slices.Contains(names, k.Name) {
			return out
		}
	}
	if len(names) == len(l.names) {
		out.from = nil
	}
	out.to = m.layoutOf(l.of, names)
	return out
}

// planned converts an object of a layout.
func (p *pure) planned(plan *plan, t *rules, n *node, d int) (*node, error) {
	m, items := p.m, n.items
	if plan.from != nil {
		items = m.room(len(plan.from))
		for _, from := range plan.from {
			items = append(items, n.items[from])
		}
	} else if len(plan.changes) > 0 {
		items = m.list(items)
	}
	changed, absent := plan.to != n.layout, false
	for i := range plan.changes {
		c := &plan.changes[i]
		if c.to < 0 {
			p.loses(c.index, c.field)
			continue
		}
		item, err := p.member(c.field, c.index, n.items[c.index], d)
		if err != nil {
			return nil, err
		}
		changed, absent = changed || item != n.items[c.index], absent || item == nil
		items[c.to] = item
	}
	switch {
	case !changed:
		return n, nil
	case absent:
		return p.without(plan.to.names, items, t, n, d)
	}
	return m.object(plan.to, items), nil
}

// without returns an object without the members that have no value, but with what such members get.
func (p *pure) without(keys []string, items []*node, t *rules, n *node, d int) (*node, error) {
	m := p.m
	at, names := len(m.stack), len(m.names)
	defer func() { m.stack, m.names = m.stack[:at], m.names[:names] }()
	m.names, m.stack = append(m.names, keys...), append(m.stack, items...)
	m.compact(at, names)
	if _, err := p.fill(t, n, d, names); err != nil {
		return nil, err
	}
	out := m.build('{', m.names[names:], m.stack[at:])
	if p.stored {
		out = p.require(t, out, 1-d)
	}
	return out, nil
}
