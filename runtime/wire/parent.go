package wire

import (
	"slices"
)

// parent is an object that both versions have and that a value moves into or out of.
type parent struct {
	from, to string
	def      *Field
	step     *Step
	// zero is what Go writes for it if it has nothing but the parents in it.
	zero []byte
	// field is what happens to the parent; nil if it is copied.
	field *field
}

// exit is the path in a parent of a value that moves out of it, or into it.
type exit struct {
	steps []Step
	move  *move
}

// parents returns the parents on the path of a moved field that both versions have, and marks them.
func (c *compiler) parents(p *program, m *move, source bool) (parents []*parent) {
	path := m.dest
	if source {
		path = m.source
	}
	for i := range path[:len(path)-1] {
		def := c.fieldOf(p.typ, path[i].Key, source)
		if def == nil {
			return parents
		}
		from, to := c.keys(def)
		at := exit{path[i+1:], m}
		if items := p.items[def]; items != nil {
			items.creates = items.creates || path[len(path)-1].Entry
			items.parent, items.emptied = true, path[i].OtherZero
			if !source {
				items.emptied = path[i].Zero
				items.empty = withZeros(items.empty, path[i].OtherZero)
				items.into = append(items.into, at)
			} else {
				items.empty = withZeros(items.empty, zerosBelow(path[i:]))
				items.inner = append(items.inner, at)
			}
		}
		if from == "" || to == "" || p.fields[from] == nil || p.fields[from].value == nil || p.fields[from].value.object == nil {
			if f := p.fields[from]; f != nil && f.drop && source {
				f.moved = append(f.moved, at)
			}
			return parents
		}
		parents = append(parents, &parent{from, to, def, &path[i], zerosBelow(path[i:]), p.items[def]})
		p = p.fields[from].value.object
	}
	return parents
}

// zerosBelow returns what Go writes for the first of some parents that has nothing but the others, empty. A value is the last
// step.
func zerosBelow(path []Step) []byte {
	n := newNode(path[0].empty(), 0)
	if len(path) > 2 {
		n.set(path[1].Key, newNode(zerosBelow(path[1:]), -1))
	}
	return n.json()
}

// withZeros returns an object with the members of another, at any depth.
func withZeros(object, zeros []byte) []byte {
	if object == nil {
		return zeros
	}
	return merge(newNode(object, 0), newNode(zeros, 0)).json()
}

// fieldOf returns the field of a type with a key in the source or the destination, or nil.
func (c *compiler) fieldOf(t *Type, key string, source bool) *Field {
	for i := range t.Fields {
		if from, to := c.keys(&t.Fields[i]); source && from == key || !source && to == key {
			return &t.Fields[i]
		}
	}
	return nil
}

// leave removes the optional parents of a value that are empty without it, and what is lost of the zero values in them. A
// tracked value puts them back.
func (r *run) leave(first int, v *taken, src, out *node) {
	for i, p := range slices.Backward(v.left) {
		above, from := out.walkTo(v.left[:i]), src.walkFrom(v.left[:i+1])
		n := above.get(p.to)
		if n == nil || !p.step.Optional || p.step.Filled || !hasOnly(from, p.step.Zero, p.field.inner, p.field.value) || has(n, p.field.into) {
			continue
		}
		left := &leftOut{key: p.to, object: r.memory.print(n)}
		above.remove(p.to)
		for k := first; k < len(r.lost); k++ {
			l := &r.lost[k]
			at := l.at
			if at < 0 {
				at = l.inside
			}
			if l.with == nil && at >= from.at && at < from.at+len(from.text) && !slices.ContainsFunc(l.path, func(e element) bool { return e.move != nil }) {
				l.with = left
			}
		}
		if r.recording {
			r.lost = append(r.lost, loss{with: left, isParent: true, at: -1, inside: -1, path: elements(v.left[:i+1])})
		}
	}
	if !r.recording {
		r.lost = slices.DeleteFunc(r.lost, func(l loss) bool { return l.with != nil })
	}
}

// leftOut is a parent in the destination that is left out because it is empty without the values that move out of it.
type leftOut struct {
	key string
	// object is the parent, which is put back if a tracked value says that the destination had it.
	object []byte
	back   bool
}

// putBack puts back a parent that was left out of an object. It reports false if none was.
func (r *run) putBack(out, object *node, key string) bool {
	for i := range r.lost {
		l := &r.lost[i]
		if !l.isParent || l.with.key != key || r.shown(out, l.path[1:]) != object {
			continue
		}
		if !l.with.back {
			l.with.back = true
			object.set(key, merge(r.node(l.with.object, -1), object.get(key)))
		}
		return true
	}
	return false
}

// settleParents removes the parents that were left out from what is lost, and what is lost in them, as far as they were not put
// back.
func (r *run) settleParents() {
	r.lost = slices.DeleteFunc(r.lost, func(l loss) bool { return l.with != nil && (l.isParent || !l.with.back) })
}

