package wire

import (
	"slices"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// A field can have a third type, or third constants, in the versions between the table's. What such a
// version loses is tracked in the hub, and the table's older version cannot show it. So an object of the
// older version keeps it, with a guard: the value that the hub has at this path, tracked as if the older
// version could not represent it. As long as the guard is restored, the hub shows what it did when the
// other value was tracked.

// spot is a value on a path, in both versions; nil where it is absent.
type spot struct {
	target
	hub, older *node
	// in is the hub's object that has it.
	in *node
	// between is the value in the version of the path, if the table does not know it.
	between target
}

// shows reports whether the hub shows what it did when the value was tracked, and whether hooks lost it.
func (s *spot) shows(was []byte) (ok, hooked bool) {
	hooked = s.hooks != nil && s.hooks.wasShown(s.in, was, false)
	return hooked || sameUnset(s.hub.json(), was, s.hubZero()), hooked
}

// hubZero returns what Go writes for an absent value in the hub; nil for nothing.
func (s *spot) hubZero() []byte {
	if zero := s.target.hubZero(); zero != nil {
		return zero
	}
	return s.between.hubZero()
}

func (at *target) hubZero() []byte {
	switch {
	case at.move != nil:
		return at.move.def.Hub[len(at.move.def.Hub)-1].Zero
	case at.field != nil && at.field.def != nil:
		return at.field.def.HubZero
	}
	return nil
}

// converts reports whether the hub's value is another in the older version.
func (s *spot) converts() bool {
	v := s.value
	return v != nil && s.hub != nil && (v.fn != nil || v.enum != nil || v.wrap || v.unwrap)
}

// spots returns the values that the path of a tracked value of a version leads to, the last of which is
// exactly that value, or one that a function converts as a whole. It returns none if the hub's list lacks
// an item on the path. Values are being restored unless all are; items have the keys of the source until then.
func (r *run) spots(p *program, src, out *node, version string, value *convert.ChangedValue, restored bool) (spots []spot, exact bool) {
	path, err := parsePath(r.memory, value.JSONPath, value.Lengths)
	if err != nil {
		return nil, false
	}
	at := spot{target: target{value: &p.root}, hub: src, older: out}
	if r.up {
		at.hub, at.older = out, src
	}
	names := version // the version of the names in the path; those of keys remain
	steps, gone := r.inHub(p, path, version)
	between := r.between(p, path, version)
	if steps != nil {
		path, names = steps, r.table.Hub
	}
	for i := 0; i < len(path); i++ {
		of := at.value
		if of != nil && of.fn != nil {
			return spots, false
		}
		wraps := of != nil && (of.wrap || of.unwrap)
		single := wraps && r.table.isSingle(of.def, names)
		if wraps && path[i].list == single {
			return nil, false
		}
		if single {
			at.value, wraps = of.each, false
			if at.hub = at.hub.item(0); at.hub == nil {
				return nil, false
			}
		}
		next, moved := r.table.moved(at.target, path[i:], names)
		switch {
		case moved > 0:
			i += moved - 1
			at = spot{target: next, hub: at.hub.walk(stepKeys(next.move.def.Hub)), older: at.older.walk(stepKeys(next.move.def.Older))}
		case path[i].list:
			list, inHub := at.hub, true
			if r.up && !restored {
				if list, inHub = at.older, false; wraps {
					list = listOf(list)
				}
			}
			n := r.find(of, &path[i], at.hub, len(at.hub.items()), list, inHub, version)
			if n < 0 {
				return nil, false
			}
			older := at.older
			switch {
			case !wraps:
				older = older.item(n)
			case n > 0:
				older = nil
			}
			at = spot{target: r.table.follow(at.target, &path[i], names, r.up), hub: at.hub.item(n), older: older}
		case at.hub != nil && !at.hub.is('{'):
			return nil, false
		default:
			next = r.table.follow(at.target, &path[i], names, r.up)
			hub, older := next.from, next.to
			if r.up {
				hub, older = older, hub
			}
			for _, p := range path[i].parts {
				member := r.table.follow(at.target, &p.element, names, r.up)
				next.noSource, next.noDest = next.noSource || member.noSource, next.noDest || member.noDest
			}
			at = spot{target: next, hub: at.hub.get(hub), older: at.older.get(older), in: at.hub}
		}
		spots = append(spots, at)
	}
	if n := len(spots); n > 0 {
		spots[n-1].between = between
	}
	if n := len(spots); n > 0 && gone {
		last := &spots[n-1]
		*last = spot{target: target{hooks: last.hooks, noSource: true, noDest: true}, in: last.in}
	}
	return spots, len(spots) > 0
}

// inHub returns the path in the hub of a value that the table does not know, because the field is elsewhere in a version
// between, such as in a label; nil if it has the same path. It reports whether the hub lacks the value: what the hub has
// at the path is another one.
func (r *run) inHub(p *program, path []element, version string) (steps []element, gone bool) {
	route := r.converter.routes[version]
	if route == nil || route.table == r.table {
		return nil, false
	}
	kind, ok := route.kinds[p.typ.Kind]
	ours := r.table.hops(r.memory, p, path, version, r.up)
	if !ok || len(ours) == 0 || slices.ContainsFunc(ours, func(h hop) bool { return h.move != nil }) {
		return nil, false
	}
	theirs := route.table.hops(r.memory, route.up[kind], path, version, true)
	mine, other := r.table.ends(&ours[len(ours)-1], version, r.up), route.table.ends(&theirs[len(theirs)-1], version, true)
	known := false
	for i := range other {
		unknown := i >= len(mine) || mine[i].field == nil && mine[i].value == nil
		if known = known || !unknown; unknown && other[i].noDest {
			return nil, true
		}
	}
	switch {
	case known:
		return nil, false
	case slices.ContainsFunc(theirs, func(h hop) bool { return h.noDest }):
		return nil, true
	case slices.ContainsFunc(theirs, func(h hop) bool { return h.move != nil }):
		return hubPath(theirs), false
	}
	return nil, false
}

// between returns what the path of a version leads to in the table of that version.
func (r *run) between(p *program, path []element, version string) target {
	if route := r.converter.routes[version]; route != nil {
		kind, ok := route.kinds[p.typ.Kind]
		if hops := route.table.hops(r.memory, route.up[kind], path, version, true); ok && len(hops) > 0 {
			return hops[len(hops)-1].target
		}
	}
	return target{}
}

// isAbsent reports whether a tracked value of another older version is none, or the zero value that Go writes there for
// none, and the hub has none either.
func (r *run) isAbsent(p *program, hub *node, version string, value *convert.ChangedValue) bool {
	path, err := parsePath(r.memory, value.JSONPath, value.Lengths)
	route := r.converter.routes[version]
	if err != nil || route == nil {
		return false
	}
	kind, ok := route.kinds[p.typ.Kind]
	if !ok {
		return false
	}
	hops := route.table.hops(r.memory, route.up[kind], path, version, true)
	at := hops[len(hops)-1].target
	if at.field == nil || at.field.def == nil || present(value.Value) != nil && !isZero(value.Value, at.field.def.OlderZero) {
		return false
	}
	up := newRun(r.memory, route.table, true, nil)
	for i := range hops {
		switch h := &hops[i]; {
		case h.noDest:
			return false
		case h.move != nil:
			hub = hub.walk(stepKeys(h.move.def.Hub))
		case h.element.list:
			n := up.find(h.of, h.element, hub, len(hub.items()), hub, true, version)
			if n < 0 {
				return false
			}
			hub = hub.item(n)
		default:
			hub = hub.get(h.to)
		}
		if hub == nil {
			return true
		}
	}
	return false
}

// ends returns what a path ends with: one value, or several members of an object.
func (t *Table) ends(last *hop, version string, up bool) []target {
	if len(last.element.parts) == 0 || last.of == nil || last.of.object == nil {
		return []target{last.target}
	}
	var members []target
	for i := range last.element.parts {
		members = append(members, t.member(last.of.object, last.element.parts[i].name, version, up))
	}
	return members
}

// keepsOn reports whether an object of the older version keeps a tracked value of another version that it cannot show.
func (r *run) keepsOn(p *program, src, out *node, version string, value *convert.ChangedValue) bool {
	is, leftOut := r.beyond(p, src, version, value)
	return is || r.passesOn(p, src, out, version, value) || leftOut
}

// keptOn reports whether an object of the older version has kept a value, which the hub gets again.
func (r *run) keptOn(guards []*node, p *program, src, out *node, version string, value *convert.ChangedValue) bool {
	is, leftOut := r.beyond(p, out, version, value)
	return is || leftOut || r.keptBy(guards, p, src, out, version, value)
}

// beyond reports whether a tracked value of an older version is below a field of the hub that the
// table's older version lacks, or in a further item of a list that is a single value there. The field or
// the list is tracked as a whole, and the value with it. leftOut means that Go leaves out the field in the hub.
func (r *run) beyond(p *program, hub *node, version string, value *convert.ChangedValue) (is, leftOut bool) {
	path, err := parsePath(r.memory, value.JSONPath, value.Lengths)
	if err != nil {
		return false, false
	}
	hops := r.table.hops(r.memory, p, path, version, r.up)
	for i := range hops {
		next := &hops[i]
		name, lacks := next.from, next.noDest
		if r.up {
			name, lacks = next.to, next.noSource
		}
		switch {
		case next.element.list:
			n := -1
			if next.of != nil && next.of.each != nil {
				n = r.find(next.of, next.element, hub, len(hub.items()), hub, true, version)
			}
			if n < 0 {
				return false, false
			}
			hub, lacks = hub.items()[n], n > 0 && (next.of.wrap || next.of.unwrap)
		case next.move != nil && r.up:
			hub = hub.walk(next.move.to)
		case next.move != nil:
			hub = hub.walk(next.move.from)
		default:
			hub, lacks = hub.get(name), lacks && next.field != nil && i+1 < len(hops)
		}
		if lacks && hub != nil {
			r.keepZero(next.field, hub)
		}
		leftOut = hub == nil && r.leavesOut(p, path, next.element, version)
		if lacks || hub == nil && !leftOut {
			return lacks && hub != nil, lacks && leftOut
		}
	}
	return false, false
}

// leavesOut reports whether Go leaves out a zero struct in the hub, which a path of an older version leads to or into.
func (r *run) leavesOut(p *program, path []element, at *element, version string) bool {
	route := r.converter.routes[version]
	if route == nil {
		return false
	}
	kind, ok := route.kinds[p.typ.Kind]
	if !ok {
		return false
	}
	hops := route.table.hops(r.memory, route.down[kind], path, version, false)
	i := slices.IndexFunc(hops, func(h hop) bool { return h.element == at && h.field != nil })
	return i >= 0 && hops[i].field.absent && hops[i].value != nil && hops[i].value.object != nil
}

// isGone reports whether a tracked value is of a field that neither the hub nor the older version has.
func (r *run) isGone(p *program, version string, value *convert.ChangedValue) bool {
	if version == r.table.Older {
		return false
	}
	path, err := parsePath(r.memory, value.JSONPath, value.Lengths)
	if err != nil {
		return false
	}
	_, gone := r.inHub(p, path, version)
	return gone
}

// item returns an item of a list, nil if there is none.
func (n *node) item(i int) *node {
	if items := n.items(); i < len(items) {
		return items[i]
	}
	return nil
}

// each returns what converts the items of a list.
func each(v *value) *value {
	if v == nil {
		return nil
	}
	return v.each
}

// other reports whether the older version has another type than a version whose value is restored.
func (r *run) other(at target, version string) bool {
	if r.up {
		return false
	}
	until := ""
	switch v := at.value; {
	case at.field != nil && at.field.added:
		if until = at.field.def.Until; until == "" {
			return false
		}
	case v == nil || v.object != nil && v.fn == nil:
		return false
	default:
		until = v.until
	}
	return until == "" || r.table.order(version) > r.table.order(until)
}

// passesOn reports whether an object of the older version keeps a value that the hub has tracked for a version
// between the two. The first run of the conversion notes which values are guards, and the second one
// tracks these.
func (r *run) passesOn(p *program, src, out *node, version string, value *convert.ChangedValue) bool {
	spots, exact := r.spots(p, src, out, version, value, true)
	if len(spots) == 0 {
		return false
	}
	last := spots[len(spots)-1]
	shows, hooked := last.shows(value.Was)
	switch {
	case exact && !shows:
		return false // it was changed in the hub
	case exact && hooked && !last.noDest:
		return false // the older version can represent it, and it does not apply
	case exact && (last.value != nil && last.value.object == nil || last.field != nil && last.field.added) && !r.other(last.target, version):
		return false // the older version can represent it, and it does not apply
	}
	guards := 0
	for i := range spots {
		if s := &spots[i]; s.converts() {
			guards++
			if r.guards == nil {
				r.missing = append(r.missing, s.hub.at)
			}
		}
	}
	for i := range spots {
		if s := &spots[i]; s.noDest && s.hub != nil {
			r.keepZero(s.field, s.hub)
		}
	}
	switch {
	case guards > 0:
		return r.guards == nil || slices.ContainsFunc(spots, func(s spot) bool {
			return s.converts() && slices.ContainsFunc(r.lost, func(l loss) bool { return l.at == s.hub.at })
		})
	case last.hub == nil:
		if exact && !hooked {
			value.Was = nil // and not the zero value that Go left out of the hub's object
		}
		return exact && present(last.older.json()) == nil
	}
	return exact
}

// keepZero notes that a value of a field that the older version lacks is tracked although it is a zero value, which the
// hub has for an absent one, too: a tracked value of a version between is in it, or was shown as it.
func (r *run) keepZero(f *field, hub *node) {
	if !r.up && r.guards == nil && f != nil && f.label != "" && isZero(hub.json(), f.zero) {
		r.missing = append(r.missing, hub.at)
	}
}

// guard adds the hub's value at the path of a tracked value that was restored.
func (r *run) guard(guards []*node, p *program, src, out *node, version string, value *convert.ChangedValue) []*node {
	spots, _ := r.spots(p, src, out, version, value, false)
	if len(spots) == 0 || spots[len(spots)-1].hub == nil {
		return guards
	}
	return append(guards, spots[len(spots)-1].hub)
}

// keptBy reports whether the hub has again what it had when a value of a version between was tracked.
func (r *run) keptBy(guards []*node, p *program, src, out *node, version string, value *convert.ChangedValue) bool {
	spots, exact := r.spots(p, src, out, version, value, true)
	if len(spots) == 0 {
		return false
	}
	last := spots[len(spots)-1]
	shows, hooked := last.shows(value.Was)
	switch {
	case slices.ContainsFunc(spots, func(s spot) bool { return slices.Contains(guards, s.hub) }):
		return true
	case !exact || !shows:
		return false
	case hooked:
		return last.noSource
	case last.hub == nil:
		return present(last.older.json()) == nil
	}
	return !slices.ContainsFunc(spots, func(s spot) bool { return s.converts() })
}

// json returns the JSON of a node, nil for none.
func (n *node) json() []byte {
	if n == nil {
		return nil
	}
	return n.append(nil)
}
