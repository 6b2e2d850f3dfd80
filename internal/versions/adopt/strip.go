package adopt

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Adopted returns the files that change, by path, if the user writes the markers and removes what generate writes then:
// the types of versions that can be generated, and the conversions of all versions but the functions to keep.
func (a *Adoption) Adopted(keep []string) map[string][]byte {
	files := maps.Clone(a.Files)
	if files == nil {
		files = map[string][]byte{}
	}
	for path, content := range a.Removals(keep, func(v *Version) bool { return v.Declared }) {
		if content == nil {
			content = []byte("package " + a.packageIn(filepath.Dir(path)) + "\n")
		}
		files[path] = content
	}
	return files
}

// packageIn returns the name of the package in a folder.
func (a *Adoption) packageIn(dir string) string {
	for _, p := range a.Older {
		if p.Dir == dir {
			return p.Name
		}
	}
	return a.Hub.Name
}

// Removals returns the files with what generate writes for the versions that counts selects, without it; nil where nothing
// is left. Functions of the newest version that convert to and from these versions are removed, too: the generated packages
// of older versions import the newest, which cannot import them.
func (a *Adoption) Removals(keep []string, counts func(*Version) bool) map[string][]byte {
	files := map[string][]byte{}
	var of []*model.Package
	for _, v := range a.Versions {
		if counts(v) {
			of = append(of, v.Package)
		}
	}
	if len(of) == 0 {
		return files
	}
	all, own := slices.Concat(of, []*model.Package{a.Hub}), map[string]bool{}
	for _, v := range a.Versions {
		for name := range v.kept() {
			own[v.Name+"_"+name] = true
		}
	}
	for _, p := range all {
		generated := map[string]bool{}
		for _, v := range a.Versions {
			if v.Package == p && v.Equal() {
				generated = v.generated()
			}
		}
		r := &remover{hub: p == a.Hub, kept: keep, generated: generated, packages: all, own: own, kinds: map[string]bool{}}
		for _, t := range p.Types {
			r.kinds[t.Name] = t.Kind != nil && !own[p.Name+"_"+t.Name]
		}
		r.read(p, a.Files)
		r.dead()
		for path, content := range r.files {
			if text, changed := r.without(content); changed {
				files[path] = text
			}
		}
	}
	return files
}

// Holding returns the versions that stay hand-written, without being declared, and have conversions: these use the types and
// the methods of the other versions, and the hub of controller-runtime, which may be one of them. Without the other versions'
// conversions, they neither compile nor convert.
func (a *Adoption) Holding() (list []*Version) {
	for _, v := range a.Versions {
		if !v.Declared && slices.ContainsFunc(goFiles(v.Dir), hasConversion) {
			list = append(list, v)
		}
	}
	return list
}

// hasConversion reports whether a file has a function that converts a version.
func hasConversion(path string) bool {
	content, err := source.NewFS(nil).ReadFile(path)
	if err != nil {
		return false // the loader reports it
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			return false
		}
		if fn.Recv == nil {
			return strings.HasPrefix(fn.Name.Name, model.ConversionPrefix)
		}
		return slices.Contains([]string{hubMethod, toMethod, fromMethod}, fn.Name.Name)
	})
}

// HasOtherGenerators reports whether other generators have written Go files of a package, which generate replaces only if it
// is told to.
func HasOtherGenerators(p *model.Package) bool {
	return slices.ContainsFunc(goFiles(p.Dir), func(path string) bool {
		content, err := source.NewFS(nil).ReadFile(path)
		return err == nil && provenance.Of(path, content).Generator != ""
	})
}

