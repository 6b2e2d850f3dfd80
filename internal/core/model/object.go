package model

import (
	"cmp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
)

// Object is the JSON object of a struct: the members that encoding/json reads and writes, with what
// tags and markers of any spelling say about each.
type Object struct {
	Type Name `json:"type"`
	// Members are in the order in which Go writes them.
	Members []*Member `json:"members,omitempty"`
	// Hidden are fields that are not in JSON because another field has their name.
	Hidden []*Hidden `json:"hidden,omitempty"`
	// OneOf are the groups that controller-gen's markers on the type declare.
	OneOf []*OneOf `json:"oneOf,omitempty"`
}

// Member is one member of an object.
type Member struct {
	// Name is the name in JSON.
	Name string `json:"name"`
	// Path are the Go names of the inlined structs, outermost first, and of the field.
	Path []string `json:"path"`
	// Owner is the struct that declares the field.
	Owner Name `json:"owner"`
	Type  *Ref `json:"type"`
	// Behind is set if an inlined struct on the path is a pointer. The member is absent if it is nil.
	Behind bool `json:"behindPointer,omitempty"`
	// Required is set if objects must have the member, By is what decides that: a tag, a marker, the
	// package's marker, or the json tag.
	Required bool   `json:"required,omitempty"`
	By       string `json:"by"`
	// Absent is which Go values JSON lacks, or has as null. Unset is which rules take as unset.
	Absent Lack `json:"absent"`
	Unset  Lack `json:"unset"`
	// Nullable is set if null is a value of the member, and is not removed.
	Nullable bool `json:"nullable,omitempty"`
	// Default is the declared default, that of the field or else of its type.
	Default *MemberDefault `json:"default,omitempty"`
	// List is the identity of items; nil if the value is not a list, nor a map with a marker of lists, which openapi-gen
	// publishes.
	List *List `json:"list,omitempty"`
	// Patch is how strategic merge patches change the value; nil for the way of its type.
	Patch *Patch `json:"patch,omitempty"`
	// Enum is the type whose constants are the only values; nil for none.
	Enum *Name `json:"enum,omitempty"`
	// CEL is the member's name in CEL. If rules cannot select it, CEL is "" and NotInCEL the reason.
	CEL      string `json:"cel,omitempty"`
	NotInCEL string `json:"notInCEL,omitempty"`
	// Shapeless is set if the published schema does not have the type of the value, so that there are no rules on it.
	Shapeless bool `json:"shapeless,omitempty"`

	// Field is the field, Through are the fields of the inlined structs.
	Field   *Field   `json:"-"`
	Through []*Field `json:"-"`
}

// MemberDefault is a declared default with the type that has it; nil Type is the field itself.
type MemberDefault struct {
	*Default
	Type *Type `json:"-"`
	From *Name `json:"from,omitempty"`
}

// Hidden is a field that is not in JSON because of its name.
type Hidden struct {
	Name string   `json:"name"`
	Path []string `json:"path"`
	// By is the path of the field that JSON has; empty if several fields have the name at the same
	// depth, so that JSON has none of them.
	By []string `json:"by,omitempty"`

	Field   *Field   `json:"-"`
	Through []*Field `json:"-"`
}

// Lack is a class of Go values.
type Lack string

// The classes.
const (
	LackNever Lack = "never"
	LackNil   Lack = "nil"
	LackEmpty Lack = "empty" // nil, or without items or entries
	LackZero  Lack = "zero"
)

// Object returns the object of a struct; nil for a type that is not a struct.
func (m *Model) Object(t *Type) *Object {
	if t == nil || !t.IsStruct() {
		return nil
	}
	if o, ok := m.objects[t]; ok {
		return o
	}
	o := m.objectOf(t)
	if m.objects != nil {
		m.objects[t] = o
	}
	return o
}

// Freeze keeps the objects of structs from now on: the model does not change any more.
func (m *Model) Freeze() {
	m.Index()
	m.objects = map[*Type]*Object{}
}

// Objects returns the objects of the structs of all root packages.
func (m *Model) Objects() []*Object {
	var all []*Object
	for _, p := range m.Packages {
		for _, t := range p.Types {
			if o := m.Object(t); o != nil && (p.Root || p.Generated) {
				all = append(all, o)
			}
		}
	}
	return all
}

