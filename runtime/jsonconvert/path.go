package jsonconvert

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// stepKind is how a step of a path selects a value.
type stepKind byte

const (
	// memberStep is a member of an object: .name.
	memberStep stepKind = iota
	// groupStep is several members of an object, the last step: ['host','port'].
	groupStep
	// keyStep is the item of a list with keys: [?@.name=='a'].
	keyStep
	// valueStep is the item of a set: [?@=='a'].
	valueStep
	// indexStep is an item of a list with a length: [1].
	indexStep
	// tailStep is what follows the items of a list, the last step: [1:].
	tailStep
	// itemStep is an item of a list that is selected as the list says.
	itemStep
)

// step is one step of the path to a tracked value.
type step struct {
	kind stepKind
	// names are those of members, or of the keys of an item.
	names []string
	// values are those of the keys as JSON, "" for an absent one; or that of the element of a set.
	values []string
	// index and length select an item.
	index, length int
	// list is that of an itemStep.
	list *items
}

// maxPath is the number of steps of the longest path that is read. Anyone who can write an object can store a path.
const maxPath = 1000

var errPath = errors.New("not the path of a tracked value")

// appendPath appends a path as JSONPath writes it, and returns the lengths of the lists whose items it selects by index.
func appendPath(b []byte, path []step) (_ []byte, lengths []int) {
	b = append(b, '$')
	for i := range path {
		s := &path[i]
		switch s.kind {
		case memberStep:
			b = appendStep(b, s.names[0])
		case groupStep:
			for j, name := range s.names {
				b = appendSingle(append(b, "[,"[min(j, 1)]), name)
			}
			b = append(b, ']')
		case keyStep:
			b = append(b, '[', '?')
			for j, name := range s.names {
				if j > 0 {
					b = append(b, " && "...)
				}
				if s.values[j] == "" {
					b = append(b, '!')
				}
				if b = appendStep(append(b, '@'), name); s.values[j] != "" {
					b = appendScalar(append(b, "=="...), s.values[j])
				}
			}
			b = append(b, ']')
		case valueStep:
			b = append(appendScalar(append(b, "[?@=="...), s.values[0]), ']')
		case indexStep:
			b = append(strconv.AppendInt(append(b, '['), int64(s.index), 10), ']')
			lengths = append(lengths, s.length)
		case tailStep:
			b = append(strconv.AppendInt(append(b, '['), int64(s.index), 10), ":]"...)
		}
	}
	return b, lengths
}

// appendStep appends the step to a member.
func appendStep(b []byte, name string) []byte {
	if nameEnd(name) == len(name) && name != "" {
		return append(append(b, '.'), name...)
	}
	return append(appendSingle(append(b, '['), name), ']')
}

// pathOf returns the path of members.
func pathOf(names []string) string {
	var b []byte
	for _, name := range names {
		b = appendStep(b, name)
	}
	return string(b)
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

// appendScalar appends a JSON scalar as JSONPath writes it, strings in single quotes. Lists and objects, which no valid key has,
// are quoted as they are.
func appendScalar(b []byte, raw string) []byte {
	if raw[0] != '"' {
		return append(b, raw...)
	}
	return appendSingle(b, raw[1:len(raw)-1])
}

// appendSingle appends the inner text of a JSON string in single quotes.
func appendSingle(b []byte, s string) []byte {
	b = append(b, '\'')
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\'':
			b = append(b, '\\', '\'')
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '"':
			b = append(b, '"')
			i++
		case s[i] == '\\' && i+1 < len(s):
			b = append(b, s[i], s[i+1])
			i++
		default:
			b = append(b, s[i])
		}
	}
	return append(b, '\'')
}

// parsePath reads a path, with the lengths of the lists whose items it selects by index. There is at least one step: no
// conversion tracks a whole object.
func parsePath(m *memory, text string, lengths []int) ([]step, error) {
	p := pathParser{rest: text, memory: m}
	if !p.skip("$") {
		return nil, errPath
	}
	var steps [8]step
	path := steps[:0]
	for p.rest != "" {
		s, err := p.step()
		m.work++
		if err != nil {
			return nil, err
		}
		if len(path) == maxPath || len(path) > 0 && path[len(path)-1].isLast() {
			return nil, errPath
		}
		if s.kind == indexStep {
			if len(lengths) == 0 {
				return nil, errPath
			}
			s.length, lengths = lengths[0], lengths[1:]
		}
		path = append(path, s)
	}
	if len(path) == 0 || path[0].kind > groupStep {
		return nil, errPath
	}
	for _, name := range path[0].names {
		if name == "apiVersion" || name == "kind" {
			return nil, errPath
		}
	}
	return m.path(path), nil
}

func (s *step) isLast() bool { return s.kind == groupStep || s.kind == tailStep }

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

func (p *pathParser) step() (s step, err error) {
	switch {
	case p.skip("[?@=="):
		s.kind = valueStep
		s.values = make([]string, 1)
		s.values[0], err = p.scalar()
	case p.skip("[?"):
		s.kind = keyStep
		s.names, s.values, err = p.tests()
	case strings.HasPrefix(p.rest, ".") || strings.HasPrefix(p.rest, "['"):
		if s.names, err = p.members(); len(s.names) > 1 {
			s.kind = groupStep
		}
		return s, err
	case p.skip("["):
		n := 0
		for n < len(p.rest) && p.rest[n]-'0' <= 9 {
			n++
		}
		if s.index, err = strconv.Atoi(p.rest[:n]); err != nil {
			return s, errPath
		}
		p.rest = p.rest[n:]
		if s.kind = indexStep; p.skip(":") {
			s.kind = tailStep
		}
	default:
		return s, errPath
	}
	if err == nil && !p.skip("]") {
		err = errPath
	}
	return s, err
}

// tests reads what an item's keys are.
func (p *pathParser) tests() (names, values []string, err error) {
	for {
		absent := p.skip("!")
		if !p.skip("@") {
			return nil, nil, errPath
		}
		name, err := p.members()
		if err != nil || len(name) != 1 {
			return nil, nil, errPath
		}
		value := ""
		if !absent {
			if !p.skip("==") {
				return nil, nil, errPath
			}
			if value, err = p.scalar(); err != nil {
				return nil, nil, err
			}
		}
		names, values = append(names, name[0]), append(values, value)
		if !p.skip(" && ") {
			return names, values, nil
		}
	}
}

// members reads .name, ['name'] or ['name','name'].
func (p *pathParser) members() (names []string, err error) {
	if p.skip(".") {
		n := nameEnd(p.rest)
		if n == 0 {
			return nil, errPath
		}
		names = p.memory.one(p.rest[:n])
		p.rest = p.rest[n:]
		return names, nil
	}
	for open := "["; p.skip(open); open = "," {
		value, err := p.scalar()
		if err != nil || value[0] != '"' {
			return nil, errPath
		}
		if names = append(names, plainKey(value[1:len(value)-1])); p.skip("]") {
			return names, nil
		}
	}
	return nil, errPath
}

// scalar reads a scalar and returns it as JSON.
func (p *pathParser) scalar() (string, error) {
	if !p.skip("'") {
		end := strings.IndexAny(p.rest, "] ")
		if end <= 0 || !json.Valid(bytesOf(p.rest[:end])) {
			return "", errPath
		}
		value := p.rest[:end]
		p.rest = p.rest[end:]
		return value, nil
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '\'':
			b.WriteByte('"')
			p.rest = p.rest[i+1:]
			if value := b.String(); json.Valid(bytesOf(value)) {
				return value, nil
			}
			return "", errPath
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
	return "", errPath
}
