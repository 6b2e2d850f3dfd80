// Package tag says what every tag must answer.
//
// A tag is one Definition in a folder of its own below internal/tags. It names
// the tag, says where it may be written and with which arguments, documents it, and
// answers every back-end, either with output or with Unsupported and the reason.
package tag

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// Stability says what authors may rely on.
type Stability string

// The levels, as upstream names them.
const (
	Stable Stability = "Stable"
	Beta   Stability = "Beta"
	Alpha  Stability = "Alpha"
)

// Scope is a set of places where a tag may be written.
type Scope uint8

// The places.
const (
	OnType     Scope = 1 << iota // a type's declaration
	OnField                      // a struct field
	OnValue                      // list values, through eachVal
	OnKey                        // map keys, through eachKey
	OnMapValue                   // map values, through eachVal
	OnConst                      // a constant of an enum type
	OnPackage                    // above a package clause

	// Anywhere is everywhere that a value can be.
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

// Shape is a set of kinds of values that a tag can say something about.
type Shape uint16

// The shapes. Pointers and declared types are looked through.
const (
	Strings Shape = 1 << iota
	Integers
	Bools
	Floats
	Lists
	Maps
	Structs
	Others
	// Durations and Quantities are also of the shape that their types are declared
	// with: see Definition.For.
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

// All reports whether a tag with these shapes is for values of every type. So is
// a tag that names no shapes.
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
	names := s.Names()
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
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

// Arg describes one argument.
type Arg struct {
	// Name is the argument's name; "" for the positional one, AnyName for one of
	// any name.
	Name     string
	Kinds    []model.ValueKind
	Required bool
	// Scopes are the items on which the tag has the argument, where it has it not
	// on all of them.
	Scopes Scope
	// Refers says what the value names, NameRefers what the name does where
	// authors choose it.
	Refers, NameRefers Refers
	Doc                string
}

// AnyName is the name of an argument whose name the author chooses.
const AnyName = "*"

// Payload describes the value after '='.
type Payload struct {
	// Kinds are the ways in which the value may be written; none means that
	// the tag has no value.
	Kinds []model.ValueKind
	// Tag is set when the value is another tag (eachVal=+maxLength=3).
	Tag bool
	// Applies says which place the inner tag applies to.
	Applies model.At
	// Refers says what the value names.
	Refers   Refers
	Optional bool
	// Measured is set where the value is of the type of what the tag is on: an
	// integer, a duration or a quantity. See Definition.PayloadKinds.
	Measured bool
	// Values lists the only values allowed, where these are few.
	Values []string
	Doc    string
}

// Definition is a tag.
type Definition struct {
	// Name is the full name, such as "k8s:maxLength".
	Name    string
	Aliases []string
	// Role is what the tag means for the shape of the API; "" for a rule on
	// values alone.
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
	// Instead are the tags of the same meaning for other shapes.
	Instead map[Shape]string
	// OpenAPI is the marker of openapi-gen that publishes what the tag validates.
	OpenAPI string
	// Repeatable tags may be repeated on one item.
	Repeatable bool

	// Summary is one sentence; Doc is more, as Markdown.
	Summary string
	Doc     string
	// Good and Bad are Go declarations with the tag used well and badly.
	Good, Bad string
	// Codes are the codes of what Check and CheckPackage report.
	Codes []diag.Code

	// ErrorType and Origin identify the validation error: "Invalid",
	// "maxLength". Origin "" is none; ErrorType "" reports nothing.
	ErrorType, Origin string

	// Declares returns what the tag adds to the model beside constraints: a
	// model.Change, a *model.Version or a *model.Tracking. It is nil for rules.
	Declares func(c *model.Constraint) any

	// Check looks for mistakes that the table above cannot say. It runs only
	// when scope, shape, arguments and payload are in order; nil is nothing to check.
	Check func(n *Node, c *model.Constraint, bag *diag.Bag)
	// CheckPackage looks for mistakes in a package that are not about one use of
	// the tag; nil is nothing to check.
	CheckPackage func(m *model.Model, p *model.Package, bag *diag.Bag)
	// Lower returns the rules that the tag means; nil where it has none.
	Lower func(n *Node, c *model.Constraint) []rule.Rule
	// Go and Schema say who does the work for generated Go and for schemas, or why
	// it is not done, where that is not the printers of the tag's rules.
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

// PayloadKinds returns the kinds of values that the tag takes at a place.
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

// Folder returns the name of the tag's folder below internal/tags, which is
// also the first half of its diagnostics' codes.
func (d *Definition) Folder() string { return strings.ToLower(shortName(d.Name)) }

// shortName returns a tag's name without its prefix.
func shortName(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// WrongType returns the code that reports the tag on a type that it is not for;
// not ok for a tag that is for all types.
func (d *Definition) WrongType() (code diag.Code, ok bool) {
	if d.Shapes.All() {
		return diag.Code{}, false
	}
	var codes diag.Codes
	return codes.New(d.Folder()+"/wrong-type", "The tag is for "+d.Shapes.Words()+", and stands on something else."), true
}

// AllCodes returns the codes of everything that is reported about the tag alone:
// its own, and WrongType.
func (d *Definition) AllCodes() []diag.Code {
	codes := slices.Clone(d.Codes)
	if code, ok := d.WrongType(); ok {
		codes = append(codes, code)
	}
	return codes
}

// Unsupported is a back-end's answer that it has nothing for the tag, with the reason.
type Unsupported string

// Answer is Elsewhere or Unsupported.
type Answer interface{ answer() }

// Elsewhere is a back-end's answer that something other than the tag does the
// work, with what that is: for tags that other tags or an emitter of their own read.
type Elsewhere string

func (Unsupported) answer() {}
func (Elsewhere) answer()   {}

// Node is a place that a tag applies to, and what is there.
type Node struct {
	Model *model.Model
	Tags  *Set
	Scope Scope
	// Owner is the declared type that has the tag, Field its field (nil
	// when the tag is on the type).
	Owner *model.Type
	Field *model.Field
	// Type is the type of the value that the tag applies to; for a nesting
	// tag's inner tag this is the element's, not the field's.
	Type *model.Ref
	// Siblings are the other constraints at this place, c included.
	Siblings []*model.Constraint
	// Parent is the place around a list value, map key, map value or part; nil
	// at a field or a type.
	Parent *Node
	// Through are the inlined structs that lead from the parent to a field that
	// is a part of it, outermost first.
	Through []*model.Field
	// Keys select the list item that the place is; nil for all items.
	Keys []KeyValue
}

// Value returns the type of the value with a pointer stripped.
func (n *Node) Value() *model.Ref {
	elem, _ := n.Model.Deref(n.Type)
	return elem
}

// IsPointer reports whether the value is behind a pointer.
func (n *Node) IsPointer() bool {
	_, ok := n.Model.Deref(n.Type)
	return ok
}

// Underlying returns what the value is made of, declared types and a pointer
// looked through.
func (n *Node) Underlying() *model.Ref { return n.Model.Underlying(n.Value()) }

// IsPart reports whether the place is a field that a tag elsewhere speaks of.
func (n *Node) IsPart() bool { return n.Scope == OnField && n.Parent != nil }

// Elem returns the node of the list values or map values below n. Its siblings
// are what +k8s:eachVal says of them here.
func (n *Node) Elem() *Node {
	scope := OnValue
	if n.Underlying().Kind == model.KindMap {
		scope = OnMapValue
	}
	return &Node{Model: n.Model, Tags: n.Tags, Scope: scope, Owner: n.Owner, Field: n.Field, Type: n.Underlying().Elem, Siblings: n.nested(&model.Constraint{Role: model.RoleEachVal}), Parent: n}
}

// Key returns the node of the map keys below n. Its siblings are the tags
// on each key here.
func (n *Node) Key() *Node {
	return &Node{Model: n.Model, Tags: n.Tags, Scope: OnKey, Owner: n.Owner, Field: n.Field, Type: n.Underlying().Key, Siblings: n.nested(&model.Constraint{Role: model.RoleEachKey}), Parent: n}
}

// AllConstraints returns the constraints at this place and, for a field,
// those on its type's declarations, outermost first. What is said of a part of
// a value comes before what the part's own declaration says.
func (n *Node) AllConstraints() []*model.Constraint {
	all := slices.Clone(n.Siblings)
	if n.IsPart() {
		all = append(all, n.Field.Constraints...)
	}
	_, chain := n.Model.Resolve(n.Value())
	for _, t := range chain {
		if n.Scope != OnType || t != n.Owner { // whose own are the siblings
			all = append(all, t.Constraints...)
		}
	}
	return all
}