// Member returns the member with a JSON name, or nil.
func (o *Object) Member(name string) *Member {
	if o == nil {
		return nil
	}
	i := slices.IndexFunc(o.Members, func(m *Member) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return o.Members[i]
}

// MemberOf returns the member of a struct's own field; nil if JSON does not have it by its name.
func (m *Model) MemberOf(t *Type, f *Field) *Member {
	o := m.Object(t)
	if o == nil {
		return nil
	}
	i := slices.IndexFunc(o.Members, func(m *Member) bool { return m.Field == f && len(m.Through) == 0 })
	if i < 0 {
		return nil
	}
	return o.Members[i]
}

// Hides reports whether JSON lacks a field of the struct itself.
func (o *Object) Hides(f *Field) bool {
	return o != nil && slices.ContainsFunc(o.Hidden, func(h *Hidden) bool { return h.Field == f && len(h.Through) == 0 })
}

// HiddenBelow returns the Go names of the fields of an inlined struct that the object lacks, as
// paths from the field with the struct.
func (o *Object) HiddenBelow(inlined *Field) [][]string {
	if o == nil {
		return nil
	}
	var paths [][]string
	for _, h := range o.Hidden {
		if len(h.Through) > 0 && h.Through[0] == inlined {
			paths = append(paths, h.Path[1:])
		}
	}
	return paths
}

// Inlined returns the struct whose fields are members of the parent, nil for any other field.
func (m *Model) Inlined(f *Field) *Type {
	if f.Skipped || !f.Inline || !f.Embedded {
		return nil
	}
	return m.Struct(f.Type)
}

// way is the path to a field.
type way struct {
	fields []*Field
	steps  []int
	owner  *Type
}

func (w way) field() *Field { return w.fields[len(w.fields)-1] }

func (w way) names() []string {
	names := make([]string, len(w.fields))
	for i, f := range w.fields {
		names[i] = f.Name
	}
	return names
}

// objectOf finds the members like encoding/json: the least nested field with a name, of several the
// one whose struct tag has the name, and none if that is ambiguous.
func (m *Model) objectOf(t *Type) *Object {
	o := &Object{Type: t.ID()}
	chosen := map[string]*way{}
	var order []way
	seen := map[Name]bool{}
	for level := []way{{owner: t}}; len(level) > 0; {
		var next []way
		here := map[string][]way{}
		var names []string
		visited := map[Name]bool{}
		for _, at := range level {
			if seen[at.owner.ID()] {
				continue
			}
			visited[at.owner.ID()] = true
			for i, f := range at.owner.Fields {
				if f.Skipped {
					continue
				}
				w := way{append(slices.Clone(at.fields), f), append(slices.Clone(at.steps), i), at.owner}
				if in := m.Inlined(f); in != nil {
					w.owner = in
					next = append(next, w)
					continue
				}
				name := cmp.Or(f.JSON, f.Name)
				if here[name] == nil {
					names = append(names, name)
				}
				here[name] = append(here[name], w)
			}
		}
		for _, name := range names {
			ways := here[name]
			by, taken := chosen[name]
			if !taken {
				by = dominant(ways)
				chosen[name] = by
			}
			for _, w := range ways {
				if by != nil && slices.Equal(by.steps, w.steps) {
					order = append(order, w)
					continue
				}
				h := &Hidden{Name: name, Path: w.names(), Field: w.field(), Through: w.fields[:len(w.fields)-1]}
				if by != nil {
					h.By = by.names()
				}
				o.Hidden = append(o.Hidden, h)
			}
		}
		for id := range visited {
			seen[id] = true
		}
		level = next
	}
	slices.SortFunc(order, func(a, b way) int { return slices.Compare(a.steps, b.steps) })
	for _, w := range order {
		o.Members = append(o.Members, m.memberOf(w))
	}
	for _, marker := range t.Markers {
		if group := OneOfMarker(marker); group != nil {
			o.OneOf = append(o.OneOf, group)
		}
	}
	return o
}

// dominant returns the field that has a name among those at one depth; nil if it is ambiguous.
func dominant(ways []way) *way {
	if len(ways) == 1 {
		return &ways[0]
	}
	var tagged []*way
	for i := range ways {
		if ways[i].field().Named() {
			tagged = append(tagged, &ways[i])
		}
	}
	if len(tagged) == 1 {
		return tagged[0]
	}
	return nil
}

func (m *Model) memberOf(w way) *Member {
	f := w.field()
	out := &Member{
		Name: cmp.Or(f.JSON, f.Name), Path: w.names(), Owner: w.owner.ID(), Type: f.Type,
		Field: f, Through: w.fields[:len(w.fields)-1],
		Absent: m.Absent(f), Unset: m.Unset(f), Patch: patchOf(f.Markers),
	}
	for _, in := range out.Through {
		_, pointer := m.Deref(in.Type)
		out.Behind = out.Behind || pointer
	}
	presence := m.PresenceOf(w.owner, f, Bare(f.Tags))
	out.Required, out.By = presence.Required, presence.By
	out.Nullable = HasMarker(f.Markers, foreign.Nullable)
	if d, from := m.DeclaredDefault(f); d != nil {
		out.Default = &MemberDefault{Default: d, Type: from}
		if from != nil {
			id := from.ID()
			out.Default.From = &id
		}
		if out.Absent == LackEmpty {
			out.Absent = LackNil // Go sets the default, so only a client can have written an empty value
		}
	}
	elem, _ := m.Deref(f.Type)
	u, chain := m.Resolve(elem)
	if l := m.ListAt(f.Tags, f.Markers, elem); u.Kind == KindSlice || u.Kind == KindMap && l.By != "" {
		out.List = l
	}
	if i := slices.IndexFunc(chain, func(t *Type) bool { return t.IsEnum() }); i >= 0 {
		id := chain[i].ID()
		out.Enum = &id
	}
	if name, ok := expr.EscapeName(out.Name); ok {
		out.CEL = name
	} else {
		out.NotInCEL = "CEL has no name for " + out.Name
	}
	if why := m.shapeless(f, elem, chain); why != "" {
		out.CEL, out.NotInCEL, out.Shapeless = "", why, true
	}
	return out
}

// shapeless returns why the schema of a field has no type, so that CEL cannot select it; "" if it has one.
func (m *Model) shapeless(f *Field, elem *Ref, chain []*Type) string {
	typed := HasMarker(f.Markers, foreign.KubebuilderType)
	if id := elem.ID(); id == RawJSON || id == GoRawMessage {
		return "values of type " + id.Name + " have no schema"
	}
	if HasMarker(f.Markers, foreign.KubebuilderSchemaless) && !typed {
		return "+" + foreign.KubebuilderSchemaless + " removes its schema"
	}
	for _, t := range chain {
		if t.Methods["MarshalJSON"] != nil && !ownSchema[t.ID()] && !typed && !HasMarker(t.Markers, foreign.KubebuilderType) {
			return "the JSON of type " + t.Name + " is what its method MarshalJSON writes"
		}
	}
	return ""
}

// ownSchema are types with a method MarshalJSON whose schemas have a type.
var ownSchema = map[Name]bool{
	Time: true, MicroTime: true, GoTime: true, Duration: true, Quantity: true, IntOrString: true, RawExtension: true, FieldsV1: true,
}

// HasMarker reports whether a list has a marker with one of the names.
func HasMarker(list []Marker, names ...string) bool {
	return slices.ContainsFunc(list, func(m Marker) bool { return slices.Contains(names, m.Name) })
}

// IsEnum reports whether a marker or a tag makes the constants of the type its only values.
func (t *Type) IsEnum() bool {
	return HasBare(t.Tags, RoleEnum) || HasMarker(t.Markers, foreign.Enum, foreign.KubebuilderEnum)
}

// ListsConstants reports whether OpenAPI documents list the constants of the type as its values. openapi-gen does not read
// controller-gen's marker.
func (t *Type) ListsConstants() bool {
	return HasBare(t.Tags, RoleEnum) || HasMarker(t.Markers, foreign.Enum)
}

// Absent returns for which values of a field JSON lacks it, or has null.
func (m *Model) Absent(f *Field) Lack {
	u := m.Underlying(f.Type)
	switch id := f.Type.ID(); {
	case u.Kind == KindPointer, u.Kind == KindInterface, id == RawExtension:
		return LackNil
	case id == Time || id == MicroTime:
		return LackZero
	case u.Kind == KindSlice, u.Kind == KindMap:
		if f.OmitEmpty {
			return LackEmpty
		}
		return LackNil
	case u.IsScalar() && (f.OmitEmpty || f.OmitZero), f.OmitZero && (u.Kind == KindStruct || u.Kind == KindArray):
		return LackZero
	}
	return LackNever
}

// Unset returns which values of a field rules take as unset. A struct without omitzero is always set.
func (m *Model) Unset(f *Field) Lack {
	if lack := m.UnsetValue(f.Type); lack != LackNever || !f.OmitZero {
		return lack
	}
	return LackZero
}

// UnsetValue is Unset for a value that is not a field. Durations and quantities are like numbers: Go clients send the zero of
// one that they do not set.
func (m *Model) UnsetValue(r *Ref) Lack {
	u := m.Underlying(r)
	switch id := r.ID(); {
	case u.Kind == KindPointer, u.Kind == KindInterface:
		return LackNil
	case u.Kind == KindSlice, u.Kind == KindMap:
		return LackEmpty
	case u.IsScalar(), id == Duration, id == Quantity:
		return LackZero
	}
	return LackNever
}

// DeclaredDefault returns the declared default of a field: its own, or else that of its type, also
// behind pointers and aliases. The type is nil for the field's own.
func (m *Model) DeclaredDefault(f *Field) (*Default, *Type) {
	if f.Default != nil {
		return f.Default, nil
	}
	if t := m.Defaulted(f.Type); t != nil {
		return t.Default, t
	}
	return nil, nil
}

// Defaulted returns the outermost declared type of a value that has a default, nil for none.
func (m *Model) Defaulted(r *Ref) *Type {
	for range 64 {
		switch r.Kind {
		case KindPointer:
			r = r.Elem
		case KindNamed:
			t := m.Type(r.ID())
			if t == nil || t.Default != nil {
				return t
			}
			r = t.Def
		default:
			return nil
		}
	}
	return nil
}
