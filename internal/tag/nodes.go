package tag

import (
	"math/big"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/value"
)

// TypeNode is the place of a type's own constraints.
func TypeNode(m *model.Model, tags *Set, t *model.Type) *Node {
	return &Node{Model: m, Tags: tags, Scope: OnType, Owner: t, Type: model.Named(t.Package, t.Name), Siblings: t.Constraints}
}

// FieldNode is the place of a field's constraints.
func FieldNode(m *model.Model, tags *Set, owner *model.Type, f *model.Field) *Node {
	return &Node{Model: m, Tags: tags, Scope: OnField, Owner: owner, Field: f, Type: f.Type, Siblings: f.Constraints}
}

// ConstNode is the place of the constraints of a constant.
func ConstNode(m *model.Model, tags *Set, t *model.Type, c *model.Const) *Node {
	return &Node{Model: m, Tags: tags, Scope: OnConst, Owner: t, Type: model.Named(t.Package, t.Name), Siblings: c.Constraints}
}

// Inner returns the node that the inner tag of a nesting tag applies to, and nil
// when the value has no such part.
func (n *Node) Inner(c *model.Constraint) *Node {
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
func (n *Node) part(c *model.Constraint) *Node {
	for _, a := range c.Args {
		f, through := n.Model.FieldOf(a.Value.Ref)
		if f == nil {
			continue
		}
		owner := n.Model.OwnerType(a.Value.Ref)
		if len(through) > 0 {
			owner = n.Model.Struct(through[len(through)-1].Type)
		}
		return &Node{Model: n.Model, Tags: n.Tags, Scope: OnField, Owner: owner, Field: f, Type: f.Type, Siblings: n.nested(c), Parent: n, Through: through}
	}
	return nil
}

// nested returns what a nesting tag says at this place of the values that it
// leads to, under conditions or not: tags with the same arguments are about the
// same values.
func (n *Node) nested(c *model.Constraint) []*model.Constraint {
	var found []*model.Constraint
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

// Is returns the verb behind what Describe says.
func (n *Node) Is() string {
	if n.Scope&(OnValue|OnKey|OnMapValue) != 0 {
		return "are"
	}
	return "is"
}

// TypeName spells the value's type as an author would.
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

// Bound returns the constraint with the given role among those that hold here,
// and its payload as an integer.
func (n *Node) Bound(role model.Role) (*model.Constraint, *big.Int) {
	for _, c := range n.AllConstraints() {
		if c.Is(role) {
			if v, ok := IntPayload(c); ok {
				return c, v
			}
		}
	}
	return nil, nil
}

// IntPayload returns a constraint's payload as an integer.
func IntPayload(c *model.Constraint) (*big.Int, bool) {
	if c.Payload == nil {
		return nil, false
	}
	return new(big.Int).SetString(c.Payload.Text, 10)
}

// Has reports whether a constraint with one of the roles is at this place,
// directly.
func (n *Node) Has(roles ...model.Role) bool { return model.Has(n.Siblings, roles...) }

// Says reports whether a constraint with one of the roles is at this place,
// directly or under conditions.
func (n *Node) Says(roles ...model.Role) bool { return model.Says(n.Siblings, roles...) }

// EffectiveDefault returns the default that an author declared for the place: the
// field's, or its type's. It returns nil if there is none.
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

// ListType returns how the items of a list are paired between two versions of
// an object: "map", "set" or "atomic", which is what a list is when nothing is said.
func (n *Node) ListType() string {
	for _, c := range model.Bare(n.AllConstraints()) {
		if c.Is(model.RoleListType) {
			return c.Text()
		}
	}
	return "atomic"
}

// Semantics returns how the items of a list are told apart: as +k8s:unique says,
// else by its list type. A list can be owned as one value and still have items
// with keys.
func (n *Node) Semantics() string {
	for _, c := range model.Bare(n.AllConstraints()) {
		if c.Is(model.RoleUnique) {
			return c.Text()
		}
	}
	return n.ListType()
}

// ListMapKeys returns the fields that are the keys of a list of type map, in
// the order of their tags. A key that names no field is left out.
func (n *Node) ListMapKeys() []*model.Field {
	item := n.Model.Struct(n.Underlying().Elem)
	if item == nil {
		return nil
	}
	var keys []*model.Field
	for _, c := range model.Bare(n.AllConstraints()) {
		if c.Is(model.RoleListMapKey) {
			// A field may repeat what its type says.
			if f := FieldByJSON(n.Model, item, c.Text()); f != nil && !slices.Contains(keys, f) {
				keys = append(keys, f)
			}
		}
	}
	return keys
}

// FieldByJSON returns the field of a struct with the given JSON name; fields of
// inlined structs are the struct's own.
func FieldByJSON(m *model.Model, t *model.Type, name string) *model.Field {
	f, _ := fieldByJSON(m, t, name, 0)
	return f
}

// Through returns the inlined structs that lead from a struct to a field that
// FieldByJSON has found in it, outermost first.
func Through(m *model.Model, t *model.Type, f *model.Field) []*model.Field {
	_, through := fieldByJSON(m, t, f.JSON, 0)
	return through
}

// Select spells a field below x, by way of inlined structs, which are all named:
// what Go would promote can be ambiguous, or hidden by a struct of the field's
// name. The field is there where the conditions hold, one for each inlined pointer.
func Select(x string, through []*model.Field, f *model.Field) (field string, there []string) {
	for _, t := range through {
		x += "." + t.Name
		if t.Type.Kind == model.KindPointer {
			there = append(there, x+" != nil")
		}
	}
	return x + "." + f.Name, there
}

func fieldByJSON(m *model.Model, t *model.Type, name string, depth int) (f *model.Field, through []*model.Field) {
	if f := t.FieldByJSON(name); f != nil {
		return f, nil
	}
	if depth == maxInlined {
		return nil, nil
	}
	for _, f := range t.Fields {
		if !f.Inline {
			continue
		}
		if inner := m.Struct(f.Type); inner != nil {
			if found, through := fieldByJSON(m, inner, name, depth+1); found != nil {
				return found, append([]*model.Field{f}, through...)
			}
		}
	}
	return nil, nil
}

// maxInlined bounds the search in structs that inline themselves.
const maxInlined = 16
