// Package unions emits zz_generated.unions.go: normalisation of unions. When a client changes a
// union's discriminator, normalisation clears the members no longer selected.
// A client of one member therefore does not have to clear the others.
//
// [Emitter] is called for each package. Mistakes of users are diagnostics.
//
// The functions visit the values that can have unions, in the order of rule/unions, and pass each
// union to the runtime module, as a table and as pointers to its fields.
package unions

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
)

// FileName is the name of the file in each package.
const FileName = "zz_generated.unions.go"

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "unions",
		Part:    diag.Unions,
		Summary: "zz_generated.unions.go, which normalises discriminated unions",
		Files:   []string{FileName},
		Emit:    run,
	}
}

func run(c *emit.Context) ([]emit.File, error) {
	g := &generator{
		c: c, m: c.Model, file: c.NewFile(), plans: unions.NewPlans(c.Rules, unions.Correlated),
		queued: map[model.Name]bool{}, early: map[model.Name]bool{}, declared: map[string]bool{},
	}
	g.file.Reserve("r", "at", "obj", "oldObj", "old", "was", "item", "key", "value", "cursor", "each", "i", "a", "b", "run", "before")
	var entries []*model.Type
	for _, t := range c.Package.Types {
		if t.Kind != nil && !t.Kind.List && t.IsStruct() && g.plans.Of(t) != nil {
			entries = append(entries, t)
		}
	}
	// Packages that use this one normalise its unions.
	if len(entries) == 0 {
		for _, t := range c.Package.Types {
			if g.planOf(t) != nil {
				entries = append(entries, t)
			}
		}
	}
	if len(entries) == 0 {
		return nil, nil
	}
	for _, t := range entries {
		g.entry(t)
		if t.Kind != nil && t.Methods["NormalizeUnions"] == nil {
			g.method(t)
		}
		g.enqueue(t)
	}
	for len(g.queue) > 0 {
		t := g.queue[0]
		g.queue = g.queue[1:]
		g.typ(t)
	}
	for _, d := range g.decls {
		g.file.P(d)
		g.file.P()
	}
	content, err := g.file.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: FileName, Content: content}}, nil
}

type generator struct {
	c      *emit.Context
	m      *model.Model
	file   *gofile.File
	plans  *unions.Plans
	queue  []*model.Type
	queued map[model.Name]bool
	// early are the types with unions of the older text, which are normalised on creates too.
	early map[model.Name]bool
	// decls are the variables and functions after the functions of types; declared are their names.
	decls    []string
	declared map[string]bool
	// depth is the number of enclosing loops.
	depth int
}

// planOf returns the node of a struct that the package can export functions for.
func (g *generator) planOf(t *model.Type) *unions.Node {
	if !t.IsStruct() || t.Generic || t.Alias {
		return nil
	}
	return g.plans.Of(t)
}

func (g *generator) enqueue(t *model.Type) {
	if !g.queued[t.ID()] {
		g.queued[t.ID()] = true
		g.queue = append(g.queue, t)
	}
}

// callee returns the function that normalises a struct: the one of the struct's package if it is
// generated in this run, else one of this file.
func (g *generator) callee(t *model.Type) string {
	if t.Package == g.c.Package.Path {
		g.enqueue(t)
		return "NormalizeUnionsAt_" + t.Name
	}
	if p := g.m.Package(t.Package); p != nil && p.Root && !t.Alias && !hasKinds(p) {
		return g.file.Ident(t.Package, "NormalizeUnionsAt_"+t.Name)
	}
	g.enqueue(t)
	return "normalizeUnionsAt_" + g.file.Import(t.Package) + "_" + t.Name
}

func hasKinds(p *model.Package) bool {
	return slices.ContainsFunc(p.Types, func(t *model.Type) bool { return t.Kind != nil })
}

