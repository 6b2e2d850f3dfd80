package jsonconvert

import (
	"slices"
	"strconv"
	"strings"
)

// entry is a tracked value: what an object of a version had at a path, where converting it there and back gave something else.
type entry struct {
	path []step
	// value is what there was, and was what came back; nil for nothing. Those of a group are objects of its members.
	value, was *node
}

// differ finds what of an object does not come back.
type differ struct {
	m *memory
	// side is that of the object's version in the step, and known are the version's types.
	side  int
	known *Version
	out   []entry
	// err is why an item of a list has no step.
	err error
}

// unchanged is the value of everything that a table does not name.
var unchanged = &value{}

// member returns the field with a key, and what its value is.
func (v *value) member(side int, key string) (*field, *value) {
	if v.typ != nil {
		if f := v.typ.field(side, key); f != nil {
			if f.val != nil {
				return f, f.val.resolved()
			}
			return f, unchanged
		}
		if t := v.typ; t.value != nil && t.value.elem != nil {
			return nil, t.value.elem.resolved()
		}
	}
	if v.elem != nil {
		return nil, v.elem.resolved()
	}
	return nil, unchanged
}

// resolved returns the value that a type without fields is.
func (v *value) resolved() *value {
	for v.typ != nil && v.typ.value != nil {
		v = v.typ.value
	}
	return v
}

// on returns what a value is on a side of the step: one that became a list is a single value before.
func (v *value) on(side int) *value {
	for v = v.resolved(); side == older && v.list != nil; v = v.list.resolved() {
	}
	return v
}

// item returns what the items of a list are.
func (v *value) item() *value {
	switch {
	case v.list != nil:
		return v.list.resolved()
	case v.elem != nil:
		return v.elem.resolved()
	}
	return unchanged
}

// isWhole reports whether a value is tracked as a whole.
func (v *value) isWhole() bool {
	return v.isCall || v.typ != nil && (v.typ.whole[0] != nil || v.typ.whole[1] != nil)
}

func keyOf(f *field, side int) *Key {
	if f == nil {
		return nil
	}
	return &f.key[side]
}

func (d *differ) add(path []step, value, was *node) {
	path = d.m.path(path)
	for i := range path {
		if s := &path[i]; s.kind == itemStep {
			*s = d.step(s.list, s.index)
		}
	}
	d.out = append(d.out, entry{path, value, was})
}

// steps returns the steps to the items of a list, whose type is s.
func (v *Version) steps(m *memory, of *value, s *Schema, side int, n *node) []step {
	m.look(n)
	out := make([]step, len(n.items))
	known := of.set || len(of.keys[side]) > 0
	if known {
		elem := v.resolve(v.resolve(s).item())
		seen := make(map[string]bool, len(n.items))
		for i, item := range n.items {
			s := &out[i]
			if s.kind = keyStep; of.set {
				s.kind, s.values = valueStep, []string{canonical(m.json(item))}
				known = known && item.kind == 's'
			} else {
				s.names = of.keys[side]
				for _, key := range s.names {
					k := m.get(item, key)
					s.values = append(s.values, v.keyText(m, elem.member(key), k))
					known = known && (k == nil || k.kind == 's')
				}
			}
			id := identity(s)
			if known = known && !seen[id]; !known {
				break
			}
			seen[id] = true
		}
	}
	if !known {
		for i := range out {
			out[i] = step{kind: indexStep, index: i, length: len(out)}
		}
	}
	return out
}

// keyText returns the JSON of a key of an item, which items with the same key share; "" for one that is no other than an absent
// key. A conversion may add a required key.
func (v *Version) keyText(m *memory, s *Schema, n *node) string {
	if v.isAbsent(m, s, n) {
		return ""
	}
	return canonical(m.json(n))
}

// canonical returns the JSON that all spellings of a scalar share.
func canonical(raw string) string {
	switch {
	case raw[0] == '"':
		return spelled(raw)
	case isNumber(raw) && (strings.ContainsAny(raw, ".eE") || isZeroNumber(raw)):
		negative, digits, exp := decimal(raw)
		if digits == "" {
			return "0"
		}
		if negative {
			digits = "-" + digits
		}
		if exp >= 0 && exp < 20 {
			return digits + strings.Repeat("0", exp)
		}
		return digits + "e" + strconv.Itoa(exp)
	}
	return raw
}

// identity returns the values by which an item is known.
func identity(s *step) string {
	if len(s.values) == 1 {
		return s.values[0]
	}
	id := ""
	for _, v := range s.values {
		id += v + "\x00"
	}
	return id
}

