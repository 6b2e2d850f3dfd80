package wire

import (
	"bytes"
	"cmp"
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
	// stored is set if the object may have tracked values.
	stored bool
	lost   []loss
	// encoded returns the converted object as its clients see it, if that is not the JSON of the
	// conversion; nil if it is.
	encoded Func
	// omitted says, for Go objects, whether Go leaves out the innermost struct around the value that has
	// omitzero in the destination.
	omitted omission
	// dropped counts the tracked values that do not apply.
	dropped int64
	// touched is set if an object has tracked values, or had.
	touched bool
	// indexes are of lists of the converted object in which values are restored.
	indexes map[*node]*listIndex
	// guards are the indexes of values that are tracked in any case, and missing those that must be in another
	// run.
	guards  map[int]bool
	missing []int
}

// omission says whether Go leaves out a struct in the destination.
type omission int

const (
	// never means that there is no such struct, or that it has a value.
	never omission = iota
	// maybe means that it has had no value so far.
	maybe
)

// loss is a value that the other direction does not give back.
type loss struct {
	// label is the version under which the value is tracked.
	label string
	// path leads to the value, innermost first.
	path []element
	// at is the index of the value in the source, -1 for an absent one, and inside is that of the object
	// that lacks it.
	at, inside int
	// value is the value, and was what the destination shows; nil if absent.
	value, was []byte
	// hooked is the index of the object whose hooks lose the value, plus 1; split is the one that does, nil
	// for functions.
	hooked int
	split  *Split
	// late is set on guards, on the parents of values that move, and on lists of which one item is shown: what
	// the destination shows is known when values have moved, tracked ones are restored, and the object is
	// encoded. zero is an object with the zero values that Go writes in it, which do not count.
	late bool
	zero []byte
	// filledIn means that the other direction fills in the value, unless Go leaves out a struct around it;
	// settled, that the innermost such struct may be left out.
	filledIn, settled bool
	// err is set if the value cannot be converted, unless a tracked value replaces it.
	err error
}

// tracked converts an object that keeps tracked values.
func (r *run) tracked(p *program, i, depth int) (int, error) {
	r.copyTo(i)
	start := len(r.out)
	r.recording, r.store, r.stored = true, p.store, false
	end, err := r.object(p, i, depth)
	r.recording = false
	if err != nil || len(r.lost) == 0 && !r.stored {
		return end, err
	}
	r.copyTo(end)
	r.touched = true
	out := r.node(bytes.Clone(r.out[start:]), 0)
	dropped := r.dropped
	err = r.finish(p, r.node(r.src[i:end:end], i), out)
	if len(r.missing) > 0 {
		r.guards = map[int]bool{}
		for _, at := range r.missing {
			r.guards[at] = true
		}
		r.out, r.copied, r.lost, r.dropped, r.missing = r.out[:start], i, nil, dropped, nil
		end, err = r.tracked(p, i, depth)
		r.guards = nil
		return end, err
	}
	r.out, r.lost = out.append(r.out[:start]), nil
	return end, err
}

// marks are texts that objects with tracked values have in their status or metadata. They begin with
// letters that are rare, which makes them fast to find.
var marks = map[Store][]byte{Status: []byte(`Values"`), Annotation: []byte(`-values"`)}

// keeps notes whether a member of an object has its tracked values.
func (r *run) keeps(store Store, m *member) {
	key, mark := r.src[m.key:m.keyEnd], marks[store]
	if store == Status && string(key) == `"status"` || store == Annotation && string(key) == `"metadata"` || !m.plain {
		r.stored = r.stored || bytes.Contains(r.src[m.value:m.end], mark)
	}
}

// onlyTracks reports whether a member is a status that tracking made. It has nothing else, and converts as if it
// were absent.
func (r *run) onlyTracks(m *member) bool {
	key := r.src[m.key:m.keyEnd]
	if string(key) != `"status"` && (m.plain || text(key) != "status") || r.src[m.value] != '{' {
		return false
	}
	if !bytes.HasPrefix(r.src[space(r.src, m.value+1):], []byte(`"changedValues"`)) {
		return false
	}
	end, err := skip(r.src, m.value, 1)
	if err != nil {
		return false
	}
	status := r.node(r.src[m.value:end:end], m.value)
	return status.only("changedValues") && string(status.get("changedValues").get("keep").json()) != `"status"`
}

// compare notes a value that does not come back from what the destination shows, nil if
// that is nothing. zero is a value that equals an absent one.
func (r *run) compare(v *value, zero []byte, i, end int, shown []byte) {
	guard := r.guards[i]
	if !r.recording || v.label == "" && !guard {
		return
	}
	src := r.src[i:end:end]
	if !guard {
		back, err := r.alone(v.back, shown)
		if err == nil && (same(src, back) || present(back) == nil && zero != nil && same(src, zero)) {
			return
		}
	}
	r.lost = append(r.lost, loss{label: cmp.Or(v.label, r.table.Hub), at: i, value: src, was: shown, late: v.unwrap || guard})
}

