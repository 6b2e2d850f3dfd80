package emit

import (
	"go/token"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Carried returns the unexported types of the newest version's package that the generated types of older versions name, by
// their exported aliases.
func Carried(m *model.Model, hub *model.Package) map[string]bool {
	names := map[string]bool{}
	note := func(n model.Name) {
		if n.Package == hub.Path && !token.IsExported(n.Name) {
			names[n.Name] = true
		}
	}
	for _, p := range m.Packages {
		if p.Hub != hub.Path || !p.Generated {
			continue
		}
		for _, t := range p.Types {
			if t.Hub == nil {
				continue // hand-written
			}
			t.Def.Declared(note)
			for _, f := range t.Fields {
				f.Type.Declared(note)
			}
		}
	}
	return names
}

// Alias prints the exported alias of an unexported type, unless a generated file that the run keeps has it.
func (c *Context) Alias(f *gofile.File, t *model.Type) {
	name, typ := model.ConversionAlias(t.Name), f.Type(t.Ref())
	if c.Options.Kept != nil && c.Options.Kept(c.Package)[name] {
		return
	}
	f.Doc(name + " is " + typ + ", for types in the packages of older versions.")
	f.P("type ", name, " = ", typ)
	f.P()
}
