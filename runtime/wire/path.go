package wire

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// element is one step from an object to a value in it, as JSONPath writes it.
type element struct {
	// name is the name of a field or the key of a map.
	name string
	// field has the names of the field in other versions; nil if they are the same.
	field *Field
	// move is set on the path of a moved field, from the struct that both paths begin in.
	move *Move
	// parts are set in place of a name for several members of an object.
	parts []part
	// key is set on the key of a map, and list on the item of a list.
	key, list bool
	// implied means that the path does not have the item of a list, because that is a single value in its
	// version.
	implied bool
	// keys and set select the item of a list that is equal to them, in a path that was read. The item at the
	// index is selected without either, of a list of that length.
	keys          []keyValue
	set           []byte
	index, length int
	// of converts the list of an item, in a path to write.
	of *value
}

// usualDepth is the number of elements that a path usually has at most.
const usualDepth = 4

// keyValue is the key of an item of a list. An absent one has no value.
type keyValue struct {
	name  string
	value []byte
}

// isSingle reports whether a value that became a list is a single one in a version.
func (t *Table) isSingle(wrapped *Value, version string) bool {
	return wrapped != nil && t.order(version) < t.order(wrapped.ListSince)
}

// name returns the key of a field in a version.
func (t *Table) name(f *Field, name, version string) string {
	if f == nil {
		return name
	}
	key := f.Older
	if key == "" || version == t.Hub && f.Hub != "" || len(f.Names) == 0 && version != t.Older && f.Hub != "" {
		key = f.Hub
	}
	for _, n := range f.Names {
		if t.order(n.Since) <= t.order(version) {
			key = n.Key
		}
	}
	return key
}

// keys returns the keys on the path of a moved field in a version.
func (t *Table) keys(m *Move, version string) []string {
	steps := m.Hub
	if version == t.Older {
		steps = m.Older
	}
	keys := stepKeys(steps)
	for _, p := range m.Paths {
		if t.order(p.Since) <= t.order(version) {
			keys = p.Keys
		}
	}
	return keys
}

// order returns the position of a version, or -1.
func (t *Table) order(version string) int {
	for i, v := range t.Versions {
		if v == version {
			return i
		}
	}
	return -1
}

// appendStep appends the step to a field.
func appendStep(path []byte, name string) []byte {
	if isName(name) {
		return append(append(path, '.'), name...)
	}
	return append(appendSingle(append(path, '['), name), ']')
}

// isName reports whether a name needs no quotes.
func isName(name string) bool {
	return name != "" && nameEnd(name) == len(name)
}

// nameEnd returns the index after the name that a text begins with.
func nameEnd(s string) int {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(s)
}

// appendScalar appends a JSON scalar as JSONPath writes it, strings in single quotes.
func appendScalar(path, value []byte) []byte {
	if value[0] != '"' {
		return append(path, value...)
	}
	if inner := value[1 : len(value)-1]; isPlainText(inner) {
		return appendSingle(path, inner)
	}
	return appendSingle(path, text(value))
}

