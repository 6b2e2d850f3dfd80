package lower

import (
	"go/ast"
	"go/parser"
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Lowerer lowers packages repeatedly. It keeps the types of packages that their Loader kept:
// models share them, so they must not be changed. The results equal those of Lower. The zero
// Lowerer is ready.
type Lowerer struct {
	kept map[string]*lowered
	// beyond are the types that earlier models had only because of unrelated types: see declared.
	beyond map[model.Name]bool
}

// Lower is like the function Lower, but reuses types of the previous call.
//
// A type depends on its package, and on the types that it refers to. A loader keeps a package only
// if it keeps all packages that its types are from, so these are unchanged too.
func (k *Lowerer) Lower(res *load.Result, tags *tag.Set, bag *diag.Bag) *model.Model {
	l, m := run(res, tags, k.kept)
	if beyond := l.beyondIn(m); !maps.Equal(beyond, k.beyond) {
		k.beyond = beyond
		if len(k.kept) > 0 {
			l, m = run(res, tags, nil)
		}
	}
	k.kept = map[string]*lowered{}
	for path, p := range l.packages {
		k.kept[path] = p.lowered
	}
	for _, d := range l.bag.All() {
		bag.Add(d)
	}
	return m
}

// lowered is a package without what depends on other packages of the run.
type lowered struct {
	load *load.Package
	effects
	// bare has no types.
	bare  *model.Package
	specs map[string]typeDecl
	order map[string]int
	// consts are the constants of each declared type of the package.
	consts map[string][]*model.Const
	// owned are the comments of declarations, read the markers in others that belong to one.
	owned map[*ast.CommentGroup]bool
	read  map[source.Span]bool
	// loose is nil until all types have been lowered.
	loose *loose
	// types are the types that were in a model, which refers to them.
	types map[string]*declared
}

// declared is a declared type.
type declared struct {
	effects
	typ *model.Type
	// uses are the types that a model with this type has too. It may have those beyond only because
	// of others.
	uses, beyond []model.Name
}

// effects are the results of lowering a package or a type besides its model.
type effects struct {
	path  string
	found *diag.Bag
	pairs []pair
	// needs are the packages that are part of the model.
	needs []string
	// constants are those of other packages that defaults refer to.
	constants []model.Name
}

// record collects effects until the returned function is called.
func (l *lowerer) record(e *effects, path string) (end func()) {
	outer := l.now
	e.path, e.found = path, &diag.Bag{}
	l.now = e
	return func() { l.now = outer }
}

// apply adds effects to the run.
func (l *lowerer) apply(e *effects) {
	for _, path := range e.needs {
		l.state(path)
	}
	for _, c := range e.constants {
		l.addConstant(c)
	}
	for _, d := range e.found.All() {
		l.bag.Add(d)
	}
	l.pairs = append(l.pairs, e.pairs...)
}

// need adds a package to the model.
func (e *effects) need(path string) {
	if !slices.Contains(e.needs, path) {
		e.needs = append(e.needs, path)
	}
}

// follow collects the declared types that a type refers to. It ignores unexported fields of other
// packages, and what types of the standard library refer to.
func (d *declared) follow(p *lowered) {
	t, into := d.typ, &d.uses
	if p.load.Module == "" {
		into = &d.beyond
	}
	collect(into, t.Def)
	for _, f := range t.Fields {
		if f.Exported() || f.Embedded || p.load.Root {
			collect(into, f.Type)
		} else {
			collect(&d.beyond, f.Type)
		}
	}
	if p.load.Module == "" {
		return
	}
	// An older version may use a type that the newest does not use.
	for _, c := range t.Changes {
		d.spelled(p, typeBefore(c))
	}
	for _, f := range t.Fields {
		for _, c := range f.Changes {
			d.spelled(p, typeBefore(c))
			changed, ok := c.(*model.Changed)
			if !ok {
				continue
			}
			for _, function := range []*model.Value{changed.UpgradeWith, changed.DowngradeWith} {
				if fn := p.bare.Funcs[function.Or("")]; fn != nil {
					for _, r := range slices.Concat(fn.Params, fn.Results) {
						collect(&d.uses, r)
					}
				}
			}
		}
	}
}

// typeBefore returns the type that a marker spells, "" for none.
func typeBefore(c model.Change) string {
	switch c := c.(type) {
	case *model.Changed:
		return c.FromType.Or("")
	case *model.Moved:
		return c.FromType.Or("")
	case *model.Removed:
		return c.Type.Or("")
	}
	return ""
}

// spelled collects the types of imported packages in a type expression.
func (d *declared) spelled(p *lowered, text string) {
	x, err := parser.ParseExpr(text)
	if err != nil {
		return // not a type, or none; evolve reports it
	}
	ast.Inspect(x, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok && p.bare.Imports[of.Name] != "" {
				d.uses = append(d.uses, model.Name{Package: p.bare.Imports[of.Name], Name: s.Sel.Name})
			}
		}
		return true
	})
}

// collect appends the declared types in a type.
func collect(into *[]model.Name, r *model.Ref) {
	if r == nil {
		return
	}
	if r.Kind == model.KindNamed {
		*into = append(*into, r.ID())
	}
	collect(into, r.Elem)
	collect(into, r.Key)
	for _, a := range r.Args {
		collect(into, a)
	}
}

// beyondIn returns the types that are in the model only because of unrelated types.
func (l *lowerer) beyondIn(m *model.Model) map[model.Name]bool {
	found := map[model.Name]bool{}
	for _, name := range l.beyond {
		if m.Type(name) != nil {
			found[name] = true
		}
	}
	return found
}
