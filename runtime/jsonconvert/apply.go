package jsonconvert

import "slices"

// edit is what changes in a value: it becomes another, or parts of it change.
type edit struct {
	// isSet means that the value becomes another; nil for none.
	isSet bool
	value *node
	// tail are the items that follow those of a list.
	tail []*node
	// The members or the items that change are a list, from first to last by next. by has them if they are many.
	hop
	first, last, next *edit
	count             int
	by                map[hop]*edit
	// isSeen is for those who go through all parts.
	isSeen bool
}

// hop leads to a part of a value: a member, or an item of a list.
type hop struct {
	name  string
	index int
}

// edit returns a new edit.
func (m *memory) edit(h hop) *edit {
	if len(m.edits) == cap(m.edits) {
		m.edits = make([]edit, 0, max(minNodes/4, 2*cap(m.edits))) // edits in use keep the block before
	}
	m.edits = m.edits[:len(m.edits)+1]
	e := &m.edits[len(m.edits)-1]
	*e = edit{}
	e.hop = h
	return e
}

// applier restores tracked values in a converted object.
type applier struct {
	m    *memory
	side int
	// known are the types of the object's version.
	known *Version
	// places are the labels and annotations that are fields in some version.
	places []Place
	// former means that the entries are of the format before, in which one without a guard is of a field that older versions lack.
	former bool
	// dropped counts the entries that did not apply.
	dropped int64
	// root is what changes; nil for nothing.
	root *edit
	// lists has the items of the lists on paths, by what selects them.
	lists map[*node]map[string]int
}

// apply returns the object with the entries whose guards hold and whose values fit.
func (a *applier) apply(v *value, s *Schema, y *node, entries []entry) *node {
	for i := range entries {
		if !a.find(v, s, y, &entries[i]) {
			a.dropped++
		}
	}
	if a.root == nil {
		return y
	}
	return a.rebuild(y, a.root)
}

// find notes what an entry changes. It changes nothing if the path does not lead to a value, if the value is another than the
// entry says, or if that of the entry does not fit.
func (a *applier) find(v *value, s *Schema, n *node, e *entry) bool {
	if !a.mayChange(e) {
		return false
	}
	m := a.m
	var f *field
	var of *Schema // that of a field, and not of a member of a map
	var hops [8]hop
	trail := hops[:0]
	for i := range e.path {
		at := &e.path[i]
		if v = v.on(a.side); n == nil && i > 0 && a.isSoft(f, s) {
			n = orEmpty(nil)
		}
		if n == nil || n.kind == 's' || at.kind <= groupStep != (n.kind == '{') {
			return false
		}
		m.look(n)
		s = a.known.resolve(s)
		switch at.kind {
		case memberStep:
			name := at.names[0]
			f, v = v.member(a.side, name)
			n, s, of = m.member(n, name), s.member(name), s.field(name)
			trail = append(trail, hop{name, -1})
		case groupStep:
			return a.group(v, s, n, e, trail)
		case tailStep:
			if len(n.items) != at.index || e.value == nil || e.value.kind != '[' || v.list == nil {
				return false
			}
			tail, ok := a.known.fit(m, s, e.value)
			if ok {
				a.walk(trail).tail = m.look(tail).items
			}
			return ok
		default:
			index := a.item(v, s, n, at)
			if index < 0 {
				return false
			}
			f, of, n, s, v = nil, nil, n.items[index], s.item(), v.item()
			trail = append(trail, hop{"", index})
		}
	}
	last := e.path[len(e.path)-1].kind
	isFree := f.isFilled() || a.formerHolds(e, n) // any value may be there
	if !isFree && !a.holds(keyOf(f, a.side), of, e.was, n) {
		return false
	}
	value, ok := a.fit(s, e.value)
	if !ok || value == nil && last != memberStep {
		return false
	}
	a.walk(trail).set(a.completed(e, value, n))
	return true
}

