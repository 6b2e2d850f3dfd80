package emit

import (
	"go/token"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
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

// Alias prints the exported alias of an unexported type.
func Alias(f *gofile.File, t *model.Type, users string) {
	name, typ := model.ConversionAlias(t.Name), f.Type(t.Ref())
	f.Doc(name + " is " + typ + ", for " + users + " in the packages of older versions.")
	f.P("type ", name, " = ", typ)
	f.P()
}
