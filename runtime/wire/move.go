package wire

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// move is a field that objects of a type have at another path in the destination.
type move struct {
	def *Move
	// field converts the value. absent means that Go leaves out an empty one in the source.
	field  *field
	absent bool
	// from and to are the keys in the source and in the destination. source and dest are the steps
	// with them.
	from, to     []string
	source, dest []Step
	// left are the parents of the value in the source, and entered those in the destination, as far as
	// both versions have them.
	left, entered []*parent
	// label is the version under which parents are tracked, or "".
	label string
	// keys are the keys of the path by versions.
	keys map[string][]string
	// leaves and enters are set if the value is a label or an annotation in the source and in the
	// destination.
	leaves, enters bool
	// labels is set if the value is a label in the destination.
	labels bool
}

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

// exit is the path in a parent of a value that moves out of it, and a value that does not move, nil for none.
type exit struct {
	path []string
	zero []byte
}

func stepKeys(steps []Step) []string {
	keys := make([]string, len(steps))
	for i, s := range steps {
		keys[i] = s.Key
	}
	return keys
}

// moves adds the moves of a type to its program, after all programs have their fields.
func (c *compiler) moves(p *program, t *Type) error {
	for i := range t.Moves {
		def := &t.Moves[i]
		v, err := c.value(&def.Value)
		if err != nil {
			return err
		}
		m := &move{keys: map[string][]string{}, def: def, source: def.Hub, dest: def.Older, label: def.Since, absent: def.HubOmits, field: &field{value: v, omits: def.OlderOmits}}
		if c.up {
			m.source, m.dest, m.label, m.absent, m.field.omits = def.Older, def.Hub, def.Until, def.OlderOmits, def.HubOmits
		}
		m.from, m.to = stepKeys(m.source), stepKeys(m.dest)
		m.field.zero = m.source[len(m.source)-1].Zero
		m.leaves, m.enters = m.source[len(m.source)-1].Entry, m.dest[len(m.dest)-1].Entry
		m.labels = m.enters && m.to[len(m.to)-2] == "labels"
		m.left, m.entered = c.parents(p, m.source, true), c.parents(p, m.dest, false)
		p.moves = append(p.moves, m)
	}
	return nil
}

