package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// TrackedLimit is the number of bytes that the tracked values of one object may have.
const TrackedLimit = 128 << 10

// trackedFormat is the format of tracked values that this package reads and writes.
const trackedFormat = 1

// tracker notes what a conversion loses, and restores what an earlier one has lost.
type tracker struct {
	converter *Converter
	table     *Table
	up        bool
	// recording is set within an object that keeps tracked values.
	recording bool
	store     Store
	lost      []loss
	// dropped counts the tracked values that do not apply.
	dropped int64
	// touched is set if an object has tracked values, or had.
	touched bool
}

// loss is a value that the other direction does not give back.
type loss struct {
	// label is the version under which the value is tracked.
	label string
	// path leads to the value, innermost first.
	path []element
	// at is the index of the value in the source, -1 for an absent one.
	at int
	// value is the value, and was what the destination shows; nil if absent.
	value, was []byte
	// err is set if the value cannot be converted, unless a tracked value replaces it.
	err error
}

// tracked converts an object that keeps tracked values.
func (r *run) tracked(p *program, i, depth int) (int, error) {
	r.copyTo(i)
	start := len(r.out)
	r.recording, r.store = true, p.store
	end, err := r.object(p, i, depth)
	r.recording = false
	if err != nil || len(r.lost) == 0 && !bytes.Contains(r.src[i:end], marks[p.store]) {
		return end, err
	}
	r.copyTo(end)
	r.touched = true
	out := newNode(bytes.Clone(r.out[start:]), 0)
	err = r.finish(p, newNode(r.src[i:end:end], i), out)
	r.out, r.lost = out.append(r.out[:start]), nil
	return end, err
}

// marks are texts that objects with tracked values have.
var marks = map[Store][]byte{Status: []byte(`"changedValues"`), Annotation: []byte(`changed-values"`)}

// compare notes a value that does not come back from what the destination shows, nil if
// that is nothing. zero is a value that equals an absent one.
func (r *run) compare(v *value, zero []byte, i, end int, shown []byte) {
	if !r.recording || v.label == "" {
		return
	}
	src := r.src[i:end:end]
	back, err := r.alone(v.back, shown)
	if err == nil && (same(src, back) || present(back) == nil && zero != nil && same(src, zero)) {
		return
	}
	r.lost = append(r.lost, loss{label: v.label, at: i, value: src, was: shown})
}

// refuse notes a value that its function refuses, if the object has tracked values: one of
// them may replace it. It returns the error if not.
func (r *run) refuse(v *value, i int, err error) error {
	if !r.recording || !v.restored || !bytes.Contains(r.src, marks[r.store]) {
		return err
	}
	r.lost = append(r.lost, loss{at: i, err: err})
	return nil
}

// alone converts a value by itself.
func (r *run) alone(v *value, text []byte) ([]byte, error) {
	if v == nil || present(text) == nil {
		return text, nil
	}
	if v.enum != nil {
		converted, _ := v.constant(text)
		return converted, nil
	}
	sub := run{src: text, tracker: tracker{table: r.table, up: !r.up}}
	end, err := sub.value(v, space(text, 0), 0)
	if err != nil {
		return nil, err
	}
	return append(sub.out, text[sub.copied:end]...), nil
}

// drop notes the value of a field that the destination lacks, unless the other direction
// fills it in.
func (r *run) drop(p *program, f *field, i, end int) error {
	if f.label == "" {
		return nil
	}
	back, err := p.fillsIn(f)
	src := r.src[i:end:end]
	if err != nil || back != nil && same(src, back) || back == nil && f.zero != nil && same(src, f.zero) {
		return err
	}
	r.lost = append(r.lost, loss{label: f.label, at: i, value: src})
	return nil
}

// fillsIn returns what the other direction fills in for a field, nil for nothing.
func (p *program) fillsIn(f *field) ([]byte, error) {
	if f.back != nil {
		return f.back.get()
	}
	for _, s := range p.spreads {
		members, err := s.get()
		if err != nil {
			return nil, err
		}
		if n := newNode(bytes.TrimSpace(members), 0).get(f.def.Hub); n != nil {
			return n.text, nil
		}
	}
	return nil, nil
}

// get returns what fills in the field.
func (f *fill) get() ([]byte, error) {
	if f.fn == nil {
		return f.value, nil
	}
	return call(f.fn, nil)
}

