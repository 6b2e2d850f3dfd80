package wire

import (
	"slices"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// A field that the hub lacks can have other types in other versions. Its tracked value has the type of the
// version that it is tracked under. An object of another version shows the value converted, and keeps the
// tracked one until the field changes there.

// formerly is what a tracked value of a version with other types belongs to: a removed field, or those that a hook loses
// together.
type formerly struct {
	// fields are those of the table's older version, and object is the object of that version that has them, nil if there is
	// none.
	fields []formerField
	object *node
	// grouped means that the tracked value is an object of the fields, and hooks is set if a hook has lost them: the program
	// of the object.
	grouped bool
	hooks   *program
	// mixed means that the tracked value has fields that the hub has, too. It is not shown.
	mixed bool
	from  *Table
	// parents is the path of the object in the hub.
	parents []element
	// created are the structs on the way that Go has left out, outermost first.
	created []creation
}

// formerField is a removed field, whose last converts to the type that the field had last.
type formerField struct {
	*field
	key string
	// name is the key in the version of the tracked value, and theirs is its last there.
	name   string
	theirs *value
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
	names, grouped := []string{last.element.name}, len(last.element.parts) > 0
	if grouped {
		names = nil
		for i := range last.element.parts {
			names = append(names, last.element.parts[i].name)
		}
	}
	f := &formerly{grouped: grouped, from: route.table, parents: hubPath(hops[:len(hops)-1])}
	var created *[]creation
	if create {
		created = &f.created
	}
	at, object := r.formerParent(p, object, f.parents, version, false, created)
	if at == nil || at.object == nil || create && !object.is('{') {
		return nil
	}
	f.object = object
	hooked, differ := 0, false
	for _, key := range names {
		theirs := last.of.object.removed(func(f *Field) bool { return f.Older == key })
		if theirs == nil {
			f.mixed = true
			hooked++
			continue
		}
		if theirs.def.Hooked {
			hooked++
		}
		name := route.table.name(theirs.def, "", r.table.Hub)
		if ours := at.object.removed(func(f *Field) bool { return r.table.name(f, "", r.table.Hub) == name }); ours != nil {
			f.fields = append(f.fields, formerField{ours, ours.def.Older, key, theirs.last})
			differ = differ || !ours.def.Value.IsZero() || !theirs.def.Value.IsZero()
		}
	}
	if len(f.fields) == 0 || hooked > 0 && hooked < len(names) || f.mixed && !differ {
		return nil
	}
	until := f.fields[0].def.Until
	if hooked > 0 {
		f.hooks, until = at.object, r.table.hookedUntil(at.object, f.fields)
	}
	if order := r.table.order(version); until == "" || order > r.table.order(r.table.Older) && order <= r.table.order(until) {
		return nil // it has the same type
	}
	return f
}

// hookedUntil returns the last version in which the removed fields that functions convert have the older version's types, ""
// if a split converts one of them, whose JSON stays the same.
func (t *Table) hookedUntil(p *program, fields []formerField) string {
	until := ""
	for i := range p.typ.Hooks {
		h := &p.typ.Hooks[i]
		if h.Split == nil {
			until = t.next(true, until, h.Until)
		} else if slices.ContainsFunc(fields, func(f formerField) bool { return slices.Contains(splitKeys(h.Split, true), f.key) }) {
			return ""
		}
	}
	return until
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
			if below == nil && created != nil && object != nil && next.field != nil && (next.field.absent || len(*created) > 0 || r.isCreated(object)) && next.value != nil && next.value.object != nil {
				c := r.creates(object, key, hops) // Go has left out a zero struct
				below = c.object
				*created = append(*created, c)
			}
			at, object = next, below
		}
	}
	return at.value, object
}

// show returns a tracked value as the older version shows it: the values of the fields, nil for absent ones. It reports false
// if one of them cannot be shown.
func (f *formerly) show(value *convert.ChangedValue, up bool, t *Table) ([]*node, bool) {
	shown := make([]*node, len(f.fields))
	if f.mixed {
		return shown, false
	}
	for i := range f.fields {
		field := &f.fields[i]
		tracked := []byte(value.Value)
		if f.grouped {
			tracked = newNode(value.Value, 0).get(field.name).json()
		}
		if f.hooks != nil && present(tracked) == nil {
			continue
		}
		if shown[i] = field.show(tracked, up, f.from, t); shown[i] == nil {
			return shown, false
		}
	}
	return shown, true
}

// show returns a tracked value of a field as the older version shows it, nil if it cannot.
func (f *formerField) show(tracked []byte, up bool, from, t *Table) *node {
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
	down := f.last
	if up && down != nil {
		down = down.back
	}
	text := slices.Concat([]byte(`{"`+formerValue+`":`), tracked, []byte("}"))
	text = convert(down, convert(f.theirs, text, true, from), false, t)
	if text == nil {
		return nil
	}
	n := newNode(text, 0).get(formerValue)
	if n == nil || present(n.text) == nil {
		return nil
	}
	if f.fits != nil {
		if _, err := call(f.fits, n.text); err != nil {
			return nil
		}
	}
	return newNode(slices.Clone(n.text), -1)
}

