// Package unions emits zz_generated.unions.go: normalisation of discriminated
// unions. When a client changes a union's discriminator, normalisation clears the
// members that the discriminator no longer selects. A client that knows only one
// member therefore does not have to clear the others.
//
// Normalisation never changes discriminators, sets members or changes other fields.
// Validation reports the remaining mistakes.
package unions

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// FileName is the name of the file in each package.
const FileName = "zz_generated.unions.go"

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "unions",
		Summary: "normalisation of discriminated unions: zz_generated.unions.go",
		Files:   []string{FileName},
		Emit:    run,
	}
}

func run(c *emit.Context) ([]emit.File, error) {
	g := &generator{c: c, file: c.NewFile(), below: newBelow(c.Model, c.Package), queued: map[model.Name]bool{}}
	g.file.Reserve("obj", "oldObj", "old", "item", "key", "value", "cursor", "i", "a", "b")
	for _, t := range c.Package.Types {
		if t.Kind != nil && !t.Kind.List && g.below.typ(t) {
			g.enqueue(t)
		}
	}
	// Packages that use this one normalise its unions.
	if len(g.queue) == 0 {
		for _, t := range c.Package.Types {
			if len(discriminated(t)) > 0 {
				g.enqueue(t)
			}
		}
	}
	if len(g.queue) == 0 {
		return nil, nil
	}
	for len(g.queue) > 0 {
		t := g.queue[0]
		g.queue = g.queue[1:]
		g.typ(t)
	}
	g.keyFuncs()
	content, err := g.file.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: FileName, Content: content}}, nil
}

type generator struct {
	c      *emit.Context
	file   *gofile.File
	below  *below
	queue  []*model.Type
	queued map[model.Name]bool
	// keys are the functions that compare keys of list items, by name.
	keys []keyFunc
	// depth is the number of enclosing loops.
	depth int
}

type keyFunc struct{ name, source string }

func (g *generator) enqueue(t *model.Type) {
	if !g.queued[t.ID()] {
		g.queued[t.ID()] = true
		g.queue = append(g.queue, t)
	}
}

// discriminated returns a struct's unions that have a discriminator.
func discriminated(t *model.Type) []*model.Union {
	var out []*model.Union
	for _, u := range t.Unions {
		if u.Discriminator != "" && len(u.Members) > 0 {
			out = append(out, u)
		}
	}
	return out
}

// callee returns the function that normalises a type: the one of the type's package
// if it is generated in this run, else one of this file.
func (g *generator) callee(t *model.Type) string {
	if t.Package == g.c.Package.Path {
		g.enqueue(t)
		return "NormalizeUnions_" + t.Name
	}
	if p := g.c.Model.Package(t.Package); p != nil && p.Root && len(discriminated(t)) > 0 && !hasKinds(p) {
		return g.file.Ident(t.Package, "NormalizeUnions_"+t.Name)
	}
	g.enqueue(t)
	return "normalizeUnions_" + g.file.Import(t.Package) + "_" + t.Name
}

func hasKinds(p *model.Package) bool {
	for _, t := range p.Types {
		if t.Kind != nil {
			return true
		}
	}
	return false
}

func (g *generator) typ(t *model.Type) {
	name := g.file.Ident(t.Package, t.Name)
	function := g.callee(t)
	if t.Kind != nil {
		g.file.P("// ", function, " clears the members of unions that an update")
		g.file.P("// deselects by changing their discriminators. oldObj is the object before the")
		g.file.P("// update; on a create it is nil, and nothing is cleared.")
	} else {
		g.file.P("// ", function, " clears deselected members of the unions of a ", name, ".")
	}
	g.file.P("func ", function, "(obj, oldObj *", name, ") {")
	g.file.P("if obj == nil || oldObj == nil {")
	g.file.P("return")
	g.file.P("}")
	for _, u := range discriminated(t) {
		g.union(t, u)
	}
	for _, f := range t.Fields {
		if !f.Skipped && f.Exported() && g.below.ref(f.Type) {
			g.value(f, f.Type, "obj."+f.Name, "oldObj."+f.Name)
		}
	}
	g.file.P("}")
	g.file.P()
}

// union writes the switch over a discriminator. Unknown values clear nothing:
// validation rejects them, and missing members would make its error misleading.
func (g *generator) union(t *model.Type, u *model.Union) {
	d := t.Field(u.Discriminator)
	g.file.P("if obj.", d.Name, " != oldObj.", d.Name, " {")
	g.file.P("switch obj.", d.Name, " {")
	for _, m := range u.Members {
		g.file.P("case ", strconv.Quote(m.Value), ":")
		g.clear(t, u, m.Field)
	}
	if none := g.emptyValues(d, u); len(none) > 0 {
		g.file.P("case ", strings.Join(none, ", "), ":")
		g.clear(t, u, "")
	}
	g.file.P("}")
	g.file.P("}")
}

// emptyValues returns the discriminator's values that select no member: other
// values of the enum, and the empty string if the field is optional.
func (g *generator) emptyValues(d *model.Field, u *model.Union) []string {
	member := map[string]bool{}
	for _, m := range u.Members {
		member[m.Value] = true
	}
	var out []string
	if !member[""] && !model.HasBare(d.Tags, model.RoleRequired) {
		member[""] = true
		out = append(out, `""`)
	}
	if enum := tag.EnumOf(g.c.Model, d.Type); enum != nil {
		for _, v := range tag.EnumValues(enum) {
			if !member[v.Value] {
				out = append(out, strconv.Quote(v.Value))
			}
		}
	}
	return out
}

// clear writes code that clears all members except the selected one.
func (g *generator) clear(t *model.Type, u *model.Union, selected string) {
	for _, m := range u.Members {
		if m.Field == selected {
			continue
		}
		f := t.Field(m.Field)
		g.file.P("obj.", f.Name, " = ", zero(g.c.Model, f.Type))
	}
}

func zero(m *model.Model, r *model.Ref) string {
	switch u := m.Underlying(r); {
	case u.IsString():
		return `""`
	case u.IsBool():
		return "false"
	case u.IsScalar():
		return "0"
	default:
		return "nil"
	}
}

// keyFuncs writes the functions that compare keys of list items.
func (g *generator) keyFuncs() {
	for _, k := range g.keys {
		g.file.P(k.source)
		g.file.P()
	}
}