// appendSingle appends a string in single quotes.
func appendSingle[T string | []byte](path []byte, s T) []byte {
	path = append(path, '\'')
	if isPlainText(s) {
		for i := range len(s) {
			if s[i] == '\'' {
				path = append(path, '\\')
			}
			path = append(path, s[i])
		}
	} else {
		q := quote(string(s))
		path = append(path, strings.ReplaceAll(strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`), "'", `\'`)...)
	}
	return append(path, '\'')
}

// maxPath is the number of elements of the longest path that is read.
const maxPath = 1000

var errPath = errors.New("not a path of a tracked value")

// parsePath reads a path, with the lengths of the lists whose items it selects by index. The
// elements are outermost first, and there is at least one: no conversion tracks a whole object.
// Anyone who can write an object can store a path, so it is no deeper than JSON may be.
func parsePath(m *memory, path string, lengths []int) ([]element, error) {
	p := pathParser{rest: path, memory: m}
	if !p.skip("$") {
		return nil, errPath
	}
	var elements []element
	if m != nil {
		elements = take(&m.steps, usualDepth, true)[:0]
	}
	for p.rest != "" {
		e, err := p.element()
		if err == nil && len(elements) == maxPath {
			err = errPath
		}
		if err != nil {
			return nil, err
		}
		if e.list && e.keys == nil && e.set == nil {
			if len(lengths) == 0 {
				return nil, errPath
			}
			e.length, lengths = lengths[0], lengths[1:]
		}
		elements = append(elements, e)
	}
	if len(elements) == 0 {
		return nil, errPath
	}
	return elements, nil
}

type pathParser struct {
	rest   string
	memory *memory
}

func (p *pathParser) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *pathParser) element() (e element, err error) {
	switch {
	case p.skip("[?"):
		e.list = true
		if p.skip("@==") {
			e.set, err = p.value()
		} else {
			e.keys, err = p.keys()
		}
	case strings.HasPrefix(p.rest, "."):
		e.name, err = p.member()
		return e, err
	case strings.HasPrefix(p.rest, "['"):
		names, err := p.names()
		if len(names) == 1 {
			return element{name: names[0]}, err
		}
		for _, name := range names {
			e.parts = append(e.parts, part{element: element{name: name}, at: -1})
		}
		return e, err
	case p.skip("["):
		e.list = true
		n := 0
		for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
			n++
		}
		if e.index, err = strconv.Atoi(p.rest[:n]); err != nil {
			return e, errPath
		}
		p.rest = p.rest[n:]
	default:
		return e, errPath
	}
	if err == nil && !p.skip("]") {
		err = errPath
	}
	return e, err
}

func (p *pathParser) keys() ([]keyValue, error) {
	var keys []keyValue
	if p.memory != nil {
		keys = take(&p.memory.tests, 1, true)[:0]
	}
	for {
		absent := p.skip("!")
		if !p.skip("@") {
			return nil, errPath
		}
		name, err := p.member()
		if err != nil {
			return nil, err
		}
		k := keyValue{name: name}
		if !absent {
			if !p.skip("==") {
				return nil, errPath
			}
			if k.value, err = p.value(); err != nil {
				return nil, err
			}
		}
		keys = append(keys, k)
		if !p.skip(" && ") {
			return keys, nil
		}
	}
}

// member reads .name or ['name'].
func (p *pathParser) member() (string, error) {
	if p.skip(".") {
		n := nameEnd(p.rest)
		if n == 0 {
			return "", errPath
		}
		name := p.rest[:n]
		p.rest = p.rest[n:]
		return name, nil
	}
	names, err := p.names()
	if err != nil || len(names) > 1 {
		return "", errPath
	}
	return names[0], nil
}

// names reads ['name'] or ['name','name'].
func (p *pathParser) names() (names []string, err error) {
	for open := "["; p.skip(open); open = "," {
		value, err := p.value()
		if err != nil || value[0] != '"' {
			return nil, errPath
		}
		if names = append(names, text(value)); p.skip("]") {
			return names, nil
		}
	}
	return nil, errPath
}

// value reads a scalar and returns it as JSON.
func (p *pathParser) value() ([]byte, error) {
	if !p.skip("'") {
		end := strings.IndexAny(p.rest, "] ")
		if end <= 0 || !json.Valid([]byte(p.rest[:end])) {
			return nil, errPath
		}
		value := []byte(p.rest[:end])
		p.rest = p.rest[end:]
		return value, nil
	}
	if plain, rest, ok := strings.Cut(p.rest, "'"); ok && isPlainText(plain) {
		p.rest = rest
		return p.memory.quote(plain), nil
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '\'':
			b.WriteByte('"')
			p.rest = p.rest[i+1:]
			if value := []byte(b.String()); json.Valid(value) {
				return value, nil
			}
			return nil, errPath
		case c == '"':
			b.WriteString(`\"`)
		case c == '\\' && i+1 < len(p.rest):
			if i++; p.rest[i] != '\'' {
				b.WriteByte('\\')
			}
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return nil, errPath
}
