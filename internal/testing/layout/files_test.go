package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// fileFunctions are the functions that read or write files. Only package source calls them: it
// records reads, and replaces files atomically.
var fileFunctions = map[string][]string{
	"os": {
		"ReadFile", "Open", "OpenFile", "OpenInRoot", "OpenRoot", "ReadDir", "Stat", "Lstat", "Readlink", "DirFS", "CopyFS",
		"WriteFile", "Create", "CreateTemp", "Remove", "RemoveAll", "Rename", "Mkdir", "MkdirAll", "MkdirTemp", "Chtimes", "Truncate",
	},
	"path/filepath": {"Walk", "WalkDir", "Glob", "EvalSymlinks"},
	"io/ioutil":     {"ReadFile", "ReadDir", "WriteFile", "TempDir", "TempFile"},
}

// fileExceptions are other packages that call some of them, with the reason.
var fileExceptions = []struct {
	pkg, reason string
	functions   []string
}{
	{"core/source", "the one place", []string{"ReadFile", "Open", "OpenFile", "ReadDir", "Stat", "Remove", "Rename", "MkdirAll", "EvalSymlinks"}},
	{"tool/cache", "its entries are no inputs of a run", []string{"ReadFile", "ReadDir", "Remove"}},
	{"tool/cli", "the program's own file tells it from others", []string{"Open"}},
	{"tool/watch", "only folders that exist can be watched", []string{"Stat"}},
	{"tool/dev/state", "the state of a server is no input of a run", []string{"OpenFile", "ReadFile", "MkdirAll", "MkdirTemp", "RemoveAll"}},
	{"tool/dev/apiserver", "programs and the state of a server are no inputs of a run", []string{"Open", "Create", "Stat", "Remove", "RemoveAll", "Rename", "MkdirAll", "MkdirTemp", "WriteFile", "WalkDir", "Glob"}},
	{"tool/dev", "a program reads its certificate", []string{"MkdirAll", "WriteFile"}},
	{"tool/driver/lists", "a tool of this repository, which writes its lists", []string{"ReadDir", "Glob", "ReadFile", "WriteFile"}},
	{"objects/manifest", "manifests are what a command judges, not inputs of a remembered run", []string{"ReadFile", "Stat", "WalkDir"}},
	{"tool/controllergen", "a generator writes into a temporary folder", []string{"ReadFile", "MkdirTemp", "RemoveAll", "WalkDir"}},
	{"tool/revision", "a temporary copy of a git revision is no input of a remembered run", []string{"MkdirTemp", "RemoveAll"}},
	{"core/goprogram", "it builds a program in a temporary folder", []string{"MkdirTemp", "RemoveAll"}},
	{"objects/tryit/program", "it builds a program in a temporary folder", []string{"MkdirTemp", "RemoveAll"}},
	{"versions/bump", "it moves a folder with all its files", []string{"ReadDir", "ReadFile", "WalkDir"}},
	{"tool/apidocs", "pages that an earlier run wrote are no inputs, and may have to go", []string{"ReadFile", "WalkDir"}},
	{"testing/goldentest", "tests only", []string{"ReadFile", "MkdirAll", "WriteFile"}},
	{"core/expr/exprtest", "tests only", []string{"Glob", "ReadFile", "WriteFile"}},
	{"testing/emittest", "tests only", []string{"MkdirAll"}},
	{"testing/workspacetest", "tests only", []string{"MkdirAll", "MkdirTemp", "ReadFile", "RemoveAll", "Stat", "WriteFile"}},
}

// TestFileAccess finds packages that open files directly, and unused exceptions.
func TestFileAccess(t *testing.T) {
	called := map[string]map[string]bool{}
	for _, p := range list(t, "../../..", "./internal/...") {
		name, _ := internal(p.ImportPath)
		called[name] = map[string]bool{}
		for _, file := range p.GoFiles {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for call, at := range selections(f, fileFunctions) {
				called[name][call] = true
				if !slices.Contains(excepted(name), call) {
					t.Errorf("%s: internal/%s calls %s by itself; read through source.FS, or write with source.WriteFile", fset.Position(at), name, call)
				}
			}
		}
	}
	for _, e := range fileExceptions {
		for _, f := range e.functions {
			if !called[e.pkg][f] {
				t.Errorf("internal/%s does not call %s; remove the exception", e.pkg, f)
			}
		}
	}
}

func excepted(pkg string) []string {
	for _, e := range fileExceptions {
		if e.pkg == pkg {
			return e.functions
		}
	}
	return nil
}

// selections returns the names that a file uses of packages, which are given by import path.
func selections(f *ast.File, names map[string][]string) map[string]token.Pos {
	packages := map[string][]string{}
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || names[path] == nil {
			continue
		}
		name := filepath.Base(path)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		packages[name] = names[path]
	}
	found := map[string]token.Pos{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := sel.X.(*ast.Ident); ok && slices.Contains(packages[pkg.Name], sel.Sel.Name) {
				found[sel.Sel.Name] = sel.Pos()
			}
		}
		return true
	})
	return found
}
