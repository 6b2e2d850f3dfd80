// Package model is what kindsmith knows about an API: groups, versions, types,
// fields and the rules on them.
//
// The model is plain data. It is made by package lower (and, for older
// versions, by package evolve), read by checks and emitters, and printed by
// `kindsmith model`. A rule in it is a name with arguments; what the rule does
// is the tag's business.
package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/source"
)

// Model is every package that was asked for, and every package that these need.
type Model struct {
	// Packages are sorted by import path.
	Packages []*Package `json:"packages"`

	types map[Name]*Type
}

// Name identifies a declared type.
type Name struct {
	Package string `json:"package"` // import path
	Name    string `json:"name"`
}

// String returns path.Name.
func (n Name) String() string {
	if n.Package == "" {
		return n.Name
	}
	return n.Package + "." + n.Name
}

// Package is one Go package.
type Package struct {
	Path string `json:"path"`
	Name string `json:"name"`
	// Dir is where the package's files are; generated files go there too
	// unless the run says otherwise.
	Dir string `json:"-"`
	// Module is the path of the module that holds the package, "" in the
	// standard library.
	Module string `json:"module,omitempty"`
	// External is set when the module is only depended on, so that nobody here
	// can change the package's source.
	External bool `json:"external,omitempty"`
	// Root is set on a package that was asked for. Others are here because a
	// root's types refer to theirs.
	Root bool `json:"root,omitempty"`
	// Inputs are packages whose types this package's validators are about,
	// beside its own.
	Inputs []string `json:"inputs,omitempty"`
	// ControllerRuntime is set when the build that the package was loaded with
	// has sigs.k8s.io/controller-runtime in it.
	ControllerRuntime bool `json:"-"`
	// Group and Version are the API group version that the package declares:
	// the group by +groupName, the version by +versionName or its name.
	Group   string `json:"group,omitempty"`
	Version string `json:"version,omitempty"`
	Doc     string `json:"doc,omitempty"`
	// Span is the package clause.
	Span source.Span `json:"span"`
	// Constraints are the tags above the package clause; Markers all other markers there.
	Constraints []*Constraint `json:"constraints,omitempty"`
	Markers     []Marker      `json:"markers,omitempty"`
	// Versions are the API versions that the package is the newest of, in
	// order of appearance, the package's own last. Empty when nothing is versioned.
	Versions []*Version `json:"versions,omitempty"`
	// Tracking is the store of values that older versions cannot hold.
	Tracking *Tracking `json:"tracking,omitempty"`
	// Hub is set on an older version of another package: the import path of
	// the newest version.
	Hub string `json:"hub,omitempty"`
	// Generated is set on an older version that kindsmith writes itself. Its
	// types have spans in the newest version's files.
	Generated bool `json:"generated,omitempty"`
	// Types are in order of declaration: files by name, then by place.
	Types []*Type `json:"types,omitempty"`
	// Funcs are the package-level functions, by name: signatures only.
	Funcs map[string]*Func `json:"funcs,omitempty"`
	// Consts are the package-level constants that are untyped or of a
	// predeclared type, by name; the others are with their types. Of a package
	// that is not a root, at least those that a default names.
	Consts map[string]*Const `json:"consts,omitempty"`
	// Decls are the names of all package-level declarations outside of
	// generated files, so that generated names can keep clear of them.
	Decls map[string]bool `json:"-"`
	// GeneratedFuncs are the functions that kindsmith has generated in a package
	// that is not a root.
	GeneratedFuncs map[string]bool `json:"-"`
	// Imports are the packages that the package's files import, by the names
	// that they have there.
	Imports map[string]string `json:"-"`
}

// Version is one API version of a group, declared by +versioned:version.
type Version struct {
	Name string `json:"name"`
	// Deprecated is the note on a deprecated version; IsDeprecated holds without one too.
	Deprecated   string `json:"deprecated,omitempty"`
	IsDeprecated bool   `json:"isDeprecated,omitempty"`
	Served       bool   `json:"served"`
	Storage      bool   `json:"storage"`
	// Package is the import path of the version's Go package.
	Package string `json:"package"`
	// Skip lists the parts of the version that its author writes.
	Skip []string    `json:"skip,omitempty"`
	Span source.Span `json:"span"`
	// The places of the arguments, or the whole tag.
	NameSpan    source.Span `json:"-"`
	StorageSpan source.Span `json:"-"`
	SkipSpan    source.Span `json:"-"`
}

