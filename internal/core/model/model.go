// Package model represents an API: groups, versions, types, fields and their tags.
//
// A [Model] has packages, a [Package] types, a [Type] fields, and a [Ref] refers to a type. [Model.Type] finds a type by its
// [Name].
//
// The model is plain data. Package lower creates it, package evolve adds older versions, checks and
// emitters read it, and `kindsmith model` prints it. A tag in it is a name with arguments; its
// definition has its meaning.
//
// An Object is the JSON object of a struct: its members as encoding/json finds them, with the Go path through
// inlined structs. A member has what tags and markers of any spelling say: whether it is required, which Go
// values JSON lacks and which rules take as unset, the declared default and its type, list type and keys,
// enum, and the name in CEL. An object also has the groups of one-of markers. Each fact has its origin. Object.Hidden are fields JSON lacks because another
// field has their name. Do not derive these facts from struct tags or markers again: add missing facts to
// Object. `kindsmith model --objects` prints the objects.
package model

import (
	"reflect"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Model has the root packages and all packages that they use.
type Model struct {
	// Packages are sorted by import path.
	Packages []*Package `json:"packages"`

	types   map[Name]*Type
	objects map[*Type]*Object
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
	// Dir is the folder of the package's files, and by default of its generated files.
	Dir string `json:"-"`
	// Module is the path of the package's module, "" in the standard library.
	Module string `json:"module,omitempty"`
	// External is set if the module is a dependency, whose source users cannot change.
	External bool `json:"external,omitempty"`
	// Root is set on a package that a pattern names, and on the other versions of its API. Roots use
	// types of the others.
	Root bool `json:"root,omitempty"`
	// Companion is set on a package that no pattern names, beside one that a pattern names and of
	// the same API group: it may have further versions of that one's kinds.
	Companion bool `json:"companion,omitempty"`
	// Inputs are other packages for whose types this package has validators.
	Inputs []string `json:"inputs,omitempty"`
	// DefaultInputs are other packages for whose types this package has defaulting functions.
	DefaultInputs []string `json:"defaultInputs,omitempty"`
	// ControllerRuntime is set if the package's build has sigs.k8s.io/controller-runtime.
	ControllerRuntime bool `json:"-"`
	// Group and Version are the API group version that the package declares:
	// the group by +groupName, the version by +versionName or its name.
	Group string `json:"group,omitempty"`
	// Core is set on a package of the core group, whose name is empty.
	Core    bool   `json:"core,omitempty"`
	Version string `json:"version,omitempty"`
	Doc     string `json:"doc,omitempty"`
	// Span is the package clause.
	Span source.Span `json:"span"`
	// Tags are the tags above the package clause; Markers all other markers there.
	Tags    []*Tag   `json:"tags,omitempty"`
	Markers []Marker `json:"markers,omitempty"`
	// Loose are the markers of hand-written files that belong to no declaration.
	Loose []LooseMarker `json:"loose,omitempty"`
	// Versions are the API versions of which the package is the newest, oldest first. Empty if the
	// package declares none.
	Versions []*Version `json:"versions,omitempty"`
	// VersionsDir is the slash-separated folder, relative to Dir, of the folders of older versions, which
	// have the versions' names.
	VersionsDir string `json:"-"`
	// Tracking is the store of values that older versions cannot represent.
	Tracking *Tracking `json:"tracking,omitempty"`
	// Restores are annotations in which earlier, hand-written conversions have stored objects.
	Restores []*Restore `json:"restores,omitempty"`
	// Retired are versions that the API had before.
	Retired []*Retired `json:"retired,omitempty"`
	// Mistaken is set on a newest version whose markers have mistakes because of which the types of
	// older versions are not known. Nobody plans conversions of these.
	Mistaken bool `json:"-"`
	// Hub is, for an older version, the import path of the newest version.
	Hub string `json:"hub,omitempty"`
	// Generated is set on a generated older version. Its types have spans in the newest version's
	// files.
	Generated bool `json:"generated,omitempty"`
	// Types are in order of declaration: by file name, then by position.
	Types []*Type `json:"types,omitempty"`
	// Funcs are the signatures of the package-level functions, by name.
	Funcs map[string]*Func `json:"funcs,omitempty"`
	// Consts are the package-level constants without a declared type, by name; types have the
	// others. Packages that are not roots have at least those that defaults name.
	Consts map[string]*Const `json:"consts,omitempty"`
	// Decls are the names of all hand-written package-level declarations, which generated names
	// must not use.
	Decls map[string]bool `json:"-"`
	// Builders are the hand-written scheme builders of a root: by variable, the
	// expression that functions are registered with. NamesBuilder is set if hand-written
	// code mentions the variables that are generated otherwise.
	Builders     map[string]string `json:"-"`
	NamesBuilder bool              `json:"-"`
	// NamesGroup is set if hand-written code mentions GroupName, which is generated otherwise.
	NamesGroup bool `json:"-"`
	// GeneratedFuncs are the generated functions of a package that is not a root.
	GeneratedFuncs map[string]bool `json:"-"`
	// Imports are the packages that the package's files import, by their names there.
	Imports map[string]string `json:"-"`
	// Dots are the exported names of packages that files import as ".", with the imported paths.
	// Package-level declarations must not have them.
	Dots map[string]source.Span `json:"-"`
}

// IsDependency reports whether the package belongs to another module and is not a root.
func (p *Package) IsDependency() bool {
	return !p.Root && !p.Generated && (p.External || p.Module == "")
}

// Named reports whether Go files are written for the package: a pattern names it, or the newest
// version of which it is an older one.
func (p *Package) Named() bool { return p.Root && !p.Companion }

// HasGroup reports whether the package declares its API group.
func (p *Package) HasGroup() bool { return p.Group != "" || p.Core }

// Version is one API version of a group, declared by +versioned:version.
type Version struct {
	Name string `json:"name"`
	// Doc is a paragraph for the doc comments of the version's types.
	Doc string `json:"doc,omitempty"`
	// Deprecated is the note on a deprecated version; IsDeprecated is set even without one.
	Deprecated   string `json:"deprecated,omitempty"`
	IsDeprecated bool   `json:"isDeprecated,omitempty"`
	Served       bool   `json:"served"`
	Storage      bool   `json:"storage"`
	// Package is the import path of the version's Go package.
	Package string `json:"package"`
	// Skip lists the parts of the version that are not generated.
	Skip []string    `json:"skip,omitempty"`
	Span source.Span `json:"span"`
	// The spans of the arguments, or of the whole tag.
	NameSpan    source.Span `json:"-"`
	StorageSpan source.Span `json:"-"`
	SkipSpan    source.Span `json:"-"`
}

// The stores of tracked values.
const (
	StatusStore     = "status"
	AnnotationStore = "annotation"
	NoStore         = "none"
)

// Restore is an annotation in which earlier, hand-written conversions have stored an object of another version.
type Restore struct {
	// Annotation is the key.
	Annotation string `json:"annotation"`
	// Version is the version of stored objects without an apiVersion.
	Version string      `json:"version"`
	Span    source.Span `json:"span"`
}

// Retired is a version that the API had before.
type Retired struct {
	Name string `json:"name"`
	// Span is the name.
	Span source.Span `json:"span"`
}

// Tracking configures the store of values that an older version cannot represent.
type Tracking struct {
	Store string      `json:"store"`
	Span  source.Span `json:"span"`
}

// Func is the signature of a package-level function.
type Func struct {
	Name    string      `json:"name"`
	Params  []*Ref      `json:"params,omitempty"`
	Results []*Ref      `json:"results,omitempty"`
	Span    source.Span `json:"span"`
	// Covers is set on a defaulting function that also sets the defaults of all values in its argument.
	Covers bool `json:"covers,omitempty"`
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
	// Constraints are those of the parameters, unless all are any: types, or literals as the names of interfaces. One
	// that only some types of other versions satisfy is invalid.
	Constraints []*Ref `json:"constraints,omitempty"`
	// Instance is set on a type that is an instance of a generic one: a reference to it.
	Instance *Ref `json:"-"`
	// Def is the right side of the declaration. For a struct its kind is KindStruct, and Fields has
	// the fields.
	Def *Ref `json:"def"`
	// Fields are the fields of a struct, in order of declaration.
	Fields []*Field `json:"fields,omitempty"`
	// Methods are the names of the methods of the type and its pointer outside files that kindsmith
	// writes.
	Methods map[string]*Method `json:"methods,omitempty"`
	// Tags are the tags on the type; Markers all other markers there.
	Tags    []*Tag   `json:"tags,omitempty"`
	Markers []Marker `json:"markers,omitempty"`
	Default *Default `json:"default,omitempty"`
	// Consts are the constants of the type in its own package, in order of declaration.
	Consts []*Const `json:"consts,omitempty"`
	// Changes are the changes of the type between versions.
	Changes []Change `json:"changes,omitempty"`
	// Kind is set on a root type: one with TypeMeta, and ObjectMeta or ListMeta.
	Kind *Kind `json:"kind,omitempty"`
	// Hub is, for a type of an older version, the paired type of the newest version.
	Hub *Name `json:"hub,omitempty"`
	// Moves are, for a type of an older version, the fields that moved within it.
	Moves []*Move `json:"moves,omitempty"`
	// Fallbacks are, for an enum of an older version, replacements of the newest version's
	// constants that it lacks.
	Fallbacks []Fallback `json:"fallbacks,omitempty"`
}

// Fallback is the replacement of a constant in a version that lacks it.
type Fallback struct {
	// Hub is the Go name of the newest version's constant.
	Hub string `json:"hub"`
	// To is the Go name of the older version's constant.
	To string `json:"to"`
}

// Method is a method that generators use.
type Method struct {
	Pointer bool `json:"pointer,omitempty"`
	// Result is the type that a method without parameters returns, as written, if it is
	// a name or a pointer to one.
	Result string `json:"result,omitempty"`
	// Param is the type of the parameter of a method with one and without results, in the same form.
	Param string `json:"param,omitempty"`
}

// CopiesInto reports whether the type has the method DeepCopyInto(out *T). One with another signature is
// no copy method.
func (t *Type) CopiesInto() bool {
	m := t.Methods["DeepCopyInto"]
	return m != nil && m.Param == "*"+t.Name
}

// Copies reports whether the type has a method DeepCopy() that returns a copy, and whether this is a pointer.
func (t *Type) Copies() (pointer, ok bool) {
	m := t.Methods["DeepCopy"]
	if m == nil {
		return false, false
	}
	return m.Result == "*"+t.Name, m.Result == t.Name || m.Result == "*"+t.Name
}

// Parts returns the selected types, and the types that these consist of.
func (m *Model) Parts(of func(p *Package, t *Type) bool) map[Name]bool {
	found := map[Name]bool{}
	var visit func(r *Ref)
	visit = func(r *Ref) {
		if r == nil {
			return
		}
		visit(r.Elem)
		visit(r.Key)
		for _, a := range r.Args {
			visit(a)
		}
		t := m.Type(r.ID())
		if t == nil || found[t.ID()] {
			return
		}
		found[t.ID()] = true
		visit(t.Def)
		for _, f := range t.Fields {
			if !f.Skipped {
				visit(f.Type)
			}
		}
	}
	for _, p := range m.Packages {
		for _, t := range p.Types {
			if of(p, t) {
				visit(Named(t.Package, t.Name))
			}
		}
	}
	return found
}

// ID returns the type's name with its import path.
func (t *Type) ID() Name { return Name{t.Package, t.Name} }

// Ref returns a reference to the type.
func (t *Type) Ref() *Ref {
	if t.Instance != nil {
		return t.Instance
	}
	return Named(t.Package, t.Name)
}

// IsStruct reports whether the type is declared as a struct.
func (t *Type) IsStruct() bool { return t.Def.Kind == KindStruct }

// Subresources returns the request paths for which a type is validated: its own and the supported
// ones, or the subresource that the type is.
func (t *Type) Subresources() []string {
	paths := []string{"/"}
	for _, c := range Find(t.Tags, RoleIsSubresource) {
		paths[0] = c.Text()
	}
	for _, c := range Find(t.Tags, RoleSupportsSubresource) {
		if !slices.Contains(paths, c.Text()) {
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

// Kind is set for a type that is an API object.
type Kind struct {
	// List is set on a list of objects (one with ListMeta).
	List bool `json:"list,omitempty"`
	// Item is the kind in the list, for a list.
	Item *Ref `json:"item,omitempty"`
}

// Field is a field of a struct.
type Field struct {
	Name string `json:"name"`
	// JSON is the JSON name of the field. It is empty for an inlined struct and for a field that is
	// not in JSON ("-").
	JSON string `json:"json,omitempty"`
	// Inline is set if the fields of the field's struct are inlined into the parent in JSON.
	Inline bool `json:"inline,omitempty"`
	// Skipped is set if the field is not in JSON (json:"-", or unexported).
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

	Tags    []*Tag   `json:"tags,omitempty"`
	Markers []Marker `json:"markers,omitempty"`
	Default *Default `json:"default,omitempty"`
	Changes []Change `json:"changes,omitempty"`
	// Unset is set on a field that conversions from older versions leave unset. Package evolve sets it.
	Unset bool `json:"unset,omitempty"`
	// Origin is set on a field of an older version.
	Origin *Origin `json:"origin,omitempty"`
}

// Exported reports whether the field's Go name is exported.
func (f *Field) Exported() bool { return f.Name != "" && f.Name[0] >= 'A' && f.Name[0] <= 'Z' }

// Named reports whether the struct tag has the field's name in JSON.
func (f *Field) Named() bool {
	name, _ := f.jsonTag()
	return name != ""
}

// HasOption reports whether the json struct tag has an option, such as string.
func (f *Field) HasOption(name string) bool {
	_, options := f.jsonTag()
	return slices.Contains(options, name)
}

// jsonTag returns the name and the options of the json struct tag.
func (f *Field) jsonTag() (name string, options []string) {
	name, rest, _ := strings.Cut(reflect.StructTag(f.StructTag).Get("json"), ",")
	return name, strings.Split(rest, ",")
}

// Const is a constant of a declared type.
type Const struct {
	Name string `json:"name"`
	// Value is the constant's exact value: the string itself, or digits.
	Value    string      `json:"value"`
	IsString bool        `json:"isString,omitempty"`
	Doc      string      `json:"doc,omitempty"`
	Span     source.Span `json:"span"`
	Tags     []*Tag      `json:"tags,omitempty"`
	Markers  []Marker    `json:"markers,omitempty"`
	Changes  []Change    `json:"changes,omitempty"`
	// Alias is set on a constant that is declared as another constant, `A = B`.
	Alias bool `json:"-"`
	// Among is, for a constant without a declared type, the type of the constants before it in its
	// block.
	Among string `json:"-"`
	// Origin is, for a constant of an older version, the Go name of the newest version's constant.
	Origin string `json:"origin,omitempty"`
}

// Marker is a marker comment that is not a tag, as written after its '+'.
type Marker struct {
	Name string      `json:"name"`
	Text string      `json:"text"`
	Span source.Span `json:"span"`
}

// LooseMarker is a marker in a comment that belongs to no declaration.
type LooseMarker struct {
	Marker
	// Why says why it belongs to none and what to do about it, as a clause.
	Why string `json:"why"`
}

// Default is a declared default.
type Default struct {
	// JSON is the value, as JSON text; empty when Ref is set.
	JSON string `json:"json,omitempty"`
	// Ref names a constant whose value is the default.
	Ref *Name `json:"ref,omitempty"`
	// Marker is the spelling: default, k8s:default or kubebuilder:default.
	Marker string      `json:"marker,omitempty"`
	Span   source.Span `json:"span"`
}

// Origin pairs a field of an older version with that of the newest version.
type Origin struct {
	// Field is the Go name of the hub's field; "" if the hub has none.
	Field string `json:"field"`
	// Moved means that the hub has the field elsewhere: see Type.Moves.
	Moved bool `json:"moved,omitempty"`
	// Type is the type of a removed field in the last version that has it, as the hub's package spells it.
	Type *Ref `json:"type,omitempty"`
	// Steps are the changes from this version to the hub's, oldest first.
	Steps []Change `json:"steps,omitempty"`
}

// Move pairs a field of an older version with that of the newest version at another path in the same
// struct.
type Move struct {
	// Older and Hub are the Go names of the fields on the paths, in each version.
	Older []string `json:"older"`
	Hub   []string `json:"hub"`
	// OlderEntry is set if the older path is that of a label or an annotation, and HubEntry the same of
	// the hub's. The names lead to the map.
	OlderEntry *Entry `json:"olderEntry,omitempty"`
	HubEntry   *Entry `json:"hubEntry,omitempty"`
	// Steps are the changes from this version to the hub's, oldest first.
	Steps []Change `json:"steps,omitempty"`
	// Since is the version after this one that moved it.
	Since string `json:"since"`
	// Lossy is the author's reason why empty parents may be lost.
	Lossy string `json:"lossy,omitempty"`
	// Span is the marker.
	Span source.Span `json:"span"`
}

// Entry is a label or an annotation that is a field in other versions.
type Entry struct {
	Key string `json:"key"`
	// Type is the type of the field, in the newest version's package. Its values are strings.
	Type *Ref `json:"type"`
}

// Index indexes the model's types for Type. Call it again after adding packages or types.
func (m *Model) Index() {
	slices.SortFunc(m.Packages, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	m.types, m.objects = map[Name]*Type{}, nil
	for _, p := range m.Packages {
		for _, t := range p.Types {
			m.types[t.ID()] = t
		}
	}
}

// Type returns the declared type with the given name, or nil if the model does not have it.
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

// PairOf returns the package's type that is paired with a type of the newest version, or nil.
func (p *Package) PairOf(hub Name) *Type {
	for _, t := range p.Types {
		if t.Hub != nil && *t.Hub == hub {
			return t
		}
	}
	return nil
}
