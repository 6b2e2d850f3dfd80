package value

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// maxDepth bounds the number of declared types between a type and its underlying type.
const maxDepth = 64

// Underlying returns the underlying type, which is never a declared type of the
// model. Type parameters are replaced by the arguments of their instance.
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

// Pointee returns the type that a pointer, or a pointer to pointers, points to; nil
// for one that points to itself. It returns other types unchanged.
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

// Struct returns the struct type that underlies r, and the reference with its type
// arguments.
func Struct(m *model.Model, r *model.Ref) (t *model.Type, at *model.Ref) {
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

// Field is a field of a struct in JSON.
type Field struct {
	*model.Field
	// Type is the field's type, with the type arguments of its struct.
	Type *model.Ref
}

// Fields returns the JSON fields of the struct that underlies r, by JSON name,
// including those of inlined structs. A field hides those of more deeply inlined
// structs. It returns nil if no declared struct underlies r.
func Fields(m *model.Model, r *model.Ref) map[string]Field {
	if t, _ := Struct(m, r); t == nil {
		return nil
	}
	all := map[string]Field{}
	level := []*model.Ref{r}
	for depth := 0; len(level) > 0 && depth < 16; depth++ {
		var next []*model.Ref
		for _, r := range level {
			t, at := Struct(m, r)
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

// Promoted returns the part of an object for t that belongs to the struct r,
// which t inlines; nil if the object has none of its fields, or t hides them.
func Promoted(m *model.Model, t *model.Type, r *model.Ref, v *Value) *Value {
	inner := Pointee(m, r)
	if inner == nil {
		return nil
	}
	fields := Fields(m, inner)
	own := *v
	own.Members = nil
	for _, member := range v.Members {
		if _, ok := fields[member.Key]; ok && t.FieldByJSON(member.Key) == nil && member.Value.Kind != Null {
			own.Members = append(own.Members, member)
		}
	}
	if len(own.Members) == 0 {
		return nil
	}
	return &own
}

// HasIsZero reports whether a type has a method IsZero, which the option omitzero asks, also of pointers to its values.
func HasIsZero(r *model.Ref) bool {
	id := r.ID()
	return id == model.Quantity || id == model.Time || id == model.MicroTime || id == model.GoTime
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
		return false // a declared type does not inherit methods
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

// TypeName returns a type as authors write it in the type's package.
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

// nearest returns the field whose name differs from a key only in case, or "".
func nearest(fields map[string]Field, key string) string {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if strings.EqualFold(name, key) {
			return name
		}
	}
	return ""
}
