package tag

import (
	"math/big"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
)

// TypeNode returns the node of a type.
func TypeNode(m *model.Model, tags *Set, t *model.Type) *Node {
	return &Node{Model: m, Tags: tags, Scope: OnType, Owner: t, Type: model.Named(t.Package, t.Name), Siblings: t.Tags}
}

// FieldNode returns the node of a field.
func FieldNode(m *model.Model, tags *Set, owner *model.Type, f *model.Field) *Node {
	return &Node{Model: m, Tags: tags, Scope: OnField, Owner: owner, Field: f, Type: f.Type, Siblings: f.Tags}
}

// ConstNode returns the node of a constant.
func ConstNode(m *model.Model, tags *Set, t *model.Type, c *model.Const) *Node {
	return &Node{Model: m, Tags: tags, Scope: OnConst, Owner: t, Type: model.Named(t.Package, t.Name), Siblings: c.Tags}
}

// Inner returns the node that the inner tag of a nesting tag applies to, or nil if there is none.
func (n *Node) Inner(c *model.Tag) *Node {
	switch c.At {
	case model.AtElement:
		if u := n.Underlying(); u.Kind == model.KindSlice || u.Kind == model.KindMap {
			return n.Elem()
		}
		return nil
	case model.AtKey:
		if n.Underlying().Kind == model.KindMap {
			return n.Key()
		}
		return nil
	case model.AtField:
		return n.part(c)
	case model.AtItem:
		if keys, ok := n.ItemKeys(c); ok {
			inner := n.Elem()
			inner.Siblings, inner.Keys = n.nested(c), keys
			return inner
		}
		return nil
	}
	return n
}

// part returns the node of the field that a tag names.
func (n *Node) part(c *model.Tag) *Node {
	for _, a := range c.Args {
		f, through := n.Model.FieldOf(a.Value.Ref)
		if f == nil {
			continue
		}
		owner := n.Model.OwnerType(a.Value.Ref)
		if len(through) > 0 {
			owner = n.Model.Struct(through[len(through)-1].Type)
		}
		return &Node{Model: n.Model, Tags: n.Tags, Scope: OnField, Owner: owner, Field: f, Type: f.Type.Substitute(n.Model.Arguments(n.Type)), Siblings: n.nested(c), Parent: n, Through: through}
	}
	return nil
}

// nested returns the inner tags of all nesting tags on this node that apply to the same values,
// with or without conditions. Tags with the same arguments apply to the same values.
func (n *Node) nested(c *model.Tag) []*model.Tag {
	var found []*model.Tag
	for _, s := range model.Bare(n.Siblings) {
		if s.Role == c.Role && s.Inner != nil && s.SameArgs(c) {
			found = append(found, s.Inner)
		}
	}
	return found
}

// Describe names what the tag applies to, for messages: "field Replicas (int32)".
func (n *Node) Describe() string {
	what := map[Scope]string{OnValue: "list values", OnKey: "map keys", OnMapValue: "map values"}[n.Scope]
	switch {
	case what != "":
	case n.Field != nil:
		what = "field " + n.Field.Name
	case n.Owner != nil:
		what = "type " + n.Owner.Name
	}
	return what + " (" + n.TypeName() + ")"
}

// Is returns the verb that follows Describe.
func (n *Node) Is() string {
	if n.Scope&(OnValue|OnKey|OnMapValue) != 0 {
		return "are"
	}
	return "is"
}

// TypeName returns the value's type as authors write it.
func (n *Node) TypeName() string {
	name := n.Type.String()
	if n.Owner != nil {
		name = strings.ReplaceAll(name, n.Owner.Package+".", "")
	}
	if u := n.Underlying(); n.Scope == OnType {
		return u.String()
	}
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		start := strings.IndexFunc(name, func(r rune) bool { return r != '*' && r != '[' && r != ']' })
		if start >= 0 && start < i {
			name = name[:start] + name[i+1:]
		}
	}
	return name
}