// Tracking says where values are kept that an older version cannot hold.
type Tracking struct {
	Store string      `json:"store"` // status, annotation or none
	Span  source.Span `json:"span"`
}

// Func is the signature of a package-level function.
type Func struct {
	Name    string      `json:"name"`
	Params  []*Ref      `json:"params,omitempty"`
	Results []*Ref      `json:"results,omitempty"`
	Span    source.Span `json:"span"`
}

// Type is a declared type.
type Type struct {
	Name    string `json:"name"`
	Package string `json:"package"`
	Doc     string `json:"doc,omitempty"`
	// Span is the type's name in its declaration.
	Span source.Span `json:"span"`
	// Alias is set on `type A = B`.
	Alias bool `json:"alias,omitempty"`
	// Generic is set on a type with type parameters.
	Generic bool `json:"generic,omitempty"`
	// TypeParams are the names of a generic type's parameters, in order.
	TypeParams []string `json:"typeParams,omitempty"`
	// Def is what the declaration says the type is. For a struct its kind is
	// KindStruct and Fields hold the rest.
	Def *Ref `json:"def"`
	// Fields are the fields of a struct, in order of declaration.
	Fields []*Field `json:"fields,omitempty"`
	// Methods are the names of the methods that are declared on the type or
	// its pointer outside of files that kindsmith writes.
	Methods map[string]*Method `json:"methods,omitempty"`
	// Constraints are the tags on the type; Markers all other markers there.
	Constraints []*Constraint `json:"constraints,omitempty"`
	Markers     []Marker      `json:"markers,omitempty"`
	Default     *Default      `json:"default,omitempty"`
	// Consts are the constants of the type in its own package, in order of declaration.
	Consts []*Const `json:"consts,omitempty"`
	// Unions are the unions among the fields, in order of their first member.
	Unions []*Union `json:"unions,omitempty"`
	// Changes say how the type came to be what it is in the newest version.
	Changes []Change `json:"changes,omitempty"`
	// Kind is set on a root type: one with TypeMeta, and ObjectMeta or ListMeta.
	Kind *Kind `json:"kind,omitempty"`
	// Hub is set on a type of an older version: the newest version's type that
	// it pairs with.
	Hub *Name `json:"hub,omitempty"`
	// Fallbacks are, on an enum of an older version, the newest version's
	// constants that it lacks.
	Fallbacks []Fallback `json:"fallbacks,omitempty"`
}

// Fallback says what stands for a constant in a version that lacks it.
type Fallback struct {
	// Hub is the Go name of the newest version's constant.
	Hub string `json:"hub"`
	// To is the Go name of the older version's constant.
	To string `json:"to"`
}

// Method is a method that generators care for.
type Method struct {
	Pointer bool   `json:"pointer,omitempty"`
	Params  []*Ref `json:"params,omitempty"`
	Results []*Ref `json:"results,omitempty"`
}

// ID returns the type's name with its import path.
func (t *Type) ID() Name { return Name{t.Package, t.Name} }

// IsStruct reports whether the type is declared as a struct.
func (t *Type) IsStruct() bool { return t.Def.Kind == KindStruct }

// Subresources returns the request paths that a type is validated for: those that it
// supports beside its own, or the one that it is.
func (t *Type) Subresources() []string {
	paths := []string{"/"}
	for _, c := range t.Constraints {
		switch c.Role {
		case RoleIsSubresource:
			paths = []string{c.Text()}
		case RoleSupportsSubresource:
			paths = append(paths, c.Text())
		}
	}
	return paths
}

