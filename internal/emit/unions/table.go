package unions

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/rule/unions"
)

// table declares the table of a union and returns the name of its variable.
func (g *generator) table(u unions.Union, place string) string {
	name := g.name("union" + place)
	g.decls = append(g.decls, "var "+name+" = &"+g.literal(reflect.ValueOf(*u.Table(g.m))))
	return name
}

// literal returns a value of the runtime's package union as a Go literal, without zero fields.
func (g *generator) literal(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Struct:
		var fields []string
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				fields = append(fields, v.Type().Field(i).Name+": "+g.literal(v.Field(i)))
			}
		}
		return g.file.Ident(gofile.RuntimeUnion, v.Type().Name()) + "{" + strings.Join(fields, ", ") + "}"
	case reflect.Slice:
		items, inLines := make([]string, v.Len()), ""
		for i := range items {
			items[i] = strings.TrimPrefix(g.literal(v.Index(i)), g.file.Ident(gofile.RuntimeUnion, v.Type().Elem().Name()))
			if len(items) > 1 {
				inLines = "\n"
				items[i] += ","
			}
		}
		return "[]" + g.file.Ident(gofile.RuntimeUnion, v.Type().Elem().Name()) + "{" + inLines + strings.Join(items, "\n") + inLines + "}"
	default:
		return fmt.Sprintf("%#v", v.Interface())
	}
}