// diff adds what leads from a value that came back to the one that there was, at the smallest places.
func (d *differ) diff(v *value, s *Schema, path []step, back, x *node) {
	m := d.m
	if back == x || back.raw != "" && back.raw == x.raw {
		return
	}
	v = v.on(d.side)
	switch {
	case len(path) == 0 && v.isWhole():
		d.topLevel(d.known.resolve(s), back, x)
	case v.isWhole() || back.kind != x.kind || x.kind == 's' || x.kind == '[' && !v.isAligned(len(m.look(back).items), len(m.look(x).items)):
		if !d.known.same(m, s, back, x) {
			d.add(path, x, back)
		}
	case x.kind == '[':
		s = d.known.resolve(s)
		each, elem := v.item(), s.item()
		list := &items{value: v, schema: s, of: func() (*node, error) { return back, nil }}
		for i := range back.items {
			if back.items[i] != x.items[i] {
				d.diff(each, elem, append(path, step{kind: itemStep, index: i, list: list}), back.items[i], x.items[i])
			}
		}
		if n := len(back.items); n < len(x.items) {
			d.add(append(path, step{kind: tailStep, index: n}), m.build('[', nil, x.items[n:]), nil)
		}
	default:
		d.members(v, d.known.resolve(s), path, back, x)
	}
}

// topLevel adds what differs of objects that a function converts as a whole: each of their members, but not the metadata.
func (d *differ) topLevel(s *Schema, back, x *node) {
	m := d.m
	add := func(key string) {
		is, was := m.get(x, key), m.get(back, key)
		if key == "apiVersion" || key == "kind" || key == "metadata" || d.known.sameMember(m, s, key, was, is) {
			return
		}
		d.add([]step{{kind: memberStep, names: m.one(key)}}, is, was)
	}
	for _, key := range m.look(x).keys {
		add(key)
	}
	for _, key := range m.look(back).keys {
		if m.has(x, key) < 0 {
			add(key)
		}
	}
}

// isAligned reports whether the items of two lists are tracked one by one: only a list that was a single value may be shorter.
func (v *value) isAligned(back, x int) bool { return back == x || back < x && v.list != nil }

// members adds what differs between objects.
func (d *differ) members(v *value, s *Schema, path []step, back, x *node) {
	m, begin := d.m, len(d.out)
	m.look(back)
	m.look(x)
	matched, next := 0, 0 // most keys have the same order
	for i, key := range x.keys {
		at := next
		if at >= len(back.keys) || back.keys[at] != key {
			at = m.index(back, key)
		}
		var other *node
		if at >= 0 {
			other, next = back.items[at], at+1
			matched++
		}
		if other != x.items[i] {
			d.member(v, s, append(path, step{kind: memberStep, names: x.keys[i : i+1]}), other, x.items[i])
		}
	}
	if matched < len(back.keys) {
		for i, key := range back.keys {
			if m.index(x, key) < 0 {
				d.member(v, s, append(path, step{kind: memberStep, names: back.keys[i : i+1]}), back.items[i], nil)
			}
		}
	}
	if v.typ != nil {
		for i := range v.typ.hooks {
			d.unite(v.typ.hooks[i].keys[d.side], path, back, x, begin)
		}
	}
}

// member adds what differs between members, one of which may be absent.
func (d *differ) member(v *value, s *Schema, path []step, back, x *node) {
	key := path[len(path)-1].names[0]
	f, of := v.member(d.side, key)
	k, p, below := keyOf(f, d.side), pure{m: d.m}, s.member(key)
	isAbsent := func(n *node) bool { return p.isAbsent(k, n) || d.known.isAbsent(d.m, s.field(key), n) }
	isSoft := k != nil && k.EmptyIsAbsent && f.key[1-d.side].Name != ""
	if x.isNull() && (f != nil || s.field(key) != nil) {
		x = nil // null is no other than an absent value; some types refuse it
	}
	switch {
	case isAbsent(x) && isAbsent(back):
	case f.isFilled():
		if x == nil || back == nil || !d.known.same(d.m, below, back, x) {
			d.add(path, x, nil)
		}
	case !back.isNull() && !x.isNull():
		d.diff(of, below, path, back, x)
	case isSoft && (back == nil || back.kind == '{') && (x == nil || x.kind == '{'):
		d.diff(of, below, path, orEmpty(back), orEmpty(x))
	default:
		d.add(path, x, back)
	}
}

// orEmpty returns an empty object for an absent one. It is made for each caller: looking inside changes it.
func orEmpty(n *node) *node {
	if n == nil {
		return &node{kind: '{', open: true}
	}
	return n
}

// unite replaces the entries of the fields that a hook converts by one: all of them are restored, or none.
func (d *differ) unite(keys []string, path []step, back, x *node, begin int) {
	isOf := func(e *entry) bool {
		return len(e.path) > len(path) && e.path[len(path)].kind == memberStep && slices.Contains(keys, e.path[len(path)].names[0])
	}
	of := d.out[begin:]
	if len(keys) < 2 || !slices.ContainsFunc(of, func(e entry) bool { return isOf(&e) }) {
		return
	}
	d.out = append(d.out[:begin], slices.DeleteFunc(of, func(e entry) bool { return isOf(&e) })...)
	d.add(append(path, step{kind: groupStep, names: keys}), d.group(x, keys), d.group(back, keys))
}

// group returns an object of the members that an object has of some.
func (d *differ) group(n *node, keys []string) *node {
	var names []string
	var items []*node
	for _, key := range keys {
		if v := d.m.get(n, key); v != nil {
			names, items = append(names, key), append(items, v)
		}
	}
	return d.m.build('{', names, items)
}
