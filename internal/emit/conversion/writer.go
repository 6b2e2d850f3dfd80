package conversion

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
)

// writer prints the conversions between one older version and the newest.
type writer struct {
	c *emit.Context
	f *gofile.File
	m *model.Model
	// older is the package to write; hub is the newest version's package.
	older, hub *model.Package
	pairs      []pair
	byOlder    map[model.Name]pair
	// depth is the number of enclosing loops.
	depth int
	// sharing is set between the steps of a conversion, which may share memory: the
	// first or the last step copies.
	sharing bool
}

// pair is a type of the older version and its counterpart in the newest version.
type pair struct{ older, hub *model.Type }

// way is the direction of a conversion: up to the newest version, or down.
type way bool

const (
	up   way = true
	down way = false
)

func newWriter(c *emit.Context, f *gofile.File, hub *model.Package) *writer {
	w := &writer{c: c, f: f, m: c.Model, older: c.Package, hub: hub, byOlder: map[model.Name]pair{}}
	for _, t := range c.Package.Types {
		if t.Hub == nil {
			continue
		}
		if h := c.Model.Type(*t.Hub); h != nil {
			p := pair{t, h}
			w.pairs = append(w.pairs, p)
			w.byOlder[t.ID()] = p
		}
	}
	return w
}

// ends returns the source and the destination type of a conversion.
func (p pair) ends(d way) (from, to *model.Type) {
	if d == up {
		return p.older, p.hub
	}
	return p.hub, p.older
}

// pairOf returns the pair of two types, one of each version.
func (w *writer) pairOf(from, to *model.Ref) (pair, way, bool) {
	if p, ok := w.byOlder[from.ID()]; ok && p.hub.ID() == to.ID() {
		return p, up, true
	}
	if p, ok := w.byOlder[to.ID()]; ok && p.hub.ID() == from.ID() {
		return p, down, true
	}
	return pair{}, up, false
}

// function returns the name of the function that converts the pair.
func (w *writer) function(p pair, d way) string {
	from, to := w.packages(d)
	return "Convert_" + from.Name + "_" + p.older.Name + "_To_" + to.Name + "_" + p.older.Name
}

func (w *writer) packages(d way) (from, to *model.Package) {
	if d == up {
		return w.older, w.hub
	}
	return w.hub, w.older
}

// byHand reports whether the conversion of a pair is hand-written.
func (w *writer) byHand(p pair, d way) bool { return w.older.Funcs[w.function(p, d)] != nil }

// hasFunction reports whether a function converts the pair: for all structs, and
// for types that no Go expression converts.
func (w *writer) hasFunction(p pair, d way) bool {
	if p.older.Alias || p.hub.Alias {
		return false
	}
	if p.older.IsStruct() || w.byHand(p, d) || len(w.renamed(p, d)) > 0 {
		return true
	}
	from, to := p.ends(d)
	return !w.converts(from.Def, to.Def)
}

// typeName returns the name of a declared type in the file.
func (w *writer) typeName(t *model.Type) string { return w.f.Ident(t.Package, t.Name) }

// functions prints the conversions of every pair.
func (w *writer) functions() {
	for _, p := range w.pairs {
		for _, d := range []way{up, down} {
			if w.hasFunction(p, d) {
				w.convert(p, d)
			}
		}
	}
}

// convert prints the functions of one pair in one direction.
func (w *writer) convert(p pair, d way) {
	name := w.function(p, d)
	from, to := p.ends(d)
	if emit.Skips(p.hub.Constraints, skipPart) || emit.Skips(p.older.Constraints, skipPart) {
		if !w.byHand(p, d) {
			w.c.Diags.Errorf(p.hub.Span, codeSkipped, "%s is not generated, as +%s says, and not written either; write it in package %s: func %s(in *%s, out *%s, s conversion.Scope) error",
				name, w.c.Tags.WithRole(model.RoleSkip), w.older.Path, name, w.typeName(from), w.typeName(to))
		}
		return
	}
	head := "(in *" + w.typeName(from) + ", out *" + w.typeName(to) + ", s " + w.f.Ident(machineryConversion, "Scope") + ") error {"
	w.f.P("func auto", name, head)
	w.body(p, d)
	w.f.P("return nil")
	w.f.P("}")
	w.f.P()
	if w.byHand(p, d) {
		return
	}
	fromPackage, toPackage := w.packages(d)
	w.f.Doc(name + " converts " + withArticle(p.older.Name) + " from " + fromPackage.Name + " to " + toPackage.Name + ".")
	w.f.P("func ", name, head)
	w.f.P("return auto", name, "(in, out, s)")
	w.f.P("}")
	w.f.P()
}

func (w *writer) body(p pair, d way) {
	from, to := p.ends(d)
	switch {
	case p.older.IsStruct() && p.hub.IsStruct():
		w.structBody(p, d)
	case len(w.renamed(p, d)) > 0:
		w.enumBody(p, d)
	default:
		w.value(from.Def, to.Def, "*in", "*out", at{span: p.hub.Span})
	}
}

func withArticle(name string) string {
	if strings.ContainsRune("AEIO", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
