package evolve

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// place is the position of a tag, in the newest version's package.
type place struct {
	owner *model.Type
	field *model.Field
	konst *model.Const
	// ref is the type of the value in the version.
	ref *model.Ref
}

// node returns the node of the place.
func (p *projection) node(here place) *tag.Node {
	switch {
	case here.field != nil:
		n := tag.FieldNode(p.m, p.tags, here.owner, here.field)
		n.Type = here.ref
		return n
	case here.konst != nil:
		return tag.ConstNode(p.m, p.tags, here.owner, here.konst)
	}
	return tag.TypeNode(p.m, p.tags, here.owner)
}

// tagsAt returns the tags that apply to an item in the version, with the names of the version.
func (p *projection) tagsAt(here place, tags []*model.Tag, markers []model.Marker, def *model.Default) items {
	s := p.selected(p.v, tags, markers, def)
	out := items{def: p.defaultAt(here, s.def)}
	n := p.node(here)
	for _, c := range s.tags {
		if renamed := p.tagAt(n, c, s.tags); renamed != nil {
			out.tags = append(out.tags, renamed)
		}
	}
	for _, m := range s.markers {
		if n, ok := p.markerAt(here, m); ok {
			out.markers = append(out.markers, n)
		}
	}
	return out
}

// tagAt returns a tag with the names of the version; nil if it refers to something that the version
// lacks. If omitting the tag would allow more values, the tag remains, and package check asks for
// since.
func (p *projection) tagAt(n *tag.Node, c *model.Tag, siblings []*model.Tag) *model.Tag {
	renamed := cloneArgs(c)
	// The value may have another type in the version, with other fields and constants.
	n.ResolveArgs(renamed)
	there := true
	def := p.tags.Lookup(c.Name)
	if def == nil { // reported; it refers to nothing
		return renamed
	}
	rename := func(r *model.Reference, refers tag.Refers, text *string) {
		name, ok := p.nameAt(r, *text)
		if r == nil {
			name, ok = p.formerAt(n.StructOf(refers), *text)
		}
		*text = name
		there = there && ok
	}
	for i := range renamed.Args {
		a := &renamed.Args[i]
		if arg := def.Arg(a.Name); arg != nil {
			rename(a.NameRef, arg.NameRefers, &a.Name)
			rename(a.Value.Ref, arg.Refers, &a.Value.Text)
		}
	}
	if renamed.Payload != nil {
		rename(renamed.Payload.Ref, def.Payload.Refers, &renamed.Payload.Text)
	}
	switch {
	case there:
	case c.Role == model.RoleListMapKey:
		p.bag.Errorf(c.Span, codeKeyNotYet, "the list map key %s does not exist in %s; wrap the list's tags in +%s, and add the previous tags with +%s",
			c.Text(), p.pkg.Name, p.name(model.RoleSince), p.name(model.RoleUntil))
		return nil
	case c.Role != model.RoleIfMode || len(model.Find(model.Bare(siblings), model.RoleIfMode)) > 1:
		return nil
	}
	if c.Inner == nil {
		return renamed
	}
	inner := n.Inside(c)
	if inner == nil {
		return renamed // package check reports it
	}
	if c.At == model.AtField {
		inner.Type = p.typeAt(inner.Field, p.v)
	}
	if renamed.Inner = p.tagAt(inner, c.Inner, inner.Siblings); renamed.Inner == nil {
		return nil
	}
	return renamed
}

// nameAt translates a reference to the version; not ok if the version lacks its target.
func (p *projection) nameAt(r *model.Reference, text string) (name string, ok bool) {
	switch owner := p.m.OwnerType(r); {
	case owner == nil:
		return text, true
	case r.Kind == model.ToField:
		f, through := p.m.FieldOf(r)
		if !p.exist(through) {
			return text, false
		}
		if f == nil {
			return text, true
		}
		if !p.of(f).exists(p.v) {
			return text, false
		}
		_, name = p.fieldAt(f, p.v)
		return name, true
	case r.Kind == model.ToConst:
		c := p.m.ConstOf(r)
		if c == nil {
			return text, true
		}
		if !p.of(c).exists(p.v) {
			return text, !owner.IsEnum()
		}
		_, name = p.constAt(c, p.v)
		return name, true
	}
	return text, true
}

// formerAt translates the name of a field that the newest version of a struct lacks; not ok if the
// version lacks it too.
func (p *projection) formerAt(t *model.Type, name string) (string, bool) {
	for _, f := range p.former[t] {
		if f.JSON != name {
			continue
		}
		_, name = p.fieldAt(f, p.v)
		return name, p.of(f).exists(p.v)
	}
	return name, true
}

// jsonAt translates a JSON name from the newest version; not ok if the version lacks the field.
func (p *projection) jsonAt(t *model.Type, name string) (string, bool) {
	f, exists := p.wireField(t, name)
	if f == nil {
		return name, true
	}
	if !exists {
		return "", false
	}
	_, name = p.fieldAt(f, p.v)
	return name, true
}

// exist reports whether the version has all of some fields.
func (p *projection) exist(fields []*model.Field) bool {
	return !slices.ContainsFunc(fields, func(f *model.Field) bool { return !p.of(f).exists(p.v) })
}

func (p *projection) elem(r *model.Ref) *model.Ref {
	if r, _ = p.m.Deref(r); r != nil {
		if u := p.m.Underlying(r); u.Elem != nil {
			return u.Elem
		}
	}
	return r
}

// nameMembers preserves the values of discriminators: the default name of a member is that of its
// field, which may differ in the version.
func (p *projection) nameMembers(t, c *model.Type) {
	for _, u := range tag.UnionsOf(p.m, p.tags, t) {
		if u.Discriminator == nil {
			continue
		}
		enum := p.local(p.derefed(u.Discriminator.Type))
		for _, member := range u.Members {
			f := member.Field
			if f == nil || t.Field(f.Name) != f {
				continue // of a list, or of a struct within
			}
			i := slices.IndexFunc(c.Fields, func(g *model.Field) bool { return g.Origin.Field == f.Name })
			if i < 0 {
				continue
			}
			value := member.Value
			if enum != nil {
				value = p.valueAt(enum, value, p.v)
			}
			p.setMemberName(c.Fields[i], member, value)
		}
	}
}

func (p *projection) derefed(r *model.Ref) *model.Ref {
	r, _ = p.m.Deref(r)
	return r
}

// setMemberName adds the member's value to the member's tag, unless it is the default.
func (p *projection) setMemberName(f *model.Field, member tag.Member, value string) {
	for _, c := range model.Bare(f.Tags) {
		if c.Span != member.Span || !c.Role.IsMember() {
			continue
		}
		arg := p.tags.Lookup(c.Name).ArgReferring(tag.SelectorConst)
		if arg == nil {
			continue // not selected by a discriminator
		}
		named := model.Value{Kind: model.StringValue, Text: value, Span: c.Span}
		for i, a := range c.Args {
			if a.Name == arg.Name {
				c.Args[i].Value = named
				return
			}
		}
		if value != f.Name {
			c.Args = append(c.Args, model.Arg{Name: arg.Name, Value: named, Span: c.Span})
		}
	}
}