// impliesParent reports whether one of the other losses is in a parent that is empty in the destination: the parent is put
// back with it.
func (r *run) impliesParent(parent *loss) bool {
	return slices.ContainsFunc(r.lost, func(l loss) bool { return l.implies(parent) })
}

// forgetImplied forgets that parents are empty in the destination, in which a value of the source is that is tracked in any case.
func (r *run) forgetImplied(at int) {
	for _, l := range r.lost {
		if l.at == at {
			r.lost = slices.DeleteFunc(r.lost, func(parent loss) bool { return l.implies(&parent) })
			return
		}
	}
}

func (l *loss) implies(parent *loss) bool {
	in := len(l.path) - len(parent.path)
	return in > 0 && parent.inner != nil && jsonType(parent.value) == '{' && present(l.value) != nil && slices.EqualFunc(l.path[in:], parent.path, func(a, b element) bool {
		return a.field != nil && a.field == b.field
	})
}

// isLeft reports whether one of some values moves out of a parent.
func isLeft(object *node, exits []exit) bool {
	return slices.ContainsFunc(exits, func(e exit) bool {
		n := object.walk(stepKeys(e.steps))
		return n != nil && e.move.creates(n.text)
	})
}

// has reports whether an object has one of some values.
func has(object *node, values []exit) bool {
	return slices.ContainsFunc(values, func(e exit) bool { return object.walk(stepKeys(e.steps)) != nil })
}

// hasOnly reports whether an object has nothing but zero values that Go writes or leaves out, values that move out of it, and
// objects that are left out with these. of converts the object, nil for one of the destination.
func hasOnly(object *node, zero []byte, exits []exit, of *value) bool {
	if !object.is('{') {
		return false
	}
	object.parse()
	zeros := object.memory.node(zero, 0)
	for i, value := range object.nodes {
		name := object.name(i)
		var below []exit
		var zero []byte
		moves := false
		for _, e := range exits {
			if e.steps[0].Key == name && len(e.steps) == 1 {
				moves = true
			} else if e.steps[0].Key == name {
				below, zero = append(below, exit{e.steps[1:], e.move}), e.steps[0].Zero
			}
		}
		var member *field
		if of != nil && of.object != nil {
			member = of.object.fields[name]
		}
		moves = moves || isLeft(value, below) && hasOnly(value, zero, below, member.converts())
		if !moves && !member.leavesOut(value.text) && !isZero(value.memory.print(value), zeros.get(name).json()) {
			return false
		}
	}
	return true
}

// converts returns what converts the value of a field; nil if it is copied.
func (f *field) converts() *value {
	if f == nil {
		return nil
	}
	return f.value
}

// leavesOut reports whether the destination has nothing for a value that a function or a transform would convert: Go leaves it
// out in the source.
func (f *field) leavesOut(value []byte) bool {
	v := f.converts()
	return v != nil && v.object == nil && f.absent && (isEmpty(value) || f.blank != nil && same(value, f.blank))
}

// isLeft reports whether a parent in the destination will be left out when a value moves out of it in an enclosing object.
func (v *taken) isLeft(src *node) bool {
	for i, p := range v.entered {
		from := src.walkFrom(v.entered[:i+1])
		if p.step.Optional && isLeft(from, p.field.inner) && hasOnly(from, p.step.OtherZero, p.field.inner, p.field.value) {
			return true
		}
	}
	return false
}

// parentLoss is a parent that does not come back.
type parentLoss struct {
	loss
	to []string
}

// entering notes the parent of a value that does not come back: one that is empty without it, and is
// left out on the way back, or one that is created, and is not left out.
func (r *run) entering(v taken, src, out *node, lost []parentLoss) []parentLoss {
	for i, p := range v.entered {
		to := v.to[:i+1]
		n := out.walkTo(v.entered[:i+1])
		stays := r.stays(v.entered[i:], n)
		if !n.is('{') && !stays {
			return lost // created, and left out
		}
		if n.is('{') && stays && (!p.step.Optional || p.step.Filled || !r.maybeStored()) {
			continue // or one of those in it
		}
		if slices.ContainsFunc(lost, func(l parentLoss) bool { return slices.Equal(l.to, to) }) {
			continue
		}
		l := parentLoss{loss{label: v.label, path: elements(v.entered[:i+1]), at: -1, zero: p.zero, inner: p.field.into, back: p.back()}, to}
		if above := src.walkFrom(v.entered[:i]); above != nil {
			l.inside = above.at
		}
		if s := src.walkFrom(v.entered[:i+1]); s != nil {
			if isLeft(s, p.field.inner) {
				return lost // by a value that moves in an enclosing object, which brings it back
			}
			if n.is('{') && stays && !s.is('{') {
				continue
			}
			if l.value = s.text; s.is('{') {
				l.value = []byte("{}") // what is in it is lost apart from it
			}
		} else if n.is('{') {
			return lost // not in the source
		}
		if lost = append(lost, l); !n.is('{') {
			return lost // as are those in it
		}
	}
	return lost
}

