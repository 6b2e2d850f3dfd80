// Package layout tests which package may import which, and rules for all sources; see docs/contributing/architecture.md.
package layout

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/kindsmith/kindsmith"

// layers lists, for each package below internal, the packages that it may import. A name that ends
// in /* matches any subfolder. Test files may import anything.
var layers = []struct {
	pkg  string
	uses []string
}{
	{"source", nil},
	{"spell", nil},
	{"prose", nil},
	{"diag", []string{"spell", "source"}},
	{"fixpoint", nil},
	{"foreign", nil},
	{"model", []string{"source", "expr", "foreign"}},
	{"signature", nil},
	{"expr", nil},
	{"expr/typed", []string{"spell", "expr"}},
	{"expr/exprtest", []string{"expr"}},
	{"expr/modeltype", []string{"expr", "model"}},
	{"expr/paths", []string{"expr"}},
	{"expr/golang", []string{"goexpr", "expr", "expr/typed", "expr/modeltype", "model"}},
	{"marker", []string{"source", "diag", "foreign"}},
	{"gofile", []string{"model", "signature"}},
	{"requires", []string{"source", "gofile"}},
	{"load", []string{"spell", "source", "diag", "gofile", "foreign", "signature", "model"}},
	{"value", []string{"source", "diag", "expr", "gofile", "model", "foreign"}},
	{"goexpr", nil},
	{"rule", []string{"fixpoint", "source", "model", "expr", "expr/modeltype"}},
	{"rule/order", []string{"fixpoint", "model", "rule"}},
	{"rule/unions", []string{"model", "rule"}},
	{"rule/words", []string{"model", "rule"}},
	{"rule/enforced", []string{"source", "model", "expr", "expr/*", "goexpr", "rule"}},
	{"tag", []string{"spell", "source", "diag", "model", "foreign", "rule", "value", "defaulting"}},
	{"kubebuilder", []string{"source", "model", "foreign", "expr", "expr/typed", "rule", "tag", "value"}},
	{"defaulting", []string{"diag", "model", "value", "foreign"}},
	{"defaulting/setters", []string{"fixpoint", "defaulting", "gofile", "model", "value"}},
	{"tags/*", []string{"spell", "eval", "source", "diag", "gofile", "model", "rule", "tag", "defaulting", "value"}},
	{"check", []string{"spell", "source", "diag", "model", "rule", "tag", "foreign"}},
	{"lower", []string{"source", "diag", "gofile", "marker", "load", "model", "foreign", "tag", "defaulting", "kubebuilder"}},
	{"evolve", []string{"spell", "source", "diag", "gofile", "model", "foreign", "tag", "value", "defaulting", "signature", "kubebuilder", "expr"}},
	{"steps", []string{"source", "diag", "model", "foreign", "value"}},
	{"steptable", []string{"source", "model", "steps", "value"}},
	{"goprogram", []string{"source"}},
	{"convert", []string{"verdict", "diag", "goprogram", "manifest", "model", "source", "steps", "steptable"}},
	{"tags", []string{"tag"}},
	{"baseline", []string{"source", "diag"}},
	{"lint", []string{"source", "diag", "foreign", "model", "tag"}},
	{"lint/*", []string{"spell", "source", "diag", "model", "foreign", "kubebuilder", "tag", "lint", "defaulting"}},
	{"schema", []string{"defaulting", "diag", "expr", "expr/typed", "foreign", "model", "rule", "source", "spell", "tag", "value"}},
	{"emit", []string{"schema", "source", "diag", "gofile", "model", "foreign", "steps", "rule", "tag", "rule/order"}},
	{"deploy", []string{"source", "diag", "manifest", "model", "emit", "defaulting", "defaulting/setters", "rule/*"}},
	{"emit/*", []string{"schema", "deploy", "fixpoint", "spell", "source", "diag", "gofile", "goexpr", "expr", "expr/*", "model", "foreign", "steps", "steptable", "rule", "tag", "emit", "defaulting", "defaulting/setters", "value", "rule/order", "rule/*"}},
	{"eval", []string{"source", "model", "expr", "expr/typed", "rule", "defaulting", "value", "rule/order", "rule/unions"}},
	{"cache", []string{"source"}},
	{"watch", []string{"source"}},
	{"dev/process", nil},
	{"dev/state", nil},
	{"dev/kubeconfig", nil},
	{"dev/cluster", nil},
	{"dev/hooks", nil},
	{"dev/admission", []string{"goprogram", "model"}},
	{"dev/apiserver", []string{"dev/process"}},
	{"dev", []string{"crd", "dev/cluster", "dev/hooks", "dev/process", "diag", "manifest", "source", "verdict", "watch"}},
	{"controllergen", []string{"source", "diag", "signature"}},
	{"docdiff", nil},
	{"driver/lists", []string{"gofile"}},
	{"breaking", []string{"crd", "diag", "expr", "expr/typed", "manifest", "source"}},
	{"revision", []string{"source"}},
	{"adopt", []string{"convert", "diag", "evolve", "foreign", "goprogram", "model", "signature", "source", "tag", "value"}},
	{"bump", []string{"foreign", "model", "signature", "source"}},
	{"driver", []string{"deploy", "spell", "requires", "baseline", "breaking", "revision", "manifest", "controllergen", "docdiff", "kubebuilder", "source", "diag", "marker", "load", "lower", "evolve", "model", "steps", "rule", "check", "tag", "tags", "tags/*", "lint", "lint/*", "emit", "emit/*", "gofile", "cache", "signature", "foreign", "defaulting"}},
	{"tryit", []string{"diag", "eval", "gotypes", "manifest", "source", "validate"}},
	{"tryit/program", []string{"source"}},
	{"explain", []string{"spell", "adopt", "upgrade", "apidocs", "controllergen", "diag", "driver", "model", "tag", "lint", "manifest", "convert", "crd", "validate", "ruletest", "foreign", "expr", "expr/typed", "expr/golang", "project"}},
	{"lsp/protocol", []string{"source"}},
	{"lsp", []string{"baseline", "controllergen", "diag", "driver", "explain", "foreign", "lsp/protocol", "marker", "model", "project", "rule/words", "source", "tag"}},
	{"cli", []string{"apidocs", "apidocs/*", "steps", "kubebuilder", "spell", "requires", "adopt", "baseline", "bump", "controllergen", "convert", "lsp", "tryit/program", "dev", "dev/*", "gofile", "goprogram", "source", "diag", "driver", "explain", "model", "rule", "tag", "lint", "emit", "cache", "engines", "eval", "gotypes", "manifest", "validate", "ruletest", "verdict", "watch", "project", "scaffold", "upgrade", "wiring"}},
	{"wiring", nil},
	{"scaffold", []string{"gofile", "requires", "source", "driver", "model", "project", "wiring"}},
	{"project", []string{"spell", "source", "diag", "driver", "emit", "gofile", "manifest", "model", "rule", "tag"}},
	{"manifest", []string{"spell", "source", "diag"}},
	{"verdict", []string{"spell", "source", "diag"}},
	{"crd", []string{"diag", "manifest", "verdict"}},
	{"upgrade", []string{"crd", "diag", "manifest", "model", "source", "spell"}},
	{"fieldtree", []string{"defaulting", "model", "rule", "value"}},
	{"example", []string{"fieldtree", "kubebuilder", "model", "rule", "rule/words", "verdict"}},
	{"apidocs", []string{"diag", "example", "expr", "fieldtree", "foreign", "model", "rule", "rule/words", "source", "steps", "verdict"}},
	{"apidocs/html", []string{"apidocs"}},
	{"apidocs/markdown", []string{"apidocs"}},
	{"gotypes", []string{"source", "diag", "rule", "eval", "verdict"}},
	{"engines", []string{"diag", "driver", "eval", "crd", "validate", "verdict"}},
	{"validate", []string{"diag", "manifest", "verdict"}},
	{"ruletest", []string{"spell", "source", "diag", "manifest", "verdict"}},
	{"goldentest", []string{"source", "diag"}},
	{"emittest", []string{"source", "driver", "diag", "emit", "goldentest", "model", "steps", "tag"}},
	{"crdtest", nil},
	{"policytest", nil},
	{"workspacetest", nil},
	{"typecheck", nil},
}

