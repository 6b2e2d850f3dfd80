package manifest

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Node is a value of a document with its position in the source. Its fields and items correspond to
// those of Document.Value.
type Node struct {
	// span is the text of a scalar or of a collection in brackets, else the first line of a block.
	// It is empty for a value without text.
	span source.Span
	// key is the key of the value; items and documents have none.
	key source.Span
	// via is the alias that refers to the value.
	via source.Span

	scalar bool
	// opaque is set if the positions of fields and items are not known.
	opaque     bool
	names      []string // of fields, in order of the source
	fields     map[string]*Node
	items      []*Node
	duplicates []Duplicate
	// target has the fields and items of an alias.
	target *Node
}

// Duplicate is a duplicate key of a mapping.
type Duplicate struct {
	// Path is the path of the field from the root of the walk.
	Path string
	// Key is the duplicate key, First the previous one.
	Key, First source.Span
}

// Place is the position of a field path in the source.
type Place struct {
	// Span is the text to underline.
	Span source.Span
	// Found is set if the source has the value. Otherwise the field is missing or comes from a
	// default, and the position is that of the innermost enclosing value.
	Found bool
	// Anchor is the text of the anchor if the value is in an alias.
	Anchor source.Span
}

// content returns the node with the fields and items.
func (n *Node) content() *Node {
	for n.target != nil {
		n = n.target
	}
	return n
}

// place returns the text to underline: a scalar's text, or a collection's key, since its text can
// be long.
func (n *Node) place() source.Span {
	switch {
	case !n.via.IsZero():
		return n.via
	case n.key.IsZero(), n.scalar && n.span.End > n.span.Start:
		return n.span
	}
	return n.key
}

// Opaque reports whether the positions inside the value are not known, as for some unusual YAML.
func (n *Node) Opaque() bool { return n.content().opaque }

// Key returns the position of the value's key, or of the value if it has none.
func (n *Node) Key() source.Span {
	if n.key.IsZero() {
		return n.place()
	}
	return n.key
}

// Field returns a field of an object, nil if there is none.
func (n *Node) Field(name string) *Node {
	if n == nil {
		return nil
	}
	return n.content().fields[name]
}

// Item returns an item of a list, nil if there is none.
func (n *Node) Item(i int) *Node {
	if n == nil {
		return nil
	}
	if items := n.content().items; i >= 0 && i < len(items) {
		return items[i]
	}
	return nil
}

// Len returns how many items a list has.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	return len(n.content().items)
}

// Names returns the names of an object's fields, in order of the source.
func (n *Node) Names() []string {
	if n == nil {
		return nil
	}
	return n.content().names
}

// Place returns the position of the value.
func (n *Node) Place() Place {
	if n == nil {
		return Place{}
	}
	p := Place{Span: n.place(), Found: true}
	if !n.via.IsZero() {
		p.Anchor = n.content().span
	}
	return p
}

// Locate returns the position of a field path of a validation error, such as
// "spec.users[2].name" or "metadata.labels[app.kubernetes.io/name]".
//
// Paths are ambiguous, because keys may contain dots and brackets, and some validators write map
// keys after a dot. Locate uses the reading with the longest match.
func (n *Node) Locate(path string) Place {
	found, alias, rest := n.walk(path)
	p := Place{Span: found.place(), Found: rest == ""}
	if via := found.via; !via.IsZero() {
		alias = via
	}
	if !alias.IsZero() {
		p.Anchor = found.content().span
		p.Span = alias
	}
	return p
}

// LocateKey returns the position of the key of a field path, or that of Locate if there is no key.
func (n *Node) LocateKey(path string) source.Span {
	found, _, rest := n.walk(path)
	if rest == "" {
		return found.Key()
	}
	return found.place()
}

// walk returns the value at the longest prefix of a path that exists, the alias that leads to it,
// and the rest of the path.
func (n *Node) walk(path string) (found *Node, alias source.Span, rest string) {
	c := n.content()
	found, rest = n, path
	if path == "" {
		return
	}
	try := func(child *Node, tail string) bool {
		f, a, r := child.walk(tail)
		if len(r) >= len(rest) {
			return false
		}
		found, alias, rest = f, a, r
		if alias.IsZero() && found != child {
			alias = child.via
		}
		return rest == ""
	}
	if inner, tail, ok := bracket(path); ok {
		if i, err := strconv.Atoi(inner); err == nil && i >= 0 && i < len(c.items) {
			try(c.items[i], tail)
			return
		}
	}
	trimmed := strings.TrimPrefix(path, ".")
	for _, name := range c.names {
		if tail, ok := after(trimmed, name); ok && try(c.fields[name], tail) {
			return
		}
		if tail, ok := strings.CutPrefix(path, "["+name+"]"); ok && try(c.fields[name], tail) {
			return
		}
	}
	return
}

// bracket splits "[3].name" into "3" and ".name".
func bracket(path string) (inner, tail string, ok bool) {
	if !strings.HasPrefix(path, "[") {
		return "", "", false
	}
	return strings.Cut(path[1:], "]")
}

// after returns the rest of a path after a name.
func after(path, name string) (string, bool) {
	tail, ok := strings.CutPrefix(path, name)
	if !ok || tail != "" && tail[0] != '.' && tail[0] != '[' {
		return "", false
	}
	return tail, true
}

// Duplicates calls yield with every duplicate key, once for text that aliases repeat.
func (n *Node) Duplicates(yield func(Duplicate)) {
	n.walkDuplicates("", yield)
}

func (n *Node) walkDuplicates(path string, yield func(Duplicate)) {
	if n.target != nil {
		return
	}
	for _, d := range n.duplicates {
		d.Path = join(path, d.Path)
		yield(d)
	}
	for _, name := range n.names {
		n.fields[name].walkDuplicates(join(path, name), yield)
	}
	for i, item := range n.items {
		item.walkDuplicates(path+"["+strconv.Itoa(i)+"]", yield)
	}
}

// join appends a field to a path in the form of validation errors.
func join(path, name string) string {
	switch {
	case path == "":
		return name
	case strings.ContainsAny(name, ".[]/"):
		return path + "[" + name + "]"
	}
	return path + "." + name
}

// set sets a field of an object.
func (n *Node) set(name string, value *Node) {
	if n.fields == nil {
		n.fields = map[string]*Node{}
	}
	if _, ok := n.fields[name]; !ok {
		n.names = append(n.names, name)
	}
	n.fields[name] = value
}

// setKey sets a field from a key in the source, and records duplicates.
func (n *Node) setKey(name string, value *Node, written map[string]source.Span) {
	if first, ok := written[name]; ok {
		n.duplicates = append(n.duplicates, Duplicate{Path: name, Key: value.key, First: first})
	} else {
		written[name] = value.key
	}
	n.set(name, value)
}