// stays reports whether the first of some parents in the destination, one in the other, is not left out on the way back when
// the value moves out of the last: it is always written, or has other values, or gets defaults.
func (r *run) stays(parents []*parent, n *node) bool {
	p := parents[0]
	if !p.step.Optional || p.step.Filled || !n.is('{') {
		return !p.step.Optional || p.step.Filled
	}
	if len(parents) > 1 && n.get(parents[1].to).is('{') && !r.stays(parents[1:], n.get(parents[1].to)) {
		n = r.node(r.memory.print(n), 0)
		n.remove(parents[1].to)
	}
	return !hasOnly(n, p.step.Zero, nil, p.back())
}

// back returns what converts the parent back; nil if it is copied.
func (p *parent) back() *value { return p.field.converts().reverse() }

// empty returns what Go writes for an empty parent.
func (s *Step) empty() []byte {
	if s.Zero == nil {
		return []byte("{}")
	}
	return s.Zero
}

// walkFrom returns the last of some parents in the source.
func (n *node) walkFrom(parents []*parent) *node {
	for _, p := range parents {
		n = n.get(p.from)
	}
	return n
}

// walkTo returns the last of some parents in the destination.
func (n *node) walkTo(parents []*parent) *node {
	for _, p := range parents {
		n = n.get(p.to)
	}
	return n
}

// elements returns the path of the last parent, innermost first.
func elements(parents []*parent) (path []element) {
	for _, p := range slices.Backward(parents) {
		path = append(path, element{name: p.from, field: p.def})
	}
	return path
}

// isEmptied reports whether an object has no members but zero values that Go writes.
func isEmptied(n *node, zero []byte) bool { return hasOnly(n, zero, nil, nil) }

// withoutZeros returns an object without the members that are also in another, at any depth.
func withoutZeros(object, zeros []byte) []byte {
	if present(zeros) == nil {
		return object
	}
	n, z := newNode(object, 0), newNode(zeros, 0)
	if !n.is('{') || !z.is('{') {
		return object
	}
	z.parse()
	for i, zero := range z.nodes {
		name := z.name(i)
		value := n.get(name)
		if value == nil {
			continue
		}
		rest := withoutZeros(value.text, zero.text)
		if same(value.text, zero.text) || value.is('{') && len(rest) < len(value.text) && isEmpty(rest) {
			n.remove(name)
		} else if value.is('{') {
			n.set(name, newNode(rest, -1))
		}
	}
	return n.append(nil)
}

// isEmptied reports whether a parent in the destination has nothing but zero values that Go writes, and defaults.
func (r *run) isEmptied(f *field, n *node) bool {
	switch {
	case n == nil, isEmptied(n, f.emptied):
		return true
	case f.value == nil:
		return false
	}
	for _, shown := range [][]byte{[]byte("{}"), f.empty} { // what JSON and Go have without the values that move
		filled, err := r.alone(f.value, shown)
		if err != nil || shown == nil {
			continue
		}
		rest := newNode(withoutZeros(n.append(nil), filled), 0)
		if isEmptied(rest, f.emptied) {
			return true
		}
	}
	return false
}

// without returns an object without the values that move from it; nil if it had no others.
func (m *memory) without(object []byte, moved []exit) []byte {
	if len(moved) == 0 || len(object) == 0 || object[0] != '{' {
		return object
	}
	before := m.now()
	defer m.reset(before)
	n := m.node(object, 0)
	for _, e := range moved {
		strip(n, stepKeys(e.steps))
	}
	if n.changed && n.empty() {
		return nil
	}
	return m.print(n)
}

func strip(n *node, path []string) {
	below := n.get(path[0])
	if below == nil || len(path) > 1 && !below.is('{') {
		return
	}
	if len(path) > 1 {
		if strip(below, path[1:]); !below.changed || !below.empty() {
			return
		}
	}
	n.remove(path[0])
}

// merge adds the members of an object, which values moved into, to the one that it is restored to.
func merge(restored, moved *node) *node {
	if moved == nil || !restored.is('{') || !moved.is('{') {
		return restored
	}
	moved.parse()
	for i, value := range moved.nodes {
		name := moved.name(i)
		if below := restored.get(name); below != nil {
			value = merge(below, value)
		}
		restored.set(name, value)
	}
	return restored
}

// sameParent reports whether two values of a parent are the same apart from what moves out of it.
func (f *field) sameParent(m *memory, a, b []byte) bool {
	if sameBut(a, b, f.empty) {
		return true
	}
	if present(a) == nil || present(b) == nil {
		return false
	}
	rest := func(object []byte) []byte {
		if object = m.without(object, f.inner); object == nil {
			return []byte("{}")
		}
		return object
	}
	return sameBut(rest(a), rest(b), f.empty)
}

// sameBut reports whether two objects are the same apart from zero values that Go writes.
func sameBut(a, b, zero []byte) bool {
	return jsonType(a) == '{' && jsonType(b) == '{' && same(withoutZeros(a, zero), withoutZeros(b, zero))
}
