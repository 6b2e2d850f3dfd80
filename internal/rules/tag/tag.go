// Package tag defines what a tag is.
//
// A [Definition] is checked and lowered with the [Node] that the tag is on. Functions such as [CheckSize] and [Keyword] are
// parts of definitions; [Code] writes an example.
//
// Each tag is one Definition in its own folder below internal/rules/tags, with its name, scopes,
// arguments, documentation, checks and rules.
//
// A definition's arguments declare their references: a field of the owner, of the items or of the value; a
// constant of a type; a function; an option; an inner tag and the values it applies to. Its Role gives the
// meaning for the shape of an API. Other packages use roles and references, never names.
//
// Lower returns the rules of a tag. For a tag without rules, Go and Schema say which part of kindsmith
// implements the effect, or why none does; the documentation prints both as a matrix.
package tag

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Stability is the stability level of a tag.
type Stability string

// The levels, as upstream names them.
const (
	Stable Stability = "Stable"
	Beta   Stability = "Beta"
	Alpha  Stability = "Alpha"
)

// Scope is a set of kinds of nodes that a tag may be on.
type Scope uint8

// The scopes.
const (
	OnType     Scope = 1 << iota // a type's declaration
	OnField                      // a struct field
	OnValue                      // list values, through eachVal
	OnKey                        // map keys, through eachKey
	OnMapValue                   // map values, through eachVal
	OnConst                      // a constant of an enum type
	OnPackage                    // above a package clause

	// Anywhere has the scopes of all values.
	Anywhere = OnType | OnField | OnValue | OnKey | OnMapValue
)

var scopeNames = []struct {
	scope Scope
	name  string
}{
	{OnPackage, "packages"}, {OnType, "type definitions"}, {OnField, "struct fields"}, {OnValue, "list values"},
	{OnKey, "map keys"}, {OnMapValue, "map values"}, {OnConst, "constants"},
}

// Names returns the scopes in words.
func (s Scope) Names() []string {
	var names []string
	for _, n := range scopeNames {
		if s&n.scope != 0 {
			names = append(names, n.name)
		}
	}
	return names
}

// Shape is a set of kinds of values that a tag applies to.
type Shape uint16

// The shapes. Pointers and declared types have the shape of their underlying types.
const (
	Strings Shape = 1 << iota
	Integers
	Bools
	Floats
	Lists
	Maps
	Structs
	Others
	// Durations and Quantities also have the shape of their underlying types: see Definition.For.
	Durations
	Quantities

	AnyShape = Strings | Integers | Bools | Floats | Lists | Maps | Structs | Others
)

var shapeNames = []struct {
	shape Shape
	name  string
}{
	{Strings, "strings"}, {Integers, "integers"}, {Bools, "bools"}, {Floats, "floats"},
	{Lists, "lists"}, {Maps, "maps"}, {Structs, "structs"}, {Durations, "durations"}, {Quantities, "quantities"},
}

// All reports whether a tag with these shapes applies to values of every type, as a tag without
// shapes does.
func (s Shape) All() bool { return s == AnyShape || s == 0 }

// Names returns the shapes in words.
func (s Shape) Names() []string {
	if s == AnyShape {
		return []string{"any type"}
	}
	var names []string
	for _, n := range shapeNames {
		if s&n.shape != 0 {
			names = append(names, n.name)
		}
	}
	return names
}

// Words returns the shapes as a phrase.
func (s Shape) Words() string {
	return english.And(s.Names())
}

// ShapeOf returns the shape of values of a type.
func ShapeOf(m *model.Model, r *model.Ref) Shape {
	if elem, ok := m.Deref(r); ok {
		r = elem
	}
	switch u := m.Underlying(r); {
	case u.IsString():
		return Strings
	case u.IsInteger():
		return Integers
	case u.IsBool():
		return Bools
	case u.IsFloat():
		return Floats
	case u.Kind == model.KindSlice && !u.IsBytes():
		return Lists
	case u.Kind == model.KindMap:
		return Maps
	case u.Kind == model.KindStruct:
		return Structs
	default:
		return Others
	}
}

// IsStructValue reports whether a value is a struct that is always set. Durations and quantities are unset if they are zero.
func IsStructValue(m *model.Model, r *model.Ref) bool {
	return m.Underlying(r).Kind == model.KindStruct && m.UnsetValue(r) == model.LackNever
}

