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
	{"core", nil},
	{"rules", nil},
	{"front", nil},
	{"objects", nil},
	{"versions", nil},
	{"tool", nil},
	{"testing", nil},
	{"core/source", nil},
	{"core/spell", nil},
	{"core/english", nil},
	{"testing/prose", nil},
	{"core/diag", []string{"core/spell", "core/source"}},
	{"core/fixpoint", nil},
	{"core/foreign", nil},
	{"core/model", []string{"core/source", "core/expr", "core/foreign"}},
	{"core/provenance", nil},
	{"core/expr", nil},
	{"core/expr/typed", []string{"core/spell", "core/expr"}},
	{"core/expr/exprtest", []string{"core/expr"}},
	{"core/expr/modeltype", []string{"core/expr", "core/model"}},
	{"core/expr/paths", []string{"core/expr"}},
	{"core/expr/entail", []string{"core/expr"}},
	{"core/expr/golang", []string{"core/goexpr", "core/expr", "core/expr/typed", "core/expr/modeltype", "core/model"}},
	{"front/marker", []string{"core/source", "core/diag", "core/foreign"}},
	{"core/gofile", []string{"core/model", "core/provenance"}},
	{"tool/requires", []string{"core/source", "core/gofile"}},
	{"front/load", []string{"core/spell", "core/source", "core/diag", "core/gofile", "core/foreign", "core/provenance", "core/model"}},
	{"core/apitype", nil},
	{"core/value", []string{"core/apitype", "core/source", "core/diag", "core/expr", "core/model", "core/foreign"}},
	{"core/value/goliteral", []string{"core/apitype", "core/gofile", "core/model", "core/value"}},
	{"core/goexpr", nil},
	{"rules/rule", []string{"core/fixpoint", "core/source", "core/model", "core/expr", "core/expr/modeltype"}},
	{"rules/rule/order", []string{"core/fixpoint", "core/model", "rules/rule"}},
	{"rules/rule/unions", []string{"core/model", "rules/rule"}},
	{"rules/rule/words", []string{"core/model", "rules/rule"}},
	{"rules/rule/enforced", []string{"core/source", "core/model", "core/expr", "core/expr/*", "core/goexpr", "rules/rule"}},
	{"rules/tag", []string{"core/english", "core/spell", "core/source", "core/diag", "core/model", "core/foreign", "rules/rule", "core/value", "rules/defaulting"}},
	{"rules/kubebuilder", []string{"core/source", "core/model", "core/foreign", "core/expr", "core/expr/typed", "rules/rule", "rules/tag", "core/value"}},
	{"rules/defaulting", []string{"core/diag", "core/model", "core/value", "core/foreign"}},
	{"rules/defaulting/setters", []string{"core/fixpoint", "rules/defaulting", "core/gofile", "core/model", "core/value"}},
	{"rules/tags/*", []string{"core/spell", "rules/eval", "core/source", "core/diag", "core/gofile", "core/model", "rules/rule", "rules/tag", "rules/defaulting", "core/value"}},
	{"rules/check", []string{"core/spell", "core/source", "core/diag", "core/model", "rules/rule", "rules/tag", "core/foreign"}},
	{"front/lower", []string{"core/source", "core/diag", "core/gofile", "front/marker", "front/load", "core/model", "core/foreign", "rules/tag", "rules/defaulting", "rules/kubebuilder"}},
	{"versions/evolve", []string{"core/english", "core/spell", "core/source", "core/diag", "core/gofile", "core/model", "core/foreign", "rules/tag", "core/value", "rules/defaulting", "core/provenance", "rules/kubebuilder", "core/expr"}},
	{"versions/steps", []string{"core/english", "rules/tag", "core/source", "core/diag", "core/model", "core/foreign", "core/value"}},
	{"versions/steptable", []string{"core/source", "core/model", "versions/steps", "core/value"}},
	{"core/goprogram", []string{"core/model", "core/source"}},
	{"versions/convert", []string{"objects/verdict", "core/diag", "core/goprogram", "objects/manifest", "core/model", "core/source", "versions/steps", "versions/steptable"}},
	{"rules/tags", []string{"rules/tag"}},
	{"tool/baseline", []string{"core/source", "core/diag"}},
	{"rules/lint", []string{"core/source", "core/diag", "core/foreign", "core/model", "rules/tag"}},
	{"rules/lint/*", []string{"core/english", "core/spell", "core/source", "core/diag", "core/model", "core/foreign", "rules/kubebuilder", "rules/tag", "rules/lint", "rules/defaulting"}},
	{"rules/schema", []string{"core/english", "rules/defaulting", "core/diag", "core/expr", "core/expr/typed", "core/foreign", "core/model", "rules/rule", "core/source", "core/spell", "rules/tag", "core/value"}},
	{"emit", []string{"rules/schema", "core/source", "core/diag", "core/gofile", "core/model", "core/foreign", "versions/steps", "rules/rule", "rules/tag", "rules/rule/order"}},
	{"emit/deploy", []string{"core/spell", "core/source", "core/diag", "objects/manifest", "core/model", "emit", "rules/defaulting", "rules/defaulting/setters", "rules/rule/*"}},
	{"emit/*", []string{"core/english", "rules/schema", "emit/deploy", "core/fixpoint", "core/spell", "core/source", "core/diag", "core/gofile", "core/goexpr", "core/expr", "core/expr/*", "core/model", "core/foreign", "versions/steps", "versions/steptable", "rules/rule", "rules/tag", "emit", "rules/defaulting", "rules/defaulting/setters", "core/value", "core/value/goliteral", "rules/rule/order", "rules/rule/*"}},
	{"rules/eval", []string{"core/apitype", "core/source", "core/model", "core/expr", "core/expr/typed", "rules/rule", "rules/defaulting", "core/value", "rules/rule/order", "rules/rule/unions"}},
	{"tool/cache", []string{"core/source"}},
	{"tool/watch", []string{"core/source"}},
	{"tool/dev/process", nil},
	{"tool/dev/state", nil},
	{"tool/dev/kubeconfig", nil},
	{"tool/dev/cluster", nil},
	{"tool/dev/hooks", nil},
	{"tool/dev/admission", []string{"core/goprogram"}},
	{"tool/dev/apiserver", []string{"tool/dev/process"}},
	{"tool/dev/requests", nil},
	{"tool/dev/live", nil},
	{"tool/dev/inspect", []string{"core/source", "core/diag", "core/model", "rules/eval", "rules/rule", "objects/fieldtree", "objects/gotypes", "objects/manifest", "objects/verdict", "versions/convert", "tool/dev/live", "tool/dev/requests"}},
	{"tool/dev", []string{"objects/crd", "tool/dev/cluster", "tool/dev/inspect", "tool/dev/hooks", "tool/dev/process", "core/diag", "objects/manifest", "core/source", "objects/verdict", "tool/watch"}},
	{"tool/dev/workbench", []string{"objects/manifest", "tool/dev", "tool/dev/inspect", "tool/dev/live", "tool/dev/requests"}},
	{"tool/controllergen", []string{"core/source", "core/diag", "core/provenance"}},
	{"tool/docdiff", nil},
	{"tool/driver/lists", []string{"core/gofile"}},
	{"versions/breaking", []string{"objects/crd", "core/diag", "core/expr", "core/expr/entail", "core/expr/typed", "objects/manifest", "core/source"}},
	{"tool/revision", []string{"core/source"}},
	{"versions/adopt", []string{"versions/convert", "core/diag", "core/english", "versions/evolve", "core/foreign", "core/goprogram", "core/model", "core/provenance", "core/source", "rules/tag", "core/value"}},
	{"versions/bump", []string{"core/foreign", "core/model", "core/provenance", "core/source"}},
	{"tool/driver", []string{"emit/deploy", "core/spell", "tool/requires", "tool/baseline", "versions/breaking", "tool/revision", "objects/manifest", "tool/controllergen", "tool/docdiff", "rules/kubebuilder", "core/source", "core/diag", "front/marker", "front/load", "front/lower", "versions/evolve", "core/model", "versions/steps", "rules/rule", "rules/check", "rules/tag", "rules/tags", "rules/tags/*", "rules/lint", "rules/lint/*", "emit", "emit/*", "core/gofile", "tool/cache", "core/provenance", "core/foreign", "rules/defaulting"}},
	{"objects/tryit", []string{"core/diag", "rules/eval", "objects/gotypes", "objects/manifest", "core/source", "objects/validate", "objects/verdict"}},
	{"objects/tryit/program", []string{"core/goprogram", "core/source"}},
	{"tool/explain", []string{"core/english", "core/spell", "versions/adopt", "versions/upgrade", "tool/apidocs", "tool/controllergen", "core/diag", "tool/driver", "core/model", "rules/tag", "rules/lint", "objects/manifest", "versions/convert", "objects/crd", "objects/validate", "objects/ruletest", "core/foreign", "core/expr", "core/expr/typed", "core/expr/golang", "tool/project"}},
	{"tool/lsp/protocol", []string{"core/source"}},
	{"tool/lsp", []string{"versions/convert", "rules/eval", "objects/fieldtree", "objects/gotypes", "objects/manifest", "objects/validate", "tool/baseline", "tool/controllergen", "core/diag", "tool/driver", "tool/explain", "core/foreign", "tool/lsp/protocol", "front/marker", "core/model", "tool/project", "rules/defaulting", "rules/kubebuilder", "rules/rule", "rules/rule/words", "core/source", "rules/tag"}},
	{"tool/cli", []string{"objects/fieldtree", "objects/jsonschema", "tool/apidocs", "tool/apidocs/*", "versions/steps", "rules/kubebuilder", "core/english", "core/spell", "tool/requires", "versions/adopt", "tool/baseline", "versions/bump", "tool/controllergen", "versions/convert", "tool/lsp", "objects/tryit/program", "tool/dev", "tool/dev/*", "core/gofile", "core/goprogram", "core/source", "core/diag", "tool/driver", "tool/explain", "core/model", "rules/rule", "rules/tag", "rules/lint", "emit", "tool/cache", "tool/engines", "rules/eval", "objects/gotypes", "objects/manifest", "objects/validate", "objects/ruletest", "objects/verdict", "tool/watch", "tool/project", "tool/scaffold", "versions/upgrade", "tool/wiring"}},
	{"tool/wiring", nil},
	{"tool/scaffold", []string{"core/gofile", "tool/requires", "core/source", "tool/driver", "core/model", "tool/project", "tool/wiring"}},
	{"tool/project", []string{"core/spell", "core/source", "core/diag", "tool/driver", "emit", "core/gofile", "objects/manifest", "core/model", "rules/rule", "rules/tag"}},
	{"objects/manifest", []string{"core/spell", "core/source", "core/diag"}},
	{"objects/verdict", []string{"core/spell", "core/source", "core/diag"}},
	{"objects/crd", []string{"core/diag", "objects/manifest", "objects/verdict"}},
	{"versions/upgrade", []string{"objects/crd", "core/diag", "objects/manifest", "core/model", "core/source", "core/spell"}},
	{"objects/fieldtree", []string{"rules/defaulting", "core/model", "rules/rule", "rules/tag", "core/value"}},
	{"objects/example", []string{"objects/fieldtree", "rules/kubebuilder", "core/model", "rules/rule", "rules/rule/words", "objects/verdict"}},
	{"objects/jsonschema", []string{"core/expr", "objects/fieldtree", "core/model", "rules/rule", "rules/rule/words"}},
	{"tool/apidocs", []string{"core/diag", "objects/example", "core/expr", "objects/fieldtree", "core/foreign", "core/model", "rules/rule", "rules/rule/words", "core/source", "versions/steps", "objects/verdict"}},
	{"tool/apidocs/html", []string{"tool/apidocs"}},
	{"tool/apidocs/markdown", []string{"tool/apidocs"}},
	{"objects/gotypes", []string{"core/source", "core/diag", "rules/rule", "rules/eval", "objects/verdict"}},
	{"tool/engines", []string{"core/diag", "core/foreign", "core/model", "tool/driver", "rules/eval", "rules/kubebuilder", "rules/tag", "objects/crd", "objects/validate", "objects/verdict"}},
	{"objects/validate", []string{"core/diag", "objects/manifest", "objects/verdict"}},
	{"objects/ruletest", []string{"core/spell", "core/source", "core/diag", "objects/manifest", "objects/verdict"}},
	{"testing/goldentest", []string{"core/source", "core/diag"}},
	{"testing/emittest", []string{"core/source", "tool/driver", "core/diag", "emit", "testing/goldentest", "core/model", "versions/steps", "rules/tag"}},
	{"testing/crdtest", nil},
	{"testing/policytest", nil},
	{"testing/workspacetest", nil},
	{"testing/exampletest", []string{"core/diag", "rules/rule", "testing/workspacetest", "tool/driver"}},
	{"testing/typecheck", nil},
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
	for _, p := range list(t, "../../..", "./internal/...") {
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
			if strings.HasPrefix(imported, module+"/runtime") && name != "rules/eval" && name != "versions/steptable" && imported != module+"/runtime/jsonconvert" && imported != module+"/runtime/union" {
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
	leaves := []string{module + "/internal/core/source", module + "/internal/core/foreign", module + "/internal/core/expr"}
	for _, p := range list(t, "../../..", "./internal/core/model", "./internal/core/source") {
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
	for _, p := range list(t, "../../..", "./internal/...", "./cmd/...") {
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
	for _, p := range list(t, "../../..", "./...") {
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
