package wire

import (
	"bytes"
	"slices"
	"strconv"
	"sync"
)

// node is a JSON value that can be changed. Its members are read when they are needed, and
// what is not changed is printed as it came.
type node struct {
	text []byte
	// at is the index of the text in the object that was read.
	at      int
	parsed  bool
	changed bool
	// keys are the keys of an object as JSON. unquoted are their names if a key has escapes, else nil.
	keys     [][]byte
	unquoted []string
	// nodes are the values of an object, or the items of a list.
	nodes []*node
	// spans are the objects and lists in the text, the node first, if they are known; nil if not.
	spans []span
	// memory has the nodes below; nil for the heap.
	memory *memory
}

// memory has what one conversion makes before its output. It is reused for the next. The methods of a nil memory
// allocate on the heap.
type memory struct {
	nodes    []node
	spans    []span
	pointers []*node
	keys     [][]byte
	// text has JSON that is no part of the source, and paths has those of lost values.
	text  []byte
	paths []element
	// steps, with tests in them, and hops are those of the path of a tracked value that is restored.
	steps []element
	tests []keyValue
	hops  []hop
}

// memories have the memory of functions that convert a value apart from its object.
var memories = sync.Pool{New: func() any { return &memory{} }}

func newMemory() *memory { return memories.Get().(*memory) }

// release makes the memory available to other functions. It must not be used afterwards.
func (m *memory) release() {
	m.clear()
	memories.Put(m)
}

// clear makes all memory available.
func (m *memory) clear() {
	m.reset(memory{})
	m.unfollow(memory{})
	rewind(&m.paths, nil)
	if cap(m.spans) > 2*maxBlock {
		m.spans = nil
	}
	if m.text = m.text[:0]; cap(m.text) > 2*chunkSize {
		m.text = nil
	}
}

// reset makes the memory of nodes available that was taken since it was another; all without one. Nodes in it must
// not be used afterwards.
func (m *memory) reset(since memory) {
	if m != nil {
		rewind(&m.nodes, since.nodes)
		rewind(&m.spans, since.spans)
		rewind(&m.pointers, since.pointers)
		rewind(&m.keys, since.keys)
	}
}

// unfollow is reset for paths of tracked values that are restored.
func (m *memory) unfollow(since memory) {
	if m != nil {
		rewind(&m.steps, since.steps)
		rewind(&m.tests, since.tests)
		rewind(&m.hops, since.hops)
	}
}

// node returns the node of a valid text. at is its index in the source, -1 if it is no part of it.
func (m *memory) node(text []byte, at int) *node {
	if m == nil {
		return newNode(text, at)
	}
	n := &take(&m.nodes, 1, true)[0]
	n.text, n.at, n.memory = text, at, m
	return n
}

// object returns an object without members.
func (m *memory) object() *node { return m.node(noMembers, -1) }

// copy returns a copy of a text.
func (m *memory) copy(text []byte) []byte {
	return append(m.room(len(text)), text...)
}

// room returns an empty text with a capacity.
func (m *memory) room(n int) []byte {
	if m == nil {
		return make([]byte, 0, n)
	}
	if cap(m.text)-len(m.text) < n {
		m.text = make([]byte, 0, max(n, min(2*cap(m.text), 2*chunkSize), 16*minBlock))
	}
	start := len(m.text)
	m.text = m.text[:start+n]
	return m.text[start : start : start+n]
}

// print returns the JSON of a node.
func (m *memory) print(n *node) []byte {
	if m == nil {
		return n.append(nil)
	}
	if !n.dirty() {
		return n.text
	}
	start := len(m.text)
	m.text = n.append(m.text)
	return m.text[start:len(m.text):len(m.text)]
}

// quote returns a string as JSON.
func (m *memory) quote(s string) []byte {
	if m == nil || !isPlainText(s) {
		return quoteText(s)
	}
	return append(append(append(m.room(len(s)+2), '"'), s...), '"')
}

// path returns an empty path of a lost value.
func (m *memory) path() []element {
	if m == nil {
		return make([]element, 0, usualDepth)
	}
	return take(&m.paths, usualDepth, true)[:0]
}

// now returns the state to reset memory to.
func (m *memory) now() memory {
	if m == nil {
		return memory{}
	}
	return *m
}

// rewind removes the values that were taken since all was another.
func rewind[T any](all *[]T, since []T) {
	begin := 0 // of a later block
	if cap(since) > 0 && &since[:1][0] == &(*all)[:1][0] {
		begin = len(since)
	}
	clear((*all)[begin:])
	*all = (*all)[:begin]
}

// Memory is extended by at least minBlock values at once, and at most maxBlock of them are reused.
const minBlock, maxBlock = 64, 8192

// take returns the next n values, with room for a few more. Without reuse it takes no others.
func take[T any](all *[]T, n int, reuse bool) []T {
	const spare = 2
	begin, end := len(*all), len(*all)+n+spare
	if end > cap(*all) {
		size := n + spare
		if reuse {
			size = max(size, minBlock, min(2*cap(*all), maxBlock))
		}
		*all, begin, end = make([]T, 0, size), 0, n+spare
	}
	*all = (*all)[:end]
	return (*all)[begin : begin+n : end]
}

