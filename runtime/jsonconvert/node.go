package jsonconvert

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// node is an immutable JSON value, parsed when somebody looks inside. Conversions share what they do not touch, so that
// differences are found by comparing pointers.
type node struct {
	// kind is the bracket of an object or a list, and s for a scalar.
	kind byte
	// open means that keys and items are known.
	open bool
	// raw is the text; "" if the node was made.
	raw string
	// keys are as in the text, without quotes.
	keys  []string
	items []*node
	// layout has the keys of an object, if they are kept.
	layout *layout
}

// memory has the nodes of a conversion. It is reused for the next, so nothing that outlives a conversion may refer to it.
type memory struct {
	nodes []node
	keys  []string
	kids  []*node
	// stack and names have what is being built.
	stack []*node
	names []string
	text  []byte
	// paths has the steps of paths, and scratch is text that is copied at once.
	paths   []step
	scratch []byte
	// marks are those of a step, edits what is restored in it, entries what was stored, and found what is found to be stored.
	marks          []mark
	edits          []edit
	entries, found []entry
	// trail is the path to what is looked at, and known are paths that were read before.
	trail []step
	known map[string][]step
	// layouts are those of each type, by the numbers of their shapes.
	layouts []layouts
	// tracked is that of the object that is being converted, and looker looks back at it.
	tracked tracked
	looker  looker
	// each is called with the object in each version on the way to another, whose text is in out; nil calls nothing.
	each func(version int, object *node)
	out  []byte
	// objects has the members of large objects.
	objects map[*node]map[string]int
	// work counts what hostile objects could make large, for tests.
	work int
}

// The least numbers of nodes and of members that a memory has room for.
const (
	minNodes   = 64
	minMembers = 128
	// maxText is the number of bytes of text that are kept for the next conversion.
	maxText = 1 << 20
)

func (m *memory) reset() {
	m.nodes, m.keys, m.kids, m.stack, m.names, m.paths = m.nodes[:0], m.keys[:0], m.kids[:0], m.stack[:0], m.names[:0], m.paths[:0]
	m.edits, m.objects = m.edits[:0], nil
	if m.text = m.text[:0]; cap(m.text) > maxText {
		m.text = nil
	}
}

func (m *memory) node(kind byte, raw string) *node {
	if len(m.nodes) == cap(m.nodes) {
		m.nodes = make([]node, 0, max(minNodes, 2*cap(m.nodes))) // nodes in use keep the block before
	}
	m.nodes = append(m.nodes, node{kind: kind, raw: raw})
	return &m.nodes[len(m.nodes)-1]
}

// build returns a new object or list with copies of the keys and the items.
func (m *memory) build(kind byte, keys []string, items []*node) *node {
	n := m.node(kind, "")
	m.fill(n, keys, items)
	return n
}

// object returns an object of a layout, which takes the items.
func (m *memory) object(l *layout, items []*node) *node {
	n := m.node('{', "")
	n.take(l, items)
	return n
}

func (n *node) take(l *layout, items []*node) {
	n.open, n.layout, n.keys, n.items = true, l, l.names, items
}

// list returns a copy of nodes.
func (m *memory) list(items []*node) []*node { return append(m.room(len(items)), items...) }

// room returns an empty list that has room for nodes.
func (m *memory) room(count int) []*node {
	if len(m.kids)+count > cap(m.kids) {
		m.kids = make([]*node, 0, max(minMembers, 2*cap(m.kids), count))
	}
	at := len(m.kids)
	m.kids = m.kids[:at+count]
	return m.kids[at:at:len(m.kids)]
}

func (m *memory) fill(n *node, keys []string, items []*node) {
	n.open, n.items = true, m.list(items)
	if n.kind != '{' {
		return
	}
	if len(m.keys)+len(keys) > cap(m.keys) {
		m.keys = make([]string, 0, max(minMembers, 2*cap(m.keys), len(keys)))
	}
	at := len(m.keys)
	m.keys = append(m.keys, keys...)
	n.keys = m.keys[at:len(m.keys):len(m.keys)]
}

// of returns the node of a valid text without space around it.
func (m *memory) of(raw string) *node {
	if raw[0] == '{' || raw[0] == '[' {
		return m.node(raw[0], raw)
	}
	return m.node('s', raw)
}

// constant returns the node of a valid text, with all that is in it: conversions share it, so none may change it.
func constant(raw string) *node {
	m := &memory{}
	n := m.of(raw)
	m.lookAll(n)
	return n
}