// absent notes the fields that an object lacks and that the other direction fills in. seen
// has the bits of those that it has.
func (r *run) absent(p *program, object []byte, seen uint64) error {
	for i, f := range p.filled {
		if f.label == "" || i < 64 && seen&(1<<i) != 0 || i >= 64 && newNode(object, 0).get(f.back.name) != nil {
			continue
		}
		if value, err := f.back.get(); err != nil || present(value) == nil {
			continue // a failure is reported when the object converts back
		}
		r.lost = append(r.lost, loss{label: f.label, at: -1, path: []element{{name: f.back.name, field: f.def}}})
	}
	for _, s := range p.spreads {
		members, err := s.get()
		if err != nil {
			return err
		}
		fills := newNode(bytes.TrimSpace(members), 0)
		fills.parse()
		for i, name := range fills.names {
			f := p.fields[name]
			if f != nil && f.drop && f.label != "" && present(fills.nodes[i].text) != nil && newNode(object, 0).get(name) == nil {
				r.lost = append(r.lost, loss{label: f.label, at: -1, path: []element{{name: name, field: f.def}}})
			}
		}
	}
	return nil
}

// in adds an element to the paths of the losses since an index.
func (r *run) in(from int, e element) {
	for i := from; i < len(r.lost); i++ {
		r.lost[i].path = append(r.lost[i].path, e)
	}
}

// inMember adds a member.
func (r *run) inMember(from int, f *field, m *member) {
	if len(r.lost) > from {
		r.in(from, element{name: text(r.src[m.key:m.keyEnd]), field: f.def})
	}
}

// selectItems completes the elements of a list's items in the paths of losses.
func (r *run) selectItems(v *value, list []byte, from int) {
	items := newNode(list, 0).items()
	selectors := make([]element, len(items))
	count := map[string]int{}
	names := make([]string, len(items))
	for i, item := range items {
		e := &selectors[i]
		*e = element{list: true, index: i, length: len(items)}
		switch {
		case v.def == nil:
		case v.def.Set:
			if shown, err := r.alone(v.each, item.text); err == nil {
				if back, err := r.alone(v.each.back, shown); err == nil && isScalar(back) {
					e.set, names[i] = back, string(back)
				}
			}
		case len(v.def.Keys) > 0:
			e.keys, names[i] = r.keys(v, item)
		}
		count[names[i]]++
	}
	for i := from; i < len(r.lost); i++ {
		path := r.lost[i].path
		e := &path[len(path)-1]
		n := e.index
		if *e = selectors[n]; count[names[n]] > 1 || names[n] == "" {
			e.keys, e.set = nil, nil // by index
		}
	}
}

// keys returns the keys of an item, and a text that identifies them; "" if it lacks them.
func (r *run) keys(v *value, item *node) (keys []keyValue, id string) {
	found := false
	for _, key := range v.def.Keys {
		k := keyValue{name: key}
		if v.elem != nil {
			for i := range v.elem.Fields {
				if f := &v.elem.Fields[i]; f.Hub == key && f.Older != "" {
					k.field = f
					if r.up {
						k.name = f.Older
					}
				}
			}
		}
		if n := item.get(k.name); n != nil && isScalar(n.text) {
			k.value, found = n.text, true
		}
		keys = append(keys, k)
		id += string(k.value) + ","
	}
	if !found {
		return nil, ""
	}
	return keys, id
}

// isScalar reports whether a value can be written in a path.
func isScalar(value []byte) bool {
	value = present(value)
	return value != nil && value[0] != '{' && value[0] != '['
}

// finish restores tracked values in a converted object, and stores those that are lost.
func (r *run) finish(p *program, src, out *node) error {
	stored := r.read(p.store, src)
	next := &convert.ChangedValues{Format: trackedFormat, Keep: stored.Keep}
	older := r.table.order(r.table.Older)
	apply, ignore := stored.Upgrades, stored.Downgrades
	if !r.up {
		apply, ignore = ignore, apply
	}
	for _, version := range r.sorted(apply) {
		switch at := r.table.order(version); {
		case at < 0, !r.up && at < older:
			add(next, r.up, version, apply[version]...)
		case r.up && at <= older:
			r.dropped += int64(len(apply[version]))
		default:
			for i := range apply[version] {
				if !r.apply(p, src, out, version, &apply[version][i]) {
					r.dropped++
				}
			}
		}
	}
	for version, values := range ignore {
		if at := r.table.order(version); at < 0 || r.up && at < older {
			add(next, !r.up, version, values...)
		} else {
			r.dropped += int64(len(values))
		}
	}
	for i := range r.lost {
		lost := &r.lost[i]
		if lost.err != nil {
			return r.at(lost)
		}
		value := convert.ChangedValue{Value: bytes.Clone(lost.value), Was: bytes.Clone(lost.was)}
		value.JSONPath, value.Lengths = r.table.path(lost.path, lost.label)
		add(next, !r.up, lost.label, value)
	}
	return r.write(p.store, out, stored, next)
}