type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

func list(t *testing.T, dir string, patterns ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,GoFiles,Imports"}, patterns...)...)
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pkgs []listed
	for dec := json.NewDecoder(out); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(pkgs) == 0 {
		t.Fatalf("go list %v found nothing", patterns)
	}
	return pkgs
}

func internal(importPath string) (string, bool) {
	return strings.CutPrefix(importPath, module+"/internal/")
}

func TestImports(t *testing.T) {
	for _, p := range list(t, "../..", "./internal/...") {
		name, _ := internal(p.ImportPath)
		if len(p.GoFiles) == 0 {
			continue // tests only
		}
		uses, known := rule(name)
		if !known {
			t.Errorf("%s has no place in the layers: add it to the table", name)
			continue
		}
		for _, imported := range p.Imports {
			// The evaluator runs what generated code calls, and tables are plain data of the runtime's.
			if strings.HasPrefix(imported, module+"/runtime") && name != "eval" && name != "steptable" && imported != module+"/runtime/jsonconvert" && imported != module+"/runtime/union" {
				t.Errorf("internal/%s imports the runtime module, which only generated code and tests do", name)
			}
			if target, ok := internal(imported); ok && !allowed(uses, target) {
				t.Errorf("internal/%s imports internal/%s; it may import %v", name, target, uses)
			}
		}
	}
}

