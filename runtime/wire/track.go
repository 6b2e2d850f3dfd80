package wire

import (
	"bytes"
	"cmp"
	"slices"
)

// TrackedLimit is the number of bytes that the tracked values of one object may have, and AnnotationsLimit that
// of its annotations with them: API servers refuse larger ones, also in the answer of a conversion webhook.
const (
	TrackedLimit     = 128 << 10
	AnnotationsLimit = 256 << 10
)

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
	// stored is set if the members of the object so far may have tracked values, and marked whether all of them may.
	stored bool
	marked answer
	lost   []loss
	// created are the structs that are created for tracked values in them.
	created []creation
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
	// indexes have the keys of lists of the object and of the converted one.
	indexes map[*node]*listIndex
	// guards are the indexes of values that are tracked in any case, and missing those that must be in another
	// run.
	guards  map[int]bool
	missing []int
}

// answer is what is known of a question.
type answer int

const (
	unknown answer = iota
	no
	yes
)

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
	// fits returns what Go writes for what the destination shows; nil if that is not known.
	fits Func
	// hooked is the index of the object whose hooks lose the value, plus 1; split is the one that does, nil
	// for functions.
	hooked int
	split  *Split
	// late is set on guards, on the parents of values that move, and on lists of which one item is shown: what
	// the destination shows is known when values have moved, tracked ones are restored, and the object is
	// encoded. zero is an object with the zero values that Go writes in it, which do not count.
	late bool
	zero []byte
	// inner are the paths of the values that have moved into a parent, and back converts it back; nil copies.
	inner []exit
	back  *value
	// filledIn means that the other direction fills in the value, or converts it back, unless Go leaves out a struct around it;
	// settled, that the innermost such struct may be left out.
	filledIn, settled bool
	// absent means that the value equals an absent one, which it is if Go leaves out a struct around it.
	absent bool
	// with is the parent that is left out, and the value with it. isParent means that it is the parent.
	with     *leftOut
	isParent bool
	// err is set if the value cannot be converted, unless a tracked value replaces it.
	err error
}

// tracked converts an object that keeps tracked values.
func (r *run) tracked(p *program, i, depth int) (int, error) {
	r.copyTo(i)
	start := len(r.out)
	r.recording, r.store, r.stored, r.marked, r.created = true, p.store, false, unknown, nil
	end, err := r.object(p, i, depth)
	if r.recording = false; !r.stored {
		r.settleParents()
	}
	if err != nil || len(r.lost) == 0 && !r.stored {
		return end, err
	}
	r.copyTo(end)
	r.touched = true
	out := r.node(r.memory.copy(r.out[start:]), 0)
	dropped := r.dropped
	err = r.finish(p, r.node(r.src[i:end:end], i), out)
	if len(r.missing) > 0 {
		r.guards = map[int]bool{}
		for _, at := range r.missing {
			r.guards[at] = true
		}
		r.out, r.copied, r.lost, r.dropped, r.missing = r.out[:start], i, r.lost[:0], dropped, nil
		end, err = r.tracked(p, i, depth)
		r.guards = nil
		return end, err
	}
	r.out, r.lost = out.append(r.out[:start]), r.lost[:0]
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

// onlyTracks reports whether a member is a status that tracking made. It has nothing else, and converts as what it
// was before: absent, or null.
func (r *run) onlyTracks(m *member) (made, wasNull bool) {
	key := r.src[m.key:m.keyEnd]
	if string(key) != `"status"` && (m.plain || text(key) != "status") || r.src[m.value] != '{' {
		return false, false
	}
	if !bytes.HasPrefix(r.src[space(r.src, m.value+1):], []byte(`"changedValues"`)) {
		return false, false
	}
	end, err := skip(r.src, m.value, 1)
	if err != nil {
		return false, false
	}
	status := r.node(r.src[m.value:end:end], m.value)
	if !status.only("changedValues") {
		return false, false
	}
	return madeByTracking(status.get("changedValues"))
}

// madeByTracking reports whether the status with tracked values was absent before, or null.
func madeByTracking(values *node) (made, wasNull bool) {
	wasNull = string(values.get("null").json()) == "true"
	return wasNull || string(values.get("keep").json()) != `"status"`, wasNull
}

// compare notes a value that does not come back from what the destination shows, nil if
// that is nothing. zero is a value that equals an absent one.
func (r *run) compare(v *value, zero []byte, i, end int, shown []byte) {
	guard := r.guards[i]
	if !r.recording || v.label == "" && !guard {
		return
	}
	src, filledIn := r.src[i:end:end], false
	if !guard {
		back, err := r.alone(v.back, shown)
		comesBack := err == nil && (same(src, back) && (shown != nil || !isNull(src)) || present(back) == nil && isZero(src, zero))
		if filledIn = comesBack && r.omitted == maybe && !isBlank(src) && !isZero(src, zero); comesBack && !filledIn {
			return
		}
	}
	r.lost = append(r.lost, loss{label: cmp.Or(v.label, r.table.Hub), at: i, value: src, was: shown, fits: v.fits, late: v.unwrap || guard, filledIn: filledIn, absent: isZero(src, zero)})
}

// refuse notes a value that its function refuses, if the object has tracked values: one of
// them may replace it. It returns the error if not.
func (r *run) refuse(v *value, i int, err error) error {
	if !r.recording || !v.restored {
		return err
	}
	if !r.maybeStored() {
		return err
	}
	r.lost = append(r.lost, loss{at: i, err: err})
	return nil
}

// maybeStored reports whether the object may have tracked values, before all of it is converted.
func (r *run) maybeStored() bool {
	if r.marked == unknown {
		r.marked = no
		// The text may continue after the object.
		if end, err := skip(r.src, space(r.src, 0), 0); err == nil && bytes.Contains(r.src[:end], marks[r.store]) {
			r.marked = yes
		}
	}
	return r.marked == yes
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
	sub := newRun(r.memory, r.table, !r.up, text)
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
	src := r.memory.without(r.src[i:end:end], f.moved)
	filledIn := back != nil && comesBack(src, back, r.encoded != nil)
	if err != nil || filledIn && r.omitted != maybe || back == nil && (src == nil || isZero(src, f.zero) && !r.guards[i]) {
		return err
	}
	if src == nil {
		src = []byte("{}") // what fills in the field is lost
	}
	r.lost = append(r.lost, loss{label: f.label, at: i, value: src, filledIn: filledIn})
	return nil
}

// isZero reports whether a value is a zero value, nil for none.
func isZero(value, zero []byte) bool { return zero != nil && same(value, zero) }

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
		if value := memberOf(bytes.TrimSpace(members), f.def.Hub); value != nil {
			return value, nil
		}
	}
	return nil, nil
}

