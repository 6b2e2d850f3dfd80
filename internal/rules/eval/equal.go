package eval

import (
	"reflect"

	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// equal compares two values of one type semantically, like generated code: nil and empty lists and
// maps are equal, and quantities and times are compared by value.
func equal(a, b *value) bool {
	if a == b {
		return true
	}
	switch a.typ.form {
	case stringForm, bytesForm:
		return a.text == b.text
	case boolForm, intForm, uintForm:
		return a.bits == b.bits
	case floatForm:
		return a.real == b.real
	case pointerForm:
		if a.null || b.null {
			return a.null == b.null
		}
		return equal(a.parts[0], b.parts[0])
	case listForm, arrayForm, structForm:
		if len(a.parts) != len(b.parts) {
			return false
		}
		for i := range a.parts {
			if !equal(a.parts[i], b.parts[i]) {
				return false
			}
		}
		return true
	case mapForm:
		if len(a.entries) != len(b.entries) {
			return false
		}
		for key, x := range a.entries {
			if y, ok := b.entries[key]; !ok || !equal(x, y) {
				return false
			}
		}
		return true
	case knownForm:
		return a.typ.known.equal(a.own, b.own)
	}
	return reflect.DeepEqual(a.own, b.own)
}

// hash adds a value to the hash h. Equal values have equal hashes; it omits values that are
// expensive to hash.
func hash(h uint64, v *value) uint64 {
	switch v.typ.form {
	case stringForm, bytesForm:
		return validate.HashString(h, v.text)
	case boolForm, intForm, uintForm:
		return validate.HashInt(h, v.bits)
	case pointerForm:
		if !v.null {
			return hash(h, v.parts[0])
		}
	case listForm, arrayForm, structForm:
		for _, part := range v.parts {
			h = hash(h, part)
		}
	case mapForm:
		return validate.HashInt(h, len(v.entries))
	}
	return h
}