// mayChange reports whether an entry is of a value that conversions change: of the metadata, only labels and annotations that are fields
// in some version.
func (a *applier) mayChange(e *entry) bool {
	if !slices.Contains(e.path[0].names, "metadata") {
		return true
	}
	if len(e.path) != 3 || slices.ContainsFunc(e.path, func(s step) bool { return s.kind != memberStep }) {
		return false
	}
	in, key := e.path[1].names[0], e.path[2].names[0]
	return slices.ContainsFunc(a.places, func(p Place) bool { return p.In == in && p.Key == key }) && (e.value == nil || isEntry(in, e.value))
}

// fit returns the value of a member as its type has it; nil for none, and false if it does not fit.
func (a *applier) fit(s *Schema, value *node) (*node, bool) {
	if value == nil {
		return nil, true
	}
	fit, ok := a.known.fit(a.m, s, value)
	if !ok && value.isNull() {
		return nil, true
	}
	return fit, ok
}

// isSoft reports whether a parent that an object lacks is made for a value.
func (a *applier) isSoft(f *field, s *Schema) bool {
	return f != nil && f.key[a.side].EmptyIsAbsent || a.known.isSoft(s)
}

// completed returns the value of an entry. One of the format before is only what older versions lack of an object.
func (a *applier) completed(e *entry, value, n *node) *node {
	if !a.former || e.was != nil || value == nil || value.kind != '{' || n == nil || n.kind != '{' {
		return value
	}
	for i, key := range a.m.look(value).keys {
		n = a.m.with(n, key, value.items[i])
	}
	return n
}

// formerHolds reports whether the guard of an entry of the format before holds in a way that those of this format do not: there is
// none, or it is the single value that became a list.
func (a *applier) formerHolds(e *entry, n *node) bool {
	switch {
	case !a.former:
		return false
	case e.was == nil:
		return true
	}
	return n != nil && n.kind == '[' && e.was.kind != '[' && len(a.m.look(n).items) == 1 && a.m.same(e.was, n.items[0], true)
}

// holds reports whether a value is the one that there was.
func (a *applier) holds(k *Key, s *Schema, was, n *node) bool {
	p := pure{m: a.m}
	if n == nil || was == nil {
		isAbsent := func(n *node) bool { return p.isAbsent(k, n) || a.known.isAbsent(a.m, s, n) }
		return isAbsent(n) && isAbsent(was)
	}
	return a.m.same(was, n, true)
}

// group notes what an entry of several members changes.
func (a *applier) group(v *value, s *Schema, n *node, e *entry, trail []hop) bool {
	names := e.path[len(e.path)-1].names
	if e.value == nil || e.value.kind != '{' || e.was == nil || e.was.kind != '{' {
		return false
	}
	values := make([]*node, len(names))
	for i, name := range names {
		f, _ := v.member(a.side, name)
		if !a.holds(keyOf(f, a.side), s.field(name), a.m.member(e.was, name), a.m.member(n, name)) {
			return false
		}
		var ok bool
		if values[i], ok = a.fit(s.member(name), a.m.member(e.value, name)); !ok {
			return false
		}
	}
	to := a.walk(trail)
	for i, name := range names {
		a.m.part(to, hop{name, -1}).set(values[i])
	}
	return true
}

// item returns the index of the item of a list that a step selects, or -1.
func (a *applier) item(v *value, of *Schema, n *node, s *step) int {
	known := a.index(v, of, n)
	switch s.kind {
	case indexStep:
		if s.length != len(n.items) || s.index >= len(n.items) || (v.set || len(v.keys[a.side]) > 0) && len(known) > 0 {
			return -1
		}
		return s.index
	case keyStep:
		if v.set || !slices.Equal(s.names, v.keys[a.side]) {
			return -1
		}
		elem := a.known.resolve(of.item())
		for i, name := range s.names {
			if s.values[i] != "" {
				s.values[i] = a.known.keyText(a.m, elem.member(name), a.m.of(s.values[i]))
			}
		}
	default:
		if !v.set {
			return -1
		}
		s.values[0] = canonical(s.values[0])
	}
	if i, ok := known[identity(s)]; ok {
		return i
	}
	return -1
}

