package jsonconvert

import (
	"fmt"
	"slices"
	"strconv"
)

// pure is a conversion between neighbouring versions that knows nothing of tracked values.
type pure struct {
	m *memory
	// marks is set to mark the parts that need not come back. event is set if this is so of the value that is being converted
	// itself.
	marks, event bool
	// stored is set for an object that a server has stored: it has all required fields.
	stored bool
}

// isAbsent reports whether a value is no other than an absent one for the Go type of a field.
func isAbsent(k *Key, n *node) bool {
	switch {
	case n.isNull():
		return true
	case k == nil:
		return false
	case k.EmptyIsAbsent && n.kind == '{' && isEmpty(n):
		return true
	case k.Zero == "":
		return false
	case n.raw == k.Zero:
		return true
	}
	return n.kind == 's' && k.Zero == "0" && isNumber(n.raw) && isZeroNumber(n.raw)
}

// isEmpty reports whether an object or a list has nothing.
func isEmpty(n *node) bool {
	if n.open {
		return len(n.items) == 0
	}
	return space(bytesOf(n.raw), 1) == len(n.raw)-1
}

// isAbsent is isAbsent for all values.
func (p *pure) isAbsent(k *Key, n *node) bool {
	if isAbsent(k, n) {
		return true
	}
	if k == nil || n.kind == 's' || k.Zero == "" || k.Zero[0] != n.kind {
		return false
	}
	zero, err := p.m.parse(k.Zero)
	return err == nil && p.m.isWithin(n, zero)
}

// isWithin reports whether all that an object has is in its zero value, in which null is an empty map.
func (m *memory) isWithin(n, zero *node) bool {
	switch {
	case n.isNull():
		return true
	case zero == nil:
		return false
	case zero.isNull():
		return n.kind == '{' && isEmpty(n)
	case n.kind != zero.kind:
		return false
	case n.kind != '{':
		return m.same(n, zero, false)
	}
	m.look(n)
	for i, item := range n.items {
		if !m.isWithin(item, m.get(zero, n.keys[i])) {
			return false
		}
	}
	return true
}

// object converts an object of a type.
func (p *pure) object(t *rules, n *node, d int) (*node, error) {
	m := p.m
	if n.layout != nil && n.layout.of.id == t.id {
		if plan := m.plan(n.layout, t, d, p.stored); plan.to != nil {
			return p.planned(plan, t, n, d)
		}
	}
	m.look(n)
	at, names, marks := len(m.stack), len(m.names), len(m.marks)
	defer func() { m.stack, m.names = m.stack[:at], m.names[:names] }()
	changed, err := p.members(t, n, d)
	if err != nil {
		return nil, err
	}
	filled, err := p.fill(t, n, d, names)
	if err != nil {
		return nil, err
	}
	out := n
	if changed || filled {
		out = m.build('{', m.names[names:], m.stack[at:])
	}
	if len(t.moves)+len(t.hooks) > 0 {
		if out, err = p.units(t, n, out, d); err != nil {
			return nil, err
		}
		p.event = p.event || len(m.marks) > marks // the parts may be elsewhere in the other version
	}
	if p.stored {
		out = p.require(t, out, 1-d)
	}
	return out, nil
}

// members adds what the members of an object become to the object that is being built, and reports whether something changed.
func (p *pure) members(t *rules, n *node, d int) (changed bool, err error) {
	m := p.m
	for i, key := range n.keys {
		item, name := n.items[i], key
		if t.mask&bit(key) != 0 {
			f := t.field(d, key)
			switch {
			case f == nil && t.field(1-d, key) == nil:
			case f == nil || f.key[1-d].Name == "": // the other version has no such name, or one that means something else
				p.loses(i, f)
				changed = true
				continue
			default:
				if item, err = p.member(f, i, item, d); err != nil {
					return false, err
				}
				name = f.key[1-d].Name
				if changed = changed || item != n.items[i] || name != key; item == nil {
					continue
				}
			}
		}
		m.names, m.stack = append(m.names, name), append(m.stack, item)
	}
	return changed, nil
}

// member converts the value of a field, which is a member of the source.
func (p *pure) member(f *field, index int, n *node, d int) (*node, error) {
	if f.val == nil {
		return n, nil
	}
	at, outer := p.enter(index, f)
	out, err := p.field(f, n, d)
	if err == nil {
		p.leave(at, outer)
	}
	return out, err
}

