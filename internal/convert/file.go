package convert

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/wiretable"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// Tables returns the tables of a model's kinds, by which objects convert without the types.
func Tables(m *model.Model) *wire.File {
	plans, file := plan.Build(m), &wire.File{Format: wire.FileFormat, Tables: []*wire.Table{}}
	for _, hub := range m.Packages {
		for _, v := range hub.Versions {
			if p := plans[v.Package]; p != nil && p.Hub.Package == hub.Path && slices.ContainsFunc(p.Types, func(t *plan.Type) bool { return t.Kind }) {
				file.Tables = append(file.Tables, wiretable.New(p).Table)
			}
		}
	}
	return file
}

// FromFile returns the converter of the kinds of a file of tables.
func FromFile(file *wire.File) (*Converter, error) {
	c := &Converter{}
	for _, tables := range file.Groups() {
		f := &family{group: tables[0].Group, kinds: map[string][]string{}, fills: map[string]*function{}}
		var conversions []wire.Conversion
		for _, t := range slices.Backward(tables) {
			for i := range t.Types {
				if kind := t.Types[i].Kind; kind != "" {
					if f.kinds[kind] == nil {
						f.kinds[kind] = []string{t.Hub}
					}
					f.kinds[kind] = append(f.kinds[kind], t.Older)
				}
			}
			funcs := map[string]wire.Func{}
			for _, name := range t.Functions() {
				f.missing(funcs, name, &function{names: []string{name}}, fills(t, name))
			}
			conversions = append(conversions, wire.Conversion{Table: t, Funcs: funcs})
		}
		var err error
		if f.wire, err = wire.New(conversions...); err != nil {
			return nil, err
		}
		c.families = append(c.families, f)
	}
	return c, nil
}

// fills returns a text that takes the place of what a function fills in, "" if the function is none of
// a field.
func fills(t *wire.Table, name string) string {
	for i := range t.Types {
		for j := range t.Types[i].Fields {
			if f := &t.Types[i].Fields[j]; f.FillFunc == name && !f.Spread {
				return "the result of " + t.Group + "/" + t.Older + " " + name + " of kindsmith convert"
			}
		}
	}
	return ""
}
