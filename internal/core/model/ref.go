package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// RefKind is the shape of a type expression.
type RefKind string

// The shapes.
const (
	KindBuiltin   RefKind = "builtin" // string, int32, bool, error, any …
	KindNamed     RefKind = "named"
	KindPointer   RefKind = "pointer"
	KindSlice     RefKind = "slice"
	KindArray     RefKind = "array"
	KindMap       RefKind = "map"
	KindStruct    RefKind = "struct"    // only as a declared type's definition, or anonymous
	KindInterface RefKind = "interface" // any interface literal, `any` included
	KindFunc      RefKind = "func"
	KindChan      RefKind = "chan"
	KindParam     RefKind = "param"   // a type parameter
	KindInvalid   RefKind = "invalid" // did not type-check
)

// AnonymousStruct is the name of anonymous struct types with fields. Their fields are not in the
// model.
const AnonymousStruct = "struct{…}"

// Ref is a type expression: a use of a type.
type Ref struct {
	Kind RefKind `json:"kind"`
	// Name is the name of a builtin, of a declared type, or of a type parameter.
	Name string `json:"name,omitempty"`
	// Package is the import path of a declared type's package.
	Package string `json:"package,omitempty"`
	// Args are the type arguments of an instantiated generic type.
	Args []*Ref `json:"args,omitempty"`
	// Instance is the name of the instance, if the model has it as a type of its own.
	Instance string `json:"-"`
	Elem     *Ref   `json:"elem,omitempty"`
	Key      *Ref   `json:"key,omitempty"`
	Len      int64  `json:"len,omitempty"`
	// Alias is the alias by which the source names the type, if the alias has a comment and is no type of
	// the model. Only schemas for users of controller-gen depend on it.
	Alias *Alias `json:"-"`
}

// Alias is what the comment of an alias says.
type Alias struct {
	Package string
	Doc     string
	Markers []Marker
}

// Builtin returns a reference to a predeclared type.
func Builtin(name string) *Ref { return &Ref{Kind: KindBuiltin, Name: name} }

// Named returns a reference to a declared type.
func Named(pkg, name string) *Ref { return &Ref{Kind: KindNamed, Package: pkg, Name: name} }

// PointerTo returns a pointer to elem.
func PointerTo(elem *Ref) *Ref { return &Ref{Kind: KindPointer, Elem: elem} }

// ID returns the name of a declared type, or of an instance that the model has as a type; the zero Name for
// anything else.
func (r *Ref) ID() Name {
	if r.Kind != KindNamed {
		return Name{}
	}
	return Name{r.Package, cmp.Or(r.Instance, r.Name)}
}

// declared returns the name of a declared type as in its declaration.
func (r *Ref) declared() Name { return Name{r.Package, r.Name} }

// IsString reports whether r is the predeclared string.
func (r *Ref) IsString() bool { return r.Kind == KindBuiltin && r.Name == "string" }

// IsBool reports whether r is the predeclared bool.
func (r *Ref) IsBool() bool { return r.Kind == KindBuiltin && r.Name == "bool" }

// IsInteger reports whether r is a predeclared integer type.
func (r *Ref) IsInteger() bool {
	_, _, ok := r.IntRange()
	return ok
}

// IntSize returns the size of a predeclared integer type in bits, 0 for other types, and whether it is
// unsigned; int and uint have 64 bits.
func (r *Ref) IntSize() (bits int, unsigned bool) {
	if !r.IsInteger() {
		return 0, false
	}
	bits = map[string]int{"int8": 8, "uint8": 8, "byte": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32, "rune": 32}[r.Name]
	return cmp.Or(bits, 64), strings.HasPrefix(r.Name, "u") || r.Name == "byte"
}

// IsFloat reports whether r is a predeclared floating-point type.
func (r *Ref) IsFloat() bool {
	return r.Kind == KindBuiltin && (r.Name == "float32" || r.Name == "float64")
}

// IsScalar reports whether r is a predeclared string, bool or number.
func (r *Ref) IsScalar() bool {
	return r.Kind == KindBuiltin && (r.IsString() || r.IsBool() || r.IsInteger() || r.IsFloat())
}

// IsBytes reports whether r is []byte.
func (r *Ref) IsBytes() bool {
	return r.Kind == KindSlice && r.Elem.Kind == KindBuiltin && (r.Elem.Name == "byte" || r.Elem.Name == "uint8")
}