// Field returns the field with the given Go name, or nil.
func (t *Type) Field(name string) *Field {
	for _, f := range t.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// FieldByJSON returns the direct field with the given JSON name, or nil.
func (t *Type) FieldByJSON(name string) *Field {
	for _, f := range t.Fields {
		if f.JSON == name && !f.Inline {
			return f
		}
	}
	return nil
}

// Kind says that a type is an API object of its own.
type Kind struct {
	// List is set on a list of objects (one with ListMeta).
	List bool `json:"list,omitempty"`
	// Item is the kind in the list, for a list.
	Item *Ref `json:"item,omitempty"`
}

// Field is a field of a struct.
type Field struct {
	Name string `json:"name"`
	// JSON is the field's name on the wire. It is empty for an inlined struct
	// and for a field that is not serialised ("-").
	JSON string `json:"json,omitempty"`
	// Inline is set when the fields of the field's struct are the parent's on the wire.
	Inline bool `json:"inline,omitempty"`
	// Skipped is set when the field is not on the wire at all (json:"-", or unexported).
	Skipped   bool   `json:"skipped,omitempty"`
	OmitEmpty bool   `json:"omitempty,omitempty"`
	OmitZero  bool   `json:"omitzero,omitempty"`
	Embedded  bool   `json:"embedded,omitempty"`
	Type      *Ref   `json:"type"`
	Doc       string `json:"doc,omitempty"`
	// StructTag is the whole struct tag as written, without its quotes.
	StructTag string `json:"structTag,omitempty"`
	// Span is the field's name (for an embedded field its type).
	Span     source.Span `json:"span"`
	TypeSpan source.Span `json:"-"`
	TagSpan  source.Span `json:"-"`

	Constraints []*Constraint `json:"constraints,omitempty"`
	Markers     []Marker      `json:"markers,omitempty"`
	Default     *Default      `json:"default,omitempty"`
	Changes     []Change      `json:"changes,omitempty"`
	// Origin is set on a field of an older version: what became of it.
	Origin *Origin `json:"origin,omitempty"`
}

// Exported reports whether the field's Go name is exported.
func (f *Field) Exported() bool { return f.Name != "" && f.Name[0] >= 'A' && f.Name[0] <= 'Z' }

// Const is a constant of a declared type.
type Const struct {
	Name string `json:"name"`
	// Value is the constant's exact value: the string itself, or digits.
	Value       string        `json:"value"`
	IsString    bool          `json:"isString,omitempty"`
	Doc         string        `json:"doc,omitempty"`
	Span        source.Span   `json:"span"`
	Constraints []*Constraint `json:"constraints,omitempty"`
	Markers     []Marker      `json:"markers,omitempty"`
	Changes     []Change      `json:"changes,omitempty"`
	// Origin is set on a constant of an older version: the Go name of the
	// newest version's constant.
	Origin string `json:"origin,omitempty"`
}

// Marker is a marker comment that is not one of our tags, as written after its '+'.
type Marker struct {
	Name string      `json:"name"`
	Text string      `json:"text"`
	Span source.Span `json:"span"`
}

// Constraint is a tag as an author wrote it: a name, arguments, and what it
// applies to.
type Constraint struct {
	Name string `json:"name"`
	// Role is what the tag means for the shape of the API; "" for a rule on
	// values alone.
	Role     Role        `json:"role,omitempty"`
	NameSpan source.Span `json:"-"`
	Span     source.Span `json:"span"`
	Args     []Arg       `json:"args,omitempty"`
	Payload  *Value      `json:"payload,omitempty"`
	// Inner is the tag that a nesting tag applies, as in eachVal=+maxLength=3.
	Inner *Constraint `json:"inner,omitempty"`
	// At is the place that the inner tag applies to.
	At At `json:"at,omitempty"`
	// Until is the last version in which the tag holds, where newer ones are
	// without it.
	Until string `json:"until,omitempty"`
}

// Arg is one argument; a positional one has no name.
type Arg struct {
	Name string `json:"name,omitempty"`
	// NameRef is what the name refers to, where authors choose it; nil when it
	// resolves to nothing.
	NameRef *Reference `json:"nameRef,omitempty"`
	Value   Value      `json:"value"`
	// Span is the name, or the value of an argument without a name.
	Span source.Span `json:"-"`
}

// ValueKind says how a value was written.
type ValueKind string

// The kinds of values.
const (
	StringValue ValueKind = "string"
	IntValue    ValueKind = "int"
	BoolValue   ValueKind = "bool"
	IdentValue  ValueKind = "ident"
	JSONValue   ValueKind = "json"
	RawValue    ValueKind = "raw"
)

// Value is an argument's or a payload's value.
type Value struct {
	Kind ValueKind `json:"kind"`
	Text string    `json:"text"`
	// Ref is what the value refers to; nil when the tag takes a plain value, and
	// when it resolves to nothing.
	Ref  *Reference  `json:"ref,omitempty"`
	Span source.Span `json:"-"`
}

// Arg returns the argument with the given name ("" for the positional one), or nil.
func (c *Constraint) Arg(name string) *Value {
	for i := range c.Args {
		if c.Args[i].Name == name {
			return &c.Args[i].Value
		}
	}
	return nil
}

// ArgText returns the text of the argument with the given name, or "".
func (c *Constraint) ArgText(name string) string {
	if v := c.Arg(name); v != nil {
		return v.Text
	}
	return ""
}

// SameArgs reports whether two constraints have the same arguments, in any order.
func (c *Constraint) SameArgs(other *Constraint) bool {
	for _, a := range c.Args {
		if v := other.Arg(a.Name); v == nil || v.Text != a.Value.Text {
			return false
		}
	}
	return len(c.Args) == len(other.Args)
}

// Text returns the payload's text, or "".
func (c *Constraint) Text() string {
	if c.Payload == nil {
		return ""
	}
	return c.Payload.Text
}

// ShortName returns the name without its prefix.
func (c *Constraint) ShortName() string {
	_, name, ok := strings.Cut(c.Name, ":")
	if !ok {
		return c.Name
	}
	return name
}

// Default is a declared default.
type Default struct {
	// JSON is the value, as JSON text; empty when Ref is set.
	JSON string `json:"json,omitempty"`
	// Ref names a constant whose value is the default.
	Ref *Name `json:"ref,omitempty"`
	// Marker is the spelling that was used: default, k8s:default or kubebuilder:default.
	Marker string      `json:"marker,omitempty"`
	Span   source.Span `json:"span"`
}

// Union is a set of fields of one struct of which at most one is set.
type Union struct {
	// Name tells several unions of one struct apart; empty for the only one.
	Name string `json:"name,omitempty"`
	// Discriminator is the Go name of the field that says which member is set, or "".
	Discriminator string `json:"discriminator,omitempty"`
	// Conditions are the tags that say when there is a discriminator, outermost
	// first; none for always.
	Conditions []*Constraint `json:"conditions,omitempty"`
	// ZeroOrOne is set when having no member set is valid too.
	ZeroOrOne bool     `json:"zeroOrOne,omitempty"`
	Members   []Member `json:"members"`
	// Span is the first tag of the union.
	Span source.Span `json:"span"`
}

// Member is a member of a union.
type Member struct {
	// Field is the Go name of the field.
	Field string `json:"field"`
	// Value is the discriminator's value that selects the member.
	Value string `json:"value"`
	// Conditions are the tags that say when the field is a member, outermost
	// first; none for always.
	Conditions []*Constraint `json:"conditions,omitempty"`
	Span       source.Span   `json:"span"`
}

// Origin pairs a field of an older version with the newest version's.
type Origin struct {
	// Field is the Go name of the hub's field.
	Field string `json:"field"`
	// Steps are the changes from this version to the hub's, oldest first.
	Steps []Change `json:"steps,omitempty"`
}

// Index makes the model's types available to Type. It must be called again
// after packages or types were added.
func (m *Model) Index() {
	slices.SortFunc(m.Packages, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	m.types = map[Name]*Type{}
	for _, p := range m.Packages {
		for _, t := range p.Types {
			m.types[t.ID()] = t
		}
	}
}

// Type returns the declared type with the given name, or nil when the model
// does not have it.
func (m *Model) Type(name Name) *Type { return m.types[name] }

// Package returns the package with the given import path, or nil.
func (m *Model) Package(path string) *Package {
	for _, p := range m.Packages {
		if p.Path == path {
			return p
		}
	}
	return nil
}

// Type returns the package's type with the given name, or nil.
func (p *Package) Type(name string) *Type {
	for _, t := range p.Types {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Describe spells a constraint as an author would: "+k8s:maxLength=63".
func (c *Constraint) Describe() string {
	s := "+" + c.Name
	if len(c.Args) > 0 {
		parts := make([]string, len(c.Args))
		for i, a := range c.Args {
			parts[i] = a.Value.spelled()
			if a.Name != "" {
				parts[i] = a.Name + ": " + parts[i]
			}
		}
		s += "(" + strings.Join(parts, ", ") + ")"
	}
	switch {
	case c.Inner != nil:
		s += "=" + c.Inner.Describe()
	case c.Payload != nil:
		s += "=" + c.Payload.spelled()
	}
	return s
}

func (v *Value) spelled() string {
	if v.Kind == StringValue {
		return strconv.Quote(v.Text)
	}
	return v.Text
}