// parents returns the parents on a path that both versions have, and marks them.
func (c *compiler) parents(p *program, path []Step, source bool) (parents []*parent) {
	for i := range path[:len(path)-1] {
		def := c.fieldOf(p.typ, path[i].Key, source)
		if def == nil {
			return parents
		}
		from, to := c.keys(def)
		out := exit{stepKeys(path[i+1:]), path[len(path)-1].Zero}
		if items := p.items[def]; items != nil {
			items.creates = items.creates || path[len(path)-1].Entry
			items.parent, items.emptied = true, path[i].OtherZero
			if !source {
				items.emptied = path[i].Zero
				items.empty = withZeros(items.empty, path[i].OtherZero)
			} else {
				items.empty = withZeros(items.empty, zerosBelow(path[i:]))
				items.inner = append(items.inner, out)
			}
		}
		if from == "" || to == "" || p.fields[from] == nil || p.fields[from].value == nil || p.fields[from].value.object == nil {
			if f := p.fields[from]; f != nil && f.drop && source {
				f.moved = append(f.moved, out)
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

// taken is a moved value, converted; nil if it is absent in the destination.
type taken struct {
	*move
	value []byte
	// creates means that parents are created for the value.
	creates bool
	// blank is the label or the annotation that has a value which becomes none on the way back; nil for
	// others.
	blank *node
}

// reshaped converts an object with values that move, or with hooks.
func (r *run) reshaped(p *program, i, depth int) (int, error) {
	r.copyTo(i)
	start, first := len(r.out), len(r.lost)
	end, err := r.members(p, i, depth)
	if err != nil {
		return end, err
	}
	before := r.memory.now()
	defer r.memory.reset(before)
	src := r.node(r.src[i:end:end], i)
	var buffer [4]taken
	values := buffer[:0]
	for _, m := range p.moves {
		if n := src.walk(m.from); n != nil {
			v := taken{move: m}
			lost := len(r.lost)
			if v.value, err = r.lift(m, n, depth+len(m.from)); err != nil {
				return 0, r.alongPath(m.from, err)
			}
			zero := m.field.zero
			v.creates = present(n.text) != nil && (zero == nil || !same(n.text, zero))
			if m.leaves && m.isBlank(v.value) {
				v.creates, v.blank, r.lost = false, n, r.lost[:lost]
			}
			r.in(lost, element{move: m.def})
			values = append(values, v)
		}
	}
	if len(values)+len(p.hooks) == 0 {
		return end, nil
	}
	r.copyTo(end)
	out := r.node(r.memory.copy(r.out[start:]), 0)
	if err = r.relocate(first, values, src, out); err == nil {
		err = r.runHooks(p, src, out)
	}
	r.out = out.append(r.out[:start])
	return end, err
}

// lift converts a value that moves, apart from the object.
func (r *run) lift(m *move, n *node, depth int) ([]byte, error) {
	i, end, v := n.at, n.at+len(n.text), m.field.value
	switch {
	case (m.leaves || m.enters) && present(n.text) == nil, m.enters && m.absent && isEmpty(n.text):
		return nil, nil
	case m.def.Value.Transformed() && !m.leaves && !m.enters && (present(n.text) == nil || m.field.zero != nil && same(n.text, m.field.zero)):
		return nil, nil // Go does not tell it from an absent value
	case v == nil || present(n.text) == nil:
		return n.text, nil
	case (v.fn != nil || v.wrap) && m.absent && isEmpty(n.text):
		return nil, nil
	case v.unwrap && isEmptyList(r.src, i):
		r.compare(v, m.field.zero, i, end, nil)
		return nil, nil
	}
	start, copied, lost := len(r.out), r.copied, len(r.lost)
	r.copied = i
	_, err := r.value(v, i, depth)
	r.copyTo(end)
	converted := r.memory.copy(r.out[start:])
	r.out, r.copied = r.out[:start], copied
	if err == nil && m.leaves && m.field.omits && isEmpty(converted) {
		return nil, nil
	}
	if err == nil && m.enters && present(converted) != nil {
		if converted[0] != '"' {
			return nil, &Error{Err: fmt.Errorf("%s is not a string, as labels and annotations are", converted)}
		}
		if m.labels && !IsLabel(text(converted)) {
			r.lost = r.lost[:lost]
			r.compare(v, m.field.zero, i, end, nil)
			return nil, nil
		}
	}
	if err == nil && (v.fn != nil && isNull(converted) || (v.fn != nil || v.unwrap) && m.field.omits && isEmpty(converted)) {
		r.lost = r.lost[:lost]
		r.compare(v, m.field.zero, i, end, nil)
		return nil, nil
	}
	return converted, err
}

// IsLabel reports whether a text can be the value of a label. API servers refuse objects with others.
func IsLabel(text string) bool { return len(validation.IsValidLabelValue(text)) == 0 }

// isBlank reports whether the destination's field has a value that becomes no label and no annotation.
func (m *move) isBlank(value []byte) bool {
	zero := m.dest[len(m.dest)-1].Zero
	return present(value) == nil || zero != nil && same(value, zero)
}

// alongPath notes the path of a value that an error comes from.
func (r *run) alongPath(path []string, err error) error {
	for _, key := range slices.Backward(path) {
		element := "." + key
		if !isName(key) {
			element = "[" + quote(key) + "]"
		}
		err = r.below(element, err)
	}
	return err
}

// relocate puts values at their paths in the converted object, whose first loss has an index.
func (r *run) relocate(first int, values []taken, src, out *node) error {
	for _, v := range values {
		if v.creates || v.leaves {
			r.leave(first, &v, src, out)
		}
	}
	var lost []parentLoss
	for _, v := range values {
		if v.creates && v.value != nil && r.recording && v.label != "" {
			lost = r.entering(v, src, out, lost)
		}
	}
	for _, v := range values {
		if v.value == nil || !v.creates && (v.enters || v.isLeft(src, out)) {
			continue
		}
		if err := v.enter(out); err != nil {
			return r.alongPath(v.to[:len(v.to)-1], err)
		}
	}
	for _, v := range values {
		if label := v.field.value; v.blank != nil && r.recording && label != nil && label.label != "" && present(v.blank.text) != nil {
			lost = append(lost, parentLoss{loss{label: label.label, path: []element{{move: v.def}}, at: v.blank.at, value: v.blank.text}, v.to})
		}
	}
	for _, l := range lost {
		l.late = true
		for _, v := range values {
			if n := len(l.to); len(v.to) > n && slices.Equal(v.to[:n], l.to) {
				l.inner = append(l.inner, exit{path: v.to[n:]})
			}
		}
		r.lost = append(r.lost, l.loss)
	}
	return nil
}

// leave removes the optional parents of a value that are empty without it. One in which other values are lost was not
// empty, and they come back in it.
func (r *run) leave(first int, v *taken, src, out *node) {
	for i, p := range slices.Backward(v.left) {
		above := out.walkTo(v.left[:i])
		n := above.get(p.to)
		if n == nil || !p.step.Optional || !r.leftOut(p.step, p.field.value, n) || r.losesIn(first, src.walkFrom(v.left[:i+1])) {
			continue
		}
		above.remove(p.to)
	}
}

// losesIn reports whether values in an object of the source are lost that do not move out of it.
func (r *run) losesIn(first int, object *node) bool {
	return object != nil && slices.ContainsFunc(r.lost[first:], func(l loss) bool {
		if l.hooked > 0 && slices.ContainsFunc(l.path[0].parts, func(p part) bool { return p.value != nil }) {
			l.at = l.inside + 1
		}
		return l.at > object.at && l.at < object.at+len(object.text) && !l.filledIn && l.err == nil &&
			!slices.ContainsFunc(l.path, func(e element) bool { return e.move != nil })
	})
}

// isLeft reports whether a value moves out of a parent.
func (f *field) isLeft(object *node) bool {
	return f != nil && slices.ContainsFunc(f.inner, func(e exit) bool {
		n := object.walk(e.path)
		return n != nil && present(n.text) != nil && (e.zero == nil || !same(n.text, e.zero))
	})
}

// isLeft reports whether a parent in the destination is empty, and will be left out when a value moves out
// of it in an enclosing object.
func (v *taken) isLeft(src, out *node) bool {
	for i, p := range v.entered {
		if n := out.walkTo(v.entered[:i+1]); p.step.Optional && isEmptied(n, p.step.Zero) && p.field.isLeft(src.walkFrom(v.entered[:i+1])) {
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
		if n.is('{') && stays {
			continue // or one of those in it
		}
		if slices.ContainsFunc(lost, func(l parentLoss) bool { return slices.Equal(l.to, to) }) {
			return lost
		}
		l := parentLoss{loss{label: v.label, path: elements(v.entered[:i+1]), at: -1, zero: p.zero}, to}
		if above := src.walkFrom(v.entered[:i]); above != nil {
			l.inside = above.at
		}
		if s := src.walkFrom(v.entered[:i+1]); s != nil {
			if p.field.isLeft(s) {
				return lost // by a value that moves in an enclosing object, which brings it back
			}
			l.value = s.text
		} else if n.is('{') {
			return lost // not in the source
		}
		return append(lost, l)
	}
	return lost
}

// stays reports whether the first of some parents in the destination, one in the other, is not left out on the way back when
// the value moves out of the last: it is always written, or has other values, or gets defaults.
func (r *run) stays(parents []*parent, n *node) bool {
	p := parents[0]
	if !p.step.Optional {
		return true
	}
	shown := p.step.empty()
	if n.is('{') {
		shown = r.memory.print(n)
		if len(parents) > 1 && n.get(parents[1].to).is('{') && !r.stays(parents[1:], n.get(parents[1].to)) {
			n = r.node(shown, 0)
			n.remove(parents[1].to)
			shown = r.memory.print(n)
		}
		if !isEmptied(n, p.step.Zero) {
			return true
		}
	} else if r.encoded == nil {
		shown = []byte("{}")
	}
	reverse := p.field.value.reverse()
	back, err := r.alone(reverse, shown)
	return err == nil && !r.leftOut(p.step, reverse, newNode(back, 0))
}

// leftOut reports whether a parent that a conversion has made is left out when a value has moved out of it: it has nothing
// but zero values that Go writes, or what the conversion makes of an empty one.
func (r *run) leftOut(s *Step, v *value, n *node) bool {
	if isEmptied(n, s.OtherZero) {
		return true
	}
	if !s.Becomes || !n.is('{') {
		return false
	}
	became, err := r.alone(v, s.empty())
	return err == nil && isEmptied(n, became)
}

// empty returns what Go writes for an empty parent.
func (s *Step) empty() []byte {
	if s.Zero == nil {
		return []byte("{}")
	}
	return s.Zero
}

// enter puts a value at its path, for which it creates parents.
func (v *taken) enter(out *node) error {
	for _, key := range v.to[:len(v.to)-1] {
		below := out.get(key)
		if below == nil || present(below.text) == nil {
			if !v.creates {
				return nil
			}
			below = out.memory.object()
			out.set(key, below)
		}
		if !below.is('{') {
			return &Error{Err: fmt.Errorf("%s is to be moved into it, and it is no object", strings.Join(v.from, "."))}
		}
		out = below
	}
	out.set(v.to[len(v.to)-1], out.memory.node(v.value, -1))
	return nil
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

// walk returns the value at a path of keys, nil if there is none.
func (n *node) walk(path []string) *node {
	for _, key := range path {
		n = n.get(key)
	}
	return n
}

// isEmptied reports whether an object has no members but zero values that Go writes.
func isEmptied(n *node, zero []byte) bool {
	if !n.is('{') {
		return false
	}
	n.parse()
	zeros := n.memory.node(zero, 0)
	for i := range n.nodes {
		z := zeros.get(n.name(i))
		value := n.memory.print(n.nodes[i])
		if z == nil || !same(value, z.text) && (present(z.text) != nil || !n.nodes[i].is('[') && !n.nodes[i].is('{') || !isEmpty(value)) {
			return false
		}
	}
	return true
}

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
		strip(n, e.path)
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
	if !restored.is('{') || !moved.is('{') {
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

// moved returns the moved field that a path begins with, and the number of its elements; 0 if there is
// none.
func (t *Table) moved(at target, path []element, version string) (target, int) {
	if at.value == nil || at.value.object == nil {
		return target{}, 0
	}
	for _, m := range at.value.object.moves {
		keys, known := m.keys[version]
		if !known {
			keys = t.keys(m.def, version)
		}
		if len(keys) > len(path) {
			continue
		}
		matches := true
		for i, key := range keys {
			matches = matches && !path[i].list && !path[i].key && path[i].name == key
		}
		if matches {
			return target{move: m, field: m.field, value: m.field.value, from: m.from[len(m.from)-1], to: m.to[len(m.to)-1]}, len(keys)
		}
	}
	return target{}, 0
}
