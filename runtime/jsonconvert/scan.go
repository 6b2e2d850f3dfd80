package jsonconvert

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
)

// maxDepth is how deep values may nest, as in encoding/json.
const maxDepth = 10000

var (
	errEnd     = errors.New("unexpected end of JSON")
	errSyntax  = errors.New("invalid character in JSON")
	errDepth   = errors.New("JSON is nested too deep")
	errControl = errors.New("control character in a JSON string")
	errEscape  = errors.New("invalid escape in a JSON string")
	errNumber  = errors.New("invalid number in JSON")
)

// space returns the index of the first byte from i that is no white space.
func space(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// str returns the index after the string that begins at i. plain is set if it has no
// escapes.
func str(b []byte, i int) (end int, plain bool, err error) {
	plain = true
	i++
	for {
		// Eight bytes at a time: a byte of stop has its high bit set where the text has a
		// quote, a backslash or a control character. False positives above the first one
		// do not matter.
		for i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			quote := w ^ ones*'"'
			slash := w ^ ones*'\\'
			stop := ((quote - ones) &^ quote) | ((slash - ones) &^ slash) | ((w - ones*' ') &^ w)
			if stop &= highs; stop != 0 {
				if i += bits.TrailingZeros64(stop) / 8; b[i] == '"' {
					return i + 1, plain, nil
				}
				break
			}
			i += 8
		}
		if i >= len(b) {
			return 0, false, errEnd
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, plain, nil
		case c == '\\':
			plain = false
			if i, err = escape(b, i); err != nil {
				return 0, false, err
			}
		case c < ' ':
			return 0, false, errControl
		default:
			i++
		}
	}
}

// escape returns the index after the escape that begins at i.
func escape(b []byte, i int) (int, error) {
	if i+1 >= len(b) {
		return 0, errEnd
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil
	case 'u':
		if i+6 > len(b) {
			return 0, errEnd
		}
		for _, c := range b[i+2 : i+6] {
			if bytes.IndexByte([]byte("0123456789abcdefABCDEF"), c) < 0 {
				return 0, errEscape
			}
		}
		return i + 6, nil
	}
	return 0, errEscape
}

// number returns the index after the number that begins at i.
func number(b []byte, i int) (int, error) {
	if b[i] == '-' {
		i++
	}
	start := i
	if i = digits(b, i); i == start || i > start+1 && b[start] == '0' {
		if i > start { // a number ends after a leading zero
			return start + 1, nil
		}
		return 0, errNumber
	}
	if i < len(b) && b[i] == '.' {
		start = i + 1
		if i = digits(b, start); i == start {
			return 0, errNumber
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		start = i
		if i = digits(b, i); i == start {
			return 0, errNumber
		}
	}
	return i, nil
}

// digits returns the index after the digits that begin at i.
func digits(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

func literal(b []byte, i int, word string) (int, error) {
	if len(b)-i < len(word) {
		return 0, errEnd
	}
	if string(b[i:i+len(word)]) != word {
		return 0, errSyntax
	}
	return i + len(word), nil
}

// skip returns the index after the value that begins at i, which is inside depth others.
func skip(b []byte, i, depth int) (end int, err error) {
	// The groups that the loop is in: the lowest bit is set if the innermost is an object.
	objects, level := uint64(0), 0
	for {
		if i >= len(b) {
			return 0, errEnd
		}
		c := b[i]
		switch {
		case c == '"':
			i, _, err = str(b, i)
		case c != '{' && c != '[':
			i, err = skipScalar(b, i)
		case level == 64:
			i, err = skip(b, i, depth+level)
		case depth+level > maxDepth:
			return 0, errDepth
		default:
			objects <<= 1
			if c == '{' {
				objects |= 1
			}
			level++
			if i = space(b, i+1); i >= len(b) {
				return 0, errEnd
			}
			if b[i] != c+2 { // '}' after '{', ']' after '['
				if c == '{' {
					if _, _, i, err = key(b, i); err != nil {
						return 0, err
					}
				}
				continue
			}
			i++
			objects >>= 1
			level--
		}
		if err != nil {
			return 0, err
		}
		// After a value: the ends of groups, and the next value.
		for {
			if level == 0 {
				return i, nil
			}
			if i = space(b, i); i >= len(b) {
				return 0, errEnd
			}
			object := objects&1 != 0
			if b[i] == ',' {
				if i = space(b, i+1); object {
					if _, _, i, err = key(b, i); err != nil {
						return 0, err
					}
				}
				break
			}
			if b[i] != "]}"[objects&1] {
				return 0, errSyntax
			}
			i++
			objects >>= 1
			level--
		}
	}
}

// skipScalar returns the index after the scalar other than a string that begins at i.
func skipScalar(b []byte, i int) (end int, err error) {
	switch c := b[i]; {
	case c == '-' || c-'0' <= 9:
		end, err = number(b, i)
	case c == 't':
		end, err = literal(b, i, "true")
	case c == 'f':
		end, err = literal(b, i, "false")
	case c == 'n':
		end, err = literal(b, i, "null")
	default:
		err = errSyntax
	}
	return end, err
}

// key reads the key that begins at i: the index after its closing quote, whether it has no escapes, and the index of its value.
func key(b []byte, i int) (end int, plain bool, value int, err error) {
	if i >= len(b) {
		return 0, false, 0, errEnd
	}
	if b[i] != '"' {
		return 0, false, 0, errSyntax
	}
	if end, plain, err = str(b, i); err != nil {
		return 0, false, 0, err
	}
	if i = space(b, end); i >= len(b) {
		return 0, false, 0, errEnd
	}
	if b[i] != ':' {
		return 0, false, 0, errSyntax
	}
	return end, plain, space(b, i+1), nil
}

// group is a position in an object or a list: after its opening bracket, after a value
// in it, or in the end after its closing bracket.
type group struct {
	at    int
	begun bool
}

// open returns the group whose bracket is at i.
func open(i int) group { return group{at: i + 1} }

// member is a key with its value, as indexes of the text.
type member struct {
	// key is the opening quote, keyEnd the index after the closing one.
	key, keyEnd int
	// plain is set if the key has no escapes.
	plain bool
	// value is the first byte of the value, and end the index after it.
	value, end int
}

// member reads the next key of an object. The caller moves g.at behind its value.
func (g *group) member(b []byte, m *member) (more bool, err error) {
	if more, err = g.next(b, '}'); err != nil || !more {
		return false, err
	}
	m.key = g.at
	if m.keyEnd, m.plain, m.value, err = key(b, g.at); err == nil && m.value >= len(b) {
		err = errEnd
	}
	return err == nil, err
}

// item moves to the next item of a list. The caller moves g.at behind it.
func (g *group) item(b []byte) (more bool, err error) { return g.next(b, ']') }

// next moves to the next value or key, or behind the closing bracket.
func (g *group) next(b []byte, closing byte) (more bool, err error) {
	i := space(b, g.at)
	if i >= len(b) {
		return false, errEnd
	}
	switch {
	case b[i] == closing:
		g.at = i + 1
		return false, nil
	case g.begun && b[i] != ',':
		return false, errSyntax
	case g.begun:
		i = space(b, i+1)
		if i >= len(b) {
			return false, errEnd
		}
	}
	g.begun, g.at = true, i
	return true, nil
}

// end returns the index after the value of a valid text that begins at i.
func end(b []byte, i int) int {
	switch b[i] {
	case '"':
		e, _, _ := str(b, i)
		return e
	case '{', '[':
	default:
		for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
			i++
		}
		return i
	}
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			e, _, _ := str(b, i)
			i = e - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}