// units converts the fields of an object that convert together, or move.
func (p *pure) units(t *rules, n, out *node, d int) (_ *node, err error) {
	for i := range t.moves {
		if out, err = p.move(t, &t.moves[i], n, out, d); err != nil {
			return nil, err
		}
	}
	for i := range t.hooks {
		if p.event = true; p.isUnset(t, n, d) {
			break
		}
		if d == newer {
			i = len(t.hooks) - 1 - i
		}
		if out, err = p.hook(&t.hooks[i], n, out, d); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isUnset reports whether an object has nothing but what counts as absent.
func (p *pure) isUnset(t *rules, n *node, side int) bool {
	for i, item := range n.items {
		var k *Key
		if f := t.field(side, n.keys[i]); f != nil {
			k = &f.key[side]
		}
		if !p.isAbsent(k, item) {
			return false
		}
	}
	return true
}

// field converts the value of a field; nil if the destination has none.
func (p *pure) field(f *field, n *node, d int) (*node, error) {
	if f.key[1-d].Name == "" {
		p.event = true
		return nil, nil
	}
	v := f.val
	if v == nil {
		return n, nil
	}
	single := v.list != nil || v.isCall && (v.call[d] != nil || v.call[1-d] != nil)
	if single && p.isAbsent(&f.key[d], n) {
		p.event = true
		return nil, nil
	}
	out, err := p.value(v, n, d)
	if err != nil {
		return nil, below("."+f.key[d].Name, err)
	}
	if out != n && (out == nil || single && p.isAbsent(&f.key[1-d], out)) {
		p.event = true
		return nil, nil
	}
	return out, nil
}

// fill adds defaults to the object that is being built, whose names begin at an index.
func (p *pure) fill(t *rules, n *node, d, names int) (filled bool, err error) {
	m := p.m
	for _, f := range t.fills {
		name := f.key[newer].Name
		if d == newer {
			if m.has(n, name) < 0 {
				p.loses(-1, f)
			}
			continue
		}
		if slices.Contains(m.names[names:], name) {
			continue
		}
		v, err := p.def(f)
		if err != nil {
			return false, err
		}
		if v == nil {
			continue
		}
		m.names, m.stack, filled = append(m.names, name), append(m.stack, v), true
	}
	return filled, nil
}

// def returns the value that a field of the newer version has in objects of the older one; nil if it has none.
func (p *pure) def(f *field) (*node, error) {
	if f.fill != nil || f.fillBy == nil {
		return f.fill, nil
	}
	lower := pure{m: p.m} // what the newest version alone has of the value is no part of the object
	v, err := lower.call(f.fillBy, nil)
	if err == nil && v != nil {
		v, err = lower.each(f.lower, v, newer)
	}
	if err != nil {
		return nil, below("."+f.key[newer].Name, err)
	}
	if isAbsent(&f.key[newer], v) {
		return nil, nil
	}
	return v, nil
}

// require adds the required fields that the object has lost.
func (p *pure) require(t *rules, n *node, side int) *node {
	for i := range t.fields {
		if k := &t.fields[i].key[side]; k.Required && k.Zero != "" && p.m.has(n, k.Name) < 0 {
			n = p.m.with(n, k.Name, p.m.of(k.Zero))
		}
	}
	return n
}

// value converts a value. It returns the same pointer if nothing changes, and nil for no value.
func (p *pure) value(v *value, n *node, d int) (*node, error) {
	if n.isNull() {
		return n, nil
	}
	switch {
	case v.isCall:
		return p.calls(v, n, d)
	case v.list != nil:
		return p.list(v, n, d)
	case v.elem != nil:
		return p.items(v.elem, n, d)
	case v.typ == nil:
		return n, nil
	}
	t := v.typ
	p.event = p.event || t.whole[1-d] != nil
	switch {
	case t.whole[d] != nil:
		p.event = true
		return p.call(t.whole[d], n)
	case t.isEnum:
		return p.enum(t, n, d), nil
	case t.value != nil:
		return p.value(t.value, n, d)
	case n.kind == '{':
		return p.object(t, n, d)
	}
	return n, nil
}

func (p *pure) enum(t *rules, n *node, d int) *node {
	if n.kind != 's' {
		return n
	}
	from := spelled(n.raw)
	if to, ok := t.enum[d][from]; ok {
		p.event = p.event || t.isOf[1-d][to.raw] != from
		return to
	}
	if _, ok := t.isOf[1-d][from]; ok {
		p.event = true
	}
	return n
}

// list converts a single value to a list, or the reverse.
func (p *pure) list(v *value, n *node, d int) (*node, error) {
	marks := len(p.m.marks)
	defer func() { p.event = p.event || len(p.m.marks) > marks }() // the parts are elsewhere in the other version
	if d == older {
		item, err := p.value(v.list, n, d)
		if err != nil || item == nil {
			return nil, err
		}
		return p.m.build('[', nil, []*node{item}), nil
	}
	if p.m.look(n); n.kind != '[' || len(n.items) != 1 {
		if p.event = true; n.kind != '[' || len(n.items) == 0 {
			return nil, nil
		}
	}
	item, err := p.value(v.list, n.items[0], d)
	if err != nil {
		return nil, below("[0]", err)
	}
	return item, nil
}

// items converts the items of a list or the values of a map.
func (p *pure) items(elem *value, n *node, d int) (*node, error) {
	if n.kind == 's' {
		return n, nil
	}
	m := p.m
	m.look(n)
	at, changed := len(m.stack), false
	defer func() { m.stack = m.stack[:at] }()
	for i, item := range n.items {
		at, outer := p.enter(i, nil)
		out, err := p.value(elem, item, d)
		if err != nil {
			if n.kind == '{' {
				return nil, below(string(appendStep(nil, n.keys[i])), err)
			}
			return nil, below("["+strconv.Itoa(i)+"]", err)
		}
		if out == nil {
			out, p.event = null, true
		}
		p.leave(at, outer)
		changed = changed || out != item
		m.stack = append(m.stack, out)
	}
	if !changed {
		return n, nil
	}
	return m.build(n.kind, n.keys, m.stack[at:]), nil
}

// each converts a value by one conversion after another.
func (p *pure) each(list []*value, n *node, d int) (_ *node, err error) {
	for _, v := range list {
		if n.isNull() {
			return nil, nil
		}
		if n, err = p.value(v, n, d); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// calls converts a value by a function, which has the types of the newest version.
func (p *pure) calls(v *value, n *node, d int) (*node, error) {
	if v.call[d] == nil && v.call[1-d] == nil && len(v.lift[d])+len(v.lower[d]) == 0 {
		return n, nil
	}
	p.event = true
	n, err := p.each(v.lift[d], n, older)
	if err != nil || n == nil {
		return nil, err
	}
	if v.call[d] != nil {
		if n, err = p.call(v.call[d], n); err != nil || n == nil {
			return nil, err
		}
	}
	return p.each(v.lower[d], n, newer)
}

// call calls a function; nil is no value.
func (p *pure) call(fn Func, n *node) (*node, error) {
	var in []byte
	if n != nil {
		in = p.m.argument(n)
	}
	out, err := fn(in)
	if err != nil {
		return nil, errorOf(err)
	}
	if len(out) == 0 {
		return nil, nil
	}
	result, err := p.m.parse(p.m.copy(out))
	if err != nil {
		return nil, &Error{Reason: Failed, Err: fmt.Errorf("the function returned no JSON: %w", err)}
	}
	if result.isNull() {
		return nil, nil
	}
	return result, nil
}

// move moves a field of the source in the converted object.
func (p *pure) move(t *rules, mv *move, n, out *node, d int) (*node, error) {
	from, to := mv.path[d], mv.path[1-d]
	v := p.m.get(n, mv.keys[d]...)
	last := &from[len(from)-1]
	if v == nil || p.isAbsent(&last.Key, v) {
		return out, nil
	}
	p.event = true
	moved, err := v, error(nil)
	if mv.val != nil {
		moved, err = p.value(mv.val, v, d)
	}
	switch {
	case err != nil && !last.Entry:
		return nil, below(pathOf(mv.keys[d]), err)
	case err != nil || p.isAbsent(&to[len(to)-1].Key, moved) || to[len(to)-1].Entry && !isEntry(mv.in[1-d], moved):
	default:
		out = p.m.put(out, moved, mv.keys[1-d]...)
	}
	for i := len(from) - 1; i > 0 && from[i-1].Optional; i-- {
		pruned := p.prune(t, out, d, mv.keys[d][:i])
		if pruned == out {
			break
		}
		out = pruned
	}
	return out, nil
}

// prune leaves out a parent that has nothing but what counts as absent.
func (p *pure) prune(t *rules, out *node, d int, path []string) *node {
	side, names := 1-d, make([]string, 0, len(path))
	var f *field
	for _, key := range path {
		if t == nil {
			return out
		}
		if f = t.field(d, key); f == nil || f.key[side].Name == "" {
			return out
		}
		names = append(names, f.key[side].Name)
		t = f.typ()
	}
	parent := p.m.get(out, names...)
	if p.m.look(parent); parent == nil || parent.kind != '{' {
		return out
	}
	if t == nil && len(parent.items) > 0 || t != nil && !p.isUnset(t, parent, side) {
		return out
	}
	return p.m.put(out, nil, names...)
}

// typ returns the type of a field; nil if it stays the same.
func (f *field) typ() *rules {
	if f.val == nil {
		return nil
	}
	return f.val.typ
}
