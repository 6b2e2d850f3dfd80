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
		m.left, m.entered = c.parents(p, m, true), c.parents(p, m, false)
		p.moves = append(p.moves, m)
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
			v.creates = m.creates(n.text)
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
	case (m.leaves || m.enters) && present(n.text) == nil, m.isUnset(n.text):
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
	if err == nil && (v.fn != nil && isNull(converted) || (v.fn != nil || v.unwrap) && m.field.omits && (isEmpty(converted) || m.def.Value.Transformed() && isZero(converted, m.dest[len(m.dest)-1].Zero))) {
		r.lost = r.lost[:lost]
		r.compare(v, m.field.zero, i, end, nil)
		return nil, nil
	}
	return converted, err
}

// IsLabel reports whether a text can be the value of a label. API servers refuse objects with others.
func IsLabel(text string) bool { return len(validation.IsValidLabelValue(text)) == 0 }

// isUnset reports whether Go leaves out a value of the source's field, which becomes no label and no annotation.
func (m *move) isUnset(value []byte) bool { return m.enters && m.absent && isEmpty(value) }

// creates reports whether parents are created for a value of the source, and left out without it: it is not zero.
func (m *move) creates(value []byte) bool {
	zero := m.field.zero
	return present(value) != nil && (zero == nil || !same(value, zero)) && !m.isUnset(value)
}

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
		if v.value == nil || !v.creates && (v.enters || v.isLeft(src)) {
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
		r.lost = append(r.lost, l.loss)
	}
	return nil
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

// walk returns the value at a path of keys, nil if there is none.
func (n *node) walk(path []string) *node {
	for _, key := range path {
		n = n.get(key)
	}
	return n
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
