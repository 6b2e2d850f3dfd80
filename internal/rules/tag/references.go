package tag

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
)

// Refers is the kind of reference of an argument, or of a value after '='.
type Refers uint8

// The kinds of references. Fields are named by their JSON names, constants by their values.
const (
	Nothing       Refers = iota // a plain value
	OwnerField                  // a field of the struct that has the tagged field
	ElemField                   // a field of the list's items
	ValueField                  // a field of the value
	ValueConst                  // a constant of the value's type
	NamedConst                  // a constant of the type of the field that the argument's name names
	SelectorConst               // a constant of the type of the discriminator
	Group                       // the discriminator to use, if a struct has several
	Function                    // a function of the package
	Option                      // an option of the API server
	Version                     // a version of the package's API
)

// ResolveType resolves the references of the tags on a type and on its fields and constants. Names
// that do not resolve have no reference.
func ResolveType(m *model.Model, tags *Set, t *model.Type) {
	for _, c := range written(t.Tags, t.Changes) {
		TypeNode(m, tags, t).resolve(c)
	}
	for _, f := range t.Fields {
		for _, c := range written(f.Tags, f.Changes) {
			FieldNode(m, tags, t, f).resolve(c)
		}
	}
	for _, v := range t.Consts {
		for _, c := range written(v.Tags, v.Changes) {
			ConstNode(m, tags, t, v).resolve(c)
		}
	}
}

// written returns the tags on an item, including changes.
func written(tags []*model.Tag, changes []model.Change) []*model.Tag {
	all := slices.Clone(tags)
	for _, c := range changes {
		all = append(all, c.Base().Tag)
	}
	return all
}

// resolve resolves the references of a tag and of its inner tags.
func (n *Node) resolve(c *model.Tag) {
	n.ResolveArgs(c)
	if c.Inner == nil {
		return
	}
	if inner := n.Inside(c); inner != nil {
		inner.resolve(c.Inner)
	}
}

// ResolveArgs resolves the references of a tag without its inner tags.
func (n *Node) ResolveArgs(c *model.Tag) {
	d := n.Tags.Lookup(c.Name)
	if d == nil {
		return
	}
	for i := range c.Args {
		a := &c.Args[i]
		want := d.Arg(a.Name)
		if want == nil {
			continue
		}
		a.NameRef = n.reference(d, c, want.NameRefers, a.Name, nil)
		a.Value.Ref = n.reference(d, c, want.Refers, a.Value.Text, a.NameRef)
	}
	if c.Payload != nil {
		c.Payload.Ref = n.reference(d, c, d.Payload.Refers, c.Payload.Text, nil)
	}
}

// Inside returns the node that an inner tag applies to, for references only: items have no keys.
func (n *Node) Inside(c *model.Tag) *Node {
	if c.At == model.AtItem && n.Underlying().Kind == model.KindSlice {
		return n.Elem()
	}
	return n.Inner(c)
}

// Arg returns the description of the argument with the given name ("" for the
// positional one), or nil.
func (d *Definition) Arg(name string) *Arg {
	for i := range d.Args {
		if a := &d.Args[i]; a.Name == name || a.Name == AnyName && name != "" {
			return a
		}
	}
	return nil
}

// ArgReferring returns the first argument with a reference, or nil.
func (d *Definition) ArgReferring(to Refers) *Arg {
	for i := range d.Args {
		if d.Args[i].Refers == to {
			return &d.Args[i]
		}
	}
	return nil
}

// reference resolves a text, or returns nil. NamedBy is the reference of the argument's name.
func (n *Node) reference(d *Definition, c *model.Tag, refers Refers, text string, namedBy *model.Reference) *model.Reference {
	switch refers {
	case OwnerField, ElemField, ValueField:
		return n.fieldReference(n.StructOf(refers), text)
	case ValueConst:
		return constReference(n.Model, n.Type, text)
	case NamedConst:
		if f, _ := n.Model.FieldOf(namedBy); f != nil {
			return constReference(n.Model, f.Type, text)
		}
	case SelectorConst:
		if f := n.selector(d, c); f != nil {
			return constReference(n.Model, f.Type, text)
		}
	case Function:
		if p := n.pkg(); p != nil && p.Funcs[text] != nil {
			return &model.Reference{Kind: model.ToFunc, Package: p.Path, Name: text}
		}
	case Option:
		if text != "" {
			return &model.Reference{Kind: model.ToOption, Name: text}
		}
	}
	return nil
}