// get returns what fills in the field; nil for nothing.
func (f *fill) get() ([]byte, error) {
	if f.fn == nil {
		return f.value, nil
	}
	value, err := call(f.fn, nil)
	if err == nil && f.omits && (isNull(value) || isEmpty(value) || f.zero != nil && same(value, f.zero)) {
		return nil, nil
	}
	return value, err
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
	return isEmpty(n.text) || string(n.text) == "null"
}

// mayBeBlank reports whether a value may be what Go writes for a zero one, of a duration, a quantity or an array, too. The
// encoded object decides.
func mayBeBlank(value []byte) bool {
	n := newNode(bytes.TrimSpace(value), 0)
	if n.is('{') || n.is('[') {
		n.parse()
		return !slices.ContainsFunc(n.nodes, func(below *node) bool { return !mayBeBlank(below.text) })
	}
	return isBlank(n.text) || string(n.text) == `"0s"` || string(n.text) == `"0"`
}

// absent notes the fields that an object lacks and that the other direction fills in. seen
// has the bits of those that it has.
func (r *run) absent(p *program, i, end int, seen uint64) error {
	object := r.src[i:end:end]
	for n, f := range p.filled {
		if f.label == "" || n < 64 && seen&(1<<n) != 0 || n >= 64 && memberOf(object, f.back.name) != nil {
			continue
		}
		if value, err := f.back.get(); err != nil || present(value) == nil {
			continue // a failure is reported when the object converts back
		}
		r.lost = append(r.lost, loss{label: f.label, at: -1, inside: i, path: []element{{name: f.back.name, field: f.def}}})
	}
	return p.eachSpread(func(name string, f *field) {
		if memberOf(object, name) == nil {
			r.lost = append(r.lost, loss{label: f.label, at: -1, inside: i, path: []element{{name: name, field: f.def}}})
		}
	})
}

// eachSpread calls a function for the tracked fields of inlined structs that the other direction fills in.
func (p *program) eachSpread(do func(name string, f *field)) error {
	for _, s := range p.spreads {
		members, err := s.get()
		if err != nil {
			return err
		}
		fills := newNode(bytes.TrimSpace(members), 0)
		fills.parse()
		for n := range fills.nodes {
			name := fills.name(n)
			if f := p.fields[name]; f != nil && f.drop && f.label != "" && present(fills.nodes[n].text) != nil {
				do(name, f)
			}
		}
	}
	return nil
}

// unset notes the fields that an object lacks and that are zero values when Go has written the destination. set has the
// bits of those that it has.
func (r *run) unset(p *program, i, end int, set uint64) {
	for n, f := range p.unset {
		if n < 64 && set&(1<<n) != 0 || n >= 64 && memberOf(r.src[i:end:end], f.from) != nil {
			continue
		}
		r.lost = append(r.lost, loss{label: f.value.label, at: -1, inside: i, was: f.written, path: []element{{name: f.from, field: f.def}}})
	}
}

// in adds an element to the paths of the losses since an index.
func (r *run) in(from int, e element) {
	for i := from; i < len(r.lost); i++ {
		lost := &r.lost[i]
		if lost.path == nil {
			lost.path = r.memory.path()
		}
		lost.path = append(lost.path, e)
	}
}

// inMember adds a member.
func (r *run) inMember(from int, f *field, m *member) {
	if len(r.lost) > from {
		name := f.from
		if key := r.src[m.key+1 : m.keyEnd-1]; name == "" || string(key) != name {
			name = text(r.src[m.key:m.keyEnd])
		}
		r.in(from, element{name: name, field: f.def})
	}
}

// inItem adds the item of a list that is a single value in one of the versions.
func (r *run) inItem(v *value, from int) {
	r.in(from, element{list: true, of: v, length: 1})
}

// inItems completes the elements of a list's items in the paths of losses.
func (r *run) inItems(v *value, list []byte, from int) {
	before := r.memory.now()
	defer r.memory.reset(before)
	length := len(r.node(list, 0).items())
	for i := from; i < len(r.lost); i++ {
		path := r.lost[i].path
		e := &path[len(path)-1]
		e.of, e.length = v, length
	}
}

// isScalar reports whether a value can be written in a path.
func isScalar(value []byte) bool {
	value = present(value)
	return value != nil && value[0] != '{' && value[0] != '['
}