func (m *memory) lookAll(n *node) {
	for _, item := range m.look(n).items {
		m.lookAll(item)
	}
}

var null = &node{kind: 's', raw: "null"}

// parse returns the node of a text, which it checks.
func (m *memory) parse(text string) (*node, error) {
	b := bytesOf(text)
	i := space(b, 0)
	end, err := skip(b, i, 0)
	if err != nil {
		return nil, err
	}
	if space(b, end) < len(b) {
		return nil, errSyntax
	}
	return m.of(text[i:end]), nil
}

// bytesOf returns the bytes of a string, which must not be changed.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// stringOf returns bytes that do not change as a string.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// shape is which members and items conversions look at: they are parsed in the same pass. Types may contain themselves.
type shape struct {
	// id is the number of the type; 0 for values that are of none.
	id      int
	members map[string]*shape
	items   *shape
	// kinds is set for an object whose member kind, a key of it, decides what else it has.
	kinds map[string]*shape
}

// after returns the shape of an object after one more member, whose name is the last one.
func (of *shape) after(names []string, item *node) *shape {
	if of.kinds == nil {
		return of
	}
	if names[len(names)-1] == "kind" && item.isString() {
		if kind := of.kinds[item.raw[1:len(item.raw)-1]]; kind != nil {
			return kind
		}
	}
	return of
}

// at parses the value that a text has at an index, and returns the index behind it.
func (m *memory) at(s string, i int, of *shape, depth int) (*node, int, error) {
	b := bytesOf(s)
	if i >= len(b) {
		return nil, 0, errEnd
	}
	if of == nil || b[i] != '{' && b[i] != '[' {
		return m.unopened(s, i, depth)
	}
	if depth > maxDepth {
		return nil, 0, errDepth
	}
	n := m.node(s[i], "")
	start, at, names := i, len(m.stack), len(m.names)
	defer func() { m.stack, m.names = m.stack[:at], m.names[:names] }()
	var guess *layout
	if n.kind == '{' && of.id > 0 {
		guess = m.layoutsOf(of).last
	}
	g := group{at: i + 1}
	for {
		more, err := g.next(b, n.kind+2)
		if err != nil {
			return nil, 0, err
		}
		if !more {
			break
		}
		below, value := of.items, 0
		if guess != nil {
			member := len(m.stack) - at
			if value = guess.key(s, g.at, member); value > 0 {
				below = guess.below[member]
			} else { // the keys so far are the same
				m.names, guess = append(m.names, guess.names[:member]...), nil
			}
		}
		switch {
		case value > 0:
		case n.kind == '{':
			var key string
			if key, value, err = memberKey(s, g.at); err != nil {
				return nil, 0, err
			}
			m.names = append(m.names, key)
			below = of.below(key)
		default:
			value = g.at
		}
		item, end, err := m.at(s, value, below, depth+1)
		if err != nil {
			return nil, 0, err
		}
		of = of.after(m.names, item)
		m.stack = append(m.stack, item)
		g.at = end
	}
	n.raw = s[start:g.at]
	if guess != nil && len(m.stack)-at == len(guess.names) {
		n.take(guess, m.list(m.stack[at:]))
		return n, g.at, nil
	}
	if guess != nil {
		m.names = append(m.names, guess.names[:len(m.stack)-at]...)
	}
	m.fill(n, m.names[names:], m.stack[at:])
	if n.kind == '{' && of.id > 0 {
		if n.layout = m.layoutOf(of, n.keys); n.layout != nil {
			m.layoutsOf(of).last = n.layout
		}
	}
	return n, g.at, nil
}

// unopened is at for a value that nobody looks into.
func (m *memory) unopened(s string, i, depth int) (*node, int, error) {
	b := bytesOf(s)
	if b[i] == '"' {
		end, _, err := str(b, i)
		if err != nil {
			return nil, 0, err
		}
		return m.node('s', s[i:end]), end, nil
	}
	end, err := skip(b, i, depth)
	if err != nil {
		return nil, 0, err
	}
	return m.of(s[i:end]), end, nil
}

// memberKey returns the key that a text has at an index, and the index of its value.
func memberKey(s string, i int) (string, int, error) {
	end, plain, value, err := key(bytesOf(s), i)
	if err != nil {
		return "", 0, err
	}
	name := s[i+1 : end-1]
	if !plain {
		name = plainKey(name)
	}
	return name, value, nil
}