// refuse notes a value that its function refuses, if the object has tracked values: one of
// them may replace it. It returns the error if not.
func (r *run) refuse(v *value, i int, err error) error {
	if !r.recording || !v.restored {
		return err
	}
	// The text may continue after the object.
	if end, syntax := skip(r.src, space(r.src, 0), 0); syntax != nil || !bytes.Contains(r.src[:end], marks[r.store]) {
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
	if v.fn != nil {
		return call(v.fn, bytes.TrimSpace(text))
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
	src := without(r.src[i:end:end], f.moved)
	filledIn := back != nil && comesBack(src, back)
	if err != nil || filledIn && r.omitted != maybe || back == nil && (src == nil || f.zero != nil && same(src, f.zero)) {
		return err
	}
	if src == nil {
		src = []byte("{}") // what fills in the field is lost
	}
	r.lost = append(r.lost, loss{label: f.label, at: i, value: src, filledIn: filledIn})
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

// settle ends a struct that Go leaves out if it is zero: if it has a value, what is filled in there is not lost.
// outer is the state of the struct around it.
func (r *run) settle(from int, outer omission) {
	if r.omitted == never {
		r.lost = append(r.lost[:from], slices.DeleteFunc(r.lost[from:], func(l loss) bool { return l.filledIn && !l.settled })...)
		outer = never
	}
	for i := from; i < len(r.lost); i++ {
		r.lost[i].settled = true
	}
	r.omitted = outer
}

// isBlank reports whether a value is what Go writes for a zero one.
func isBlank(value []byte) bool {
	n := newNode(bytes.TrimSpace(value), 0)
	if n.is('{') {
		n.parse()
		return !slices.ContainsFunc(n.nodes, func(member *node) bool { return !isBlank(member.text) })
	}
	return isEmpty(n.text) || string(n.text) == "false" || string(n.text) == "0" || string(n.text) == "null"
}

// absent notes the fields that an object lacks and that the other direction fills in. seen
// has the bits of those that it has.
func (r *run) absent(p *program, i, end int, seen uint64) error {
	object := r.src[i:end:end]
	for n, f := range p.filled {
		if f.label == "" || n < 64 && seen&(1<<n) != 0 || n >= 64 && newNode(object, 0).get(f.back.name) != nil {
			continue
		}
		if value, err := f.back.get(); err != nil || present(value) == nil {
			continue // a failure is reported when the object converts back
		}
		r.lost = append(r.lost, loss{label: f.label, at: -1, inside: i, path: []element{{name: f.back.name, field: f.def}}})
	}
	for _, s := range p.spreads {
		members, err := s.get()
		if err != nil {
			return err
		}
		fills := newNode(bytes.TrimSpace(members), 0)
		fills.parse()
		for n := range fills.nodes {
			name := fills.name(n)
			f := p.fields[name]
			if f != nil && f.drop && f.label != "" && present(fills.nodes[n].text) != nil && newNode(object, 0).get(name) == nil {
				r.lost = append(r.lost, loss{label: f.label, at: -1, inside: i, path: []element{{name: name, field: f.def}}})
			}
		}
	}
	return nil
}

// in adds an element to the paths of the losses since an index.
func (r *run) in(from int, e element) {
	for i := from; i < len(r.lost); i++ {
		lost := &r.lost[i]
		if lost.path == nil {
			lost.path = make([]element, 0, usualDepth)
		}
		lost.path = append(lost.path, e)
	}
}

// inMember adds a member.
func (r *run) inMember(from int, f *field, m *member) {
	if len(r.lost) > from {
		r.in(from, element{name: text(r.src[m.key:m.keyEnd]), field: f.def})
	}
}

// inItem adds the item of a list that is a single value in one of the versions.
func (r *run) inItem(v *value, from, i, end int) {
	if len(r.lost) > from {
		r.in(from, element{list: true})
		r.selectItems(v, []*node{newNode(r.src[i:end], i)}, from)
	}
}

// inItems completes the elements of a list's items in the paths of losses.
func (r *run) inItems(v *value, list []byte, from int) {
	before := r.memory.now()
	defer r.memory.reset(before)
	r.selectItems(v, r.node(list, 0).items(), from)
}

func (r *run) selectItems(v *value, items []*node, from int) {
	selectors := make([]element, len(items))
	count := map[string]int{}
	names := make([]string, len(items))
	for i, item := range items {
		e := &selectors[i]
		if *e = (element{list: true, index: i, length: len(items)}); v.wrap || v.unwrap {
			e.wrapped = v.def
		}
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
	between := false
	for version := range ignore {
		between = between || r.up && r.table.order(version) > older
	}
	var guards []*node
	for _, version := range r.sorted(apply) {
		switch at := r.table.order(version); {
		case at < 0, !r.up && at < older:
			add(next, r.up, version, apply[version]...)
		case r.up && at <= older:
			r.dropped += int64(len(apply[version]))
		default:
			for i := range apply[version] {
				value := &apply[version][i]
				switch {
				case r.apply(p, src, out, version, value):
					if between {
						guards = r.guard(guards, p, src, out, version, value)
					}
				case !r.up && (r.beyond(p, src, version, value) || r.passesOn(p, src, out, version, value)):
					add(next, r.up, version, *value)
				default:
					r.dropped++
				}
			}
		}
	}
	for version, values := range ignore {
		at := r.table.order(version)
		for i := range values {
			if at < 0 || r.up && (at < older || r.beyond(p, out, version, &values[i]) || at > older && r.keptBy(guards, p, src, out, version, &values[i])) {
				add(next, !r.up, version, values[i])
			} else {
				r.dropped++
			}
		}
	}
	for i := range r.lost {
		if lost := &r.lost[i]; lost.err != nil {
			return r.at(lost)
		}
	}
	for i := range r.lost {
		lost := &r.lost[i]
		if !lost.late && !slices.ContainsFunc(lost.path, func(e element) bool { return e.wrapped != nil }) {
			continue
		}
		if n := r.shown(out, lost.path); n != nil && lost.late {
			lost.was = n.append(nil)
		}
	}
	if err := r.encode(out); err != nil {
		return err
	}
	for i := range r.lost {
		lost := &r.lost[i]
		value := convert.ChangedValue{Value: bytes.Clone(lost.value), Was: bytes.Clone(present(withoutZeros(lost.was, lost.zero)))}
		value.JSONPath, value.Lengths = r.table.path(lost.path, lost.label)
		add(next, !r.up, lost.label, value)
	}
	return r.write(p.store, out, stored, next)
}

// encode replaces what the destination shows of lost values by what its clients see.
func (r *run) encode(out *node) error {
	if r.encoded == nil || len(r.lost) == 0 {
		return nil
	}
	text, err := r.encoded(out.append(nil))
	if err != nil {
		return err
	}
	object := newNode(text, 0)
	r.lost = slices.DeleteFunc(r.lost, func(l loss) bool { return l.filledIn && r.shown(object, l.path[1:]) != nil })
	for i := range r.lost {
		lost := &r.lost[i]
		if lost.was == nil && !lost.late || lost.hooked > 0 { // or several values
			continue
		}
		switch n := r.shown(object, lost.path); {
		case n == nil && present(lost.was) != nil: // null is nothing, too
			lost.was = nil
		case n == nil:
		case !same(withoutZeros(lost.was, lost.zero), withoutZeros(n.text, lost.zero)):
			lost.was = n.text
		}
	}
	return nil
}

// shown returns the value in the converted object at a path in the source, nil if there is none. The
// length of a list that is a single value in the source is that in the object.
func (r *run) shown(n *node, path []element) *node {
	for i := range slices.Backward(path) {
		switch e := &path[i]; {
		case e.wrapped != nil && !r.up:
		case e.list:
			items := n.items()
			if e.index >= len(items) {
				return nil
			}
			if n = items[e.index]; e.wrapped != nil {
				e.length = len(items)
			}
		case e.move != nil:
			steps := e.move.Older
			if r.up {
				steps = e.move.Hub
			}
			n = n.walk(stepKeys(steps))
		case e.field == nil:
			n = n.get(e.name)
		case r.up:
			n = n.get(e.field.Hub)
		default:
			n = n.get(e.field.Older)
		}
	}
	return n
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

func (r *run) annotation() string { return TrackingAnnotation(r.table.Group) }

// TrackingAnnotation returns the key of the annotation that keeps the tracked values of a group's objects.
func TrackingAnnotation(group string) string {
	if group == "" {
		return "versioned/changed-values"
	}
	return "versioned." + group + "/changed-values"
}

// write stores tracked values in an object, in place of those that it has.
func (r *run) write(store Store, object *node, before, values *convert.ChangedValues) error {
	parents, name := []string{"status"}, "changedValues"
	if store == Annotation {
		parents, name = []string{"metadata", "annotations"}, r.annotation()
	}
	if len(values.Upgrades)+len(values.Downgrades) == 0 {
		if store == Status { // one that tracking made was not converted
			before.Keep = "status"
		}
		clearStored(object, parents, name, before.Keep)
		return nil
	}
	for _, key := range parents {
		below := object.get(key)
		if !below.is('{') {
			below = newObject()
			object.set(key, below)
		} else if before.Format == 0 && below.empty() || store == Status && below.only(name) {
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