// IntRange returns the bounds of a predeclared integer type as decimal text;
// int and uint have 64 bits.
func (r *Ref) IntRange() (lo, hi string, ok bool) {
	if r.Kind != KindBuiltin {
		return "", "", false
	}
	bits := map[string]int{
		"int": -64, "int8": -8, "int16": -16, "int32": -32, "int64": -64, "rune": -32,
		"uint": 64, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "byte": 8, "uintptr": 64,
	}[r.Name]
	switch {
	case bits < 0:
		return strconv.FormatInt(-1<<(-bits-1), 10), strconv.FormatInt(1<<(-bits-1)-1, 10), true
	case bits > 0:
		return "0", strconv.FormatUint(^uint64(0)>>(64-bits), 10), true
	}
	return "", "", false
}

// Equal reports whether two references denote identical types as written
// (aliases are not resolved).
func (r *Ref) Equal(other *Ref) bool {
	if r == nil || other == nil {
		return r == other
	}
	return r.String() == other.String()
}

// String prints the type with full import paths.
func (r *Ref) String() string {
	switch r.Kind {
	case KindNamed:
		name := r.declared().String()
		if len(r.Args) > 0 {
			args := make([]string, len(r.Args))
			for i, a := range r.Args {
				args[i] = a.String()
			}
			name += "[" + strings.Join(args, ",") + "]"
		}
		return name
	case KindPointer:
		return "*" + r.Elem.String()
	case KindSlice:
		return "[]" + r.Elem.String()
	case KindArray:
		return fmt.Sprintf("[%d]%s", r.Len, r.Elem)
	case KindMap:
		return "map[" + r.Key.String() + "]" + r.Elem.String()
	case KindBuiltin, KindParam:
		return r.Name
	default:
		return string(r.Kind)
	}
}

// Identifier returns the type as a part of an identifier, without its package: Page_Item for Page[Item].
func (r *Ref) Identifier() string {
	switch r.Kind {
	case KindPointer:
		return "PointerTo" + r.Elem.Identifier()
	case KindSlice:
		return "ListOf" + r.Elem.Identifier()
	case KindArray:
		return "Array" + strconv.FormatInt(r.Len, 10) + "Of" + r.Elem.Identifier()
	case KindMap:
		return "MapOf" + r.Elem.Identifier() + "By" + r.Key.Identifier()
	case KindNamed, KindBuiltin:
		words := []string{r.Name}
		for _, a := range r.Args {
			words = append(words, a.Identifier())
		}
		return strings.Join(words, "_")
	}
	return string(r.Kind)
}

// Resolve returns the underlying type. The result is KindNamed only if the model lacks the type.
// The chain has the declared types on the way, outermost first.
func (m *Model) Resolve(r *Ref) (resolved *Ref, chain []*Type) {
	for r.Kind == KindNamed {
		t := m.Type(r.ID())
		if t == nil || len(chain) > 64 {
			return r, chain
		}
		chain = append(chain, t)
		r = t.Def.Substitute(m.Params(r))
	}
	return r, chain
}

// Underlying is Resolve without the chain.
func (m *Model) Underlying(r *Ref) *Ref {
	u, _ := m.Resolve(r)
	return u
}

// Deref strips one pointer, also that of a declared pointer type.
func (m *Model) Deref(r *Ref) (elem *Ref, pointer bool) {
	if u := m.Underlying(r); u.Kind == KindPointer {
		return u.Elem, true
	}
	return r, false
}

// Params returns the arguments of an instance of a generic type by the names of
// the type's parameters; nil for any other type.
func (m *Model) Params(r *Ref) map[string]*Ref {
	t := m.Type(r.ID())
	if t == nil || len(t.TypeParams) == 0 || len(r.Args) != len(t.TypeParams) {
		return nil
	}
	params := make(map[string]*Ref, len(r.Args))
	for i, name := range t.TypeParams {
		params[name] = r.Args[i]
	}
	return params
}

// Arguments returns the type arguments by name of the generic struct that r is an instance of, also through pointers and
// declared types; nil for any other type.
func (m *Model) Arguments(r *Ref) map[string]*Ref {
	for range 64 {
		switch r.Kind {
		case KindPointer:
			r = r.Elem
		case KindNamed:
			t, params := m.Type(r.ID()), m.Params(r)
			if t == nil || t.IsStruct() {
				return params
			}
			r = t.Def.Substitute(params)
		default:
			return nil
		}
	}
	return nil
}

