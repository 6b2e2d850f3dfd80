package coverage

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// rule is a rule, by the error that it reports.
type rule struct {
	path, typ, origin string
}

// walker goes through everything that a kind's validator goes through. Inside of
// a recursive type it does not go round a second time.
type walker struct {
	c *emit.Context
	// until restricts rules to those that hold up to a version; "" does not.
	until string
	rules []rule
	seen  map[rule]bool
	open  map[model.Name]bool
}

func (w *walker) add(path string, reports []tag.Report) {
	for _, report := range reports {
		r := rule{join(path, report.At), report.Type, report.Origin}
		if !w.seen[r] {
			w.seen[r] = true
			w.rules = append(w.rules, r)
		}
	}
}

// typ collects what a declared type says: what the type that it is declared
// from does, its own rules, and those of its fields.
func (w *walker) typ(t *model.Type, path string) {
	if t.Generic || w.open[t.ID()] || emit.IsMetadata(w.c.Model, t, w.c.Package) {
		return
	}
	w.open[t.ID()] = true
	defer delete(w.open, t.ID())
	n := tag.TypeNode(w.c.Model, w.c.Tags, t)
	w.constraints(n, path, path)
	if n.Says(opaqueTag) {
		return
	}
	if !t.IsStruct() {
		w.below(&tag.Node{Model: w.c.Model, Tags: w.c.Tags, Scope: tag.OnType, Owner: t, Type: t.Def, Siblings: t.Constraints}, path)
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
		n := tag.FieldNode(w.c.Model, w.c.Tags, t, f)
		w.constraints(n, at, path)
		w.below(n, at)
	}
}

// constraints collects the rules of the tags at a place; parent is the path of
// the struct around it.
func (w *walker) constraints(n *tag.Node, path, parent string) {
	for _, c := range n.Siblings {
		if emit.IsForeignAlpha(n, c, w.c.Package) || w.until != "" && c.Until != w.until {
			continue
		}
		for _, r := range tag.RulesOf(n, c) {
			if r.Parent {
				w.rule(n, r, parent)
				continue
			}
			w.rule(n, r, path)
			if n.Scope == tag.OnField {
				w.absent(n, path)
			}
		}
	}
}

func (w *walker) rule(n *tag.Node, r tag.Rule, path string) {
	switch {
	case r.Check != nil:
		w.add(path, r.Reports)
		w.absent(n, path)
	case r.Each != nil:
		at := path
		if !r.Each.Keys {
			at = join(path, items)
			w.absent(n, path)
		}
		w.all(r.Each.Node, r.Each.Rules, at)
	case r.Part != nil:
		at := join(path, items)
		if r.Part.Field != nil {
			at = join(path, r.Part.Field.JSON)
		}
		w.all(r.Part.Node, r.Part.Rules, at)
	case r.Modes != nil:
		at := join(path, r.Modes.Node.Field.JSON)
		for _, mode := range r.Modes.Cases {
			w.all(r.Modes.Node, mode.Rules, at)
		}
		w.all(r.Modes.Node, r.Modes.Forbidden, at)
	}
}

func (w *walker) all(n *tag.Node, rules []tag.Rule, path string) {
	for _, r := range rules {
		w.rule(n, r, path)
	}
}

// below collects what the type of a place says of values there.
func (w *walker) below(n *tag.Node, path string) {
	if n.Says(opaqueTag) {
		return
	}
	if r := n.Value(); r.Kind == model.KindNamed {
		if t := w.c.Model.Type(r.ID()); t != nil {
			w.typ(t, path)
			return
		}
	}
	switch u := n.Underlying(); u.Kind {
	case model.KindSlice:
		before := len(w.rules)
		w.below(n.Elem(), join(path, items))
		if len(w.rules) > before {
			w.absent(n, path)
		}
	case model.KindMap:
		if w.c.Model.Underlying(u.Key).IsString() {
			w.below(n.Key(), path)
			w.below(n.Elem(), join(path, items))
		}
	}
}

// absent collects the rule that items of a list of pointers are there, which
// holds wherever there are others for them, in all versions alike.
func (w *walker) absent(n *tag.Node, path string) {
	if w.until != "" {
		return
	}
	if u := n.Underlying(); u.Kind == model.KindSlice && n.Elem().IsPointer() {
		w.add(path, []tag.Report{{Type: "Required", At: items}})
	}
}

const (
	opaqueTag = "k8s:opaqueType"
	// items stands for every item of a list and every value of a map.
	items = "[*]"
)

// join adds a field's name, or items, to a path.
func join(path, name string) string {
	if path == "" || name == "" || strings.HasPrefix(name, "[") {
		return path + name
	}
	return path + "." + name
}

func quote(s string) string { return strconv.Quote(s) }
