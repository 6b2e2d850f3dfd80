package wire

import (
	"fmt"
	"slices"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// target is what a path leads to: the value of a field, or an item of a list or a map. What
// does not differ between the versions has neither.
type target struct {
	field *field
	value *value
	// from and to are the keys in the source and in the destination, unless one lacks the
	// field.
	from, to         string
	noSource, noDest bool
	// move is set if the value is at different paths, and hooks is the program of the enclosing object if
	// its hooks may have made it.
	move  *move
	hooks *program
}

// follow goes one element further.
func (t *Table) follow(at target, e *element, version string, up bool) target {
	switch v := at.value; {
	case v == nil:
		return target{from: e.name, to: e.name}
	case v.object == nil:
		return target{value: v.each, from: e.name, to: e.name}
	default:
		return t.member(v.object, e.name, version, up)
	}
}

// member returns the field that has a name in a version.
func (t *Table) member(p *program, name, version string, up bool) target {
	members, known := p.named[version]
	if !known {
		members = t.named(p, version, up)
	}
	found, ok := members[name]
	if !ok {
		found = target{from: name, to: name}
	}
	if len(p.hooks) > 0 {
		found.hooks = p
	}
	return found
}

// named returns the fields of a program by their names in a version.
func (t *Table) named(p *program, version string, up bool) map[string]target {
	members := map[string]target{}
	for i := range p.typ.Fields {
		def := &p.typ.Fields[i]
		f, name := p.items[def], t.name(def, "", version)
		counts := f != nil && f.added
		if version == t.Older {
			counts = def.Older != ""
		}
		if _, ok := members[name]; def.Spread || ok && !counts {
			continue // of two fields with the name, the version's counts, or the destination's
		}
		if f == nil {
			f = &field{}
		}
		at := target{field: f, value: f.value, from: def.Older, to: def.Hub, noSource: def.Older == "", noDest: def.Hub == ""}
		if !up {
			at.from, at.to, at.noSource, at.noDest = at.to, at.from, at.noDest, at.noSource
		}
		members[name] = at
	}
	return members
}

// hop is a step of a path in both versions: a field, an item, or all fields on the path of one that moved.
type hop struct {
	target
	element *element
	// of is the value that the step begins in.
	of *value
	// index is that of an item that was found, in a list of the length.
	index, length int
}

// impliedItem is the item that is a single value in the version of a path.
var impliedItem = element{list: true, implied: true}

// hops returns the steps of a path that is of a version. A list that is a single value there has a step
// to its item, which the path does not have.
func (t *Table) hops(m *memory, p *program, path []element, version string, up bool) []hop {
	var hops []hop
	if m != nil {
		hops = take(&m.hops, 2*len(path), true)[:0]
	}
	at := target{value: &p.root}
	for len(path) > 0 {
		next, elements := t.moved(at, path, version)
		if elements == 0 {
			next, elements = t.follow(at, &path[0], version, up), 1
		}
		hops = append(hops, hop{target: next, element: &path[elements-1], of: at.value})
		at, path = next, path[elements:]
		if v := at.value; v != nil && (v.wrap || v.unwrap) && t.isSingle(v.def, version) {
			at = target{value: v.each}
			hops = append(hops, hop{target: at, element: &impliedItem, of: v})
		}
	}
	return hops
}

// apply restores a tracked value in the converted object. It reports false if the value
// does not apply.
func (r *run) apply(p *program, src, out *node, version string, value *convert.ChangedValue) bool {
	before := r.memory.now()
	defer r.memory.unfollow(before)
	var created []creation
	if r.enter(p, src, out, version, value, &created) {
		r.created = append(r.created, created...)
		return true
	}
	for _, c := range created {
		c.in.remove(c.key)
	}
	return false
}

// creation is an object that is created for a tracked value in it, because Go has left out a zero struct.
type creation struct {
	in     *node
	key    string
	object *node
	// value converts it, and path leads to it in the source, innermost first.
	value *value
	path  []element
}

// creates returns an object that is created for a tracked value in it, to which hops lead.
func (r *run) creates(in *node, key string, hops []hop) creation {
	c := creation{in: in, key: key, object: r.memory.object()}
	for i := range slices.Backward(hops) {
		h := &hops[i]
		e := element{name: h.from, key: h.of != nil && h.of.object == nil}
		switch {
		case h.element.list:
			e = element{list: true, index: h.index, length: h.length, of: h.of}
		case h.move != nil || h.field == nil && h.from == "" && !e.key:
			return c // no path, and nothing is noted
		}
		if h.field != nil {
			e.field = h.field.def
		}
		c.path = append(c.path, e)
	}
	c.value = hops[len(hops)-1].value
	return c
}

// isCreated reports whether an object was created for a tracked value in it.
func (r *run) isCreated(object *node) bool {
	return slices.ContainsFunc(r.created, func(c creation) bool { return c.object == object })
}

// lacks notes what the other direction makes of an object that the source lacks: the fields that it fills in, and those that
// it makes of zero values. shown is the object as Go writes it.
func (r *run) lacks(object, shown *node, v *value, path []element) {
	if v == nil || v.object == nil || !shown.is('{') {
		return
	}
	note := func(label, name string, f *field, value, was []byte) {
		r.lost = append(r.lost, loss{label: label, at: -1, inside: -1, value: value, was: was, path: slices.Concat([]element{{name: name, field: f.def}}, path)})
	}
	for _, f := range v.object.filled {
		if value, err := f.back.get(); f.label != "" && err == nil && present(value) != nil && (f.zero == nil || !same(value, f.zero)) {
			note(f.label, f.back.name, f, nil, nil)
		}
	}
	_ = v.object.eachSpread(func(name string, f *field) { note(f.label, name, f, nil, nil) }) // a failure is reported when the object converts back
	if r.encoded == nil {
		return
	}
	for _, f := range v.object.blurred {
		var value []byte
		if f.value.unwrap {
			value = null // a list without items
		}
		if _, to := f.def.keys(r.up); object.get(to) == nil && same(shown.get(to).json(), f.written) {
			note(f.value.label, f.from, f, value, f.written)
		}
	}
	for i := range v.object.typ.Fields {
		def := &v.object.typ.Fields[i]
		from, to := def.keys(r.up)
		if f := v.object.items[def]; f != nil && f.value != nil && from != "" && to != "" && object.get(to) == nil {
			r.lacks(nil, shown.get(to), f.value, slices.Concat([]element{{name: from, field: def}}, path))
		}
	}
}

// enter is apply, but leaves objects that it has created.
func (r *run) enter(p *program, src, out *node, version string, value *convert.ChangedValue, created *[]creation) bool {
	path, err := parsePath(r.memory, value.JSONPath, value.Lengths)
	if err != nil {
		return false
	}
	top := out
	var above *node // of a single value in the converted object
	hops := r.table.hops(r.memory, p, path, version, r.up)
	for i := range hops {
		next := &hops[i]
		if next.of != nil && (next.of.wrap || next.of.unwrap) && !next.element.list {
			return false
		}
		if next.move != nil {
			// Below the parents, the last step is one like others.
			if src = src.walk(next.move.from[:len(next.move.from)-1]); src == nil {
				src = r.memory.object()
			}
			if i+1 < len(hops) {
				if out = out.walk(next.move.to[:len(next.move.to)-1]); out == nil {
					return false
				}
			}
		}
		var n int
		var below *node
		if next.element.list {
			list, from, length := out, src, len(out.items())
			switch {
			case next.of == nil || next.of.each == nil:
				return false
			case next.of.unwrap:
				list, length = listOf(out), len(src.items())
			case next.of.wrap:
				from = listOf(src)
			}
			// An item is the one at the same index in the source, where no key is restored.
			if n = r.find(next.of, next.element, list, length, from, !r.up, version); n < 0 || n >= len(list.items()) {
				return false
			}
			next.index, next.length = n, length
			switch items := src.items(); {
			case next.of.wrap && n == 0:
				below = src
			case !next.of.wrap && n < len(items):
				below = items[n]
			default:
				return false
			}
		} else {
			if !out.is('{') || next.noDest {
				return false
			}
			if !next.noSource {
				below = src.get(next.from)
			}
		}
		if i+2 == len(hops) && hops[i+1].element.implied && !r.up && len(below.items()) == 0 {
			hops = hops[:i+1] // the list has no item, and the value is all of it
		}
		if len(next.element.parts) > 0 {
			return i+1 == len(hops) && r.restoreParts(p, next, src, out, path, version, value)
		}
		if i+1 == len(hops) {
			restored, ok := r.restored(p, next, src, below, path, version, value)
			if ok && next.value != nil && next.value.wrap {
				r.forget(next.value, below, restored)
			}
			switch {
			case !ok:
				return false
			case next.move != nil:
				r.wrote(next.move.to...)
				restoredValue := taken{move: next.move, value: restored.text, creates: true}
				return restoredValue.enter(out) == nil
			case next.element.list && next.of.unwrap:
				clear(r.indexes)
				*out, above.changed = *restored, true
			case next.element.list:
				clear(r.indexes)
				out.nodes[n], out.changed = restored, true
			case next.field != nil && next.field.parent && restored.is('{') && !next.noSource:
				return r.putBack(top, out, next.to) // or it is there in any case
			case next.field != nil && next.field.parent && present(restored.json()) == nil && (out.get(next.to) == nil || !r.isEmptied(next.field, out.get(next.to))):
				return false // it is not, or has values
			case restored == nil:
				r.wrote(next.to)
				out.remove(next.to)
				r.unloseBelow(hops, below)
			case next.field != nil && next.field.parent:
				out.set(next.to, merge(restored, out.get(next.to)))
			default:
				r.wrote(next.to)
				out.set(next.to, restored)
			}
			return true
		}
		src = below
		switch {
		case next.element.list && next.of.unwrap:
		case next.element.list:
			above, out = out, out.nodes[n]
		default:
			if next.field != nil && next.field.creates && !out.get(next.to).is('{') {
				r.wrote(next.to)
				out.set(next.to, r.memory.object())
			}
			above = out
			if out = out.get(next.to); out == nil && r.putBack(top, above, next.to) {
				out = above.get(next.to)
			}
			if out == nil && next.field != nil && (next.field.absent || len(*created) > 0 || r.isCreated(above)) && next.of.object != nil {
				c := r.creates(above, next.to, hops[:i+1]) // Go has left out a zero struct, with those in it
				out = c.object
				above.set(next.to, out)
				*created = append(*created, c)
			}
		}
	}
	return false
}

// listOf returns a list of a single value, empty for nil.
func listOf(single *node) *node {
	list := &node{text: []byte("[]"), parsed: true}
	if single != nil {
		list.nodes = []*node{single}
	}
	return list
}

// restored returns the value that a tracked value puts in place of what the source has, nil
// to remove it.
func (r *run) restored(p *program, at *hop, object, src *node, path []element, version string, value *convert.ChangedValue) (*node, bool) {
	var shown []byte
	if src != nil {
		shown = src.text
	}
	if r.other(at.target, version) {
		return nil, false
	}
	added := at.field != nil && (at.field.added || at.field.parent)
	hooked := at.hooks != nil && at.hooks.wasShown(object, value.Was, r.up)
	unset := len(value.Value) == 0 && at.field != nil && at.field.def != nil && at.field.def.Value.Transformed() && at.value != nil && at.value.restored
	switch {
	case unset && shown == nil:
		return nil, true // Go has not written the object
	case !hooked && !sameUnset(shown, value.Was, at.zero()) && !sameWritten(shown, value.Was, at.fitsSource()) && (!added || !at.field.parent || !at.field.sameParent(r.memory, shown, value.Was)):
		return nil, false // it was changed in the other version
	case len(value.Value) == 0:
		if !added && !hooked && !unset {
			return nil, false
		}
		r.unlose(hooked, &at.target, object)
		r.unloseAt(src)
		return nil, true
	case !added && !hooked && (at.value == nil || !at.value.restored):
		return nil, false
	}
	text, err := r.later(p, &at.target, path, version, value.Value)
	if err == nil && !r.fits(&at.target, shown, text) {
		return nil, false
	}
	r.unlose(hooked, &at.target, object)
	r.unloseAt(src)
	return r.node(r.memory.copy(text), -1), err == nil
}

// zero returns what Go writes for an absent value in the source; nil for nothing.
func (at *target) zero() []byte {
	if at.field == nil {
		return nil
	}
	return at.field.zero
}

// fitsSource returns what says what Go writes for a value in the source; nil for nothing.
func (at *target) fitsSource() Func {
	if at.value == nil {
		return nil
	}
	return at.value.fitsSource
}

// unloseAt forgets what a value of the source loses, nil for none: the other direction shows the same again.
func (r *run) unloseAt(src *node) {
	if src != nil {
		r.forgetIf(func(at int, _ []byte) bool { return at == src.at && !r.guards[at] })
	}
}

// forget removes the losses in a single value for which its list is restored, as far as the first item
// shows the lost values again when it converts back.
func (r *run) forget(v *value, single, list *node) {
	if single == nil {
		return
	}
	var back *node
	items := list.items()
	if len(items) > 0 {
		if text, err := r.alone(v.each.reverse(), items[0].text); err == nil {
			back = newNode(text, 0)
		}
	}
	below := func(at int) bool { return at >= single.at && at < single.at+len(single.text) }
	r.forgetIf(func(at int, value []byte) bool {
		if !below(at) {
			return false
		}
		shown := single.counterpart(at, back)
		return len(items) == 0 || shown != nil && same(shown.text, value)
	})
	for i := range r.lost {
		l := &r.lost[i]
		l.late = l.late || below(l.at) || l.hooked > 0 && below(l.inside)
	}
}

// reverse returns the conversion in the other direction; nil copies.
func (v *value) reverse() *value {
	if v == nil {
		return nil
	}
	return v.back
}

// unlose forgets what the hooks of an object lose: after a value of theirs is restored, the other
// direction shows the same again.
func (r *run) unlose(hooked bool, at *target, object *node) {
	if hooked && object != nil {
		split := at.hooks.splitOf(at.to, r.up)
		r.lost = slices.DeleteFunc(r.lost, func(l loss) bool { return l.hooked == object.at+1 && l.split == split })
	}
}

// unloseBelow forgets what is lost in the value at a path, nil for an absent one: the destination has nothing there,
// from which the other direction makes the value again. What moves out of the value is still in the destination.
func (r *run) unloseBelow(hops []hop, value *node) {
	if value == nil {
		return
	}
	r.lost = slices.DeleteFunc(r.lost, func(l loss) bool {
		at := l.at
		if at < 0 {
			at = l.inside
		}
		if at < value.at || at >= value.at+len(value.text) || len(l.path) <= len(hops) {
			return false
		}
		for i := range hops {
			if (hops[i].move != nil) != (l.path[len(l.path)-1-i].move != nil) {
				return false
			}
		}
		return true
	})
}

// later converts a value from the version that it was tracked under to the hub, if the hub
// has changed since. It fails if the converter does not know that version.
func (r *run) later(p *program, at *target, path []element, version string, value []byte) ([]byte, error) {
	if !r.up || version == r.table.Older || r.table.order(r.table.since(at)) <= r.table.order(version) {
		return value, nil
	}
	route := r.converter.routes[version]
	if route == nil {
		return nil, fmt.Errorf("no conversion is known of %s", version)
	}
	i, ok := route.kinds[p.typ.Kind]
	if !ok {
		return value, nil
	}
	hops := route.table.hops(r.memory, route.up[i], path, version, true)
	return r.alone(hops[len(hops)-1].value, value)
}

// since returns the last version that changed the value, "" for none.
func (t *Table) since(at *target) string {
	switch {
	case at.hooks != nil && at.field != nil && at.field.def != nil && at.field.def.Hooked:
		since := ""
		for i := range at.hooks.typ.Hooks {
			since = t.next(false, since, at.hooks.typ.Hooks[i].Since)
		}
		return since
	case at.field != nil && at.field.added:
		return at.field.def.Since
	case at.value != nil:
		return at.value.since
	}
	return ""
}

// fits reports whether a value can be the destination's.
func (r *run) fits(at *target, shown, value []byte) bool {
	fits, checked := Func(nil), value
	switch {
	case at.value != nil && at.value.fits != nil:
		fits = at.value.fits
	case at.field != nil && at.field.added:
		fits = at.field.fits
	case at.hooks != nil:
		object := r.memory.object()
		object.set(at.to, r.node(value, -1))
		fits, checked = at.hooks.fits(!r.up), r.memory.print(object)
	}
	if fits != nil {
		if _, err := call(fits, checked); err != nil {
			return false
		}
	}
	if at.field != nil && at.field.parent {
		return jsonType(value) == '{' || present(value) == nil
	}
	if v := at.value; v != nil {
		if at.move != nil && at.move.enters && jsonType(value) != '"' {
			return false
		}
		if v.wrap {
			return jsonType(value) == '[' || present(value) == nil
		}
		if v.unwrap && shown == nil {
			return isEmpty(value) // no item of the list
		}
		if v.back == nil || v.back.fn == nil {
			if at.move != nil && (at.move.enters || at.move.leaves) {
				return jsonType(value) == '"'
			}
			return shown != nil && jsonType(shown) == jsonType(value)
		}
		_, err := r.alone(v.back, value)
		return err == nil
	}
	return true
}

// jsonType returns a byte that the values of a JSON type share.
func jsonType(value []byte) byte {
	switch c := present(value); {
	case c == nil:
		return 'n'
	case c[0] == '-' || c[0] >= '0' && c[0] <= '9':
		return '0'
	case c[0] == 'f':
		return 't'
	default:
		return c[0]
	}
}