// index returns the items of a list by what selects them; none if it is known by the index.
func (a *applier) index(v *value, of *Schema, n *node) map[string]int {
	if known, ok := a.lists[n]; ok {
		return known
	}
	known := map[string]int{}
	for i, s := range a.known.steps(a.m, v, of, a.side, n) {
		if s.kind != indexStep {
			known[identity(&s)] = i
		}
	}
	if a.lists == nil {
		a.lists = map[*node]map[string]int{}
	}
	a.lists[n] = known
	return known
}

func (a *applier) walk(trail []hop) *edit {
	if a.root == nil {
		a.root = a.m.edit(hop{})
	}
	e := a.root
	for _, h := range trail {
		e = a.m.part(e, h)
	}
	return e
}

func (e *edit) set(value *node) { e.isSet, e.value = true, value }

// part returns the edit of a part.
func (m *memory) part(e *edit, h hop) *edit {
	m.work += min(e.count, fewFields)
	if below := e.find(h); below != nil {
		return below
	}
	below := m.edit(h)
	if e.count++; e.last == nil {
		e.first = below
	} else {
		e.last.next = below
	}
	e.last = below
	if e.count > fewFields {
		if e.by == nil {
			e.by = map[hop]*edit{}
			for p := e.first; p != nil; p = p.next {
				e.by[p.hop] = p
			}
		}
		e.by[h] = below
	}
	return below
}

// find returns the edit of a part; nil if it does not change.
func (e *edit) find(h hop) *edit {
	if e == nil {
		return nil
	}
	if e.by != nil {
		return e.by[h]
	}
	for p := e.first; p != nil; p = p.next {
		if p.hop == h {
			return p
		}
	}
	return nil
}

// rebuild returns a value after its edit; nil for none.
func (a *applier) rebuild(n *node, e *edit) *node {
	if e.isSet {
		return e.value
	}
	if e.first == nil && len(e.tail) == 0 {
		return n
	}
	m := a.m
	if n == nil {
		n = orEmpty(nil)
	}
	if m.look(n); n.kind == '[' {
		items := append(append(m.room(len(n.items)+len(e.tail)), n.items...), e.tail...)
		for p := e.first; p != nil; p = p.next {
			if items[p.index] = a.rebuild(n.items[p.index], p); items[p.index] == nil {
				items[p.index] = null
			}
		}
		out := m.node('[', "")
		out.open, out.items = true, items
		return out
	}
	at, names := len(m.stack), len(m.names)
	defer func() { m.stack, m.names = m.stack[:at], m.names[:names] }()
	// The names are noted once they are those of no layout.
	l, isRemoved := n.layout, false
	if l == nil {
		m.names = append(m.names, n.keys...)
	}
	items := append(m.room(len(n.items)+e.count), n.items...)
	for p := e.first; p != nil; p = p.next {
		if i := m.index(n, p.name); i >= 0 {
			items[i] = a.rebuild(n.items[i], p)
			isRemoved = isRemoved || items[i] == nil
		} else if item := a.rebuild(nil, p); item != nil {
			items = append(items, item)
			longer := (*layout)(nil)
			if l != nil {
				if longer = m.longer(l, p.name); longer == nil {
					m.names = append(m.names, l.names...)
				}
			}
			if l = longer; l == nil {
				m.names = append(m.names, p.name)
			}
		}
	}
	if l != nil && !isRemoved {
		return m.object(l, items)
	}
	if l != nil {
		m.names = append(m.names, l.names...)
	}
	m.stack = append(m.stack, items...)
	m.compact(at, names)
	return m.build('{', m.names[names:], m.stack[at:])
}

// compact leaves out the members without values of the object that is being built.
func (m *memory) compact(at, names int) {
	to := 0
	for i, item := range m.stack[at:] {
		if item != nil {
			m.stack[at+to], m.names[names+to] = item, m.names[names+i]
			to++
		}
	}
	m.stack, m.names = m.stack[:at+to], m.names[:names+to]
}
