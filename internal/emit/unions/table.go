package unions

import (
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
)

// table declares the table of a union and returns the name of its variable.
func (g *generator) table(u unions.Union, place string) string {
	name := g.name("normalized" + place)
	table := u.Table(g.m)
	table.Declarative, table.Declared, table.Required, table.Strict = false, false, false, false // of validation
	g.decls = append(g.decls, "var "+name+" = &"+emit.UnionLiteral(g.file, table))
	return name
}