// cycles adds the imports of declared older versions that stay in the newest version, which generated code imports.
func (a *Adoption) cycles(bag *diag.Bag) {
	declared := map[string]bool{}
	for _, v := range a.Versions {
		declared[v.Path] = v.Declared
	}
	removals := a.Removals(nil, func(v *Version) bool { return v.Declared })
	for _, path := range goFiles(a.Hub.Dir) {
		before, err := source.NewFS(nil).ReadFile(path)
		if err != nil || !provenance.Of(path, before).ByHand() {
			continue
		}
		after, changed := removals[path]
		if !changed {
			after = before
		}
		left, err := parser.ParseFile(token.NewFileSet(), "", after, parser.ImportsOnly)
		fset := token.NewFileSet()
		file, err2 := parser.ParseFile(fset, "", before, parser.ImportsOnly)
		if err != nil || err2 != nil {
			continue
		}
		for _, s := range left.Imports {
			of := strings.Trim(s.Path.Value, "\"`")
			if !declared[of] {
				continue
			}
			in := source.NewFile(nameIn(a.Hub, path), before)
			for _, s := range file.Imports {
				if strings.Trim(s.Path.Value, "\"`") == of {
					bag.Warnf(in.Span(fset.Position(s.Pos()).Offset, fset.Position(s.End()).Offset), codeBuild,
						"package %s imports %s here, and the generated package %[2]s imports %[1]s; move what uses it to another package", a.Hub.Name, filepath.Base(of))
				}
			}
		}
	}
}

// nameIn returns the name of a file of a package for users.
func nameIn(p *model.Package, path string) string {
	if p.Span.File == nil {
		return path
	}
	return filepath.ToSlash(filepath.Join(filepath.Dir(p.Span.File.Path), filepath.Base(path)))
}

// remover removes declarations from the files of a package.
type remover struct {
	hub       bool
	kept      []string
	generated map[string]bool
	kinds     map[string]bool
	packages  []*model.Package
	// own are the types that only older versions have, as package_Type.
	own map[string]bool
	// files are those that people wrote, and others are those of generators and tests.
	files, others map[string][]byte
	// helpers are the functions that only removed code calls.
	helpers map[string]bool
}

// read reads the files of the package.
func (r *remover) read(p *model.Package, overlay map[string][]byte) {
	r.files, r.others, r.helpers = map[string][]byte{}, map[string][]byte{}, map[string]bool{}
	names, err := source.NewFS(nil).List(source.GoFiles, p.Dir)
	if err != nil {
		return // the loader has read it
	}
	for _, name := range names {
		path := filepath.Join(p.Dir, name)
		content, ok := overlay[path]
		if !ok {
			if content, err = source.NewFS(nil).ReadFile(path); err != nil {
				continue // the loader reports it
			}
		}
		switch of := provenance.Of(path, content); {
		case strings.HasSuffix(name, "_test.go"):
			r.others[path] = content
		case of.ByHand():
			r.files[path] = content
		case !of.Ours && of.Generator != "conversion-gen": // kindsmith replaces these
			r.others[path] = content
		}
	}
}

// removes reports whether generate writes what a function or a method does, or a type, a constant or a variable is.
func (r *remover) removes(receiver, name string) bool {
	switch {
	case receiver != "":
		return r.kinds[receiver] && (name == toMethod || name == fromMethod || name == hubMethod && !r.hub)
	case strings.HasPrefix(name, model.ConversionPrefix):
		return !slices.Contains(r.kept, name) && r.between(name)
	}
	return r.generated[name] || r.helpers[name]
}

// between reports whether a function converts between the versions.
func (r *remover) between(name string) bool {
	from, to, _ := strings.Cut(strings.TrimPrefix(name, model.ConversionPrefix), "_To_")
	return !r.own[from] && !r.own[to] && slices.ContainsFunc(r.packages, func(p *model.Package) bool { return strings.HasPrefix(from, p.Name+"_") }) &&
		slices.ContainsFunc(r.packages, func(p *model.Package) bool { return strings.HasPrefix(to, p.Name+"_") })
}

