package model

// Lossless reports whether Go converts every value of one type to a different value of the other.
// Pointers, lists and maps convert if their elements do.
func (m *Model) Lossless(from, to *Ref) bool {
	if SameGo(from, to) {
		return true
	}
	if len(from.Args)+len(to.Args) > 0 {
		return false
	}
	if from.Kind == to.Kind {
		switch from.Kind {
		case KindPointer, KindSlice:
			return m.Lossless(from.Elem, to.Elem)
		case KindArray:
			return from.Len == to.Len && m.Lossless(from.Elem, to.Elem)
		case KindMap:
			return SameGo(from.Key, to.Key) && m.Lossless(from.Elem, to.Elem)
		}
	}
	a, b := m.Underlying(from), m.Underlying(to)
	switch {
	case a.Kind == KindBuiltin && b.Kind == KindBuiltin:
		return a.Name == b.Name || widens(Canonical(a).Name, Canonical(b).Name)
	case a.Kind == KindStruct && b.Kind == KindStruct:
		return sameFields(m.Type(from.ID()), m.Type(to.ID()))
	}
	return false
}

// sameFields reports whether two structs are convertible in Go: they have the same field names and
// types in the same order.
func sameFields(a, b *Type) bool {
	if a == nil || b == nil || !a.IsStruct() || !b.IsStruct() || len(a.Fields) != len(b.Fields) {
		return false
	}
	for i, f := range a.Fields {
		g := b.Fields[i]
		if f.Name != g.Name || f.Embedded != g.Embedded || !SameGo(f.Type, g.Type) {
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

// Narrows reports whether every conversion between two types loses values: to a smaller numeric
// type, or from many values to one.
func (m *Model) Narrows(from, to *Ref) bool {
	if from.Kind == KindPointer && to.Kind == KindPointer {
		return m.Narrows(from.Elem, to.Elem)
	}
	a, b := Canonical(m.Underlying(from)), Canonical(m.Underlying(to))
	_, aNumber := numbers[a.Name]
	_, bNumber := numbers[b.Name]
	switch {
	case aNumber && bNumber:
		return a.Name != b.Name && !widens(a.Name, b.Name)
	case from.Kind == KindPointer && to.Kind != KindPointer && SameGo(from.Elem, to):
		return true
	}
	if b.Kind == KindPointer {
		b = b.Elem
	}
	many := a.Kind == KindSlice && !a.IsBytes() || a.Kind == KindMap
	return many && b.IsScalar() && !b.IsString() // a string can represent any value
}

// SameGo reports whether two references are the same Go type: byte and uint8 are aliases, and so are
// rune and int32.
func SameGo(a, b *Ref) bool { return Canonical(a).Equal(Canonical(b)) }

// Canonical returns a reference with the predeclared names that byte and rune stand for.
func Canonical(r *Ref) *Ref {
	if r == nil {
		return nil
	}
	c := *r
	if c.Kind == KindBuiltin {
		switch c.Name {
		case "byte":
			c.Name = "uint8"
		case "rune":
			c.Name = "int32"
		}
	}
	c.Elem, c.Key = Canonical(r.Elem), Canonical(r.Key)
	c.Args = nil
	for _, a := range r.Args {
		c.Args = append(c.Args, Canonical(a))
	}
	return &c
}