// at returns the error of a value, and notes where it is.
func (r *run) at(lost *loss) error {
	version := r.table.Older
	if !r.up {
		version = r.table.Hub
	}
	path, _ := r.table.path(lost.path, version)
	r.path = append([]string{strings.TrimPrefix(path, "$")}, r.path...)
	return lost.err
}

// sorted returns the versions of values in the order in which they apply: up, the oldest is
// first.
func (r *run) sorted(values map[string][]convert.ChangedValue) []string {
	var versions []string
	for version := range values {
		versions = append(versions, version)
	}
	slices.SortFunc(versions, func(a, b string) int {
		order := r.table.order(a) - r.table.order(b)
		if order == 0 {
			order = strings.Compare(a, b)
		}
		if r.up {
			return order
		}
		return -order
	})
	return versions
}

// add adds values to those of a version.
func add(to *convert.ChangedValues, upgrades bool, version string, values ...convert.ChangedValue) {
	list := &to.Downgrades
	if upgrades {
		list = &to.Upgrades
	}
	if *list == nil {
		*list = map[string][]convert.ChangedValue{}
	}
	(*list)[version] = append((*list)[version], values...)
}

// read returns the tracked values of an object. Values that are malformed are dropped.
func (r *run) read(store Store, object *node) *convert.ChangedValues {
	n := object.get("status").get("changedValues")
	if store == Annotation {
		n = object.get("metadata").get("annotations").get(r.annotation())
	}
	values := &convert.ChangedValues{}
	if n == nil {
		return values
	}
	stored := n.text
	if store == Annotation && stored[0] == '"' {
		stored = []byte(text(stored))
	}
	if err := json.Unmarshal(stored, values); err != nil || values.Format != trackedFormat {
		r.dropped++
		return &convert.ChangedValues{}
	}
	return values
}

func (r *run) annotation() string {
	if r.table.Group == "" {
		return "versioned/changed-values"
	}
	return "versioned." + r.table.Group + "/changed-values"
}

