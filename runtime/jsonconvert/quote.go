package jsonconvert

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// string returns the text of a string.
func (n *node) string() (string, bool) {
	if !n.isString() {
		return "", false
	}
	return unquote(n.raw)
}

// unquote returns the text of a valid JSON string.
func unquote(raw string) (string, bool) {
	if strings.IndexByte(raw, '\\') < 0 && utf8.ValidString(raw) {
		return raw[1 : len(raw)-1], true
	}
	var s string
	err := json.Unmarshal([]byte(raw), &s)
	return s, err == nil
}

// spelled returns a scalar in the spelling that conversions write: a string may have escapes that it does not need.
func spelled(raw string) string {
	if raw[0] != '"' || strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	text, ok := unquote(raw)
	if !ok {
		return raw
	}
	return string(appendQuoted(nil, text))
}

const hex = "0123456789abcdef"

// appendQuoted appends a string as JSON.
func appendQuoted(b []byte, s string) []byte {
	begin := len(b)
	to := begin + 1
	b = slices.Grow(b, len(s)+strings.Count(s, `"`)+strings.Count(s, `\`)+2)
	q := b[:cap(b)]
	for i := range len(s) {
		c := s[i]
		if c < ' ' {
			return appendEscaped(b, s)
		}
		if c == '"' || c == '\\' {
			q[to] = '\\'
			to++
		}
		q[to] = c
		to++
	}
	q[begin], q[to] = '"', '"'
	return q[:to+1]
}

// appendEscaped is appendQuoted for a string that may have control characters.
func appendEscaped(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(b, s[from:]...), '"')
}