// StructOf returns the struct whose fields a reference names, or nil.
func (n *Node) StructOf(refers Refers) *model.Type {
	switch refers {
	case OwnerField:
		return n.owner()
	case ElemField:
		if elem := n.Underlying().Elem; elem != nil {
			return n.Model.Struct(elem)
		}
	case ValueField:
		return n.Model.Struct(n.Value())
	}
	return nil
}

// EnumNamed returns the enum whose value an argument or a payload names, or nil. Tags that refer to
// a discriminator check their values themselves.
func (n *Node) EnumNamed(refers Refers, namedBy *model.Reference) *model.Type {
	switch refers {
	case ValueConst:
		return EnumOf(n.Model, n.Type)
	case NamedConst:
		if f, _ := n.Model.FieldOf(namedBy); f != nil {
			return EnumOf(n.Model, f.Type)
		}
	}
	return nil
}

// owner returns the enclosing struct; for a subfield, the struct that is named from outside.
func (n *Node) owner() *model.Type {
	switch {
	case n.Scope != OnField:
		return nil
	case n.IsPart():
		return n.Model.Struct(n.Parent.Value())
	}
	return n.Owner
}

func (n *Node) fieldReference(t *model.Type, name string) *model.Reference {
	if t == nil || name == "" {
		return nil
	}
	f, through := fieldByJSON(n.Model, t, name)
	if f == nil {
		return nil
	}
	r := &model.Reference{Kind: model.ToField, Package: t.Package, Owner: t.Name, Name: f.Name}
	for _, inlined := range through {
		r.Through = append(r.Through, inlined.Name)
	}
	return r
}

// constReference returns the constant with a value, of a type or of the types that it is declared
// from.
func constReference(m *model.Model, r *model.Ref, value string) *model.Reference {
	elem, _ := m.Deref(r)
	_, chain := m.Resolve(elem)
	for _, t := range chain {
		i := slices.IndexFunc(t.Consts, func(c *model.Const) bool { return c.Value == value })
		if i >= 0 {
			return &model.Reference{Kind: model.ToConst, Package: t.Package, Owner: t.Name, Name: t.Consts[i].Name}
		}
	}
	return nil
}

// selector returns the field with the discriminator tag that a tag's arguments refer to, regardless
// of the versions in which the discriminator tag applies.
func (n *Node) selector(d *Definition, c *model.Tag) *model.Field {
	if d.Discriminator == "" {
		return nil
	}
	is := func(s *model.Tag) bool {
		for ; s != nil && s.At == model.AtPlace; s = s.Inner {
			if s.Is(d.Discriminator) {
				return n.Tags.group(s) == n.Tags.group(c)
			}
		}
		return false
	}
	if n.Scope == OnField && !n.IsPart() {
		for _, f := range n.Owner.Fields {
			if slices.ContainsFunc(f.Tags, is) {
				return f
			}
		}
		return nil
	}
	if n.Parent == nil {
		return nil
	}
	for _, s := range n.Parent.Siblings {
		for s != nil && s.At == model.AtPlace {
			s = s.Inner
		}
		if s != nil && s.At == model.AtField && is(s.Inner) {
			if part := n.Parent.Inner(s); part != nil {
				return part.Field
			}
		}
	}
	return nil
}

// group returns the argument that names a tag's discriminator; "" for the only one.
func (s *Set) group(c *model.Tag) string {
	d := s.Lookup(c.Name)
	for _, a := range c.Args {
		if want := d.Arg(a.Name); want != nil && want.Refers == Group {
			return a.Value.Text
		}
	}
	return ""
}

// DefaultReference returns the constant that a default on the node is: the one that it names with ref(), or the constant of the
// value's type with this value; nil if it is none.
func (n *Node) DefaultReference(d *model.Default) *model.Reference {
	if d.Ref != nil {
		c, ok := defaulting.FindConstant(n.Model, n.Owner.Package, *d.Ref)
		if !ok || c.Type == nil {
			return nil
		}
		return &model.Reference{Kind: model.ToConst, Package: c.Package, Owner: c.Type.Name, Name: c.Name}
	}
	text, err := strconv.Unquote(d.JSON)
	if err != nil {
		text = d.JSON
	}
	return constReference(n.Model, n.Type, text)
}
