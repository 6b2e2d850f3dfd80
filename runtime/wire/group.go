package wire

import (
	"bytes"
	"slices"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// What a split loses of an object, or what its functions do, is one tracked value, because some of it would not fit the rest:
// with several members, the path has all their names, and the value is an object of those that are set.

// part is a member of an object that a hook loses.
type part struct {
	element
	// at is the index of the value in the source, -1 for an absent one, and value is the value.
	at    int
	value []byte
}

// lossOf returns what a hook loses of an object with an index. fits returns what Go writes
// for an object of the destination's type.
func lossOf(by *written, out *node, inside int, fits Func) loss {
	path := make([]element, 1, usualDepth)
	path[0].parts = by.parts
	return loss{label: by.label, hooked: inside + 1, inside: inside, split: by.split, at: -1, was: by.shown(out), fits: fits, path: path}
}

// join sets the value and the path of the loss of a hook.
func (t *Table) join(l *loss) {
	parts := l.path[0].parts
	if len(parts) == 1 {
		l.value, l.path[0] = parts[0].value, parts[0].element
		return
	}
	object := newObject()
	for _, p := range parts {
		if p.value != nil {
			object.set(t.name(p.field, p.name, l.label), newNode(p.value, -1))
		}
	}
	l.value = object.append(nil)
}

// forgetIf forgets the losses of values for which a function returns true, alone or among those of a hook.
func (r *run) forgetIf(is func(at int, value []byte) bool) {
	r.lost = slices.DeleteFunc(r.lost, func(l loss) bool {
		if l.hooked == 0 {
			return is(l.at, l.value)
		}
		first := &l.path[0]
		first.parts = slices.DeleteFunc(first.parts, func(p part) bool { return p.at >= 0 && is(p.at, p.value) })
		return len(first.parts) == 0
	})
}

// restoreParts restores the tracked values of a hook in an object, all of them or none.
func (r *run) restoreParts(p *program, at *hop, src, out *node, path []element, version string, value *convert.ChangedValue) bool {
	values := newNode(value.Value, 0)
	if at.hooks == nil || !at.hooks.wasShown(src, value.Was, r.up) || !values.is('{') {
		return false
	}
	parts := at.element.parts
	values.parse()
	for i := range values.nodes {
		if name := values.name(i); !slices.ContainsFunc(parts, func(p part) bool { return p.name == name }) {
			return false
		}
	}
	lost, restored := slices.Clone(r.lost), make([]*node, len(parts))
	keys := make([]string, len(parts))
	for i := range parts {
		member := hop{target: r.table.member(at.hooks, parts[i].name, version, r.up), element: &parts[i].element, of: at.of}
		one, below, ok := *value, (*node)(nil), !member.noDest
		if !member.noSource {
			below = src.get(member.from)
		}
		one.Value = nil
		if n := values.get(parts[i].name); n != nil {
			one.Value = n.text
		}
		if ok {
			restored[i], ok = r.restored(p, &member, src, below, slices.Concat(path[:len(path)-1], []element{parts[i].element}), version, &one)
		}
		if !ok {
			r.lost = lost
			return false
		}
		keys[i] = member.to
	}
	r.wrote(keys...)
	for i, key := range keys {
		if restored[i] == nil {
			out.remove(key)
		} else {
			out.set(key, restored[i])
		}
	}
	return true
}

// showAgain sets what the destination shows of the loss of a hook to what it shows now.
func (l *loss) showAgain(object *node) {
	was := newNode(bytes.Clone(l.was), 0)
	was.parse()
	keys := map[string]bool{}
	for i := range was.nodes {
		keys[was.name(i)] = true
	}
	l.was = (&written{keys: keys}).shown(object)
}