// entry writes the function for hosts.
func (g *generator) entry(t *model.Type) {
	function, request := "NormalizeUnions_"+t.Name, g.file.Ident(gofile.RuntimeUnion, "Request")
	g.file.P("// ", function, " clears the members of unions that an update deselects by changing their")
	g.file.P("// discriminators, and returns them. oldObj is the object before the update; on a create it is nil.")
	g.file.Block("func "+function+"(r "+request+", obj, oldObj *"+t.Name+") []"+g.file.Ident(gofile.RuntimeUnion, "Cleared")+" {", func() {
		g.file.P("run := ", g.file.Ident(gofile.RuntimeUnions, "Run"), "{Request: r}")
		g.file.P(g.callee(t), "(&run, nil, obj, oldObj)")
		g.file.P("return ", g.file.Ident(gofile.RuntimeUnion, "Sorted"), "(run.Cleared)")
	})
	g.file.P()
}

// method writes the method by which hosts normalise objects of any kind. Authors can write their own,
// which calls the function.
func (g *generator) method(t *model.Type) {
	g.file.P("// NormalizeUnions implements union.Normalizer.")
	g.file.Block("func (obj *"+t.Name+") NormalizeUnions(r "+g.file.Ident(gofile.RuntimeUnion, "Request")+", old any) []"+g.file.Ident(gofile.RuntimeUnion, "Cleared")+" {", func() {
		g.file.P("oldObj, _ := old.(*", t.Name, ")")
		g.file.P("return NormalizeUnions_", t.Name, "(r, obj, oldObj)")
	})
	g.file.P()
}

// typ writes the function of a struct.
func (g *generator) typ(t *model.Type) {
	name, function, n := g.file.Ident(t.Package, t.Name), g.callee(t), g.plans.Of(t)
	early := g.isEarly(n)
	g.file.P("// ", function, " normalises the unions of a value of type ", name, ".")
	g.file.Block("func "+function+"(r *"+g.file.Ident(gofile.RuntimeUnions, "Run")+", at *"+g.file.Ident(gofile.RuntimeValidate, "Path")+", obj, oldObj *"+name+") {", func() {
		missing, exists := "obj == nil || oldObj == nil", ""
		if early {
			missing, exists = "obj == nil", "oldObj != nil"
		}
		g.file.Block("if "+missing+" {", func() { g.file.P("return") })
		g.structure(n, t.Name, "at", "obj", "oldObj", exists)
	})
	g.file.P()
}

// isEarly reports whether a value has unions of the older text.
func (g *generator) isEarly(n *unions.Node) bool { return g.reachesOlder(n, map[model.Name]bool{}) }

func (g *generator) reachesOlder(n *unions.Node, seen map[model.Name]bool) bool {
	switch {
	case n == nil:
		return false
	case slices.ContainsFunc(n.Unions, func(u unions.Union) bool { return u.Text == rule.Older }):
		return true
	case n.Struct != nil && !seen[n.Struct.ID()]:
		seen[n.Struct.ID()] = true
		if g.reachesOlder(g.plans.Of(n.Struct), seen) {
			return true
		}
	}
	return g.reachesOlder(n.Elem, seen) ||
		slices.ContainsFunc(n.Fields, func(f unions.Field) bool { return g.reachesOlder(f.Node, seen) }) ||
		slices.ContainsFunc(n.Items, func(i unions.Item) bool { return g.reachesOlder(i.Node, seen) })
}

// structure writes the unions of a struct, and its fields. x and old are pointers to the struct;
// exists is the condition that old is one, "" if it is known.
func (g *generator) structure(n *unions.Node, place, at, x, old, exists string) {
	for _, u := range n.Unions {
		g.union(u, place, at, x, old, exists)
	}
	for _, f := range n.Fields {
		below, closing := at, 0
		if _, pointer := g.m.Deref(f.Path.Type); !f.Inline || pointer || g.isEarly(f.Node) {
			closing++
			g.file.P("{")
		}
		if !f.Inline {
			g.file.P("at := ", strings.TrimPrefix(at, "&"), ".Child(", strconv.Quote(f.Path.JSON), ")")
			below = "&at"
		}
		// A field of an inlined struct that is nil does not exist.
		now, there := g.selector(x, f.Path)
		before, was := g.selector(old, f.Path)
		closing += g.open(there)
		if exists != "" {
			was = append([]string{exists}, was...)
		}
		if len(was) > 0 && !g.isEarly(f.Node) {
			closing += g.open(was)
			was = nil
		}
		if elem, pointer := g.m.Deref(f.Path.Type); f.Inline && pointer {
			before, was = g.hoisted(elem, f.Path.Name, before, was), nil
		}
		g.value(f.Node, place+f.Path.Name, below, now, before, strings.Join(was, " && "))
		g.close(closing)
	}
}

