package load

import (
	"bytes"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
)

// reacher finds the declarations that the roots refer to, directly or through others, by their names. Most
// of a large dependency graph is not among them: a root with a client has a few interfaces of the client's
// package, and not all that its other types use.
type reacher struct {
	r       *Result
	opened  map[string]*opened
	pending []pending
}

// opened is a package with reached declarations.
type opened struct {
	p *Package
	// all is set on roots of which all types matter. Those of an older version need no markers. Of the package of a
	// controller, only types matter that have JSON names, or that others reach.
	all   bool
	types map[string][]pending
	// dots are the packages that a file imports with a dot.
	dots []*packages.Package
	kept map[ast.Spec]bool
}

// pending is a declaration whose names are to be followed.
type pending struct {
	in   *opened
	file *scope
	node ast.Node
}

// scope has the packages that a file imports, by their names in it.
type scope struct{ imports map[string]*packages.Package }

// reach prepares the packages that roots reach, and drops what they do not reach of other packages.
func (r *Result) reach(roots []*packages.Package) {
	if len(r.cfg.ReadOnly)+len(r.cfg.Complete) > 0 {
		return
	}
	x := &reacher{r: r, opened: map[string]*opened{}}
	r.prepared = map[string]*Package{}
	for _, meta := range roots {
		if len(meta.GoFiles) > 0 && r.namesInputs(x.open(meta).p) {
			// They are found by a later call of the go command.
			r.prepared = nil
			return
		}
	}
	for len(x.pending) > 0 {
		last := len(x.pending) - 1
		next := x.pending[last]
		x.pending = x.pending[:last]
		x.follow(next)
	}
	for _, o := range x.opened {
		if !o.all {
			o.drop()
		}
	}
}

// namesInputs reports whether markers of a package name packages that the build need not have.
func (r *Result) namesInputs(p *Package) bool {
	return slices.ContainsFunc(p.Files, func(f *File) bool {
		return bytes.Contains(f.Source.Content, []byte("+"+foreign.ValidationGenInput)) || bytes.Contains(f.Source.Content, []byte("+"+foreign.DefaulterGenInput))
	})
}

// open parses a package, once. It follows all its constants and functions, and in a root also its types
// and what markers may name.
func (x *reacher) open(meta *packages.Package) *opened {
	if o, ok := x.opened[meta.PkgPath]; ok {
		return o
	}
	p := x.r.prepare(meta)
	x.r.prepared[p.Path] = p
	o := &opened{p: p, all: p.Root && (p.described || p.hasKinds() || isVersion.MatchString(path.Base(p.Path))), types: map[string][]pending{}, kept: map[ast.Spec]bool{}}
	x.opened[p.Path] = o
	for _, f := range p.Files {
		file := o.scope(f.Syntax, meta)
		p.prune(f, meta, true)
		for _, decl := range f.Syntax.Decls {
			x.add(o, file, decl)
		}
		if !p.Root {
			continue
		}
		for name, dep := range file.imports {
			if p.marked[name] {
				for word := range p.marked {
					x.need(x.open(dep), word)
				}
			}
		}
	}
	return o
}

// scope returns the imports of a file.
func (o *opened) scope(f *ast.File, meta *packages.Package) *scope {
	s := &scope{imports: map[string]*packages.Package{}}
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		dep := meta.Imports[path]
		switch {
		case err != nil || dep == nil || len(dep.GoFiles) == 0:
		case isDot(spec):
			o.dots = append(o.dots, dep)
		default:
			s.imports[importedAs(spec, meta)] = dep
		}
	}
	return s
}

// add indexes the types of a declaration, and follows everything else.
func (x *reacher) add(o *opened, file *scope, decl ast.Decl) {
	if fn, ok := decl.(*ast.FuncDecl); ok {
		x.pending = append(x.pending, pending{o, file, fn.Type})
	}
	g, ok := decl.(*ast.GenDecl)
	switch {
	case !ok: // also one with a syntax error
	case g.Tok == token.CONST:
		x.pending = append(x.pending, pending{o, file, g})
	case g.Tok == token.TYPE:
		for _, spec := range g.Specs {
			spec := spec.(*ast.TypeSpec)
			at := pending{o, file, spec}
			if o.all || o.p.Root && hasNames(spec) {
				o.kept[spec] = true
				x.pending = append(x.pending, at)
			} else {
				o.types[spec.Name.Name] = append(o.types[spec.Name.Name], at)
			}
		}
	}
}

// hasKinds reports whether a struct of the package embeds TypeMeta.
func (p *Package) hasKinds() bool {
	return slices.ContainsFunc(p.Files, func(f *File) bool {
		return hasField(f.Syntax, func(f *ast.Field) bool {
			sel, ok := f.Type.(*ast.SelectorExpr)
			return ok && len(f.Names) == 0 && sel.Sel.Name == "TypeMeta"
		})
	})
}

// hasNames reports whether a struct in a declaration gives a field a JSON name.
func hasNames(decl ast.Node) bool {
	return hasField(decl, func(f *ast.Field) bool { return f.Tag != nil && strings.Contains(f.Tag.Value, "json:") })
}

// hasField reports whether there is such a field in a tree, outside of functions.
func hasField(tree ast.Node, is func(*ast.Field) bool) bool {
	found := false
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return false
		case *ast.Field:
			found = found || is(n)
		}
		return !found
	})
	return found
}

// need follows a type by its name.
func (x *reacher) need(o *opened, name string) {
	if declared, ok := o.types[name]; ok {
		for _, at := range declared {
			o.kept[at.node.(ast.Spec)] = true
		}
		x.pending = append(x.pending, declared...)
		delete(o.types, name)
		return
	}
	if o.p.Decls[name] {
		return
	}
	for _, dep := range o.dots {
		x.need(x.open(dep), name)
	}
}

// follow needs what the names in a declaration may refer to.
func (x *reacher) follow(at pending) {
	ast.Inspect(at.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CommentGroup:
			return false
		case *ast.Field:
			if n.Type != at.node { // the names of fields refer to nothing
				x.follow(pending{at.in, at.file, n.Type})
			}
			return false
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && at.file.imports[pkg.Name] != nil {
				x.need(x.open(at.file.imports[pkg.Name]), n.Sel.Name)
				return false
			}
		case *ast.Ident:
			x.need(at.in, n.Name)
		}
		return true
	})
}

// drop removes the types that were not needed, with their comments.
func (o *opened) drop() {
	for _, f := range o.p.Files {
		var dropped []ast.Node
		for _, decl := range f.Syntax.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
				if o.kept[s] {
					return false
				}
				o.p.pruned[s.(*ast.TypeSpec).Name.Name] = true
				dropped = append(dropped, s)
				return true
			})
		}
		f.Syntax.Decls = slices.DeleteFunc(f.Syntax.Decls, func(d ast.Decl) bool {
			g, ok := d.(*ast.GenDecl)
			if !ok || len(g.Specs) > 0 {
				return false
			}
			if g.Doc != nil {
				dropped = append(dropped, g.Doc)
			}
			return true
		})
		dropComments(f.Syntax, dropped)
	}
}

// dropComments removes the comments in nodes, and those that belong to them.
func dropComments(f *ast.File, nodes []ast.Node) {
	if len(nodes) == 0 {
		return
	}
	owned := map[*ast.CommentGroup]bool{}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			if group, ok := n.(*ast.CommentGroup); ok {
				owned[group] = true
			}
			return true
		})
	}
	f.Comments = slices.DeleteFunc(f.Comments, func(group *ast.CommentGroup) bool { return owned[group] })
}