// was returns what an object shows, nil for nothing, with the zero values that Go writes in it. The zero value that Go
// writes for the field is nothing: a value that does not convert is absent in JSON.
func (f *formerField) was(shown *node) []byte {
	text := completed(present(shown.json()), f.fits)
	if zero := present(f.def.OlderZero); text == nil || zero != nil && same(text, zero) {
		return nil
	}
	return text
}

// shows reports whether the object shows the values, apart from zero ones that Go leaves out.
func (f *formerly) shows(values []*node) bool {
	for i := range f.fields {
		field := &f.fields[i]
		a, b := field.was(values[i]), field.was(f.object.get(field.key))
		if leftOut := field.def.OlderOmits && (a == nil) != (b == nil) && isBlank(append(a, b...)); !same(a, b) && !leftOut {
			return false
		}
	}
	return true
}

// set sets the values in the object.
func (r *run) set(f *formerly, values []*node) {
	for _, c := range f.created {
		c.in.set(c.key, c.object)
	}
	r.created = append(r.created, f.created...)
	for i, n := range values {
		key := f.fields[i].key
		r.wrote(key)
		if n == nil {
			f.object.remove(key)
		} else {
			f.object.set(key, n)
		}
	}
}

// kept is a tracked value of another version that an object of the older version keeps.
type kept struct {
	version string
	value   *convert.ChangedValue
}

// showFormer shows the tracked values of versions in which removed fields have other types, the nearest
// version last. It returns the values, which the object keeps.
func (r *run) showFormer(p *program, src, out *node, values map[string][]convert.ChangedValue) []kept {
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
			if at == nil || !r.isShown(p, at, src, version, value) {
				continue
			}
			if shown, ok := at.show(value, false, r.table); ok {
				r.set(at, shown)
			}
			keeps = append(keeps, kept{version, value})
		}
	}
	return keeps
}

// isShown reports whether the hub shows what it did when a value was tracked that an object of the older version keeps: what
// the hook made of it, or nothing.
func (r *run) isShown(p *program, at *formerly, hub *node, version string, value *convert.ChangedValue) bool {
	if at.hooks == nil {
		return present(value.Was) == nil
	}
	_, object := r.formerParent(p, hub, at.parents, version, true, nil)
	return at.hooks.wasShown(object, value.Was, false)
}

// keepsFormer adds the values that an object of the older version keeps, with what it shows in place of what the hub, which
// lacks the field, shows.
func (r *run) keepsFormer(p *program, object *node, keeps []kept, next *convert.ChangedValues) {
	for _, k := range keeps {
		value := *k.value
		if at := r.formerly(p, object, k.version, &value, false); at != nil && at.hooks == nil {
			value.Was = at.fields[0].was(at.object.get(at.fields[0].key))
		}
		add(next, false, k.version, value)
	}
}

// passFormer reports whether a tracked value belongs to removed fields that have other types in the older version. It adds
// the value unless a field was changed there, or the hub lacks the item that it is in.
func (r *run) passFormer(p *program, src, out *node, version string, value *convert.ChangedValue, next *convert.ChangedValues) bool {
	at := r.formerly(p, src, version, value, false)
	if at == nil {
		return false
	}
	passed := *value
	again, ok := at.show(value, true, r.table)
	switch v, _ := r.formerParent(p, out, at.parents, version, true, nil); {
	case v == nil:
		ok = false
	case at.hooks != nil:
		// What the hook makes of other values is tracked, too.
		ok = r.isShown(p, at, out, version, value) && (ok && at.shows(again) || !ok && !r.loses(at))
		if ok {
			r.forgetParts(at)
		}
	default:
		shows := at.object.get(at.fields[0].key)
		if ok && shows != nil && at.shows(again) { // it shows the same again
			r.forgetImplied(shows.at)
			r.forgetIf(func(at int, _ []byte) bool { return at == shows.at })
		}
		ok, passed.Was = same(at.fields[0].was(shows), value.Was), nil
	}
	if ok {
		add(next, false, version, passed)
	} else {
		r.dropped++
	}
	return true
}

// loses reports whether functions of a hook lose a field.
func (r *run) loses(f *formerly) bool {
	return slices.ContainsFunc(r.lost, func(l loss) bool {
		return f.ofHook(&l) && slices.ContainsFunc(l.path[0].parts, f.has)
	})
}

// forgetParts forgets what functions of a hook lose of the fields.
func (r *run) forgetParts(f *formerly) {
	r.lost = slices.DeleteFunc(r.lost, func(l loss) bool {
		if !f.ofHook(&l) {
			return false
		}
		l.path[0].parts = slices.DeleteFunc(l.path[0].parts, f.has)
		return len(l.path[0].parts) == 0
	})
}

// ofHook reports whether functions of the object's hooks lose values.
func (f *formerly) ofHook(l *loss) bool {
	return f.object != nil && l.hooked == f.object.at+1 && l.split == nil
}

// has reports whether a part is one of the fields.
func (f *formerly) has(p part) bool {
	return slices.ContainsFunc(f.fields, func(field formerField) bool { return field.key == p.name })
}
