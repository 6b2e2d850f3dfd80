package rule

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Scope is the kind of a place.
type Scope string

// The kinds of places.
const (
	OnType     Scope = "type"     // a value of a declared type
	OnField    Scope = "field"    // a field of a struct
	OnValue    Scope = "value"    // the values of a list
	OnKey      Scope = "key"      // the keys of a map
	OnMapValue Scope = "mapValue" // the values of a map
)

// Place is a value that rules apply to.
type Place struct {
	Scope Scope `json:"scope"`
	// Owner is the declared type of the place, Field the Go name of its field; "" for the type
	// itself.
	Owner model.Name `json:"owner"`
	Field string     `json:"field,omitempty"`
	// Type is the type of the value as declared.
	Type *model.Ref `json:"type"`
	// Unset is which values rules take as unset.
	Unset model.Lack `json:"unset,omitempty"`
	// List describes the identity of list items; nil for other values.
	List *List `json:"list,omitempty"`
	// Opaque is set if the rules of the value's type do not apply.
	Opaque bool `json:"opaque,omitempty"`
	// Schema is what markers of other tools set in the published schema; nil for that of the Go type.
	Schema *Schema `json:"schema,omitempty"`
	// Elem and Key are the places of the values and keys of a list or map; nil without tags on
	// them.
	Elem *Place `json:"elem,omitempty"`
	Key  *Place `json:"key,omitempty"`
}

// Semantics is how the items of a list are identified.
type Semantics string

// The semantics.
const (
	Atomic Semantics = "atomic" // not at all
	Set    Semantics = "set"    // by value
	Map    Semantics = "map"    // by their keys
)

// List is how the items of a list are owned and identified.
type List struct {
	// Type is the list type: how server-side apply owns the items.
	Type Semantics `json:"type"`
	// Identity is how items are identified and correlated with old items. An atomic list can have
	// items with keys.
	Identity Semantics `json:"identity"`
	// Keys are the key fields of the items, in order.
	Keys []FieldPath `json:"keys,omitempty"`
}

// Paired reports whether items can be correlated with old items.
func (l *List) Paired() bool {
	return l != nil && (l.Identity == Set || l.Identity == Map && len(l.Keys) > 0)
}

// FieldPath is a field of a struct or of its inlined structs.
type FieldPath struct {
	// Struct is the declared struct that the path begins in.
	Struct model.Name `json:"struct"`
	// Through are the Go names of the inlined structs' fields, outermost first.
	Through []string `json:"through,omitempty"`
	// Name is the field's Go name, JSON its JSON name.
	Name string `json:"name"`
	JSON string `json:"json"`
	// Type is the field's type, Unset which of its values rules take as unset.
	Type  *model.Ref `json:"type"`
	Unset model.Lack `json:"unset,omitempty"`
}

// Same reports whether two paths are those of the same field.
func (f FieldPath) Same(other FieldPath) bool {
	return f.Struct == other.Struct && f.Name == other.Name && slices.Equal(f.Through, other.Through)
}

// Fields returns the inlined fields, outermost first, and the field.
func (f FieldPath) Fields(m *model.Model) (through []*model.Field, field *model.Field) {
	t := m.Type(f.Struct)
	for _, name := range f.Through {
		in := t.Field(name)
		through = append(through, in)
		t = m.Struct(in.Type)
	}
	return through, t.Field(f.Name)
}

// Value returns the type of the value with a pointer stripped.
func (p *Place) Value(m *model.Model) *model.Ref {
	elem, _ := m.Deref(p.Type)
	return elem
}

// IsPointer reports whether the type is a pointer.
func (p *Place) IsPointer(m *model.Model) bool {
	_, ok := m.Deref(p.Type)
	return ok
}

// Underlying returns the underlying type of the value, without a pointer.
func (p *Place) Underlying(m *model.Model) *model.Ref { return m.Underlying(p.Value(m)) }

// Behind returns the place of the value that a non-nil pointer points to; the place itself if it is
// not a pointer.
func (p *Place) Behind(m *model.Model) *Place {
	if !p.IsPointer(m) {
		return p
	}
	out := *p
	out.Type = p.Value(m)
	out.Unset = m.UnsetValue(out.Type)
	return &out
}

// CanBeNil reports whether the value as declared can be nil.
func (p *Place) CanBeNil(m *model.Model) bool {
	switch m.Underlying(p.Type).Kind {
	case model.KindPointer, model.KindSlice, model.KindMap, model.KindInterface:
		return true
	}
	return false
}
