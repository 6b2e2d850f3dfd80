package value

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// maxDepth bounds the walk over declared types that are made of each other.
const maxDepth = 64

// Underlying returns what a type is made of: never a declared type that the
// model knows. Type parameters are replaced by the arguments of their instance.
func Underlying(m *model.Model, r *model.Ref) *model.Ref {
	for range maxDepth {
		t := m.Type(r.ID())
		if t == nil {
			break
		}
		r = t.Def.Substitute(m.Params(r))
	}
	return r
}

// Pointee returns what a pointer, or a pointer to pointers, leads to; nil for
// one that leads to itself. Anything else is returned as it is.
func Pointee(m *model.Model, r *model.Ref) *model.Ref {
	for range maxDepth {
		u := Underlying(m, r)
		if u.Kind != model.KindPointer {
			return r
		}
		r = u.Elem
	}
	return nil
}

// instance returns the struct type that r is made of, and the reference that
// has its type arguments.
func instance(m *model.Model, r *model.Ref) (t *model.Type, at *model.Ref) {
	for range maxDepth {
		t := m.Type(r.ID())
		if t == nil {
			return nil, nil
		}
		if t.IsStruct() {
			return t, r
		}
		r = t.Def.Substitute(m.Params(r))
	}
	return nil, nil
}

// Field is a field of a struct as JSON has it.
type Field struct {
	*model.Field
	// Type is the field's type, with the type arguments of its struct.
	Type *model.Ref
}

// Fields returns the fields on the wire of the struct that r is made of, by JSON
// name, those of inlined structs included. The field nearer to the struct hides
// one further down. It is nil if r is not made of a declared struct.
func Fields(m *model.Model, r *model.Ref) map[string]Field {
	if t, _ := instance(m, r); t == nil {
		return nil
	}
	all := map[string]Field{}
	level := []*model.Ref{r}
	for depth := 0; len(level) > 0 && depth < 16; depth++ {
		var next []*model.Ref
		for _, r := range level {
			t, at := instance(m, r)
			if t == nil {
				continue
			}
			params := m.Params(at)
			for _, f := range t.Fields {
				typ := f.Type.Substitute(params)
				if f.Inline {
					if inner := Pointee(m, typ); inner != nil {
						next = append(next, inner)
					}
				} else if _, hidden := all[f.JSON]; !f.Skipped && !hidden {
					all[f.JSON] = Field{f, typ}
				}
			}
		}
		level = next
	}
	return all
}

// HasOwnJSON reports whether a non-pointer type has custom JSON, by its own method or one of an
// embedded struct.
func HasOwnJSON(m *model.Model, r *model.Ref) bool { return hasOwnJSON(m, r, 0) }

func hasOwnJSON(m *model.Model, r *model.Ref, depth int) bool {
	if r.Kind != model.KindNamed || depth > 16 {
		return false
	}
	if IsKnown(r) {
		return true
	}
	t := m.Type(r.ID())
	if t == nil {
		return false
	}
	if t.Methods["UnmarshalJSON"] != nil || t.Methods["UnmarshalText"] != nil {
		return true
	}
	if !t.IsStruct() {
		return false // methods do not pass on to a type made of another
	}
	for _, f := range t.Fields {
		if !f.Embedded {
			continue
		}
		elem, _ := m.Deref(f.Type)
		if hasOwnJSON(m, elem, depth+1) {
			return true
		}
	}
	return false
}

// TypeName returns a type as an author writes it in its own package.
func TypeName(r *model.Ref) string {
	switch r.Kind {
	case model.KindNamed:
		if len(r.Args) == 0 {
			return r.Name
		}
		args := make([]string, len(r.Args))
		for i, arg := range r.Args {
			args[i] = TypeName(arg)
		}
		return r.Name + "[" + strings.Join(args, ", ") + "]"
	case model.KindPointer:
		return "*" + TypeName(r.Elem)
	case model.KindSlice:
		return "[]" + TypeName(r.Elem)
	case model.KindArray:
		return fmt.Sprintf("[%d]%s", r.Len, TypeName(r.Elem))
	case model.KindMap:
		return "map[" + TypeName(r.Key) + "]" + TypeName(r.Elem)
	case model.KindInterface:
		return "an interface"
	}
	return r.String()
}

// nearest returns the field whose name differs from a key in case only, or "".
func nearest(fields map[string]Field, key string) string {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if strings.EqualFold(name, key) {
			return name
		}
	}
	return ""
}