// Bound returns the tag with the given role that applies here, and its payload as an integer.
func (n *Node) Bound(role model.Role) (*model.Tag, *big.Int) {
	for _, c := range n.AllTags() {
		if c.Is(role) {
			if v, ok := IntPayload(c); ok {
				return c, v
			}
		}
	}
	return nil, nil
}

// IntPayload returns a tag's payload as an integer.
func IntPayload(c *model.Tag) (*big.Int, bool) {
	if c.Payload == nil {
		return nil, false
	}
	return new(big.Int).SetString(c.Payload.Text, 10)
}

// Has reports whether the node has a tag with one of the roles, without conditions.
func (n *Node) Has(roles ...model.Role) bool { return model.Has(n.Siblings, roles...) }

// HasBare reports whether the node has a tag with one of the roles, with or without conditions.
func (n *Node) HasBare(roles ...model.Role) bool { return model.HasBare(n.Siblings, roles...) }

// EffectiveDefault returns the declared default of the field or its type, nil if there is none.
func (n *Node) EffectiveDefault() *value.Value {
	e, ok := defaulting.OfValue(n.Model, n.Type)
	if n.Field != nil && n.Scope == OnField {
		e, ok = defaulting.OfField(n.Model, n.Owner, n.Field)
	}
	if !ok || e.IsAuto() {
		return nil
	}
	return e.Value
}

func bigInt(s string) *big.Int {
	v, _ := new(big.Int).SetString(s, 10)
	return v
}

// List returns how the items of a list are identified, by tags and markers of any spelling.
func (n *Node) List() *model.List {
	tags := n.Siblings
	var markers []model.Marker
	if n.Scope == OnField {
		markers = n.Field.Markers
	}
	if n.IsPart() {
		tags = slices.Concat(tags, n.Field.Tags)
	}
	return n.Model.ListAt(tags, markers, n.Value())
}

// ListType returns how server-side apply owns the items of a list: "map", "set", or by default "atomic".
func (n *Node) ListType() string { return n.List().Type }

// Semantics returns how the items of a list are identified: by +k8s:unique, else by its list type.
// An atomic list can have items with keys.
func (n *Node) Semantics() string { return n.List().Identity }

// ListMapKeys returns the fields that are the keys of a list of type map, in
// the order of their tags. Keys that name no field are omitted.
func (n *Node) ListMapKeys() []*model.Field {
	item := n.Model.Struct(n.Underlying().Elem)
	if item == nil {
		return nil
	}
	var keys []*model.Field
	for _, name := range n.List().Keys {
		if f := FieldByJSON(n.Model, item, name); f != nil {
			keys = append(keys, f)
		}
	}
	return keys
}

// FieldByJSON returns the field of a struct with the given JSON name; fields of inlined structs
// count as the struct's own.
func FieldByJSON(m *model.Model, t *model.Type, name string) *model.Field {
	f, _ := fieldByJSON(m, t, name)
	return f
}

// Through returns the inlined structs that lead from a struct to a field that
// FieldByJSON has found in it, outermost first.
func Through(m *model.Model, t *model.Type, f *model.Field) []*model.Field {
	_, through := fieldByJSON(m, t, f.JSON)
	return through
}

func fieldByJSON(m *model.Model, t *model.Type, name string) (f *model.Field, through []*model.Field) {
	o := m.Object(t)
	if member := o.Member(name); member != nil {
		return member.Field, member.Through
	}
	if o == nil {
		return nil, nil
	}
	for _, h := range o.Hidden {
		if h.Name == name && len(h.By) == 0 { // two fields have the name: that is the mistake, not the reference
			return h.Field, h.Through
		}
	}
	return nil, nil
}

// Select returns the selector of a field below x. It names all inlined structs, because promoted
// fields can be ambiguous or shadowed. The field exists if the conditions are true, one for each
// inlined pointer.
func Select(x string, through []*model.Field, f *model.Field) (field string, there []string) {
	for _, t := range through {
		x += "." + t.Name
		if t.Type.Kind == model.KindPointer {
			there = append(there, x+" != nil")
		}
	}
	return x + "." + f.Name, there
}
