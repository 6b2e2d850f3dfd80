package wire

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// finish restores tracked values in a converted object, and stores those that are lost.
func (r *run) finish(p *program, src, out *node) error {
	stored := &convert.ChangedValues{}
	if r.stored {
		stored = r.read(p, src)
	}
	next := &convert.ChangedValues{Format: trackedFormat, Keep: stored.Keep, Null: stored.Null}
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
	former := r.showFormer(p, src, out, apply)
	isFormer := func(value *convert.ChangedValue) bool {
		return slices.ContainsFunc(former, func(k kept) bool { return k.value == value })
	}
	for _, version := range r.sorted(apply) {
		switch at := r.table.order(version); {
		case at < 0:
			add(next, r.up, version, apply[version]...)
		case r.up && at <= older:
			r.dropped += int64(len(apply[version]))
		default:
			for i := range apply[version] {
				value := &apply[version][i]
				switch {
				case isFormer(value):
				case !r.up && version != r.table.Older && r.isAbsent(p, src, version, value): // the same without the entry
				case !r.up && at < older:
					add(next, r.up, version, *value)
				case (r.up || !r.isGone(p, version, value)) && r.apply(p, src, out, version, value):
					if between {
						guards = r.guard(guards, p, src, out, version, value)
					}
				case !r.up && r.keepsOn(p, src, out, version, value):
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
			if at >= 0 && r.up && r.passFormer(p, src, out, version, &values[i], next) {
				continue
			}
			if at < 0 || r.up && (at < older || r.keptOn(guards, p, src, out, version, &values[i])) {
				add(next, !r.up, version, values[i])
			} else {
				r.dropped++
			}
		}
	}
	r.settleParents()
	for i := range r.lost {
		if lost := &r.lost[i]; lost.err != nil {
			return r.at(out, lost, lost.err)
		}
	}
	r.lost = slices.DeleteFunc(r.lost, func(l loss) bool { return r.keptFull(out, &l) })
	for i := range r.lost {
		lost := &r.lost[i]
		if !lost.late && lost.hooked == 0 && !slices.ContainsFunc(lost.path, func(e element) bool { return e.wrapped() != nil }) {
			continue
		}
		switch n := r.shown(out, lost.path); {
		case n == nil:
		case lost.hooked > 0:
			lost.showAgain(n)
		case lost.late:
			lost.was = r.memory.print(n)
		}
	}
	if r.encoded != nil && p.store == Status {
		r.hold(out.get("status"), len(former)+len(next.Upgrades)+len(next.Downgrades) > 0)
	}
	shown, err := r.encode(p.store, out, len(former)+len(r.created) > 0)
	if err != nil {
		return err
	}
	for _, c := range r.created {
		r.lacks(c.object, r.shown(shown, c.path), c.value, c.path)
	}
	r.keepsFormer(p, shown, former, next)
	for i := range r.lost {
		lost := &r.lost[i]
		if r.impliesParent(lost) {
			continue
		}
		if lost.hooked > 0 {
			r.table.join(lost)
		}
		value := convert.ChangedValue{Value: lost.value, Was: present(withoutZeros(lost.written(), lost.zero))}
		value.JSONPath, value.Lengths = r.pathTo(out, lost.path, lost.label)
		add(next, !r.up, lost.label, value)
	}
	return r.write(p, out, stored, next)
}

// keptFull reports whether a parent that values have moved into has others, after tracked values in it are restored: it is
// not empty on the way back.
func (r *run) keptFull(out *node, l *loss) bool {
	if l.value == nil || l.inner == nil {
		return false
	}
	shown := r.shown(out, l.path)
	return shown.is('{') && !hasOnly(shown, l.zero, l.inner, l.back)
}

// hold makes Go write a status that has nothing but values which are tracked in any case: what is filled in there comes back.
// Those that the source has tracked do not count. keeps means that the object keeps some of them.
func (r *run) hold(status *node, keeps bool) {
	if !status.is('{') {
		return
	}
	status.remove("changedValues")
	if keeps || slices.ContainsFunc(r.lost, func(l loss) bool { return !l.filledIn && !l.absent }) {
		status.set("changedValues", r.node([]byte(`{"format":1}`), -1))
	}
}

// encode replaces what the destination shows of lost values by what its clients see. It returns the object as they see
// it, if a value was lost or more is needed.
func (r *run) encode(store Store, out *node, more bool) (*node, error) {
	if r.encoded == nil || len(r.lost) == 0 && !more {
		return out, nil
	}
	text, err := r.encoded(out.append(nil))
	if err != nil {
		return nil, err
	}
	object := newNode(text, 0)
	if store == Status {
		object.get("status").remove("changedValues")
	}
	r.lost = slices.DeleteFunc(r.lost, func(l loss) bool {
		return l.filledIn && r.shown(object, l.path[1:]) != nil || l.absent && r.shown(object, l.path[1:]) == nil
	})
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
	return object, nil
}

// shown returns the value in the converted object at a path in the source, nil if there is none. The
// length of a list that is a single value in the source is that in the object.
func (r *run) shown(n *node, path []element) *node {
	for i := range slices.Backward(path) {
		n = r.shownIn(n, &path[i])
	}
	return n
}

// shownIn goes one element of a path further.
func (r *run) shownIn(n *node, e *element) *node {
	switch {
	case e.wrapped() != nil && !r.up, len(e.parts) > 0:
		return n
	case e.list:
		items := n.items()
		if e.index >= len(items) {
			return nil
		}
		if e.wrapped() != nil {
			e.length = len(items)
		}
		return items[e.index]
	case e.move != nil:
		steps := e.move.Older
		if r.up {
			steps = e.move.Hub
		}
		return n.walk(stepKeys(steps))
	case e.field == nil:
		return n.get(e.name)
	case r.up:
		return n.get(e.field.Hub)
	default:
		return n.get(e.field.Older)
	}
}

// at notes where the value is that an error comes from.
func (r *run) at(out *node, lost *loss, err error) error {
	version := r.table.Older
	if !r.up {
		version = r.table.Hub
	}
	path, _ := r.pathTo(out, lost.path, version)
	r.path = append([]string{strings.TrimPrefix(path, "$")}, r.path...)
	return err
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
func (r *run) read(p *program, object *node) *convert.ChangedValues {
	var n *node
	if p.store == Annotation {
		n = object.get("metadata").get("annotations").get(p.annotation)
	} else {
		n = object.get("status").get("changedValues")
	}
	if n == nil {
		return &convert.ChangedValues{}
	}
	stored := n.text
	if p.store == Annotation && stored[0] == '"' {
		stored = r.memory.unquoteJSON(stored)
	}
	values, err := r.memory.values(stored)
	if err != nil || values.Format != trackedFormat {
		r.dropped++
		return &convert.ChangedValues{}
	}
	return values
}

// write stores tracked values in an object, in place of those that it has.
func (r *run) write(p *program, object *node, before, values *convert.ChangedValues) error {
	parents, name := []string{"status"}, "changedValues"
	if p.store == Annotation {
		parents, name = []string{"metadata", "annotations"}, p.annotation
	}
	if len(values.Upgrades)+len(values.Downgrades) == 0 {
		if p.store == Status { // one that tracking made was not converted
			before.Keep = "status"
		}
		clearStored(object, parents, name, before)
		return nil
	}
	top := object
	for _, key := range parents {
		below := object.get(key)
		switch {
		case !below.is('{'):
			if below.is('n') {
				values.Keep, values.Null = key, true
			}
			below = r.memory.object()
			object.set(key, below)
		case p.store == Status: // one that tracking made is not in the object
			values.Keep, values.Null = key, false
		case before.Format == 0 && below.empty():
			values.Keep = key
		}
		object = below
	}
	stored, err := r.memory.printValues(values)
	if err != nil {
		return err
	}
	if len(stored) > TrackedLimit {
		return r.tooLarge(top, "tracked values", len(stored), TrackedLimit)
	}
	if p.store == Annotation {
		stored = r.memory.quoteJSON(stored)
	}
	object.set(name, r.node(stored, -1))
	if p.store == Annotation {
		if size := annotationBytes(top); size > AnnotationsLimit {
			return r.tooLarge(top, "annotations", size, AnnotationsLimit)
		}
	}
	return nil
}

// annotationBytes returns the number of bytes of the annotations of an object, as API servers count them.
func annotationBytes(object *node) (size int) {
	annotations := object.get("metadata").get("annotations")
	annotations.parse()
	for i, n := range annotations.nodes {
		size += len(annotations.name(i))
		if n.is('"') {
			size += len(n.memory.unquoteJSON(n.text))
		}
	}
	return size
}

// clearStored removes tracked values from an object, and then the parents that have nothing else,
// except for the one to keep.
func clearStored(object *node, parents []string, name string, before *convert.ChangedValues) {
	below := object
	if len(parents) > 0 {
		if below = object.get(parents[0]); below == nil {
			return
		}
		clearStored(below, parents[1:], name, before)
		name = parents[0]
	}
	switch emptied := len(parents) == 0 || below.empty() && below.changed; {
	case emptied && name != before.Keep:
		object.remove(name)
	case emptied && before.Null:
		object.set(name, newNode([]byte("null"), -1))
	}
}

// tooLarge is the error of values that an object cannot keep. It names the largest value that the conversion
// adds: values that the object had before are not what makes them too large.
func (r *run) tooLarge(out *node, what string, size, limit int) error {
	if len(r.lost) == 0 {
		return &Error{Err: fmt.Errorf("the %s of the object have %d bytes, and the limit is %d", what, size, limit)}
	}
	lost := slices.MaxFunc(r.lost, func(a, b loss) int { return len(a.value) - len(b.value) })
	return r.at(out, &lost, &Error{Err: fmt.Errorf("%s cannot represent this value of %d bytes, and the object cannot keep it: its %s would have %d bytes together, and the limit is %d",
		r.to, len(lost.value), what, size, limit)})
}
