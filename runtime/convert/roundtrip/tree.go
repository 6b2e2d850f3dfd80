package roundtrip

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// node is a JSON value: an object, a list, or a scalar as it is spelled.
type node struct {
	// kind is '{', '[' or 's'.
	kind byte
	// text is a scalar.
	text string
	// keys are the keys of an object, as they are spelled, for its items.
	keys  []string
	items []*node
}

func scalar(text string) *node { return &node{kind: 's', text: text} }

func object() *node { return &node{kind: '{'} }

// add adds a member to an object.
func (n *node) add(key string, value *node) {
	n.keys, n.items = append(n.keys, spell(key)), append(n.items, value)
}

// get returns a member of an object, or nil.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i, k := range n.keys {
		if plain(k) == key {
			return n.items[i]
		}
	}
	return nil
}

// drop removes a member of an object.
func (n *node) drop(key string) {
	for i := range n.items {
		if n.kind == '{' && plain(n.keys[i]) == key {
			n.remove(i)
			return
		}
	}
}

func (n *node) remove(i int) {
	n.items = slices.Delete(n.items, i, i+1)
	if n.kind == '{' {
		n.keys = slices.Delete(n.keys, i, i+1)
	}
}

func (n *node) clone() *node {
	out := *n
	out.keys, out.items = slices.Clone(n.keys), slices.Clone(n.items)
	for i, item := range out.items {
		out.items[i] = item.clone()
	}
	return &out
}

// fork returns a copy of an object whose members on a path can be changed. All others are those of the object.
func (n *node) fork(path ...string) *node {
	out := *n
	out.keys, out.items = slices.Clone(n.keys), slices.Clone(n.items)
	if len(path) > 0 {
		for i, key := range out.keys {
			if plain(key) == path[0] {
				out.items[i] = out.items[i].fork(path[1:]...)
			}
		}
	}
	return &out
}

// equal reports whether two trees have the same JSON.
func (n *node) equal(other *node) bool {
	if n == nil || other == nil {
		return n == other
	}
	return n.kind == other.kind && n.text == other.text && slices.Equal(n.keys, other.keys) && slices.EqualFunc(n.items, other.items, (*node).equal)
}

// append appends the JSON of a tree, with space before each value.
func (n *node) append(out []byte, space string) []byte {
	if n.kind == 's' {
		return append(out, n.text...)
	}
	out = append(out, n.kind)
	for i, item := range n.items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, space...)
		if n.kind == '{' {
			out = append(append(append(out, n.keys[i]...), ':'), space...)
		}
		out = item.append(out, space)
	}
	return append(out, n.kind+2) // the closing bracket
}

func (n *node) String() string {
	if n == nil {
		return "nothing"
	}
	return string(n.append(nil, ""))
}

// spell returns a string as JSON.
func spell(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// plain returns the string that JSON spells.
func plain(text string) string {
	if len(text) > 1 && strings.IndexByte(text, '\\') < 0 {
		return text[1 : len(text)-1]
	}
	var s string
	_ = json.Unmarshal([]byte(text), &s)
	return s
}

// parse reads JSON.
func parse(text []byte) (*node, error) {
	if !json.Valid(text) {
		return nil, errors.New("the result is not JSON: " + string(text))
	}
	p := parser{text: string(text)}
	return p.value(), nil
}

// parser reads a text that is known to be JSON.
type parser struct {
	text string
	at   int
	// nodes has room for scalars and groups, and keys and items are those of the groups that are being read.
	nodes []node
	keys  []string
	items []*node
}

// node returns a new node.
func (p *parser) node(kind byte, text string) *node {
	if len(p.nodes) == cap(p.nodes) {
		p.nodes = make([]node, 0, min(64, 1+(len(p.text)-p.at)/16)) // nodes in use keep the block before
	}
	p.nodes = append(p.nodes, node{kind: kind, text: text})
	return &p.nodes[len(p.nodes)-1]
}

// next returns the next byte that is no white space.
func (p *parser) next() byte {
	for p.text[p.at] <= ' ' {
		p.at++
	}
	return p.text[p.at]
}

func (p *parser) value() *node {
	c := p.next()
	if c != '{' && c != '[' {
		return p.node('s', p.scalar(c))
	}
	n := p.node(c, "")
	keys, items := len(p.keys), len(p.items)
	for p.at++; p.next() != c+2; {
		if p.next() == ',' {
			p.at++
			p.next()
		}
		if c == '{' {
			p.keys = append(p.keys, p.scalar('"'))
			p.next()
			p.at++ // the colon
		}
		p.items = append(p.items, p.value())
	}
	p.at++
	n.keys, n.items = slices.Clone(p.keys[keys:]), slices.Clone(p.items[items:])
	p.keys, p.items = p.keys[:keys], p.items[:items]
	return n
}

func (p *parser) scalar(c byte) string {
	start := p.at
	if c != '"' {
		for p.at < len(p.text) && p.text[p.at] > ' ' && p.text[p.at] != ',' && p.text[p.at] != ']' && p.text[p.at] != '}' {
			p.at++
		}
		return p.text[start:p.at]
	}
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
	return p.text[start:p.at]
}

// canonical returns a text that trees of equal values share, however they are spelled.
func (n *node) canonical() string {
	if n == nil {
		return "nothing"
	}
	if n.kind != 's' {
		c := &node{kind: n.kind}
		for i, item := range n.items {
			if n.kind == '{' {
				c.keys = append(c.keys, spell(plain(n.keys[i])))
			}
			c.items = append(c.items, scalar(item.canonical()))
		}
		return c.String()
	}
	if n.text[0] == '"' {
		return spell(plain(n.text))
	}
	if number, err := strconv.ParseFloat(n.text, 64); err == nil {
		return strconv.FormatFloat(number+0, 'g', -1, 64) // no sign of zero
	}
	return n.text
}

// step is a value in its parent.
type step struct {
	parent *node
	i      int
}

// find returns the steps to the value at a path of package jsonconvert, such as $.spec.ports['a'][2].name; nil if there is none.
func (n *node) find(path string) []step {
	path, ok := strings.CutPrefix(path, "$")
	if !ok {
		return nil
	}
	var steps []step
	for path != "" {
		// Keys may have any characters, so the longest match counts.
		found, length := -1, 0
		for i := range n.items {
			element := index(i)
			if n.kind == '{' {
				key := n.keys[i][1 : len(n.keys[i])-1]
				if element = "." + key; path[0] == '[' {
					element = "['" + strings.ReplaceAll(strings.ReplaceAll(key, `\"`, `"`), "'", `\'`) + "']"
				}
			}
			if strings.HasPrefix(path, element) && len(element) > length {
				found, length = i, len(element)
			}
		}
		if found < 0 {
			return nil
		}
		steps = append(steps, step{n, found})
		n, path = n.items[found], path[length:]
	}
	return steps
}
