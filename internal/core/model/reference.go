package model

// ReferenceKind says what a reference leads to.
type ReferenceKind string

// The kinds of references.
const (
	// ToField is a field of a struct.
	ToField ReferenceKind = "field"
	// ToConst is a constant of a declared type.
	ToConst ReferenceKind = "const"
	// ToFunc is a function of a package.
	ToFunc ReferenceKind = "func"
	// ToOption is an option of the API server, which is declared in no Go source.
	ToOption ReferenceKind = "option"
)

// Reference is what an argument of a tag names, resolved.
type Reference struct {
	Kind ReferenceKind `json:"kind"`
	// Package is the import path of the package that declares what is named;
	// empty for an option.
	Package string `json:"package,omitempty"`
	// Owner is the declared type that has the constant, or the struct in which
	// the field is found.
	Owner string `json:"owner,omitempty"`
	// Through are the Go names of the inlined structs that lead from the owner
	// to the field, outermost first.
	Through []string `json:"through,omitempty"`
	// Name is the Go name of the field, constant or function, or the option.
	Name string `json:"name"`
}

// At says which place the inner tag of a tag applies to.
type At string

// The places.
const (
	AtPlace   At = ""        // the place of the outer tag
	AtElement At = "element" // each value of a list or map
	AtKey     At = "key"     // each key of a map
	AtField   At = "field"   // the field that the tag names
	AtItem    At = "item"    // the item of a list that the tag names
)

// OwnerType returns the type that has the field or constant, or nil.
func (m *Model) OwnerType(r *Reference) *Type {
	if r == nil {
		return nil
	}
	return m.Type(Name{r.Package, r.Owner})
}

// FieldOf returns the field that a reference leads to, and the inlined structs
// on the way to it, outermost first; nil when it leads to no field.
func (m *Model) FieldOf(r *Reference) (f *Field, through []*Field) {
	t := m.OwnerType(r)
	if t == nil || r.Kind != ToField {
		return nil, nil
	}
	for _, name := range r.Through {
		inlined := t.Field(name)
		if inlined == nil {
			return nil, nil
		}
		through = append(through, inlined)
		if t = m.Struct(inlined.Type); t == nil {
			return nil, nil
		}
	}
	return t.Field(r.Name), through
}

// ConstOf returns the constant that a reference leads to, or nil.
func (m *Model) ConstOf(r *Reference) *Const {
	t := m.OwnerType(r)
	if t == nil || r.Kind != ToConst {
		return nil
	}
	for _, c := range t.Consts {
		if c.Name == r.Name {
			return c
		}
	}
	return nil
}