// newNode returns the node of a valid text.
func newNode(text []byte, at int) *node { return &node{text: text, at: at} }

// newObject returns an object without members.
func newObject() *node { return newNode(noMembers, -1) }

var noMembers = []byte("{}")

// is reports whether the node is an object ('{') or a list ('[').
func (n *node) is(bracket byte) bool { return n != nil && len(n.text) > 0 && n.text[0] == bracket }

// parse reads the members, or the items.
func (n *node) parse() {
	if n.parsed {
		return
	}
	n.parsed = true
	if n.spans == nil && len(n.text) >= minIndexed {
		n.spans = n.memory.index(n.text)
	}
	var buffer [16]member
	members := n.members(buffer[:0])
	if len(members) == 0 {
		return
	}
	m := n.memory
	if m == nil {
		m = &memory{}
	}
	reuse := n.memory != nil
	nodes := take(&m.nodes, len(members), reuse)
	n.nodes = take(&m.pointers, len(members), reuse)
	below := n.below()
	for i := range members {
		m := &members[i]
		nodes[i].text, nodes[i].at, nodes[i].memory = n.text[m.value:m.end], n.at+m.value, n.memory
		if below != nil && isGroup(n.text[m.value]) {
			nodes[i].spans, below = below[:below[0].count], below[below[0].count:]
		}
		n.nodes[i] = &nodes[i]
	}
	if n.is('{') {
		n.keys = take(&m.keys, len(members), reuse)
		plain := true
		for i := range members {
			n.keys[i] = n.text[members[i].key:members[i].keyEnd]
			plain = plain && members[i].plain
		}
		if !plain {
			n.unquote()
		}
	}
}

// below returns the spans in the node, without its own; nil if they are unknown.
func (n *node) below() []span {
	if n.spans == nil {
		return nil
	}
	return n.spans[1:]
}

// unquote sets the names.
func (n *node) unquote() {
	n.unquoted = make([]string, len(n.keys))
	for i, key := range n.keys {
		n.unquoted[i] = text(key)
	}
}

// name returns the key of a member, without quotes.
func (n *node) name(i int) string {
	if n.unquoted != nil {
		return n.unquoted[i]
	}
	return string(n.keys[i][1 : len(n.keys[i])-1])
}

// members appends the members of an object, or the items of a list.
func (n *node) members(members []member) []member {
	if !n.is('{') && !n.is('[') {
		return members
	}
	var m member
	below := n.below()
	for o := open(0); ; o.at = m.end {
		var more bool
		var err error
		if n.text[0] == '{' {
			more, err = o.member(n.text, &m)
		} else {
			more, err = o.item(n.text)
			m.value = o.at
		}
		switch {
		case err != nil || !more:
			return members
		case below != nil && isGroup(n.text[m.value]):
			m.end, below = m.value+below[0].size, below[below[0].count:]
		default:
			if m.end, err = skip(n.text, m.value, 0); err != nil {
				return members
			}
		}
		members = append(members, m)
	}
}

// items returns the items of a list.
func (n *node) items() []*node {
	if !n.is('[') {
		return nil
	}
	n.parse()
	return n.nodes
}

// get returns a member of an object, or nil. Of repeated keys the last counts, as in
// encoding/json.
func (n *node) get(name string) *node {
	if i := n.index(name); i >= 0 {
		return n.nodes[i]
	}
	return nil
}

func (n *node) index(name string) int {
	if !n.is('{') {
		return -1
	}
	n.parse()
	for i, key := range slices.Backward(n.keys) {
		if n.unquoted != nil && n.unquoted[i] == name || n.unquoted == nil && string(key[1:len(key)-1]) == name {
			return i
		}
	}
	return -1
}

// counterpart returns the value of another tree that is at the path of the value at an index of the text
// in this tree; nil if there is none.
func (n *node) counterpart(at int, other *node) *node {
	for other != nil && n.at != at {
		n.parse()
		i := len(n.nodes) - 1
		for i >= 0 && n.nodes[i].at > at {
			i--
		}
		switch {
		case i < 0:
			return nil
		case n.is('{'):
			other = other.get(n.name(i))
		case i < len(other.items()):
			other = other.items()[i]
		default:
			return nil
		}
		n = n.nodes[i]
	}
	return other
}

// set sets a member of an object.
func (n *node) set(name string, value *node) {
	n.changed = true
	if i := n.index(name); i >= 0 {
		n.nodes[i] = value
		return
	}
	key := n.memory.quote(name)
	if m := n.memory; m != nil && n.keys == nil {
		n.keys, n.nodes = take(&m.keys, 2, true)[:0], take(&m.pointers, 2, true)[:0]
	}
	n.keys, n.nodes = append(n.keys, key), append(n.nodes, value)
	if n.unquoted != nil || bytes.IndexByte(key, '\\') >= 0 {
		n.unquote()
	}
}

