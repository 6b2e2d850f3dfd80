package jsonconvert

import (
	"errors"
	"fmt"
)

// mark is a part of an object that need not come back from the other version: something happened to it on the way there. Marks
// are in the order of a walk through the object, so those of its parts follow the mark of a value.
type mark struct {
	// index is that of the member or the item; -1 for a member that the object lacks.
	index int
	// end is the index of the mark after those of the parts.
	end int
	// isWhole means that something happened to the value itself, and not only to its parts.
	isWhole bool
	// field is that of a member; nil for a name that means something else in the other version.
	field *field
}

// enter begins the conversion of a part, and leave ends it. An event between them marks the part.
func (p *pure) enter(index int, f *field) (at int, outer bool) {
	if !p.marks {
		return 0, false
	}
	at, outer = len(p.m.marks), p.event
	p.m.marks, p.event = append(p.m.marks, mark{index: index, field: f}), false
	return at, outer
}

func (p *pure) leave(at int, outer bool) {
	if !p.marks {
		return
	}
	switch m, marked := p.m, &p.m.marks[at]; {
	case p.event:
		marked.isWhole, marked.end = true, at+1
		m.marks = m.marks[:at+1]
	case len(m.marks) == at+1:
		m.marks = m.marks[:at]
	default:
		marked.end = len(m.marks)
	}
	p.event = outer
}

// loses marks a member that does not come back.
func (p *pure) loses(index int, f *field) {
	if p.marks {
		p.m.marks = append(p.m.marks, mark{index: index, end: len(p.m.marks) + 1, isWhole: true, field: f})
	}
}

// looker finds what of an object does not come back, where there are marks or where tracked values were restored. All else comes
// back: it has been converted without an event.
type looker struct {
	differ
	// back is the direction back, and pure converts in it.
	back int
	pure pure
}

// look is a look back at an object of a version, which is on a side of a step.
type look struct {
	m     *memory
	root  *value
	known *Version
	// schema is the type of the object.
	schema *Schema
	side   int
	// stored is set for an object that a server has stored: what comes back has all required fields, which may be keys of items.
	stored bool
	// isWhole means that all of the object is looked at, and not only what is marked.
	isWhole bool
}

// entries returns the entries for what of x does not come back from y. edit is what has been restored in y; nil for nothing. They
// are valid until the next look.
func (of *look) entries(x, y *node, edit *edit) ([]entry, error) {
	m := of.m
	if !of.isWhole && len(m.marks) == 0 && edit == nil {
		return nil, nil
	}
	l := &m.looker
	*l = looker{differ: differ{m: m, side: of.side, known: of.known, out: m.found[:0]}, back: 1 - of.side, pure: pure{m: m, stored: of.stored}}
	if m.trail == nil {
		m.trail = make([]step, 0, 16)
	}
	path, s, v := m.trail[:0], of.schema, of.root.resolved()
	if of.isWhole || !l.hasParts(v, x, y, edit) {
		back, err := l.pure.value(of.root, y, l.back)
		if err != nil {
			return nil, err
		}
		l.diff(of.root, s, path, back, x)
	} else if err := l.parts(v, s, path, x, y, 0, len(m.marks), edit); err != nil {
		return nil, err
	}
	m.found = l.out
	return l.out, l.err
}

// hasParts reports whether the parts of a value convert one by one, so that parts can be looked at alone.
func (l *looker) hasParts(v *value, x, y *node, edit *edit) bool {
	switch {
	case x == nil || y == nil || x.kind == 's' || x.kind != y.kind || v.isWhole() || v.isCall || v.list != nil:
		return false
	case edit != nil && (edit.isSet || len(edit.tail) > 0):
		return false
	case v.elem != nil:
		return x.kind == '{' || len(l.m.look(x).items) == len(l.m.look(y).items)
	}
	return v.typ != nil && x.kind == '{' && !v.typ.isEnum && (edit == nil || len(v.typ.moves)+len(v.typ.hooks) == 0)
}

// parts looks at the parts of a value that are marked or edited.
func (l *looker) parts(v *value, s *Schema, path []step, x, y *node, at, end int, edit *edit) error {
	m := l.m
	m.look(x)
	m.look(y)
	s = l.known.resolve(s)
	var list *items
	if x.kind == '[' {
		list = &items{value: v, schema: s, of: func() (*node, error) { return l.pure.value(v, y, l.back) }}
	}
	for at < end {
		of := m.marks[at]
		var err error
		switch {
		case list != nil:
			err = l.item(v, s, path, list, x, y, at, edit.find(hop{"", of.index}))
		case v.elem != nil:
			name := x.keys[of.index]
			err = l.entry(v, s, path, name, x, y, at, edit.find(hop{name, -1}))
		case of.field == nil:
			l.member(v, s, append(path, step{kind: memberStep, names: x.keys[of.index : of.index+1]}), nil, x.items[of.index])
		default:
			err = l.field(v, s, path, of.field, x, y, at, edit.find(hop{of.field.key[l.back].Name, -1}))
		}
		if err != nil {
			return err
		}
		at = of.end
	}
	return l.edits(v, s, path, list, x, y, edit)
}

