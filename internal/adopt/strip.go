package adopt

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/signature"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Adopted returns the files that change, by path, if the user writes the markers and removes what generate writes then:
// the types of versions that can be generated, and the conversions of all versions but the functions to keep.
func (a *Adoption) Adopted(keep []string) map[string][]byte {
	files := maps.Clone(a.Files)
	if files == nil {
		files = map[string][]byte{}
	}
	for _, v := range a.Versions {
		if !v.Declared {
			continue
		}
		generated := map[string]bool{}
		if v.Equal() {
			generated = v.generated()
		}
		for _, path := range goFiles(v.Dir) {
			content, err := source.NewFS(nil).ReadFile(path)
			if err != nil {
				continue // the loader reports it
			}
			if !signature.Of(path, content).ByHand() {
				continue // generate replaces it
			}
			if text, changed := withoutDecls(content, func(receiver, name string) bool {
				if receiver != "" {
					return name == "ConvertTo" || name == "ConvertFrom"
				}
				return generated[name] || strings.HasPrefix(name, model.ConversionPrefix) && !slices.Contains(keep, name)
			}); changed {
				files[path] = text
			}
		}
	}
	return files
}

// generated returns the types and the constants of a version that would be generated.
func (v *Version) generated() map[string]bool {
	used, names := reachable(v.Package, nil), map[string]bool{}
	for _, t := range v.Types {
		if used[t.Name] && t.Span.File != nil {
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

// withoutDecls removes package-level declarations from a Go file, and the imports that only these use. remove gets the
// receiver of methods, "" for others.
func withoutDecls(content []byte, remove func(receiver, name string) bool) (text []byte, changed bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return content, false // the loader reports it
	}
	var cuts []span
	cut := func(doc *ast.CommentGroup, n, end ast.Node) {
		from := n.Pos()
		if doc != nil {
			from = doc.Pos()
		}
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
				keep(d)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			rest := slices.DeleteFunc(slices.Clone(d.Specs), func(s ast.Spec) bool { return declares(s, remove) })
			switch {
			case len(rest) == 0:
				cut(d.Doc, d, d)
			case len(rest) < len(d.Specs):
				for _, s := range d.Specs {
					if !slices.Contains(rest, s) {
						cut(docOf(s), s, s)
					}
				}
			}
			for _, s := range rest {
				keep(s)
			}
		}
	}
	if len(cuts) == 0 {
		return content, false
	}
	for _, s := range file.Imports {
		if names := importNames(s); names[0] != "_" && names[0] != "." && !slices.ContainsFunc(names, func(name string) bool { return used[name] }) {
			cuts = append(cuts, span{fset.Position(s.Pos()).Offset, fset.Position(s.End()).Offset})
			if d := alone(file, s); d != nil {
				cuts[len(cuts)-1] = span{fset.Position(d.Pos()).Offset, fset.Position(d.End()).Offset}
			}
		}
	}
	slices.SortFunc(cuts, func(a, b span) int { return a.from - b.from })
	at := 0
	for _, c := range cuts {
		text = append(text, content[at:c.from]...)
		at = c.to
	}
	return append(text, content[at:]...), true
}

// declares reports whether a declaration of types, constants or variables declares only what is removed.
func declares(s ast.Spec, remove func(receiver, name string) bool) bool {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return remove("", s.Name.Name)
	case *ast.ValueSpec:
		return !slices.ContainsFunc(s.Names, func(n *ast.Ident) bool { return !remove("", n.Name) })
	}
	return false
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
