package wire

import (
	"slices"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// A field that the hub lacks can have other types in other versions. Its tracked value has the type of the
// version that it is tracked under. An object of another version shows the value converted, and keeps the
// tracked one until the field changes there.

// formerly is a removed field to which a tracked value of a version with another type belongs.
type formerly struct {
	// field and key are those of the table's older version, and object is the object of that version that
	// has them, nil if there is none.
	field  *field
	key    string
	object *node
	// last converts from the version of the tracked value.
	last *value
	from *Table
	// parents is the path of the object in the hub.
	parents []element
	// created are the structs on the way that Go has left out, outermost first.
	created []creation
}

// formerValue is the member whose value a field's last converts.
const formerValue = "value"

// last returns how an object with the value of a removed field converts to the type that the field had last.
func (c *compiler) last(f *Field) (*value, error) {
	if f.Hub != "" || f.Spread {
		return nil, nil
	}
	t := &Type{Fields: []Field{{Older: formerValue, Hub: formerValue, Value: f.Value, OlderOmits: f.OlderOmits, HubOmits: f.HubOmits}}}
	program := func(c *compiler) (*value, error) {
		p := &program{fields: map[string]*field{}, items: map[*Field]*field{}}
		return &value{object: p}, c.program(p, t)
	}
	v, err := program(c)
	if err == nil {
		v.back, err = program(c.back)
	}
	return v, err
}

// formerly returns the removed field of the table's older version that a value belongs to that is tracked
// under a version with another type; nil if there is none. object has the older version. create makes
// structs that Go has left out, which are not in the object yet.
func (r *run) formerly(p *program, object *node, version string, value *convert.ChangedValue, create bool) *formerly {
	route := r.converter.routes[version]
	if route == nil || version == r.table.Older {
		return nil
	}
	path, err := parsePath(r.memory, value.JSONPath, value.Lengths)
	kind, ok := route.kinds[p.typ.Kind]
	if err != nil || !ok || len(path) == 0 {
		return nil
	}
	hops := route.table.hops(r.memory, route.up[kind], path, version, true)
	last := hops[len(hops)-1]
	if last.of == nil || last.of.object == nil {
		return nil
	}
	theirs := last.of.object.removed(func(f *Field) bool { return f.Older == last.element.name })
	if theirs == nil {
		return nil
	}
	parents := hubPath(hops[:len(hops)-1])
	var created *[]creation
	if create {
		created = &[]creation{}
	}
	at, object := r.formerParent(p, object, parents, version, false, created)
	if at == nil || at.object == nil || create && !object.is('{') {
		return nil
	}
	name := route.table.name(theirs.def, "", r.table.Hub)
	ours := at.object.removed(func(f *Field) bool { return r.table.name(f, "", r.table.Hub) == name })
	if ours == nil || ours.def.Until == "" {
		return nil
	}
	if order := r.table.order(version); order > r.table.order(r.table.Older) && order <= r.table.order(ours.def.Until) {
		return nil // it has the same type
	}
	f := &formerly{field: ours, key: ours.def.Older, object: object, last: theirs.last, from: route.table, parents: parents}
	if create {
		f.created = *created
	}
	return f
}

// removed returns the field that the hub lacks for which a function returns true, or nil.
func (p *program) removed(is func(f *Field) bool) *field {
	for i := range p.typ.Fields {
		if f := &p.typ.Fields[i]; f.Hub == "" && f.Older != "" && is(f) && p.items[f] != nil {
			return p.items[f]
		}
	}
	return nil
}

// hubPath returns the steps of a path of another older version, with the names in the hub.
func hubPath(hops []hop) []element {
	var steps []element
	for i := range hops {
		h := &hops[i]
		e := *h.element
		switch {
		case h.move != nil:
			for _, key := range stepKeys(h.move.def.Hub) {
				steps = append(steps, element{name: key})
			}
			continue
		case !e.list:
			e.name = h.to
		}
		steps = append(steps, e)
	}
	return steps
}

// formerParent goes the steps of a path of a version from an object of the table's older version, or of the hub. It returns no
// value if the object lacks an item on the way. created gets the structs that Go has left out; nil makes none.
func (r *run) formerParent(p *program, object *node, steps []element, version string, inHub bool, created *[]creation) (*value, *node) {
	at := target{value: &p.root}
	var hops []hop
	for i := 0; i < len(steps); i++ {
		of, e := at.value, &steps[i]
		next, moved := r.table.moved(at, steps[i:], r.table.Hub)
		switch {
		case moved > 0:
			keys := stepKeys(next.move.def.Older)
			if inHub {
				keys = stepKeys(next.move.def.Hub)
			}
			i += moved - 1
			hops = append(hops, hop{target: next, element: e, of: of})
			at, object = next, object.walk(keys)
		case of == nil:
			return nil, nil
		case e.list && !inHub && (of.wrap || of.unwrap):
			if e.index > 0 || e.keys != nil || e.set != nil {
				return nil, nil
			}
			hops = append(hops, hop{target: target{value: of.each}, element: e, of: of, length: 1})
			at = target{value: of.each}
		case e.list:
			n := r.find(of, e, object, len(object.items()), object, inHub, version)
			if n < 0 {
				return nil, nil
			}
			hops = append(hops, hop{target: target{value: of.each}, element: e, of: of, index: n, length: len(object.items())})
			at, object = target{value: of.each}, object.item(n)
		default:
			next = r.table.follow(at, e, r.table.Hub, r.up)
			key := next.to
			if r.up != inHub {
				key = next.from
			}
			below := object.get(key)
			hops = append(hops, hop{target: next, element: e, of: of})
			if below == nil && created != nil && object != nil && next.field != nil && (next.field.absent || len(*created) > 0) && next.value != nil && next.value.object != nil {
				below = newObject() // Go has left out a zero struct
				*created = append(*created, creation{object, key, below, slices.Clone(hops)})
			}
			at, object = next, below
		}
	}
	return at.value, object
}

// show returns a tracked value as the older version shows it, nil if it cannot.
func (f *formerly) show(tracked []byte, up bool, t *Table) *node {
	convert := func(v *value, text []byte, up bool, t *Table) []byte {
		if v == nil || text == nil {
			return nil
		}
		converted, err := (&run{tracker: tracker{table: t, up: !up}}).alone(v, text)
		if err != nil {
			return nil
		}
		return converted
	}
	down := f.field.last
	if up && down != nil {
		down = down.back
	}
	text := slices.Concat([]byte(`{"`+formerValue+`":`), tracked, []byte("}"))
	text = convert(down, convert(f.last, text, true, f.from), false, t)
	if text == nil {
		return nil
	}
	n := newNode(text, 0).get(formerValue)
	if n == nil || present(n.text) == nil {
		return nil
	}
	if f.field.fits != nil {
		if _, err := call(f.field.fits, n.text); err != nil {
			return nil
		}
	}
	return newNode(slices.Clone(n.text), -1)
}

// was returns what an object shows, nil for nothing, with the zero values that Go writes in it. The zero value that Go
// writes for the field is nothing: a value that does not convert is absent in JSON.
func (f *formerly) was(shown *node) []byte {
	text := present(shown.json())
	if text != nil && f.field.fits != nil {
		if written, err := call(f.field.fits, text); err == nil {
			n := newNode(text, 0)
			n.complete(newNode(written, 0))
			text = n.append(nil)
		}
	}
	if zero := present(f.field.def.OlderZero); text == nil || zero != nil && same(text, zero) {
		return nil
	}
	return text
}

// kept is a tracked value of another version that an object of the older version keeps.
type kept struct {
	version string
	value   *convert.ChangedValue
}

// showFormer shows the tracked values of versions in which removed fields have other types, the nearest
// version last. It returns the values, which the object keeps.
func (r *run) showFormer(p *program, out *node, values map[string][]convert.ChangedValue) []kept {
	if r.up {
		return nil
	}
	older := r.table.order(r.table.Older)
	versions := slices.DeleteFunc(r.sorted(values), func(v string) bool { return r.table.order(v) < 0 })
	later := len(versions) // the versions after the older one come first
	for i, v := range versions {
		if r.table.order(v) < older {
			later = min(later, i)
		}
	}
	slices.Reverse(versions[later:])
	versions = slices.Concat(versions[later:], versions[:later])
	var keeps []kept
	for _, version := range versions {
		for i := range values[version] {
			value := &values[version][i]
			at := r.formerly(p, out, version, value, true)
			if at == nil || present(value.Was) != nil {
				continue
			}
			if shown := at.show(value.Value, false, r.table); shown != nil {
				for i := range at.created {
					c := &at.created[i]
					c.in.set(c.key, c.object)
					r.lacks(c)
				}
				r.wrote(at.key)
				at.object.set(at.key, shown)
			}
			keeps = append(keeps, kept{version, value})
		}
	}
	return keeps
}

// keepsFormer adds the values that an object of the older version keeps, with what it shows.
func (r *run) keepsFormer(p *program, object *node, keeps []kept, next *convert.ChangedValues) {
	for _, k := range keeps {
		value := *k.value
		if at := r.formerly(p, object, k.version, &value, false); at != nil {
			value.Was = at.was(at.object.get(at.key))
		}
		add(next, false, k.version, value)
	}
}

// passFormer reports whether a tracked value belongs to a removed field that has another type in the older
// version. It adds the value unless the field was changed there, or the hub lacks the item that it is in.
func (r *run) passFormer(p *program, src, out *node, version string, value *convert.ChangedValue, next *convert.ChangedValues) bool {
	at := r.formerly(p, src, version, value, false)
	if at == nil {
		return false
	}
	shows := at.object.get(at.key)
	if v, _ := r.formerParent(p, out, at.parents, version, true, nil); v == nil || !same(at.was(shows), value.Was) {
		r.dropped++
		return true
	}
	if n := at.show(value.Value, true, r.table); n != nil && shows != nil && same(at.was(n), at.was(shows)) {
		// It shows the same again.
		r.forgetIf(func(at int, _ []byte) bool { return at == shows.at })
	}
	passed := *value
	passed.Was = nil
	add(next, false, version, passed)
	return true
}