// plainKey returns a key with escapes in the spelling of this package. A key that is no text keeps its own.
func plainKey(key string) string {
	s, ok := unquote(`"` + key + `"`)
	if !ok || strings.ContainsRune(s, utf8.RuneError) {
		return key
	}
	q := appendQuoted(nil, s)
	return string(q[1 : len(q)-1])
}

// look parses the members or the items of a node, one level deep.
func (m *memory) look(n *node) *node {
	if n == nil || n.open || n.kind == 's' {
		return n
	}
	at, names := len(m.stack), len(m.names)
	b := bytesOf(n.raw)
	for g := (group{at: 1}); ; {
		more, err := g.next(b, n.kind+2)
		if err != nil || !more {
			break // the text is valid
		}
		value := g.at
		if n.kind == '{' {
			key, v, err := memberKey(n.raw, g.at)
			if err != nil {
				break
			}
			m.names = append(m.names, key)
			value = v
		}
		end := end(b, value)
		m.stack = append(m.stack, m.of(n.raw[value:end]))
		g.at = end
	}
	m.fill(n, m.names[names:], m.stack[at:])
	m.stack, m.names = m.stack[:at], m.names[:names]
	return n
}

// write appends the JSON of a node.
func (n *node) write(b []byte) []byte {
	if n.raw != "" {
		return append(b, n.raw...)
	}
	b = append(b, n.kind)
	for i, item := range n.items {
		if i > 0 {
			b = append(b, ',')
		}
		switch {
		case n.layout != nil:
			b = append(b, n.layout.quoted[i]...)
		case n.kind == '{':
			b = append(append(append(b, '"'), n.keys[i]...), '"', ':')
		}
		b = item.write(b)
	}
	return append(b, n.kind+2)
}

// json returns the JSON of a node, which is valid as long as the memory.
func (m *memory) json(n *node) string {
	if n.raw != "" {
		return n.raw
	}
	at := len(m.text)
	m.text = n.write(m.text)
	return stringOf(m.text[at:len(m.text):len(m.text)])
}

// shortText is the length of texts that are copied for functions, and of their results for which there is room.
const shortText = 64

// argument returns the JSON of a node for a function. Behind a short one there is room for the result, so that functions of scalars
// allocate nothing for it: copy then finds the result where it puts it.
func (m *memory) argument(n *node) []byte {
	text := m.json(n)
	if len(text) > shortText {
		return bytesOf(text)
	}
	at := len(m.text)
	m.text = append(slices.Grow(m.text, 2*shortText), text...)
	return m.text[at : len(m.text) : len(m.text)+shortText]
}

// copy returns a copy of a text that is valid as long as the memory.
func (m *memory) copy(b []byte) string {
	at := len(m.text)
	m.text = append(m.text, b...)
	return stringOf(m.text[at:len(m.text):len(m.text)])
}

// path returns a copy of a path.
func (m *memory) path(path []step) []step {
	if len(m.paths)+len(path) > cap(m.paths) {
		m.paths = make([]step, 0, max(minNodes, 2*cap(m.paths), len(path)))
	}
	at := len(m.paths)
	m.paths = append(m.paths, path...)
	return m.paths[at:len(m.paths):len(m.paths)]
}

// one returns a list of one text.
func (m *memory) one(text string) []string {
	if len(m.keys) == cap(m.keys) {
		m.keys = make([]string, 0, max(minMembers, 2*cap(m.keys)))
	}
	m.keys = append(m.keys, text)
	return m.keys[len(m.keys)-1 : len(m.keys) : len(m.keys)]
}

// unquote returns the text of a string, which is valid as long as the memory.
func (m *memory) unquote(n *node) (string, bool) {
	if !n.isString() {
		return "", false
	}
	raw := n.raw[1 : len(n.raw)-1]
	i := strings.IndexByte(raw, '\\')
	if i < 0 {
		return n.string()
	}
	at := len(m.text)
	b := slices.Grow(m.text, len(raw))[:at+len(raw)]
	to := at + copy(b[at:], raw[:i])
	for ; i < len(raw); i++ {
		for ; i+8 <= len(raw); i += 8 { // what does not count is overwritten
			w := binary.LittleEndian.Uint64(bytesOf(raw[i:]))
			binary.LittleEndian.PutUint64(b[to:], w)
			slash := w ^ ones*'\\'
			if stop := (slash - ones) &^ slash & highs; stop != 0 {
				n := bits.TrailingZeros64(stop) / 8
				i, to = i+n, to+n
				break
			}
			to += 8
		}
		if i == len(raw) {
			break
		}
		c := raw[i]
		if c == '\\' {
			i++
			if c = raw[i]; c != '"' && c != '\\' && c != '/' { // nothing that this package writes
				return n.string()
			}
		}
		b[to] = c
		to++
	}
	m.text = b[:to]
	return stringOf(m.text[at:to:to]), true
}

