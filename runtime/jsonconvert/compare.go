package jsonconvert

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// same compares values; the order of keys does not count, and numbers compare by value. loose: zero members that only one has do
// not count either.
func (m *memory) same(a, b *node, loose bool) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil:
		return loose && m.isZero(a) && m.isZero(b)
	case a.raw != "" && a.raw == b.raw:
		return true
	case a.kind != b.kind:
		return loose && m.isZero(a) && m.isZero(b) && (a.isNull() || b.isNull())
	case a.kind == 's':
		return sameScalar(a.raw, b.raw)
	}
	m.look(a)
	m.look(b)
	if a.kind == '{' {
		return m.sameObjects(a, b, loose)
	}
	if len(a.items) != len(b.items) {
		return false
	}
	for i := range a.items {
		if !m.same(a.items[i], b.items[i], loose) {
			return false
		}
	}
	return true
}

// sameObjects is same for objects.
func (m *memory) sameObjects(a, b *node, loose bool) bool {
	matched := 0
	for i, key := range a.keys {
		j := i // most objects have the same order
		if j >= len(b.keys) || b.keys[j] != key {
			j = m.index(b, key)
		}
		if j < 0 {
			if !loose || !m.isZero(a.items[i]) {
				return false
			}
			continue
		}
		if matched++; !m.same(a.items[i], b.items[j], loose) {
			return false
		}
	}
	if matched == len(b.keys) {
		return true
	}
	for i, key := range b.keys {
		if m.index(a, key) < 0 && (!loose || !m.isZero(b.items[i])) {
			return false
		}
	}
	return true
}

// isZero reports whether a value is absent, null, or the zero value of some type.
func (m *memory) isZero(n *node) bool {
	if n == nil {
		return true
	}
	if n.kind == 's' {
		return n.raw == "null" || n.raw == `""` || n.raw == "false" || isNumber(n.raw) && isZeroNumber(n.raw)
	}
	if m.look(n); n.kind == '[' {
		return len(n.items) == 0
	}
	for _, item := range n.items {
		if !m.isZero(item) {
			return false
		}
	}
	return true
}

func sameScalar(a, b string) bool {
	switch {
	case a == b:
		return true
	case a[0] == '"' && b[0] == '"':
		if strings.IndexByte(a, '\\') < 0 && strings.IndexByte(b, '\\') < 0 {
			return false
		}
		x, _ := unquote(a)
		y, _ := unquote(b)
		return x == y
	}
	return isNumber(a) && isNumber(b) && sameNumber(a, b)
}

func isNumber(s string) bool { return s[0] == '-' || s[0]-'0' <= 9 }

// isZeroNumber reports whether a number is zero, in any spelling.
func isZeroNumber(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c == 'e' || c == 'E':
			return true
		case c >= '1' && c <= '9':
			return false
		}
	}
	return true
}

// sameNumber compares JSON numbers by their value, in time linear in their texts.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	signA, digitsA, expA := decimal(a)
	signB, digitsB, expB := decimal(b)
	if digitsA == "" || digitsB == "" {
		return digitsA == digitsB
	}
	return signA == signB && digitsA == digitsB && expA == expB
}

// decimal returns a number as digits without zeros at the ends, and the power of ten of the last; no digits for zero.
func decimal(s string) (negative bool, digits string, exp int) {
	s, negative = strings.CutPrefix(s, "-")
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exp, _ = strconv.Atoi(s[i+1:]) // one that is too large is the largest
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	exp -= len(fraction)
	digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	return negative, short, exp + len(digits) - len(short)
}

// isEntry reports whether a value can be one of the labels or annotations. API servers refuse others, and all objects of the same
// request with them.
func isEntry(in string, n *node) bool {
	text, ok := n.string()
	return ok && (in != "labels" || len(validation.IsValidLabelValue(text)) == 0)
}
