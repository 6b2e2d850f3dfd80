package value

import "github.com/kindsmith/kindsmith/internal/core/model"

// Walk calls visit for a value that fits a type and for every part of it, with
// the part's type. It dereferences pointers, and does not visit the keys of maps and
// the inside of types with custom JSON.
func Walk(m *model.Model, r *model.Ref, v *Value, visit func(r *model.Ref, v *Value)) {
	if r = Pointee(m, r); r == nil {
		return
	}
	visit(r, v)
	if HasOwnJSON(m, r) {
		return
	}
	u := Underlying(m, r)
	for _, item := range v.Items {
		if u.Elem != nil {
			Walk(m, u.Elem, item, visit)
		}
	}
	fields := Fields(m, r)
	for _, member := range v.Members {
		if f, ok := fields[member.Key]; ok {
			Walk(m, f.Type, member.Value, visit)
		} else if u.Kind == model.KindMap {
			Walk(m, u.Elem, member.Value, visit)
		}
	}
}
