// Package fieldtree has the values in the objects of a kind as one tree, with what decides each of them.
//
// [New] builds the tree from the model and the rules, to which kubebuilder.WithKeywords may add those of markers: a node for the object, for each member of an object, and for
// the items of a list and the values of a map. A node has its type, default and enum, and all rules on it, wherever
// they are declared: on the field, on its types, or on a value around it. Documentation prints the tree, and package
// example fills it in. A type that contains itself ends the tree at the second use.
package fieldtree

import (
	"regexp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Form is the form of a value in JSON.
type Form string

// The forms. The forms of types with custom JSON have the names of the types.
const (
	Object      Form = "object"
	List        Form = "list"
	Map         Form = "map"
	String      Form = "string"
	Bool        Form = "boolean"
	Integer     Form = "integer"
	Number      Form = "number"
	Bytes       Form = "bytes"
	Quantity    Form = "quantity"
	Duration    Form = "duration"
	Time        Form = "time"
	MicroTime   Form = "microtime"
	IntOrString Form = "integer or string"
	Metadata    Form = "metadata" // that of Kubernetes objects
	Any         Form = "any"      // any JSON, or what only Go knows
)

// Node is one value in an object.
type Node struct {
	// Name is the name of a member; "" for the object, for items and for the values of maps.
	Name string
	// Path has the names of members from the object, as kubectl explain writes it: spec.users.name. That of items is that
	// of their list.
	Path string
	// Pattern is the path in errors, with [*] for items and keys: spec.users[*].name.
	Pattern string
	// Member is the member; nil for the object, for items and for the values of maps. Owner is the struct with the field.
	Member *model.Member
	Owner  *model.Type
	// Type is the type without a pointer, and Chain the declared types, outermost first.
	Type  *model.Ref
	Chain []*model.Type
	Form  Form
	// Required means that the object around must have the value, Optional that a rule says the opposite.
	Required, Optional bool
	// Default is the default of an absent value; nil if there is none, or it is not declared.
	Default *defaulting.Effective
	// Filled means that an absent value gets the zero value of its Go type.
	Filled bool
	// Rules are the rules on the value. Unions and rules on members, items and keys are elsewhere.
	Rules []rule.Rule
	// Keys are the rules on the keys of a map, Unions those on the members of an object.
	Keys   []rule.Rule
	Unions []Union
	// Values are the values of an enum; nil for any value. Open means that others are allowed too.
	Values []Value
	Open   bool
	// Fields are the members of an object, in the order of Go. Items are those of a list, or the values of a map.
	Fields []*Node
	Items  *Node
	// Same is the node around this one with the same type, which has the fields; nil if the node has its own.
	Same *Node
	// Parent is the node around; nil for the object.
	Parent *Node
}

// Union is a choice between members of an object.
type Union struct {
	*rule.Union
	// Rule is the rule of the union; that of a union by a marker has no tag.
	Rule rule.Rule
	// Several is set if several members may be set, but one must be.
	Several bool
}

// Value is a named value.
type Value struct {
	Text string
	// Name is the Go name of the constant, Doc its comment.
	Name, Doc string
	Excluded  []rule.Condition
}

// New returns the tree of a kind.
func New(programs *rule.Programs, kind *model.Type) *Node {
	b := &builder{m: programs.Model, programs: programs}
	root := &Node{}
	b.fill(root, kind.Ref(), nil, nil)
	return root
}

// Find returns the node of a path of names; nil if there is none.
func (n *Node) Find(path string) *Node {
	for found := range n.All {
		if found.Path == path && (found.Name != "" || found == n) {
			return found
		}
	}
	return nil
}

// All calls yield with the node and all below, in order; items follow their list.
func (n *Node) All(yield func(*Node) bool) { n.all(yield) }

func (n *Node) all(yield func(*Node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, f := range n.Fields {
		if !f.all(yield) {
			return false
		}
	}
	return n.Items == nil || n.Items.all(yield)
}

// Members returns the members of the object, or of the innermost items of a list or map: those that a page shows below it.
func (n *Node) Members() []*Node {
	for n.Items != nil {
		n = n.Items
	}
	return n.Fields
}

// Struct returns the struct of the members; nil if there are none.
func (n *Node) Struct(m *model.Model) *model.Type {
	for n.Items != nil {
		n = n.Items
	}
	return m.Struct(n.Type)
}

// Field returns the member of an object with a name; nil if it has none.
func (n *Node) Field(name string) *Node {
	i := slices.IndexFunc(n.Fields, func(f *Node) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return n.Fields[i]
}

// Has reports whether a rule with a predicate of a type applies to the value in all requests.
func Has[P rule.Predicate](n *Node) bool {
	return slices.ContainsFunc(n.Rules, func(r rule.Rule) bool {
		_, ok := r.Must.(P)
		return ok && len(r.Under)+len(r.Unless) == 0
	})
}

type builder struct {
	m        *model.Model
	programs *rule.Programs
	// opaque is set below a value whose types have no rules. The programs then have none.
	opaque bool
}

// below returns the builder for what is below such a value.
func (b *builder) below() *builder {
	if b.opaque {
		return b
	}
	none := rule.NewPrograms(b.m, func(t *model.Type, _ map[string]*model.Ref) *rule.Program {
		return &rule.Program{Type: t.ID(), Place: b.programs.Of(t).Place}
	})
	return &builder{m: b.m, programs: none, opaque: true}
}

// forms are the forms of types with custom JSON.
var forms = map[model.Name]Form{
	model.Quantity: Quantity, model.Duration: Duration, model.Time: Time, model.GoTime: Time, model.MicroTime: MicroTime,
	model.IntOrString: IntOrString, model.ObjectMeta: Metadata, model.ListMeta: Metadata,
}

func (b *builder) form(n *Node, u *model.Ref) Form {
	if f, ok := forms[n.Type.ID()]; ok {
		return f
	}
	switch {
	case value.HasOwnJSON(b.m, n.Type):
		return Any
	case u.IsString():
		return String
	case u.IsBool():
		return Bool
	case u.IsInteger():
		return Integer
	case u.IsFloat():
		return Number
	case u.IsBytes():
		return Bytes
	case u.Kind == model.KindSlice || u.Kind == model.KindArray:
		return List
	case u.Kind == model.KindMap:
		return Map
	case u.Kind == model.KindStruct && b.m.Struct(n.Type) != nil:
		return Object
	}
	return Any
}

// fill fills in a node with a type, with the rules of its places.
func (b *builder) fill(n *Node, r *model.Ref, rules []rule.Rule, places []*rule.Place) {
	n.Type, _ = b.m.Deref(r)
	u, chain := b.m.Resolve(n.Type)
	n.Chain, n.Form = chain, b.form(n, u)
	var items []*rule.Place
	for _, p := range places {
		if items = append(items, p.Elem); p.Opaque {
			b = b.below()
		}
	}
	for _, t := range chain {
		program := b.programs.Of(t)
		if !t.Generic {
			rules = slices.Concat(rules, program.Rules)
		}
		if items = append(items, program.Place.Elem); program.Place.Opaque { // its own rules hold, and those of what it is made of do not
			b = b.below()
		}
	}
	if n.Form == Object {
		b.object(n, rules)
		return
	}
	parts := b.own(n, rules)
	b.named(n)
	if n.Items = b.items(n); n.Items != nil {
		b.fill(n.Items, u.Elem, parts.items, slices.DeleteFunc(items, func(p *rule.Place) bool { return p == nil }))
	}
}

func (b *builder) items(n *Node) *Node {
	if n.Form != List && n.Form != Map || b.recursive(n) {
		return nil
	}
	return &Node{Path: n.Path, Pattern: n.Pattern + "[*]", Parent: n}
}

// recursive reports whether a list or a map is of itself.
func (b *builder) recursive(n *Node) bool {
	for above := n.Parent; above != nil && above.Name == "" && above.Form == n.Form; above = above.Parent {
		if above.Type.Equal(n.Type) && n.Type.ID() != (model.Name{}) {
			return true
		}
	}
	return false
}

// parts are the rules on the parts of a value.
type parts struct {
	items  []rule.Rule
	fields map[string][]rule.Rule
}

// own keeps the rules of the value itself, and returns those of its parts.
func (b *builder) own(n *Node, rules []rule.Rule) parts {
	p := parts{fields: map[string][]rule.Rule{}}
	for _, r := range rules {
		switch must := r.Must.(type) {
		case *rule.Union:
			if len(must.Members) > 0 {
				n.Unions = append(n.Unions, Union{Union: must, Rule: r})
			}
		case *rule.Each:
			if must.Keys {
				n.Keys = append(n.Keys, rule.Under(r.Under, must.Rules)...)
			} else {
				p.items = append(p.items, rule.Under(r.Under, must.Rules)...)
			}
		case *rule.Part:
			p.fields[must.Field.JSON] = append(p.fields[must.Field.JSON], rule.Under(r.Under, must.Rules)...)
		case *rule.Required:
			// A default replaces an absent value, so that only an empty list or map breaks the rule.
			if !must.Defaulted || n.Form == List || n.Form == Map {
				n.Rules = append(n.Rules, r)
			} else {
				n.Optional = true
			}
		default:
			n.Rules = append(n.Rules, r)
		}
	}
	return p
}

func (b *builder) object(n *Node, rules []rule.Rule) {
	t := b.m.Struct(n.Type)
	for above := n.Parent; above != nil && n.Same == nil; above = above.Parent {
		if above.Form == Object && b.m.Struct(above.Type) == t {
			n.Same = above
		}
	}
	object := b.m.Object(t)
	around := b.inlined(t)
	for _, member := range object.Members {
		around = append(around, b.programs.Field(b.m.Type(member.Owner), member.Field).Around...)
	}
	parts := b.own(n, slices.Concat(rules, around))
	for _, group := range object.OneOf {
		n.Unions = append(n.Unions, Union{Union: oneOf(object, group.Members, !group.IsRequired()), Several: group.Kind == model.AtLeastOneOf})
	}
	if n.Same != nil {
		return
	}
	for _, member := range object.Members {
		n.Fields = append(n.Fields, b.member(n, member, parts.fields[member.Name]))
	}
}

// inlined returns the rules of the structs that a struct inlines, and of the fields with them.
func (b *builder) inlined(t *model.Type) []rule.Rule {
	var rules []rule.Rule
	for _, f := range t.Fields {
		if in := b.m.Inlined(f); in != nil && in != t {
			of := b.programs.Field(t, f)
			rules = slices.Concat(rules, of.Rules, of.Around, b.programs.Of(in).Rules, b.inlined(in))
		}
	}
	return rules
}

// oneOf is a union of fields by a marker.
func oneOf(object *model.Object, names []string, zeroOrOne bool) *rule.Union {
	u := &rule.Union{ZeroOrOne: zeroOrOne}
	for _, name := range names {
		path := rule.FieldPath{JSON: name, Name: name}
		if member := object.Member(name); member != nil {
			path.Type, path.Unset = member.Type, member.Unset
		}
		u.Members = append(u.Members, rule.Member{Name: name, Field: &path})
	}
	return u
}

// isRequired reports whether objects must have a field, by the tags that hold without options.
func (b *builder) isRequired(t *model.Type, f *model.Field) bool {
	if b.opaque {
		return b.m.PresenceOf(t, f, nil).Required
	}
	return tag.IsRequired(b.m, t, f, rule.Projection{})
}

func (b *builder) member(in *Node, member *model.Member, outside []rule.Rule) *Node {
	n := &Node{
		Name: member.Name, Path: join(in.Path, member.Name), Pattern: join(in.Pattern, member.Name),
		Member: member, Owner: b.m.Type(member.Owner), Parent: in,
	}
	n.Required = b.isRequired(n.Owner, member.Field)
	of := b.programs.Field(n.Owner, member.Field)
	rules := slices.Concat(of.Rules, outside)
	if e, ok := defaulting.OfField(b.m, n.Owner, member.Field); ok {
		if n.Filled = e.IsAuto(); !n.Filled {
			n.Default = &e
		}
	}
	b.fill(n, member.Type, rules, []*rule.Place{of.Place})
	for _, r := range n.Rules {
		if must, ok := r.Must.(*rule.Required); ok && len(r.Under)+len(r.Unless) == 0 {
			n.Required = !must.Defaulted
		}
	}
	n.Required = n.Required && n.Default == nil && !n.Optional
	return n
}

// named adds the values that a value may have, with their documentation.
func (b *builder) named(n *Node) {
	consts := map[string]*model.Const{}
	for _, t := range n.Chain {
		for _, c := range t.Consts {
			if consts[c.Value] == nil {
				consts[c.Value] = c
			}
		}
	}
	for _, r := range n.Rules {
		e, ok := r.Must.(*rule.Enum)
		if !ok || len(r.Under)+len(r.Unless) > 0 {
			continue
		}
		n.Values = nil // the innermost enum is the narrowest
		for _, v := range e.Values {
			named := Value{Text: v.Value, Excluded: v.Excluded}
			if c := consts[v.Value]; c != nil {
				named.Name, named.Doc = c.Name, c.Doc
			}
			n.Values = append(n.Values, named)
		}
	}
	if len(n.Values) == 0 && n.Form == String {
		n.Open = true
		for _, t := range n.Chain {
			for _, c := range t.Consts {
				n.Values = append(n.Values, Value{Text: c.Value, Name: c.Name, Doc: c.Doc})
			}
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// words are the identifiers in a rule.
var words = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// Mentioned returns the members of an object, and the members of these, that a text names, in the order of the text.
func (n *Node) Mentioned(text string) []*Node {
	var found []*Node
	for _, word := range words.FindAllString(text, -1) {
		for _, f := range n.Members() {
			for _, at := range append([]*Node{f}, f.Members()...) {
				if at.Name == word && !slices.Contains(found, at) {
					found = append(found, at)
				}
			}
		}
	}
	return found
}