// Arg describes one argument.
type Arg struct {
	// Name is the argument's name; "" for the positional argument, AnyName for any name.
	Name     string
	Kinds    []model.ValueKind
	Required bool
	// Scopes are the scopes in which the tag has the argument; none means all.
	Scopes Scope
	// Refers is the kind of reference of the value, NameRefers that of a name that authors choose.
	Refers, NameRefers Refers
	// Values lists the allowed values, if there are only a few. A List has any of them, with commas between them.
	Values []string
	List   bool
	Doc    string
}

// AnyName is the name of an argument whose name the author chooses.
const AnyName = "*"

// Payload describes the value after '='.
type Payload struct {
	// Kinds are the syntactic kinds of the value; none means that the tag has no value.
	Kinds []model.ValueKind
	// Tag is set if the value is another tag (eachVal=+maxLength=3).
	Tag bool
	// Applies selects the node that the inner tag applies to.
	Applies model.At
	// Refers is the kind of reference of the value.
	Refers   Refers
	Optional bool
	// Measured is set if the value has the type of the tagged value: an integer, a duration or a
	// quantity. See Definition.PayloadKinds.
	Measured bool
	// Values lists the allowed values, if there are only a few.
	Values []string
	Doc    string
}

// Definition is a tag.
type Definition struct {
	// Name is the full name, such as "k8s:maxLength".
	Name    string
	Aliases []string
	// Meant are names that authors write for the tag, but that are not close to its name.
	Meant []string
	// Role is the meaning of the tag for the shape of the API; "" for tags that are only rules.
	Role      model.Role
	Stability Stability
	Scopes    Scope
	// Shapes are the kinds of values that the tag applies to.
	Shapes  Shape
	Args    []Arg
	Payload Payload
	// Discriminator is the role of the tag on the field whose constants the
	// tag's arguments name.
	Discriminator model.Role
	// Instead are the tags with the same meaning for other shapes.
	Instead map[Shape]string
	// OpenAPI is the corresponding marker of openapi-gen.
	OpenAPI string
	// Comma is set if arguments are written +name=value,flag, with or without the value and the flag.
	Comma bool
	// Dir is the name of the tag's folder, if another tag has the same name with a prefix.
	Dir string
	// Repeatable tags may be repeated on one item.
	Repeatable bool

	// Summary is one sentence; Doc is more, as Markdown.
	Summary string
	Doc     string
	// Good and Bad are Go declarations with correct and incorrect use of the tag.
	Good, Bad string
	// Codes are the codes that Check and CheckPackage report.
	Codes []diag.Code

	// ErrorType and Origin identify the validation error: "Invalid",
	// "maxLength". Origin "" is none; ErrorType "" reports nothing.
	ErrorType, Origin string

	// Declares returns the model.Change, *model.Version, *model.Tracking or *model.Restore of the tag. It is nil
	// for rules.
	Declares func(c *model.Tag) any

	// Check reports mistakes that the fields above cannot express. It runs only if scope, shape,
	// arguments and payload are valid. It may be nil.
	Check func(n *Node, c *model.Tag, bag *diag.Bag)
	// CheckPackage reports mistakes in a package that do not concern one use of the tag. It may be
	// nil.
	CheckPackage func(m *model.Model, p *model.Package, bag *diag.Bag)
	// Lower returns the rules of the tag. It is nil if the tag has none.
	Lower func(n *Node, c *model.Tag) []rule.Rule
	// Go and Schema describe what implements the tag in generated Go and in schemas, or why nothing
	// does, if it is not the printers of the tag's rules.
	Go, Schema Answer
}

// For reports whether the tag is for values of a type.
func (d *Definition) For(m *model.Model, r *model.Ref) bool {
	shape := ShapeOf(m, r)
	switch rule.MeasureOf(m, r) {
	case rule.Duration:
		shape |= Durations
	case rule.Quantity:
		shape |= Quantities
	}
	return d.Shapes&shape != 0
}

// PayloadKinds returns the kinds of values that the tag takes on a node.
func (d *Definition) PayloadKinds(n *Node) []model.ValueKind {
	if !d.Payload.Measured {
		return d.Payload.Kinds
	}
	switch rule.MeasureOf(n.Model, n.Type) {
	case rule.Duration:
		return []model.ValueKind{model.StringValue}
	case rule.Quantity:
		return []model.ValueKind{model.StringValue, model.IntValue}
	}
	if n.nanoseconds() {
		return []model.ValueKind{model.IntValue, model.StringValue}
	}
	return []model.ValueKind{model.IntValue}
}

