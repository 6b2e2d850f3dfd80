package evolve

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// lossless reports whether Go converts every value of one type to a different value of the other.
// Pointers, lists and maps convert if their elements do.
func lossless(m *model.Model, from, to *model.Ref) bool {
	if same(from, to) {
		return true
	}
	if from.Kind == to.Kind {
		switch from.Kind {
		case model.KindPointer, model.KindSlice:
			return lossless(m, from.Elem, to.Elem)
		case model.KindArray:
			return from.Len == to.Len && lossless(m, from.Elem, to.Elem)
		case model.KindMap:
			return same(from.Key, to.Key) && lossless(m, from.Elem, to.Elem)
		}
	}
	a, b := m.Underlying(from), m.Underlying(to)
	switch {
	case a.Kind == model.KindBuiltin && b.Kind == model.KindBuiltin:
		return a.Name == b.Name || widens(canonical(a).Name, canonical(b).Name)
	case a.Kind == model.KindStruct && b.Kind == model.KindStruct:
		return sameFields(m.Type(from.ID()), m.Type(to.ID()))
	}
	return false
}

// sameFields reports whether two structs are convertible in Go: they have the same field names and
// types in the same order.
func sameFields(a, b *model.Type) bool {
	if a == nil || b == nil || !a.IsStruct() || !b.IsStruct() || len(a.Fields) != len(b.Fields) {
		return false
	}
	for i, f := range a.Fields {
		g := b.Fields[i]
		if f.Name != g.Name || f.Embedded != g.Embedded || !same(f.Type, g.Type) {
			return false
		}
	}
	return true
}

// number describes a numeric type: the number of bits of integers that it represents exactly. An
// int has 32 bits (least) or 64 bits (most), depending on the platform.
type number struct {
	signed, float bool
	least, most   int
}

var numbers = map[string]number{
	"int8": {true, false, 7, 7}, "int16": {true, false, 15, 15}, "int32": {true, false, 31, 31}, "int64": {true, false, 63, 63},
	"uint8": {false, false, 8, 8}, "uint16": {false, false, 16, 16}, "uint32": {false, false, 32, 32}, "uint64": {false, false, 64, 64},
	"int": {true, false, 31, 63}, "uint": {false, false, 32, 64},
	"float32": {true, true, 24, 24}, "float64": {true, true, 53, 53},
}

// widens reports whether one numeric type represents every value of the other on every platform.
func widens(from, to string) bool {
	a, aOK := numbers[from]
	b, bOK := numbers[to]
	if !aOK || !bOK || a.signed && !b.signed || a.float && !b.float {
		return false
	}
	return a.most <= b.least
}

// narrows reports whether every conversion between two types loses values: to a smaller numeric
// type, or from many values to one.
func narrows(m *model.Model, from, to *model.Ref) bool {
	if from.Kind == model.KindPointer && to.Kind == model.KindPointer {
		return narrows(m, from.Elem, to.Elem)
	}
	a, b := canonical(m.Underlying(from)), canonical(m.Underlying(to))
	_, aNumber := numbers[a.Name]
	_, bNumber := numbers[b.Name]
	switch {
	case aNumber && bNumber:
		return a.Name != b.Name && !widens(a.Name, b.Name)
	case from.Kind == model.KindPointer && to.Kind != model.KindPointer && same(from.Elem, to):
		return true
	}
	if b.Kind == model.KindPointer {
		b = b.Elem
	}
	many := a.Kind == model.KindSlice && !a.IsBytes() || a.Kind == model.KindMap
	return many && b.IsScalar() && !b.IsString() // a string can represent any value
}

// signature returns the signature of a conversion function.
func (h *hub) signature(name string, from, to *model.Ref, fallible bool) string {
	result := h.spell(to)
	if fallible {
		result = "(" + result + ", error)"
	}
	return strings.Join([]string{"func ", name, "(in ", h.spell(from), ") ", result}, "")
}