// dead finds the unexported functions that only removed code calls.
func (r *remover) dead() {
	for again := true; again; {
		again = false
		calls, stays, declared := map[string]bool{}, map[string]bool{}, map[string]bool{}
		note := func(n ast.Node, own string, in map[string]bool) {
			ast.Inspect(n, func(n ast.Node) bool {
				if name, ok := n.(*ast.Ident); ok && name.Name != own {
					in[name.Name] = true
				}
				return true
			})
		}
		for _, files := range []map[string][]byte{r.files, r.others} {
			for _, content := range files {
				file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.SkipObjectResolution)
				if err != nil {
					continue // the loader reports it
				}
				for _, d := range file.Decls {
					fn, ok := d.(*ast.FuncDecl)
					if !ok {
						note(d, "", stays)
						continue
					}
					of, name := "", fn.Name.Name
					if fn.Recv != nil {
						of = receiver(fn)
					} else if !fn.Name.IsExported() && name != "init" && name != "main" {
						declared[name] = true
					}
					if r.removes(of, name) {
						note(fn, name, calls)
					} else {
						note(fn, name, stays)
					}
				}
			}
		}
		for name := range declared {
			if calls[name] && !stays[name] && !r.helpers[name] {
				r.helpers[name], again = true, true
			}
		}
	}
}

// without removes the declarations from a file, and what asks conversion-gen for conversions; nil if no declaration is left.
// Generated files have the comment of the package.
func (r *remover) without(content []byte) ([]byte, bool) {
	content, asked := r.withoutMarkers(content)
	text, changed, rest := withoutDecls(content, r.removes)
	if changed && rest == 0 {
		return nil, true
	}
	return text, changed || asked
}

// withoutMarkers removes the markers that ask conversion-gen for conversions between the versions. The generator would
// write the file that kindsmith writes.
func (r *remover) withoutMarkers(content []byte) (text []byte, changed bool) {
	for line := range strings.SplitAfterSeq(string(content), "\n") {
		of, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//")), "+"+foreign.ConversionGen+"=")
		if ok && strings.HasPrefix(line, "//") && slices.ContainsFunc(r.packages, func(p *model.Package) bool {
			return p.Path == of || strings.HasSuffix(of, "/"+p.Name) && strings.HasPrefix(of, ".")
		}) {
			changed = true
			continue
		}
		text = append(text, line...)
	}
	return text, changed
}

// generated returns the types and the constants of a version that would be generated.
func (v *Version) generated() map[string]bool {
	used, kept, names := reachable(v.Package, nil), v.kept(), map[string]bool{}
	for _, t := range v.Types {
		if used[t.Name] && !kept[t.Name] && t.Span.File != nil {
			names[t.Name] = true
			for _, k := range t.Consts {
				names[k.Name] = true
			}
		}
	}
	return names
}

// goFiles returns the paths of the Go files of a folder that are no tests.
func goFiles(dir string) []string {
	names, err := source.NewFS(nil).List(source.GoFiles, dir)
	if err != nil {
		return nil // the loader has read it
	}
	var paths []string
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	return paths
}

// span is a part of a file.
type span struct{ from, to int }

// withoutDecls removes package-level declarations from a Go file, with the comments above them, and the imports that only
// these use. remove gets the receiver of methods, "" for others. rest is the number of other declarations.
func withoutDecls(content []byte, remove func(receiver, name string) bool) (text []byte, changed bool, rest int) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return content, false, 1 // the loader reports it
	}
	var cuts []span
	last := file.Name.End() // of the declaration before
	cut := func(doc *ast.CommentGroup, n, end ast.Node) {
		from := n.Pos()
		if doc != nil {
			from = doc.Pos()
		}
		from = markersAbove(fset, file, last, from)
		cuts = append(cuts, span{fset.Position(from).Offset, fset.Position(end.End()).Offset})
	}
	used := map[string]bool{}
	keep := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			r := ""
			if d.Recv != nil {
				r = receiver(d)
			}
			if remove(r, d.Name.Name) {
				cut(d.Doc, d, d)
			} else {
				rest++
				keep(d)
			}
			last = d.End()
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				last = d.End()
				continue
			}
			others := slices.DeleteFunc(slices.Clone(d.Specs), func(s ast.Spec) bool { return declares(s, remove) })
			switch {
			case len(others) == 0:
				cut(d.Doc, d, d)
			case len(others) < len(d.Specs):
				for _, s := range d.Specs {
					if !slices.Contains(others, s) {
						cut(docOf(s), s, s)
					}
					last = s.End()
				}
			}
			rest += len(others)
			for _, s := range others {
				keep(s)
			}
			last = d.End()
		}
	}
	if len(cuts) == 0 {
		return content, false, rest
	}
	cuts = append(cuts, unusedImports(fset, file, used)...)
	slices.SortFunc(cuts, func(a, b span) int { return a.from - b.from })
	at := 0
	for _, c := range cuts {
		text = append(text, content[at:c.from]...)
		at = c.to
	}
	text = append(text, content[at:]...)
	if formatted, err := format.Source(text); err == nil {
		text = formatted
	}
	return text, true, rest
}