// Folder returns the name of the tag's folder below internal/rules/tags, which is the first half of its
// diagnostic codes.
func (d *Definition) Folder() string {
	return cmp.Or(d.Dir, strings.ToLower(shortName(d.Name)))
}

// shortName returns a tag's name without its prefix.
func shortName(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// WrongType returns the code for the tag on a type that it does not apply to; not ok for a tag that
// applies to all types.
func (d *Definition) WrongType() (code diag.Code, ok bool) {
	if d.Shapes.All() {
		return diag.Code{}, false
	}
	codes := diag.Protect(diag.Shapes)
	return codes.New(d.Folder()+"/wrong-type", "The tag is for "+d.Shapes.Words()+", not for the type of this value."), true
}

// AllCodes returns Codes and WrongType.
func (d *Definition) AllCodes() []diag.Code {
	codes := slices.Clone(d.Codes)
	if code, ok := d.WrongType(); ok {
		codes = append(codes, code)
	}
	return codes
}

// Unsupported is the reason that a back-end does not support the tag.
type Unsupported string

// Answer is Elsewhere or Unsupported.
type Answer interface{ answer() }

// Elsewhere names what implements the tag: another tag, or an emitter.
type Elsewhere string

func (Unsupported) answer() {}
func (Elsewhere) answer()   {}

// Node is a type, field or value that a tag applies to.
type Node struct {
	Model *model.Model
	Tags  *Set
	Scope Scope
	// Owner is the declared type that has the tag, Field its field (nil
	// when the tag is on the type).
	Owner *model.Type
	Field *model.Field
	// Package is the package of a tag above a package clause; nil in other places.
	Package *model.Package
	// Type is the type of the value that the tag applies to: for an inner tag, the type of the
	// element, not of the field.
	Type *model.Ref
	// Siblings are all tags on this node, including c.
	Siblings []*model.Tag
	// Parent is the enclosing node of a list value, map key, map value or subfield; nil for a field
	// or a type.
	Parent *Node
	// Through are the inlined structs that lead from the parent to a subfield, outermost first.
	Through []*model.Field
	// Keys select the list item of the node; nil for all items.
	Keys []KeyValue
}

// Value returns the type of the value with a pointer stripped.
func (n *Node) Value() *model.Ref {
	elem, _ := n.Model.Deref(n.Type)
	return elem
}

// IsPointer reports whether the type is a pointer.
func (n *Node) IsPointer() bool {
	_, ok := n.Model.Deref(n.Type)
	return ok
}

// Underlying returns the underlying type of the value, without a pointer.
func (n *Node) Underlying() *model.Ref { return n.Model.Underlying(n.Value()) }

// IsPart reports whether the node is a field that is named from outside, by +k8s:subfield.
func (n *Node) IsPart() bool { return n.Scope == OnField && n.Parent != nil }

// Elem returns the node of the list values or map values of n. Its siblings are the +k8s:eachVal
// tags of n.
func (n *Node) Elem() *Node {
	scope := OnValue
	if n.Underlying().Kind == model.KindMap {
		scope = OnMapValue
	}
	return &Node{Model: n.Model, Tags: n.Tags, Scope: scope, Owner: n.Owner, Field: n.Field, Type: n.Underlying().Elem, Siblings: n.nested(&model.Tag{Role: model.RoleEachVal}), Parent: n}
}

// Key returns the node of the map keys of n. Its siblings are the +k8s:eachKey tags of n.
func (n *Node) Key() *Node {
	return &Node{Model: n.Model, Tags: n.Tags, Scope: OnKey, Owner: n.Owner, Field: n.Field, Type: n.Underlying().Key, Siblings: n.nested(&model.Tag{Role: model.RoleEachKey}), Parent: n}
}

// AllTags returns the tags on this node and, for a field, those on its type's declarations,
// outermost first. Tags on a subfield precede those of the field's own declaration.
func (n *Node) AllTags() []*model.Tag {
	all := slices.Clone(n.Siblings)
	if n.IsPart() {
		all = append(all, n.Field.Tags...)
	}
	_, chain := n.Model.Resolve(n.Value())
	for _, t := range chain {
		if n.Scope != OnType || t != n.Owner { // whose own are the siblings
			all = append(all, t.Tags...)
		}
	}
	return all
}

// NeedsMore reports whether the tag needs a value or an argument.
func (d *Definition) NeedsMore() bool {
	return (len(d.Payload.Kinds) > 0 || d.Payload.Tag) && !d.Payload.Optional ||
		slices.ContainsFunc(d.Args, func(a Arg) bool { return a.Required })
}