// has returns the index of a key; -1 if there is none. Of repeated keys the last counts, as in encoding/json.
func (m *memory) has(n *node, key string) int {
	if n == nil || n.kind != '{' {
		return -1
	}
	m.look(n)
	m.work += len(n.keys)
	for i := len(n.keys) - 1; i >= 0; i-- {
		if n.keys[i] == key {
			return i
		}
	}
	return -1
}

// members returns the keys of an object; none for another value.
func (m *memory) members(n *node) []string {
	if n == nil || n.kind != '{' {
		return nil
	}
	m.work += len(m.look(n).keys)
	return n.keys
}

// manyMembers is the number of members from which objects are indexed. Anyone who can write an object can store an entry for each
// member of a large map.
const manyMembers = 64

// member is get for those who look at many members of an object.
func (m *memory) member(n *node, name string) *node {
	if i := m.index(n, name); i >= 0 {
		return n.items[i]
	}
	return nil
}

// near is member for those who know the index that the member is likely to have.
func (m *memory) near(n *node, name string, index int) *node {
	if n != nil && n.layout != nil && n.layout.isUnique && index >= 0 && index < len(n.keys) && n.keys[index] == name {
		return n.items[index]
	}
	return m.member(n, name)
}

// index is has for those who look at many members of an object.
func (m *memory) index(n *node, name string) int {
	if n != nil && n.layout != nil && n.layout.lacks(name) {
		return -1
	}
	if n == nil || n.kind != '{' || len(m.look(n).keys) < manyMembers {
		return m.has(n, name)
	}
	known := m.objects[n]
	if known == nil {
		known = make(map[string]int, len(n.keys))
		for i, key := range n.keys {
			known[key] = i
		}
		if m.objects == nil {
			m.objects = map[*node]map[string]int{}
		}
		m.work += len(n.keys)
		m.objects[n] = known
	}
	if i, ok := known[name]; ok {
		return i
	}
	return -1
}

// get returns the value at a path, or nil.
func (m *memory) get(n *node, path ...string) *node {
	for _, key := range path {
		i := m.has(n, key)
		if i < 0 {
			return nil
		}
		n = n.items[i]
	}
	return n
}

// with returns a copy of an object with a member set, or without it.
func (m *memory) with(n *node, key string, value *node) *node {
	i := m.has(n, key)
	at, names := len(m.stack), len(m.names)
	defer func() { m.stack, m.names = m.stack[:at], m.names[:names] }()
	switch {
	case i < 0 && value == nil:
		return n
	case i < 0:
		m.names, m.stack = append(append(m.names, n.keys...), key), append(append(m.stack, n.items...), value)
	case value != nil:
		if n.layout == nil {
			n = m.build('{', n.keys, n.items)
		} else {
			n = m.object(n.layout, m.list(n.items))
		}
		n.items[i] = value
		return n
	default:
		for j, k := range n.keys {
			if k != key {
				m.names, m.stack = append(m.names, k), append(m.stack, n.items[j])
			}
		}
	}
	return m.build('{', m.names[names:], m.stack[at:])
}

// put returns a copy of a value with another at a path, whose parents it creates. Without a value there it removes it.
func (m *memory) put(n *node, value *node, path ...string) *node {
	if len(path) == 0 {
		return value
	}
	if n == nil || n.kind != '{' {
		if value == nil {
			return n
		}
		n = m.build('{', nil, nil)
	}
	below := m.get(n, path[0])
	if value == nil && below == nil {
		return n
	}
	return m.with(n, path[0], m.put(below, value, path[1:]...))
}

func (n *node) isNull() bool { return n == nil || n.kind == 's' && n.raw[0] == 'n' }

func (n *node) isString() bool { return n != nil && n.kind == 's' && n.raw[0] == '"' }
