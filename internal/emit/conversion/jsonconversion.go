package conversion

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
	"github.com/kindsmith/kindsmith/internal/versions/steptable"
)

// jsonConversion prints how the JSON of objects converts from a version to the next one: a table, and the functions that it
// names. The table of the next version has what follows.
func jsonConversion(c *emit.Context, f *gofile.File, api *steps.API, k int) {
	w := &tables{c: c, f: f, api: api, table: steptable.New(api)}
	next := k + 1
	for next < len(api.Steps) && !emit.ConvertsJSON(c.Model.Package(api.Versions[next].Package)) {
		next++ // whose package has no conversions
	}
	w.write(k, next)
}

// tables prints parts of the table of an API.
type tables struct {
	c     *emit.Context
	f     *gofile.File
	api   *steps.API
	table *steptable.Table
}

func (w *tables) ident(name string) string { return w.f.Ident(gofile.RuntimeJSONConvert, name) }

// write prints the steps between two versions.
func (w *tables) write(k, next int) {
	newest := w.api.Versions[len(w.api.Steps)].Name
	of, then := w.api.Versions[k].Name, w.api.Versions[next].Name
	doc := "JSONConversion returns what changes in the JSON of objects from " + of + " to " + then
	if next < len(w.api.Steps) {
		doc += ", and from there to " + newest
	}
	w.f.Doc(doc + ".")
	w.f.P("func JSONConversion() *", w.ident("API"), " {")
	if next < len(w.api.Steps) {
		w.f.P("return ", w.f.Ident(w.api.Versions[next].Package, "JSONConversion"), "().Before(")
		w.f.P("[]", w.ident("Version"), "{")
		w.versions(k, next)
		w.f.P("},")
		w.f.P("[]", w.ident("Step"), literals{w.f}.list(reflect.ValueOf(w.table.Steps[k:next])), ",")
		if funcs := w.functions(k, next); len(funcs) > 0 {
			w.f.P("map[string]", w.ident("Func"), braces(funcs, true), ",")
		} else {
			w.f.P("nil,")
		}
		w.f.P(")")
		w.f.P("}")
		return
	}
	w.f.Block("return &"+w.ident("API")+"{", func() {
		if w.table.Group != "" {
			w.f.P("Group: ", strconv.Quote(w.table.Group), ",")
		}
		w.f.P("Kinds: ", literals{w.f}.expr(reflect.ValueOf(w.table.Kinds), true), ",")
		if len(w.table.Retired) > 0 {
			w.f.P("Retired: ", literals{w.f}.expr(reflect.ValueOf(w.table.Retired), true), ",")
		}
		if len(w.table.Restores) > 0 {
			w.f.P("Restores: ", literals{w.f}.expr(reflect.ValueOf(w.table.Restores), true), ",")
		}
		w.f.P("Versions: []", w.ident("Version"), "{")
		w.versions(k, next+1)
		w.f.P("},")
		w.f.P("Steps: ", literals{w.f}.expr(reflect.ValueOf(w.table.Steps[k:]), true), ",")
		if funcs := w.functions(k, next); len(funcs) > 0 {
			w.f.P("Funcs: map[string]", w.ident("Func"), braces(funcs, true), ",")
		}
	})
	w.f.P("}")
}

// versions prints versions with the Go types of their kinds.
func (w *tables) versions(from, to int) {
	for k := from; k < to; k++ {
		v, p := w.table.Versions[k], w.c.Model.Package(w.api.Versions[k].Package)
		line := "{Name: " + strconv.Quote(v.Name)
		if len(v.Places) > 0 {
			line += ", Places: " + literals{w.f}.expr(reflect.ValueOf(v.Places), true)
		}
		w.f.P(line, ", Kinds: map[string]", w.ident("Schema"), "{")
		var filled []string
		for _, t := range p.Types {
			if w.api.IsFilled(t) {
				filled = append(filled, strconv.Quote(t.Name))
			}
		}
		for _, t := range p.Types {
			if t.Kind != nil && !t.Generic {
				w.f.P(strconv.Quote(t.Name), ": ", w.ident("SchemaOf"), "[", w.f.Ident(p.Path, t.Name), "](", strings.Join(filled, ", "), "),")
			}
		}
		w.f.P("}},")
	}
}

// functions returns the members of a map of the functions that steps name.
func (w *tables) functions(from, to int) (list []string) {
	for k := from; k < to; k++ {
		for _, fn := range w.table.StepFuncs[k] {
			if line := strconv.Quote(fn.Name) + ": " + w.ident(fn.Maker()) + "(" + w.f.Ident(fn.Package, fn.Name) + ")"; !slices.Contains(list, line) {
				list = append(list, line)
			}
		}
	}
	return list
}
