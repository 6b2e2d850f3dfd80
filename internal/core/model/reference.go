package model

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// ReferenceKind says what a reference leads to.
type ReferenceKind string

// The kinds of references.
const (
	// ToField is a field of a struct.
	ToField ReferenceKind = "field"
	// ToConst is a constant of a declared type.
	ToConst ReferenceKind = "const"
	// ToFunc is a function of a package.
	ToFunc ReferenceKind = "func"
	// ToOption is an option of the API server, which is declared in no Go source.
	ToOption ReferenceKind = "option"
)

// Reference is what an argument of a tag names, resolved.
type Reference struct {
	Kind ReferenceKind `json:"kind"`
	// Package is the import path of the package that declares what is named;
	// empty for an option.
	Package string `json:"package,omitempty"`
	// Owner is the declared type that has the constant, or the struct in which
	// the field is found.
	Owner string `json:"owner,omitempty"`
	// Through are the Go names of the inlined structs that lead from the owner
	// to the field, outermost first.
	Through []string `json:"through,omitempty"`
	// Name is the Go name of the field, constant or function, or the option.
	Name string `json:"name"`
}

// At says which place the inner tag of a tag applies to.
type At string

// The places.
const (
	AtPlace   At = ""        // the place of the outer tag
	AtElement At = "element" // each value of a list or map
	AtKey     At = "key"     // each key of a map
	AtField   At = "field"   // the field that the tag names
	AtItem    At = "item"    // the item of a list that the tag names
)

// OwnerType returns the type that has the field or constant, or nil.
func (m *Model) OwnerType(r *Reference) *Type {
	if r == nil {
		return nil
	}
	return m.Type(Name{r.Package, r.Owner})
}

// FieldOf returns the field that a reference leads to, and the inlined structs
// on the way to it, outermost first; nil when it leads to no field.
func (m *Model) FieldOf(r *Reference) (f *Field, through []*Field) {
	t := m.OwnerType(r)
	if t == nil || r.Kind != ToField {
		return nil, nil
	}
	for _, name := range r.Through {
		inlined := t.Field(name)
		if inlined == nil {
			return nil, nil
		}
		through = append(through, inlined)
		if t = m.Struct(inlined.Type); t == nil {
			return nil, nil
		}
	}
	return t.Field(r.Name), through
}

// ConstOf returns the constant that a reference leads to, or nil.
func (m *Model) ConstOf(r *Reference) *Const {
	t := m.OwnerType(r)
	if t == nil || r.Kind != ToConst {
		return nil
	}
	for _, c := range t.Consts {
		if c.Name == r.Name {
			return c
		}
	}
	return nil
}

// Mentions calls yield with each text in the tags of hand-written packages that names a field, a constant or a function,
// and what it names.
func (m *Model) Mentions(yield func(r *Reference, at source.Span) bool) {
	for _, p := range m.Packages {
		if p.Generated {
			continue // its tags are those of the newest version
		}
		for c := range p.allTags {
			for tag := c; tag != nil; tag = tag.Inner {
				if !tag.mentions(yield) {
					return
				}
			}
		}
	}
}

// allTags calls yield with the tags of a package, of its types, and of their fields and constants.
func (p *Package) allTags(yield func(*Tag) bool) {
	next := func(tags []*Tag, changes []Change) bool {
		for _, c := range tags {
			if !yield(c) {
				return false
			}
		}
		for _, c := range changes {
			if tag := c.Base().Tag; tag != nil && !slices.Contains(tags, tag) && !yield(tag) {
				return false
			}
		}
		return true
	}
	if !next(p.Tags, nil) {
		return
	}
	for _, t := range p.Types {
		if !next(t.Tags, t.Changes) {
			return
		}
		for _, f := range t.Fields {
			if !next(f.Tags, f.Changes) {
				return
			}
		}
		for _, c := range t.Consts {
			if !next(c.Tags, c.Changes) {
				return
			}
		}
	}
}

// mentions calls yield with the references of a tag without its inner tags.
func (c *Tag) mentions(yield func(r *Reference, at source.Span) bool) bool {
	for _, a := range c.Args {
		if a.NameRef != nil && !yield(a.NameRef, a.Span) || a.Value.Ref != nil && !yield(a.Value.Ref, a.Value.Span) {
			return false
		}
	}
	return c.Payload == nil || c.Payload.Ref == nil || yield(c.Payload.Ref, c.Payload.Span)
}

// SameReferent reports whether two references name the same field, constant or function.
func (m *Model) SameReferent(a, b *Reference) bool {
	if a == nil || b == nil || a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case ToField:
		f, _ := m.FieldOf(a)
		g, _ := m.FieldOf(b)
		return f != nil && f == g
	case ToConst:
		c := m.ConstOf(a)
		return c != nil && c == m.ConstOf(b)
	}
	return a.Package == b.Package && a.Name == b.Name
}
