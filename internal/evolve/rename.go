package evolve

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// place is where a tag stands, in terms of the newest version's package.
type place struct {
	owner *model.Type
	field *model.Field
	// ref is the type of the value, as it was in the version.
	ref *model.Ref
}

// tags returns an item's tags as they read in the version: those that hold
// there, with the names that things have there.
func (p *projection) tags(here place, constraints []*model.Constraint, markers []model.Marker, def *model.Default) items {
	s := p.selected(p.v, constraints, markers, def)
	out := items{def: p.defaultAt(here, s.def)}
	for _, c := range s.constraints {
		if n := p.tagAt(here, c); n != nil {
			out.constraints = append(out.constraints, n)
		}
	}
	for _, m := range s.markers {
		if n, ok := p.markerAt(here, m); ok {
			out.markers = append(out.markers, n)
		}
	}
	return out
}

// tagAt returns a tag with the names of the version; nil when what it names is
// not there.
func (p *projection) tagAt(here place, c *model.Constraint) *model.Constraint {
	inner := here
	n := cloneArgs(c)
	switch c.Name {
	case "k8s:eachVal":
		inner.ref = p.elem(here.ref)
	case "k8s:eachKey":
		inner.ref = p.key(here.ref)
	case "k8s:listMapKey":
		if !p.listMapKey(here, n) {
			return nil
		}
	case "k8s:item":
		inner.ref = p.elem(here.ref)
		for i, a := range n.Args {
			name, ok := p.jsonAt(p.m.Struct(inner.ref), a.Name)
			if !ok {
				return nil
			}
			n.Args[i].Name = name
		}
	case "k8s:subfield":
		t := p.m.Struct(here.ref)
		if t == nil {
			break
		}
		if f := t.FieldByJSON(c.ArgText("")); f != nil {
			inner.ref = p.typeAt(f, p.v)
		}
		if !p.renameArg(t, n) {
			return nil
		}
	case "k8s:dependentRequired", "k8s:dependentForbidden":
		if !p.renameArg(here.owner, n) {
			return nil
		}
	}
	if c.Inner != nil {
		if n.Inner = p.tagAt(inner, c.Inner); n.Inner == nil {
			return nil
		}
	}
	return n
}

// renameArg translates a positional argument that names a field of t.
func (p *projection) renameArg(t *model.Type, n *model.Constraint) bool {
	for i, a := range n.Args {
		if a.Name != "" {
			continue
		}
		name, ok := p.jsonAt(t, a.Value.Text)
		if !ok {
			return false
		}
		n.Args[i].Value.Text = name
	}
	return true
}

func (p *projection) listMapKey(here place, n *model.Constraint) bool {
	if n.Payload == nil {
		return true
	}
	name, ok := p.jsonAt(p.m.Struct(p.elem(here.ref)), n.Payload.Text)
	if !ok {
		p.bag.Errorf(n.Span, codeKeyNotYet, "the list's key %s does not exist in %s; wrap the list's tags in +versioned:since, and say with +versioned:until what held before",
			n.Payload.Text, p.pkg.Name)
		return false
	}
	n.Payload.Text = name
	return true
}

// jsonAt returns the name in the version of a field that has the given JSON
// name in the newest; not ok when the version lacks the field.
func (p *projection) jsonAt(t *model.Type, name string) (string, bool) {
	if t == nil {
		return name, true
	}
	f := t.FieldByJSON(name)
	if f == nil {
		return name, true
	}
	if !p.of(f).exists(p.v) {
		return "", false
	}
	_, name = p.fieldAt(f, p.v)
	return name, true
}

func (p *projection) elem(r *model.Ref) *model.Ref {
	if r, _ = p.m.Deref(r); r != nil {
		if u := p.m.Underlying(r); u.Elem != nil {
			return u.Elem
		}
	}
	return r
}

func (p *projection) key(r *model.Ref) *model.Ref {
	r, _ = p.m.Deref(r)
	if u := p.m.Underlying(r); u.Key != nil {
		return u.Key
	}
	return r
}

// nameMembers keeps the values of discriminators: a member without a name of
// its own is called after its field, which may be called otherwise here.
func (p *projection) nameMembers(t, c *model.Type) {
	for _, u := range model.UnionsOf(t) {
		if u.Discriminator == "" {
			continue
		}
		enum := p.local(p.derefed(t.Field(u.Discriminator).Type))
		for _, member := range u.Members {
			f := t.Field(member.Field)
			i := slices.IndexFunc(c.Fields, func(g *model.Field) bool { return g.Origin.Field == f.Name })
			if i < 0 {
				continue
			}
			value := member.Value
			if enum != nil {
				value = p.valueAt(enum, value, p.v)
			}
			setMemberName(c.Fields[i], member, value)
		}
	}
}

func (p *projection) derefed(r *model.Ref) *model.Ref {
	r, _ = p.m.Deref(r)
	return r
}

// setMemberName writes the member's value into the tag that makes the field a
// member, unless that is its value anyway.
func setMemberName(f *model.Field, member model.Member, value string) {
	for _, c := range model.Bare(f.Constraints) {
		if c.Span != member.Span || !strings.HasSuffix(c.Name, "OneOfMember") && c.Name != "k8s:unionMember" {
			continue
		}
		named := model.Value{Kind: model.StringValue, Text: value, Span: c.Span}
		for i, a := range c.Args {
			if a.Name == "memberName" {
				c.Args[i].Value = named
				return
			}
		}
		if value != f.Name {
			c.Args = append(c.Args, model.Arg{Name: "memberName", Value: named, Span: c.Span})
		}
	}
}