// complete adds the members of another value, such as the zero values that Go writes, which a value lacks or has as null.
func (n *node) complete(with *node) {
	with.parse()
	switch {
	case n.is('{') && with.is('{'):
		for i, value := range with.nodes {
			if below := n.get(with.name(i)); below == nil || present(below.text) == nil {
				n.set(with.name(i), value)
			} else {
				below.complete(value)
			}
		}
	case n.is('[') && with.is('['):
		for i, below := range n.items() {
			if i < len(with.nodes) {
				below.complete(with.nodes[i])
			}
		}
	}
}

// remove removes a member of an object.
func (n *node) remove(name string) {
	for i := n.index(name); i >= 0; i = n.index(name) {
		n.changed = true
		n.keys, n.nodes = slices.Delete(n.keys, i, i+1), slices.Delete(n.nodes, i, i+1)
		if n.unquoted != nil {
			n.unquoted = slices.Delete(n.unquoted, i, i+1)
		}
	}
}

// empty reports whether an object has no members.
func (n *node) empty() bool {
	n.parse()
	return n.is('{') && len(n.nodes) == 0
}

// only reports whether an object has one member, of a name.
func (n *node) only(name string) bool {
	n.parse()
	return n.is('{') && len(n.nodes) == 1 && n.name(0) == name
}

// dirty reports whether the node's text is not its JSON.
func (n *node) dirty() bool {
	if n.changed {
		return true
	}
	for _, below := range n.nodes {
		if below.dirty() {
			return true
		}
	}
	return false
}

// append appends the JSON of the node.
func (n *node) append(dst []byte) []byte {
	if !n.dirty() {
		return append(dst, n.text...)
	}
	dst = append(dst, n.text[0])
	for i, below := range n.nodes {
		if i > 0 {
			dst = append(dst, ',')
		}
		if n.is('{') {
			dst = append(append(dst, n.keys[i]...), ':')
		}
		dst = below.append(dst)
	}
	return append(dst, n.text[0]+2) // '{' and '}', '[' and ']'
}

// same reports whether two values are equal: by meaning, not by spelling. A value that is
// null equals an absent one, which is nil.
func same(a, b []byte) bool { return equal(a, b, likeness{}) }

// comesBack reports whether what is filled in is a value, in which numbers have the same spelling. In JSON, a member that is
// null is not an absent one: another version may have a value for null.
func comesBack(value, filled []byte, isGo bool) bool {
	return equal(value, filled, likeness{spelling: true, presence: !isGo})
}

// likeness is what equal compares beyond the meaning: the spelling of numbers, and the presence of members that are null.
type likeness struct{ spelling, presence bool }

// equal compares values.
func equal(a, b []byte, like likeness) bool {
	a, b = present(a), present(b)
	switch {
	case bytes.Equal(a, b):
		return true
	case a == nil || b == nil:
		return false
	case a[0] == '"' && b[0] == '"':
		return text(a) == text(b)
	case a[0] == '{' && b[0] == '{':
		x, y := newNode(a, 0), newNode(b, 0)
		return within(x, y, like) && within(y, x, like)
	case a[0] == '[' && b[0] == '[':
		x, y := newNode(a, 0).items(), newNode(b, 0).items()
		for i := range x {
			if len(x) != len(y) || !equal(x[i].text, y[i].text, like) {
				return false
			}
		}
		return len(x) == len(y)
	}
	return !like.spelling && sameNumber(string(a), string(b))
}

// within reports whether all members of an object are in another.
func within(a, b *node, like likeness) bool {
	a.parse()
	for i, below := range a.nodes {
		var other []byte
		if n := b.get(a.name(i)); n != nil {
			other = n.text
		}
		if like.presence && other == nil || !equal(below.text, other, like) {
			return false
		}
	}
	return true
}

// present returns a value without white space, nil if it is null.
func present(a []byte) []byte {
	if a = bytes.TrimSpace(a); len(a) == 0 || a[0] == 'n' {
		return nil
	}
	return a
}

// text returns a string without its quotes.
func text(a []byte) string {
	if bytes.IndexByte(a, '\\') < 0 {
		return string(a[1 : len(a)-1])
	}
	s, err := unquote(a)
	if err != nil {
		return string(a)
	}
	return s
}

// inner returns a string without its quotes, as it is in the JSON if that has no escapes.
func inner(a []byte) []byte {
	if bytes.IndexByte(a, '\\') < 0 {
		return a[1 : len(a)-1]
	}
	return []byte(text(a))
}

// sameNumber compares numbers. Integers that int64 does not hold are equal if their text is.
func sameNumber(a, b string) bool {
	if x, err := strconv.ParseInt(a, 10, 64); err == nil {
		if y, err := strconv.ParseInt(b, 10, 64); err == nil {
			return x == y
		}
	}
	if !bytes.ContainsAny([]byte(a), ".eE") && !bytes.ContainsAny([]byte(b), ".eE") {
		return false
	}
	x, xErr := strconv.ParseFloat(a, 64)
	y, yErr := strconv.ParseFloat(b, 64)
	return xErr == nil && yErr == nil && x == y
}
