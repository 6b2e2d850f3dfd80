package expr

import "strings"

// Kind is the outermost constructor of a type.
type Kind string

// The kinds of types. Those up to Optional are the types of values in objects;
// the others are made by functions only.
const (
	DynKind       Kind = "dyn"
	NullKind      Kind = "null"
	BoolKind      Kind = "bool"
	IntKind       Kind = "int"
	UintKind      Kind = "uint"
	DoubleKind    Kind = "double"
	StringKind    Kind = "string"
	BytesKind     Kind = "bytes"
	ListKind      Kind = "list"
	MapKind       Kind = "map"
	ObjectKind    Kind = "object"
	DurationKind  Kind = "duration"
	TimestampKind Kind = "timestamp"
	// IntOrStringKind is dyn when rules are checked: rules ask type(x) first.
	IntOrStringKind Kind = "intOrString"
	// UnknownKind is data without a schema. Rules cannot refer to it, but comparisons
	// of enclosing objects include it.
	UnknownKind Kind = "unknown"

	OptionalKind Kind = "optional"
	TypeKind     Kind = "type"
	QuantityKind Kind = "quantity"
	IPKind       Kind = "ip"
	CIDRKind     Kind = "cidr"
	URLKind      Kind = "url"
	FormatKind   Kind = "format"
	SemverKind   Kind = "semver"
)

// Type is the type of an expression. The type of a field has the parts of its schema
// that affect rules.
type Type struct {
	Kind Kind `json:"kind"`
	// Name is the name of an object, under which Types has its fields.
	Name string `json:"name,omitempty"`
	// Key is the type of a map's keys. Elem is the type of a list's items, a
	// map's values or an optional's value.
	Key  *Type `json:"key,omitempty"`
	Elem *Type `json:"elem,omitempty"`
	// Format is set on a timestamp whose text is a date alone.
	Format string `json:"format,omitempty"`
	// ListType is "set" or "map" on a list that is compared and joined as one;
	// ListKeys are the keys of a map.
	ListType string   `json:"listType,omitempty"`
	ListKeys []string `json:"listKeys,omitempty"`
	// Nullable is set if null is a value.
	Nullable bool `json:"nullable,omitempty"`
	// Why completes, for UnknownKind, the sentence "rules cannot refer to it: …"; "" for data without
	// a schema.
	Why string `json:"why,omitempty"`
}

// Types are the fields of objects, by the objects' names. They are separate from the
// types that refer to them because objects can be recursive.
type Types map[string]map[string]*Type

// DateFormat is the Format of a timestamp that is written as a date.
const DateFormat = "date"

// ListType is a list of items of a type.
func ListType(elem *Type) *Type { return &Type{Kind: ListKind, Elem: elem} }

// MapType is a map from strings.
func MapType(elem *Type) *Type { return &Type{Kind: MapKind, Key: StringType(), Elem: elem} }

// OptionalType is a value that may be none.
func OptionalType(elem *Type) *Type { return &Type{Kind: OptionalKind, Elem: elem} }

// StringType is the type of strings.
func StringType() *Type { return &Type{Kind: StringKind} }

// String names the type as CEL does, objects by their names.
func (t *Type) String() string {
	if t == nil {
		return string(DynKind)
	}
	switch t.Kind {
	case ObjectKind:
		return t.Name
	case ListKind, MapKind, OptionalKind:
		var parts []string
		for _, p := range []*Type{t.Key, t.Elem} {
			if p != nil {
				parts = append(parts, p.String())
			}
		}
		return string(t.Kind) + "(" + strings.Join(parts, ", ") + ")"
	}
	return string(t.Kind)
}
