package check

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// accepted returns the model without the mistaken tags of dependencies, which it reports as
// warnings. It checks the remaining tags again, since tags can depend on each other, such as a list
// of type map on its keys.
func accepted(m *model.Model, tags *tag.Set, bag *diag.Bag) *model.Model {
	for {
		next := &model.Model{}
		changed := false
		for _, p := range m.Packages {
			if p.IsDependency() {
				found := &diag.Bag{}
				sound := soundPackage(m, tags, p, found, every)
				bag.Demote(found, "package "+p.Path+" is in another module; the tag has no effect here")
				changed = changed || sound != p
				p = sound
			}
			next.Packages = append(next.Packages, p)
		}
		if !changed {
			return m
		}
		next.Freeze()
		m = next
	}
}

// Sound returns the model without the tags and defaults that have errors of certain codes, and without those that are
// mistakes once these are gone. It reports nothing: Check has.
func Sound(m *model.Model, tags *tag.Set, leaves func(diag.Code) bool) *model.Model {
	for {
		next := &model.Model{}
		changed := false
		for _, p := range m.Packages {
			sound := soundPackage(m, tags, p, &diag.Bag{}, leaves)
			changed = changed || sound != p
			next.Packages = append(next.Packages, sound)
		}
		if !changed {
			return m
		}
		next.Freeze()
		m, leaves = next, every
	}
}

// every is the condition that every code fulfils.
func every(diag.Code) bool { return true }

// soundPackage returns a package without its mistaken tags, or the package itself if it has
// none. The codes of mistakes that matter fulfil a condition.
func soundPackage(m *model.Model, tags *tag.Set, p *model.Package, bag *diag.Bag, leaves func(diag.Code) bool) *model.Package {
	c := &checker{model: m, tags: tags, bag: bag, leaves: leaves}
	out := *p
	out.Types = slices.Clone(p.Types)
	changed := false
	for i, t := range p.Types {
		if sound := c.soundType(t); sound != t {
			out.Types[i], changed = sound, true
		}
	}
	if !changed {
		return p
	}
	return &out
}

func (c *checker) soundType(t *model.Type) *model.Type {
	out, changed := *t, false
	out.Tags, out.Default = c.soundTags(tag.TypeNode(c.model, c.tags, t), t.Tags, t.Default, &changed)
	out.Fields = slices.Clone(t.Fields)
	for i, f := range t.Fields {
		sound, differs := *f, false
		sound.Tags, sound.Default = c.soundTags(tag.FieldNode(c.model, c.tags, t, f), f.Tags, f.Default, &differs)
		if differs {
			out.Fields[i], changed = &sound, true
		}
	}
	out.Consts = slices.Clone(t.Consts)
	for i, v := range t.Consts {
		sound, differs := *v, false
		sound.Tags, _ = c.soundTags(tag.ConstNode(c.model, c.tags, t, v), v.Tags, nil, &differs)
		if differs {
			out.Consts[i], changed = &sound, true
		}
	}
	if !changed {
		return t
	}
	if len(unionTags(&out)) < len(unionTags(t)) {
		leaveUnions(&out)
	}
	return &out
}

// Known returns the model without the tags and defaults of what is unknown, because it does not compile: of types, and
// of fields by their types.
func Known(m *model.Model, types map[model.Name]bool, isUnknown func(*model.Ref) bool) *model.Model {
	out := &model.Model{Packages: slices.Clone(m.Packages)}
	for i, p := range m.Packages {
		known := *p
		known.Types = slices.Clone(p.Types)
		for j, t := range p.Types {
			if types[t.ID()] {
				known.Types[j] = knownType(t, isUnknown)
			}
		}
		out.Packages[i] = &known
	}
	out.Index()
	return out
}

func knownType(t *model.Type, isUnknown func(*model.Ref) bool) *model.Type {
	out := *t
	out.Tags, out.Default, out.Fields = nil, nil, slices.Clone(t.Fields)
	for i, f := range t.Fields {
		if isUnknown(f.Type) {
			field := *f
			field.Tags, field.Default = nil, nil
			out.Fields[i] = &field
		}
	}
	if len(unionTags(&out)) < len(unionTags(t)) {
		leaveUnions(&out)
	}
	return &out
}

// unionRoles are the roles of tags that mean nothing, or something else, without the others of a struct.
var unionRoles = []model.Role{
	model.RoleUnionMember, model.RoleZeroOrOneOfMember, model.RoleUnionDiscriminator, model.RoleUnionStrict, model.RoleKEPDiscriminator,
	model.RoleKEPMember, model.RoleDiscriminatedBy, model.RoleOlderUnion, model.RoleOlderMember, model.RoleIfMode, model.RoleModeDiscriminator,
}

func isOfUnion(use *model.Tag) bool {
	for ; use != nil; use = use.Inner {
		if slices.Contains(unionRoles, use.Role) {
			return true
		}
	}
	return false
}

// unionTags returns the tags of a type's unions and modes.
func unionTags(t *model.Type) []*model.Tag {
	list := slices.Clone(t.Tags)
	for _, f := range t.Fields {
		list = append(list, f.Tags...)
	}
	return slices.DeleteFunc(list, func(use *model.Tag) bool { return !isOfUnion(use) })
}

// leaveUnions removes the unions and modes of a type. Without its discriminator, for example, a union would have another
// member.
func leaveUnions(t *model.Type) {
	t.Tags = slices.DeleteFunc(slices.Clone(t.Tags), isOfUnion)
	for i, f := range t.Fields {
		if slices.ContainsFunc(f.Tags, isOfUnion) {
			field := *f
			field.Tags = slices.DeleteFunc(slices.Clone(f.Tags), isOfUnion)
			t.Fields[i] = &field
		}
	}
}

// soundTags returns the tags and the default of a node that have no mistakes.
func (c *checker) soundTags(n *tag.Node, list []*model.Tag, def *model.Default, changed *bool) ([]*model.Tag, *model.Default) {
	var sound []*model.Tag
	if c.mistaken(func() { sound = c.place(n, list) }) && len(sound) != len(list) {
		*changed = true
		list = sound
	}
	if c.mistaken(func() { c.defaults(n, def) }) {
		*changed, def = true, nil
	}
	return list, def
}

// mistaken reports whether a check finds a mistake that matters.
func (c *checker) mistaken(check func()) bool {
	bag := c.bag
	c.bag = &diag.Bag{}
	check()
	found := slices.ContainsFunc(c.bag.All(), func(d *diag.Diagnostic) bool { return d.Severity == diag.Error && c.leaves(d.Code) })
	bag.Append(c.bag)
	c.bag = bag
	return found
}
