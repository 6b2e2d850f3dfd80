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

// only returns an object with one member of the object, if it has that.
func (n *node) only(key string) *node {
	out := object()
	if member := n.get(key); member != nil {
		out.add(key, member)
	}
	return out
}

// prune removes the member at a path, and the objects on the way that have no other; with
// empty, also those that had none before, and those with null alone.
func (n *node) prune(path []string, empty bool) {
	for i, key := range n.keys {
		if plain(key) != path[0] {
			continue
		}
		below := n.items[i]
		if len(path) > 1 {
			before := len(below.items)
			below.prune(path[1:], empty)
			holds := func(item *node) bool { return !empty || !item.nothing() }
			if below.kind != '{' && (!empty || !below.nothing()) || slices.ContainsFunc(below.items, holds) || before == 0 && !empty {
				return
			}
		}
		n.remove(i)
		return
	}
}

// first returns a list with the first item of the list; other values as they are.
func (n *node) first() *node {
	if n == nil || n.kind != '[' || len(n.items) < 2 {
		return n
	}
	return &node{kind: '[', items: n.items[:1]}
}

// nothing reports whether a value is null, or an object with nothing else.
func (n *node) nothing() bool {
	return n.text == "null" || n.kind == '{' && !slices.ContainsFunc(n.items, func(item *node) bool { return !item.nothing() })
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

func (n *node) String() string { return string(n.append(nil, "")) }

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
}

// next returns the next byte that is no white space.
func (p *parser) next() byte {
	for strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.text[p.at]
}

func (p *parser) value() *node {
	c := p.next()
	if c != '{' && c != '[' {
		return scalar(p.scalar(c))
	}
	n := &node{kind: c}
	for p.at++; p.next() != c+2; {
		if p.next() == ',' {
			p.at++
			p.next()
		}
		if c == '{' {
			n.keys = append(n.keys, p.scalar('"'))
			p.next()
			p.at++ // the colon
		}
		n.items = append(n.items, p.value())
	}
	p.at++
	return n
}

func (p *parser) scalar(c byte) string {
	start := p.at
	if c != '"' {
		for p.at < len(p.text) && strings.IndexByte(",]} \t\r\n", p.text[p.at]) < 0 {
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

// same reports whether two scalars have the same value.
func same(a, b string) bool {
	if a == b {
		return true
	}
	if a[0] == '"' && b[0] == '"' {
		return plain(a) == plain(b)
	}
	x, xErr := strconv.ParseFloat(a, 64)
	y, yErr := strconv.ParseFloat(b, 64)
	return xErr == nil && yErr == nil && x == y
}

// canonical returns a text that trees of equal values share, however they are spelled.
func (n *node) canonical() string {
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

// find returns the steps to the value at a path of package wire, such as
// $.spec.ports["a"][2].name; nil if there is none.
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
				if element = "." + n.keys[i][1:len(n.keys[i])-1]; path[0] == '[' {
					element = "[" + n.keys[i] + "]"
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
