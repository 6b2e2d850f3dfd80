package coverage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// broken is a rule, identified by its error.
type broken struct {
	path, typ, origin string
}

// walker visits the values that a kind's validator visits. It visits recursive types once.
type walker struct {
	c *emit.Context
	// until selects the rules that apply until a version; "" selects all.
	until string
	rules *rule.Programs
	found []broken
	seen  map[broken]bool
	open  map[model.Name]bool
}

func (w *walker) add(path string, errors []rule.Error) {
	for _, e := range errors {
		r := broken{join(path, e.At), e.Type, e.Origin}
		if !w.seen[r] {
			w.seen[r] = true
			w.found = append(w.found, r)
		}
	}
}

// typ collects the rules of a declared type: those of the type that it is declared from, its own
// rules, and those of its fields.
func (w *walker) typ(t *model.Type, path string) {
	if t.Generic || w.open[t.ID()] || w.c.Scope().Skips(t) {
		return
	}
	w.open[t.ID()] = true
	defer delete(w.open, t.ID())
	program := w.rules.Of(t)
	for _, r := range program.Rules {
		if w.has(t, r) {
			w.rule(program.Place, r, path)
		}
	}
	if program.Place.Opaque {
		return
	}
	if !t.IsStruct() {
		from := *program.Place
		from.Type = t.Def
		w.below(&from, path)
		return
	}
	for _, f := range t.Fields {
		if f.Skipped || !f.Exported() && t.Package != w.c.Package.Path {
			continue
		}
		at := path
		if !f.Inline {
			at = join(path, f.JSON)
		}
		of := w.rules.Field(t, f)
		w.field(t, program.Place, of, at, path)
		w.below(of.Place, at)
	}
}

// field collects the rules of a field's tags in source order: those of the field, and those of the
// enclosing struct.
func (w *walker) field(owner *model.Type, object *rule.Place, of rule.FieldRules, path, around string) {
	type placed struct {
		rule.Rule
		place *rule.Place
		path  string
	}
	var all []placed
	for _, r := range of.Rules {
		all = append(all, placed{r, of.Place, path})
	}
	for _, r := range of.Around {
		all = append(all, placed{r, object, around})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return a.Span.Compare(b.Span) })
	for _, r := range all {
		if w.has(owner, r.Rule) {
			w.rule(r.place, r.Rule, r.path)
			w.absent(r.place, r.path)
		}
	}
}

// has reports whether the list has a rule of a type's tags.
func (w *walker) has(owner *model.Type, r rule.Rule) bool {
	return w.c.Scope().Enforces(owner, r) && (w.until == "" || r.Until == w.until)
}

func (w *walker) rule(p *rule.Place, r rule.Rule, path string) {
	switch must := r.Must.(type) {
	case *rule.Each:
		at := path
		if !must.Keys {
			at = join(path, items)
			w.absent(p, path)
		}
		w.all(must.Place, must.Rules, at)
	case *rule.Part:
		w.all(must.Place, must.Rules, join(path, must.Field.JSON))
	case *rule.Item:
		w.all(must.Place, must.Rules, join(path, items))
	case *rule.Modes:
		at := join(path, must.Field.JSON)
		for _, mode := range must.Cases {
			w.all(must.Place, mode.Rules, at)
		}
		w.all(must.Place, must.Otherwise, at)
	default:
		if r.Effect != rule.Guard && rule.Checks(r.Must) {
			w.add(path, r.Errors)
			w.absent(p, path)
		}
	}
}

func (w *walker) all(p *rule.Place, rules []rule.Rule, path string) {
	for _, r := range rules {
		w.rule(p, r, path)
	}
}

// below collects the rules of the type of a value.
func (w *walker) below(p *rule.Place, path string) {
	if p.Opaque {
		return
	}
	if r := p.Value(w.c.Model); r.Kind == model.KindNamed {
		if t := w.c.Model.Type(r.ID()); t != nil {
			w.typ(t, path)
			return
		}
	}
	switch u := p.Underlying(w.c.Model); u.Kind {
	case model.KindSlice:
		before := len(w.found)
		w.below(w.rules.Elem(p), join(path, items))
		if len(w.found) > before {
			w.absent(p, path)
		}
	case model.KindMap:
		if w.rules.StringKeys(u) {
			w.below(w.rules.Key(p), path)
			w.below(w.rules.Elem(p), join(path, items))
		}
	}
}

// absent collects the rule that items of a list of pointers are not nil, which applies in all
// versions if there are other rules for the items.
func (w *walker) absent(p *rule.Place, path string) {
	if w.until != "" {
		return
	}
	if u := p.Underlying(w.c.Model); u.Kind == model.KindSlice && w.rules.Elem(p).IsPointer(w.c.Model) {
		w.add(path, []rule.Error{{Type: "Required", At: items}})
	}
}

// items is the path segment for list items and map values.
const items = "[*]"

// join appends a field's name, or items, to a path.
func join(path, name string) string {
	if path == "" || name == "" || strings.HasPrefix(name, "[") {
		return path + name
	}
	return path + "." + name
}

func quote(s string) string { return strconv.Quote(s) }