// write stores tracked values in an object, in place of those that it has.
func (r *run) write(store Store, object *node, before, values *convert.ChangedValues) error {
	parents, name := []string{"status"}, "changedValues"
	if store == Annotation {
		parents, name = []string{"metadata", "annotations"}, r.annotation()
	}
	if len(values.Upgrades)+len(values.Downgrades) == 0 {
		clearStored(object, parents, name, before.Keep)
		return nil
	}
	for _, key := range parents {
		below := object.get(key)
		if !below.is('{') {
			below = newObject()
			object.set(key, below)
		} else if before.Format == 0 && below.empty() {
			values.Keep = key
		}
		object = below
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(values); err != nil {
		return err
	}
	stored := bytes.TrimSpace(b.Bytes())
	if len(stored) > TrackedLimit {
		return r.tooLarge(values, len(stored))
	}
	if store == Annotation {
		stored = []byte(quote(string(stored)))
	}
	object.set(name, newNode(stored, -1))
	return nil
}

// clearStored removes tracked values from an object, and then the parents that have nothing else,
// except for the one to keep.
func clearStored(object *node, parents []string, name, keep string) {
	below := object
	if len(parents) > 0 {
		if below = object.get(parents[0]); below == nil {
			return
		}
		clearStored(below, parents[1:], name, keep)
		name = parents[0]
	}
	if len(parents) == 0 || below.empty() && below.changed && name != keep {
		object.remove(name)
	}
}

// tooLarge names the largest of too many tracked values.
func (r *run) tooLarge(values *convert.ChangedValues, size int) error {
	var largest convert.ChangedValue
	for _, byVersion := range []map[string][]convert.ChangedValue{values.Upgrades, values.Downgrades} {
		for _, list := range byVersion {
			for _, v := range list {
				if len(v.Value) > len(largest.Value) {
					largest = v
				}
			}
		}
	}
	return &Error{Err: fmt.Errorf("%s cannot represent values of %d bytes together, more than the limit of %d that an object can keep; the largest is %s with %d bytes",
		r.to, size, TrackedLimit, largest.JSONPath, len(largest.Value))}
}

// target is what a path leads to: the value of a field, or an item of a list or a map. What
// does not differ between the versions has neither.
type target struct {
	field *field
	value *value
	// from and to are the keys in the source and in the destination, unless one lacks the
	// field.
	from, to         string
	noSource, noDest bool
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
	found := target{from: name, to: name}
	for i := range p.typ.Fields {
		def := &p.typ.Fields[i]
		f := p.items[def]
		if def.Spread || t.name(def, "", version) != name || found.field != nil && (f == nil || !f.added) {
			continue // of two fields with the name, the destination's counts
		}
		if f == nil {
			f = &field{}
		}
		found = target{field: f, value: f.value, from: def.Older, to: def.Hub, noSource: def.Older == "", noDest: def.Hub == ""}
		if !up {
			found.from, found.to, found.noSource, found.noDest = found.to, found.from, found.noDest, found.noSource
		}
	}
	return found
}

// apply restores a tracked value in the converted object. It reports false if the value
// does not apply.
func (r *run) apply(p *program, src, out *node, version string, value *convert.ChangedValue) bool {
	path, err := parsePath(value.JSONPath, value.Lengths)
	if err != nil {
		return false
	}
	at := target{value: valueOf(p)}
	for i := range path {
		if at.value != nil && at.value.unwrap && !path[i].list {
			at.value = at.value.each // of the list's first item
			if items := src.items(); len(items) > 0 {
				src = items[0]
			}
		}
		next := r.table.follow(at, &path[i], version, r.up)
		var n int
		var below *node
		if path[i].list {
			n = r.find(at.value, &path[i], out, version)
			switch {
			case n == 0 && at.value.wrap:
				below = src
			case n < 0 || n >= len(src.items()):
				return false
			default:
				below = src.nodes[n]
			}
		} else {
			if !out.is('{') || next.noDest {
				return false
			}
			if !next.noSource {
				below = src.get(next.from)
			}
		}
		if i+1 == len(path) {
			restored, ok := r.restored(p, next, below, path, version, value)
			switch {
			case !ok:
				return false
			case path[i].list:
				out.nodes[n], out.changed = restored, true
			case restored == nil:
				out.remove(next.to)
			default:
				out.set(next.to, restored)
			}
			return true
		}
		if src, at = below, next; path[i].list {
			out = out.nodes[n]
		} else {
			out = out.get(next.to)
		}
	}
	return false
}

func valueOf(p *program) *value { return &value{object: p} }

// restored returns the value that a tracked value puts in place of what the source has, nil
// to remove it.
func (r *run) restored(p *program, at target, src *node, path []element, version string, value *convert.ChangedValue) (*node, bool) {
	var shown []byte
	if src != nil {
		shown = src.text
	}
	added := at.field != nil && at.field.added
	switch {
	case !same(shown, value.Was):
		return nil, false // it was changed in the other version
	case len(value.Value) == 0:
		if !added {
			return nil, false
		}
		return nil, true
	case !added && (at.value == nil || !at.value.restored):
		return nil, false
	}
	text, err := r.later(p, path, version, value.Value)
	if err == nil && !r.fits(at, shown, text) {
		return nil, false
	}
	if src != nil {
		// The other direction shows the same again.
		r.lost = slices.DeleteFunc(r.lost, func(l loss) bool { return l.at == src.at })
	}
	return newNode(bytes.Clone(text), -1), err == nil
}

// later converts a value from the version that it was tracked under to the hub, if the hub
// has changed since.
func (r *run) later(p *program, path []element, version string, value []byte) ([]byte, error) {
	route := r.converter.routes[version]
	if !r.up || route == nil || version == r.table.Older {
		return value, nil
	}
	i, ok := route.kinds[p.typ.Kind]
	if !ok {
		return value, nil
	}
	at := target{value: valueOf(route.up[i])}
	for i := range path {
		at = route.table.follow(at, &path[i], version, true)
	}
	return r.alone(at.value, value)
}

// fits reports whether a value can be the destination's.
func (r *run) fits(at target, shown, value []byte) bool {
	if v := at.value; v != nil {
		if v.wrap {
			return jsonType(value) == '['
		}
		if v.back == nil || v.back.fn == nil {
			return shown != nil && jsonType(shown) == jsonType(value)
		}
		_, err := r.alone(v.back, value)
		return err == nil
	}
	if at.field.fits == nil {
		return true
	}
	_, err := call(at.field.fits, value)
	return err == nil
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

// find returns the index of the item of a list that an element selects, or -1.
func (r *run) find(v *value, e *element, list *node, version string) int {
	items := list.items()
	if v == nil || v.each == nil {
		return -1
	}
	if e.keys == nil && e.set == nil {
		if e.index < len(items) && e.length == len(items) {
			return e.index
		}
		return -1
	}
	found := -1
	for i, item := range items {
		matches := e.keys != nil || same(item.text, e.set)
		for _, k := range e.keys {
			var value []byte
			if n := item.get(r.table.follow(target{value: v.each}, &element{name: k.name}, version, r.up).to); n != nil {
				value = n.text
			}
			matches = matches && same(value, k.value)
		}
		switch {
		case !matches:
		case found >= 0:
			return -1 // the list is not one of unique items
		default:
			found = i
		}
	}
	return found
}
