package layout

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// link is a doc link to a declaration of the same package: [Name], [*Name] or [Type.Method].
var link = regexp.MustCompile(`\[\*?([A-Z]\w*)(?:\.([A-Z]\w*))?\]`)

// evident are the folders of packages with one function, Definition of a tag or a convention, and of the types of an API.
var evident = []string{"../../rules/tags", "../../rules/lint/", "../../../runtime/ruletest/internal/fleet"}

// TestPackageDocs checks that the doc of each package names where to begin, as links to declarations that exist.
func TestPackageDocs(t *testing.T) {
	type pkg struct {
		doc, name string
		declares  map[string]bool // Name, and Type.Method or Type.Field
		exports   bool
	}
	packages := map[string]*pkg{}
	sources(t, []string{"../..", "../../../runtime", "../../../webhook", "../../../storage"}, func(path string, file *ast.File) {
		dir := filepath.ToSlash(filepath.Dir(path))
		p := packages[dir]
		if p == nil {
			p = &pkg{name: file.Name.Name, declares: map[string]bool{}}
			packages[dir] = p
		}
		p.doc += file.Doc.Text()
		add := func(name string) {
			p.declares[name] = true
			p.exports = p.exports || ast.IsExported(name)
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name.Name)
				} else if recv := receiver(d); recv != "" {
					p.declares[recv+"."+d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						add(s.Name.Name)
						for _, name := range members(s.Type) {
							p.declares[s.Name.Name+"."+name] = true
						}
					case *ast.ValueSpec:
						for _, name := range s.Names {
							p.declares[name.Name] = p.declares[name.Name] || d.Tok == token.CONST || d.Tok == token.VAR
						}
					}
				}
			}
		}
	})
	for dir, p := range packages {
		if p.name == "main" || slices.ContainsFunc(evident, func(folder string) bool { return strings.HasPrefix(dir, folder) }) {
			continue
		}
		links := link.FindAllStringSubmatch(p.doc, -1)
		for _, m := range links {
			name := m[1]
			if m[2] != "" {
				name += "." + m[2]
			}
			if !p.declares[name] {
				t.Errorf("%s: the package doc links to %s, which the package does not declare", dir, m[0])
			}
		}
		if p.exports && len(links) == 0 {
			t.Errorf("%s: the package doc does not say where to begin; name the entry points as links: [Name], [Type.Method]", dir)
		}
	}
}

// receiver returns the name of a method's type.
func receiver(d *ast.FuncDecl) string {
	typ := d.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// members returns the names of the fields of a struct, or of the methods of an interface.
func members(typ ast.Expr) (names []string) {
	var list *ast.FieldList
	switch t := typ.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return nil
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			names = append(names, name.Name)
		}
	}
	return names
}