// unusedImports returns the imports of a file whose names are not used.
func unusedImports(fset *token.FileSet, file *ast.File, used map[string]bool) (cuts []span) {
	for _, s := range file.Imports {
		if names := importNames(s); names[0] != "_" && names[0] != "." && !slices.ContainsFunc(names, func(name string) bool { return used[name] }) {
			cuts = append(cuts, span{fset.Position(s.Pos()).Offset, fset.Position(s.End()).Offset})
			if d := alone(file, s); d != nil {
				cuts[len(cuts)-1] = span{fset.Position(d.Pos()).Offset, fset.Position(d.End()).Offset}
			}
		}
	}
	return cuts
}

// markersAbove returns where the markers above a declaration begin that starts at a position, and follows one that ends at
// last.
func markersAbove(fset *token.FileSet, file *ast.File, last, from token.Pos) token.Pos {
	for _, group := range slices.Backward(file.Comments) {
		if group.End() <= from && group.Pos() > last && fset.Position(group.Pos()).Line > fset.Position(last).Line && startsMarkers(group) {
			from = group.Pos()
		}
	}
	return from
}

// startsMarkers reports whether a comment is markers, such as those that kubebuilder writes above the comment of a type.
func startsMarkers(group *ast.CommentGroup) bool {
	text, ok := strings.CutPrefix(group.List[0].Text, "//")
	return ok && strings.HasPrefix(strings.TrimSpace(text), "+")
}

// declares reports whether a declaration of types, constants or variables declares only what is removed.
func declares(s ast.Spec, remove func(receiver, name string) bool) bool {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return remove("", s.Name.Name)
	case *ast.ValueSpec:
		if isAssertion(s) {
			return true
		}
		return !slices.ContainsFunc(s.Names, func(n *ast.Ident) bool { return !remove("", n.Name) })
	}
	return false
}

// isAssertion reports whether a declaration checks that a kind has the methods of a conversion: var _ conversion.Hub = &Foo{}.
func isAssertion(s *ast.ValueSpec) bool {
	of, ok := s.Type.(*ast.SelectorExpr)
	return ok && s.Names[0].Name == "_" && (of.Sel.Name == hubMethod || of.Sel.Name == "Convertible")
}

func docOf(s ast.Spec) *ast.CommentGroup {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Doc
	case *ast.ValueSpec:
		return s.Doc
	}
	return nil
}

// alone returns the declaration of an import without parentheses, nil if it is in a group.
func alone(file *ast.File, s *ast.ImportSpec) *ast.GenDecl {
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT && !d.Lparen.IsValid() && d.Specs[0] == ast.Spec(s) {
			return d
		}
	}
	return nil
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// importNames returns the names that an imported package may have in its file. Without one there, these are the last part
// of the path, and the one before if that is the major version of a module.
func importNames(s *ast.ImportSpec) []string {
	if s.Name != nil {
		return []string{s.Name.Name}
	}
	full := strings.Trim(s.Path.Value, "\"`")
	name, _, _ := strings.Cut(path.Base(full), ".") // gopkg.in/yaml.v3
	if majorVersion.MatchString(name) {
		return []string{name, path.Base(path.Dir(full))}
	}
	return []string{name}
}
