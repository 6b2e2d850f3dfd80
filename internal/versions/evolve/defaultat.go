package evolve

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// defaultAt returns a default in the version.
func (p *projection) defaultAt(here place, d *model.Default) *model.Default {
	if d == nil {
		return nil
	}
	n := *d
	if d.Ref != nil {
		n.Ref = p.constantAt(*d.Ref)
		return &n
	}
	n.JSON = value.Rename(p.m, here.ref, d.JSON, spelling{p})
	return &n
}

// constantAt returns the constant of a ref() default in an older version: an enum constant of its
// own package, else a constant of the newest package.
func (p *projection) constantAt(name model.Name) *model.Name {
	if name.Package != "" && name.Package != p.evolver.pkg.Path {
		if path, ok := p.evolver.pkg.Imports[name.Package]; ok {
			name.Package = path
		}
		return &name
	}
	for t := range p.types {
		for _, c := range t.Consts {
			if c.Name != name.Name {
				continue
			}
			if to := p.standIn(t, c, p.v); to != nil {
				goName, _ := p.constAt(to, p.v)
				return &model.Name{Name: goName}
			}
		}
	}
	return &model.Name{Package: p.evolver.pkg.Path, Name: name.Name}
}

// spelling translates the names of fields and constants of the newest version to an older version.
type spelling struct{ *projection }

// Field implements value.Names.
func (s spelling) Field(f *model.Field) (name string, typ *model.Ref, ok bool) {
	if !s.of(f).exists(s.v) {
		return "", nil, false
	}
	_, name = s.fieldAt(f, s.v)
	return name, s.typeAt(f, s.v), true
}

// Constant implements value.Names.
func (s spelling) Constant(t *model.Type, text string) string {
	if t.Package != s.evolver.pkg.Path {
		return text
	}
	return s.valueAt(t, text, s.v)
}