// Instance is Struct with the fields that an instance of a generic struct has: those of a copy.
func (m *Model) Instance(r *Ref) *Type {
	t, params := m.Struct(r), m.Arguments(r)
	if t == nil || !t.Generic || params == nil {
		return t
	}
	instance := *t
	instance.Generic, instance.Fields = false, nil
	for _, f := range t.Fields {
		of := *f
		of.Type = f.Type.Substitute(params)
		instance.Fields = append(instance.Fields, &of)
	}
	return &instance
}

// Struct returns the declared struct type of r without pointers and through declared types; nil if
// r is not a struct.
func (m *Model) Struct(r *Ref) *Type {
	for range 64 {
		switch r.Kind {
		case KindPointer:
			r = r.Elem
		case KindNamed:
			t := m.Type(r.ID())
			if t == nil {
				return nil
			}
			if t.IsStruct() {
				return t
			}
			r = t.Def
		default:
			return nil
		}
	}
	return nil
}

// Is reports whether values of the type, a pointer looked through, are of a declared
// type, or of one declared from it.
func (m *Model) Is(r *Ref, name Name) bool {
	if r == nil {
		return false
	}
	elem, _ := m.Deref(r)
	if elem.ID() == name {
		return true
	}
	_, chain := m.Resolve(elem)
	return slices.ContainsFunc(chain, func(t *Type) bool { return t.ID() == name })
}

// Declared calls a function with the declared types in a type expression.
func (r *Ref) Declared(visit func(Name)) {
	if r == nil {
		return
	}
	if r.Kind == KindNamed {
		visit(r.ID())
	}
	for _, part := range append([]*Ref{r.Elem, r.Key}, r.Args...) {
		part.Declared(visit)
	}
}

// HasParams reports whether a type expression has type parameters.
func (r *Ref) HasParams() bool {
	return r != nil && (r.Kind == KindParam || r.Elem.HasParams() || r.Key.HasParams() || slices.ContainsFunc(r.Args, (*Ref).HasParams))
}

// Substitute replaces type parameters by their arguments.
func (r *Ref) Substitute(params map[string]*Ref) *Ref {
	if r == nil || len(params) == 0 {
		return r
	}
	if r.Kind == KindParam {
		if arg := params[r.Name]; arg != nil {
			return arg
		}
		return r
	}
	out := *r
	out.Elem, out.Key = r.Elem.Substitute(params), r.Key.Substitute(params)
	out.Args = make([]*Ref, len(r.Args))
	for i, a := range r.Args {
		out.Args[i] = a.Substitute(params)
	}
	return &out
}

// Spell returns the spelling of a type in the package's files.
func (p *Package) Spell(r *Ref) string {
	switch r.Kind {
	case KindNamed:
		args := make([]string, len(r.Args))
		for i, a := range r.Args {
			args[i] = p.Spell(a)
		}
		list := ""
		if len(args) > 0 {
			list = "[" + strings.Join(args, ", ") + "]"
		}
		if r.Package == p.Path {
			return r.Name + list
		}
		for _, name := range slices.Sorted(maps.Keys(p.Imports)) {
			if p.Imports[name] == r.Package {
				return name + "." + r.Name + list
			}
		}
		return r.String()
	case KindPointer:
		return "*" + p.Spell(r.Elem)
	case KindSlice:
		return "[]" + p.Spell(r.Elem)
	case KindArray:
		return fmt.Sprintf("[%d]%s", r.Len, p.Spell(r.Elem))
	case KindMap:
		return "map[" + p.Spell(r.Key) + "]" + p.Spell(r.Elem)
	case KindInterface:
		if r.Name == "" {
			return "any"
		}
	}
	return r.String()
}

// FieldByJSON returns the field of a struct with a JSON name, including fields of inlined structs,
// and the struct that declares it; nil if there is none.
func (m *Model) FieldByJSON(t *Type, name string) (*Type, *Field) {
	if member := m.Object(t).Member(name); member != nil {
		return m.Type(member.Owner), member.Field
	}
	return nil, nil
}