// edits looks at the parts of a value that are edited, but not marked.
func (l *looker) edits(v *value, s *Schema, path []step, list *items, x, y *node, edit *edit) (err error) {
	if edit == nil {
		return nil
	}
	for e := edit.first; e != nil && err == nil; e = e.next {
		switch {
		case e.isSeen:
		case list != nil:
			err = l.item(v, s, path, list, x, y, -1, e)
		case v.elem != nil:
			err = l.entry(v, s, path, e.name, x, y, -1, e)
		default:
			f := v.typ.field(l.back, e.name)
			switch {
			case f == nil && v.typ.field(l.side, e.name) == nil: // it is copied
				l.member(v, s, append(path, step{kind: memberStep, names: l.m.one(e.name)}), l.m.member(y, e.name), l.m.member(x, e.name))
			case f != nil && f.key[l.side].Name != "":
				err = l.field(v, s, path, f, x, y, -1, e)
			}
		}
	}
	return err
}

// below looks at the parts of a part, which has a mark at an index unless it is -1. It returns false if there is more to look at.
func (l *looker) below(v *value, s *Schema, path []step, x, y *node, at int, edit *edit) (bool, error) {
	if edit != nil {
		edit.isSeen = true
	}
	if at >= 0 && l.m.marks[at].isWhole || !l.hasParts(v, x, y, edit) {
		return false, nil
	}
	if at < 0 {
		return true, l.parts(v, s, path, x, y, 0, 0, edit)
	}
	return true, l.parts(v, s, path, x, y, at+1, l.m.marks[at].end, edit)
}

// field looks at a field of an object.
func (l *looker) field(v *value, s *Schema, path []step, f *field, x, y *node, at int, edit *edit) error {
	m, name, other := l.m, f.key[l.side].Name, f.key[l.back].Name
	path = append(path, step{kind: memberStep, names: l.m.one(name)})
	index := -1
	if at >= 0 {
		index = m.marks[at].index
	}
	is := m.near(x, name, index)
	var there *node
	if other != "" {
		there = m.near(y, other, index)
	}
	if f.val != nil {
		if done, err := l.below(f.val.resolved(), s.member(name), path, is, there, at, edit); done || err != nil {
			return err
		}
	}
	var back *node
	var err error
	if there != nil {
		back, err = l.pure.field(f, there, l.back)
	}
	if back == nil && err == nil && l.back == older {
		back, err = l.pure.def(f)
	}
	if err != nil {
		return err
	}
	if back != is {
		l.member(v, s, path, back, is)
	}
	return nil
}

// entry looks at the value of a key in a map.
func (l *looker) entry(v *value, s *Schema, path []step, name string, x, y *node, at int, edit *edit) error {
	is, there := l.m.member(x, name), l.m.member(y, name)
	path = append(path, step{kind: memberStep, names: l.m.one(name)})
	if done, err := l.below(v.elem.resolved(), s.member(name), path, is, there, at, edit); done || err != nil {
		return err
	}
	back, err := l.value(v.elem, there)
	if err == nil && back != is {
		l.member(v, s, path, back, is)
	}
	return err
}

// item looks at an item of a list.
func (l *looker) item(v *value, s *Schema, path []step, list *items, x, y *node, at int, edit *edit) error {
	i := 0
	if at >= 0 {
		i = l.m.marks[at].index
	} else {
		i = edit.index
	}
	path = append(path, step{kind: itemStep, index: i, list: list})
	if done, err := l.below(v.elem.resolved(), s.item(), path, x.items[i], y.items[i], at, edit); done || err != nil {
		return err
	}
	back, err := l.value(v.elem, y.items[i])
	if err == nil && back != x.items[i] {
		l.diff(v.elem.resolved(), s.item(), path, back, x.items[i])
	}
	return err
}

// value returns what a value of a list or a map is after the conversion back.
func (l *looker) value(v *value, n *node) (*node, error) {
	if n == nil {
		return nil, nil
	}
	back, err := l.pure.value(v, n, l.back)
	if err == nil && back == nil {
		back = null
	}
	return back, err
}

// items are the steps to the items of a list, which are found when the first is needed.
type items struct {
	value *value
	// schema is the type of the list.
	schema *Schema
	// of returns the list that came back.
	of    func() (*node, error)
	steps []step
}

var errItems = errors.New("a list came back with another length")

// step returns the step to an item.
func (d *differ) step(list *items, index int) step {
	if list.steps == nil {
		back, err := list.of()
		if err == nil && (back == nil || back.kind != '[') {
			err = errItems
		}
		if err != nil {
			d.err = err
			return step{}
		}
		list.steps = d.known.steps(d.m, list.value, list.schema, d.side, back)
	}
	if index >= len(list.steps) {
		d.err = errItems
		return step{}
	}
	return list.steps[index]
}

// isSame reports whether two lists have the same entries. What there was may be a zero value in one, and absent in the other: a look
// at the whole object also sees required fields that were added.
func (m *memory) isSame(a, b []entry) bool {
	if len(a) != len(b) {
		return false
	}
	known := make(map[string]*entry, len(a))
	for i := range a {
		path, lengths := appendPath(nil, a[i].path)
		known[fmt.Sprint(string(path), lengths)] = &a[i]
	}
	for i := range b {
		path, lengths := appendPath(nil, b[i].path)
		e := known[fmt.Sprint(string(path), lengths)]
		if e == nil || !m.same(e.value, b[i].value, true) || !m.same(e.was, b[i].was, true) {
			return false
		}
	}
	return true
}