// rule returns the imports that a package may have.
func rule(name string) ([]string, bool) {
	for _, l := range layers {
		if l.pkg == name || strings.HasSuffix(l.pkg, "/*") && below(name, l.pkg) && !exact(name) {
			uses := l.uses
			if folder, ok := strings.CutSuffix(l.pkg, "*"); ok {
				// A folder may have subfolders.
				first, _, _ := strings.Cut(strings.TrimPrefix(name, folder), "/")
				uses = append(slices.Clone(uses), folder+first+"/*")
			}
			return uses, true
		}
	}
	return nil, false
}

func exact(name string) bool {
	for _, l := range layers {
		if l.pkg == name {
			return true
		}
	}
	return false
}

func below(name, pattern string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(pattern, "*"))
}

func allowed(uses []string, target string) bool {
	return slices.ContainsFunc(uses, func(u string) bool {
		return u == target || strings.HasSuffix(u, "/*") && below(target, u)
	})
}

// TestModelIsData allows names and data only: foreign has names of markers, and expr those of CEL.
func TestModelIsData(t *testing.T) {
	leaves := []string{module + "/internal/source", module + "/internal/foreign", module + "/internal/expr"}
	for _, p := range list(t, "../..", "./internal/model", "./internal/source") {
		for _, imported := range p.Imports {
			if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") && !slices.Contains(leaves, imported) {
				t.Errorf("%s imports %s; the model is plain data", p.ImportPath, imported)
			}
		}
	}
}

// TestNoMutableState finds functions that assign to package variables, and
// registration in init.
func TestNoMutableState(t *testing.T) {
	for _, p := range list(t, "../..", "./internal/...", "./cmd/...") {
		fset := token.NewFileSet()
		var files []*ast.File
		vars := map[string]bool{}
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
			for _, decl := range f.Decls {
				if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
					for _, spec := range g.Specs {
						for _, n := range spec.(*ast.ValueSpec).Names {
							vars[n.Name] = true
						}
					}
				}
			}
		}
		for _, f := range files {
			for _, decl := range f.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				if fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s: init functions are not used; lists are generated", fset.Position(fn.Pos()))
				}
				local := locals(fn)
				ast.Inspect(fn.Body, func(n ast.Node) bool {
					if a, ok := n.(*ast.AssignStmt); ok && a.Tok != token.DEFINE {
						for _, lhs := range a.Lhs {
							if name := root(lhs); vars[name] && !local[name] {
								t.Errorf("%s: package variable %s is assigned to", fset.Position(a.Pos()), name)
							}
						}
					}
					return true
				})
			}
		}
	}
}

// locals are the names that a function declares.
func locals(fn *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				names[id.Name] = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, lhs := range n.Lhs {
					names[root(lhs)] = true
				}
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				names[root(n.Key)] = true
				names[root(n.Value)] = true
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				names[id.Name] = true
			}
		}
		return true
	})
	return names
}

// root returns the variable of an assignable expression.
func root(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return ""
		}
	}
}

// TestFilesAreSmall limits the length of files.
func TestFilesAreSmall(t *testing.T) {
	const most = 700
	for _, p := range list(t, "../..", "./...") {
		for _, name := range p.GoFiles {
			if strings.HasPrefix(name, "zz_generated") {
				continue
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			if lines := fset.File(f.FileStart).LineCount(); lines > most {
				t.Errorf("%s has %d lines; split it", path.Join(p.ImportPath, name), lines)
			}
		}
	}
}