// hoisted declares the old pointer of an inlined struct. If the object had none, its fields were unset.
func (g *generator) hoisted(elem *model.Ref, name, before string, was []string) string {
	variable := g.local("was" + name)
	g.file.P("var ", variable, " *", g.file.Type(elem))
	closing := g.open(was)
	g.file.Block("if "+variable+" = "+before+"; "+variable+" == nil {", func() {
		g.file.P(variable, " = new(", g.file.Type(elem), ")")
	})
	g.close(closing)
	return variable
}

func (g *generator) open(conditions []string) int {
	if len(conditions) == 0 {
		return 0
	}
	g.file.P("if ", strings.Join(conditions, " && "), " {")
	return 1
}

func (g *generator) close(blocks int) {
	for range blocks {
		g.file.P("}")
	}
}

// selector returns the selector of a field below a pointer to a struct, and the conditions that the
// inlined structs exist.
func (g *generator) selector(x string, f rule.FieldPath) (field string, there []string) {
	through, _ := f.Fields(g.m)
	for _, in := range through {
		x += "." + in.Name
		if _, pointer := g.m.Deref(in.Type); pointer {
			there = append(there, x+" != nil")
		}
	}
	return x + "." + f.Name, there
}

// union writes the normalisation of one union.
func (g *generator) union(u unions.Union, place, at, x, old, exists string) {
	through := false
	pointer := func(x string, f *rule.FieldPath) string {
		field, there := g.selector(x, *f)
		if len(there) == 0 {
			return "&" + field
		}
		through = true
		_, last := f.Fields(g.m)
		return "func() *" + g.file.Type(last.Type) + " {\nif " + strings.Join(there, " && ") + " {\nreturn &" + field + "\n}\nreturn nil\n}()"
	}
	fields := func(x string) string {
		list := []string{"nil"}
		if u.Discriminator != nil {
			list[0] = pointer(x, &u.Discriminator.Field)
		}
		for _, m := range u.Members {
			list = append(list, pointer(x, m.Field))
		}
		return g.file.Ident(gofile.RuntimeUnions, "Fields") + "{" + strings.Join(list, ", ") + "}"
	}
	now, before := fields(x), fields(old)
	table := g.table(u, place)
	if u.Text == rule.Older {
		if exists == "" {
			g.file.P("r.Normalize(", at, ", ", table, ", ", now, ", ", before, ", true)")
			return
		}
		g.file.Block("{", func() {
			g.file.P("var before ", g.file.Ident(gofile.RuntimeUnions, "Fields"))
			g.file.Block("if "+exists+" {", func() {
				g.file.P("before = ", before)
			})
			g.file.P("r.Normalize(", at, ", ", table, ", ", now, ", before, ", exists, ")")
		})
		return
	}
	var conditions []string
	if exists != "" {
		conditions = append(conditions, exists)
	}
	if !through { // only if there is something to do
		d, _ := g.selector(x, u.Discriminator.Field)
		oldD, _ := g.selector(old, u.Discriminator.Field)
		changed := d + " != " + oldD + " || r.RetainSelected"
		if len(conditions) > 0 {
			changed = "(" + changed + ")"
		}
		conditions = append(conditions, changed)
	}
	closing := g.open(conditions)
	g.file.P("r.Normalize(", at, ", ", table, ", ", now, ", ", before, ", true)")
	g.close(closing)
}

// name returns a name for a variable or function that is not declared yet.
func (g *generator) name(base string) string {
	name := base
	for i := 2; g.declared[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	g.declared[name] = true
	return name
}
