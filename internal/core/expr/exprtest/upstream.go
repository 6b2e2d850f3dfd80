// Package exprtest provides the test tables of API servers to tests: schemas, objects and rules.
//
// [Cases] and [Specification] return expressions with their results.
package exprtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// The tables are read from the module cache, so that they follow the versions of the modules.

// ModuleDir returns the folder of a module.
func ModuleDir(t testing.TB, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// ParseFile parses a Go file.
func ParseFile(t testing.TB, name string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Texts returns all constant strings of a file, each once.
func Texts(f *ast.File) []string {
	var out []string
	seen := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if e, ok := n.(*ast.BasicLit); ok {
			if s, ok := constantText(e); ok && !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
		return true
	})
	return out
}

func constantText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		a, ok := constantText(e.X)
		b, ok2 := constantText(e.Y)
		return a + b, ok && ok2
	}
	return "", false
}

// The tables of apiextensions-apiserver's validation_test.go that Cases reads.
const (
	Expressions = "TestValidationExpressions"
	// Levels and OptionalOldSelf have rules in their schemas.
	Levels          = "TestValidationExpressionsAtSchemaLevels"
	OptionalOldSelf = "TestOptionalOldSelf"
)

// Case is an entry of a table: rules that an object satisfies, and rules that it breaks.
type Case struct {
	Name          string
	Schema        json.RawMessage
	Obj, OldObj   any
	IsRoot        bool
	Valid, Errors []string
}

// Cases returns the entries of a table of validation_test.go.
func Cases(t testing.TB, test string) []Case {
	t.Helper()
	entry := `"Name": tt.name, "Schema": tt.schema.ToKubeOpenAPI(), "Obj": tt.obj, "OldObj": tt.oldObj`
	if test == Expressions {
		entry += `, "IsRoot": tt.isRoot, "Valid": tt.valid, "Errors": slices.Collect(maps.Keys(tt.errors))`
	}
	var cases []Case
	for dec := Table(t, "cel/validation_test.go", test, entry); dec.More(); {
		var c Case
		if err := dec.Decode(&c); err != nil {
			t.Fatal(err)
		}
		sort.Strings(c.Errors)
		cases = append(cases, c)
	}
	return cases
}

// Table evaluates the Go expressions of a test's table, in a program with the table and the declarations that it uses. The
// program exists only in an overlay. The file is below pkg/apiserver/schema of apiextensions-apiserver. It returns the JSON of
// each entry tt: the members of an object as Go source.
func Table(t testing.TB, file, test, members string) *json.Decoder {
	t.Helper()
	f := ParseFile(t, filepath.Join(ModuleDir(t, "k8s.io/apiextensions-apiserver"), "pkg/apiserver/schema", filepath.FromSlash(file)))
	decls := map[string]ast.Decl{}
	var table ast.Stmt
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == test {
				for _, s := range d.Body.List {
					if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && table == nil {
						table = s
					}
				}
			}
			decls[d.Name.Name] = d
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, n := range s.Names {
						decls[n.Name] = d
					}
				case *ast.TypeSpec:
					decls[s.Name.Name] = d
				}
			}
		}
	}
	if table == nil {
		t.Fatalf("%s is gone", test)
	}
	used := map[string]bool{}
	var keep []ast.Decl
	kept := map[ast.Decl]bool{}
	var need func(ast.Node)
	need = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					used[id.Name] = true
				}
			}
			if id, ok := n.(*ast.Ident); ok {
				if d := decls[id.Name]; d != nil && !kept[d] {
					kept[d] = true
					keep = append(keep, d)
					need(d)
				}
			}
			return true
		})
	}
	need(table)

	var src bytes.Buffer
	src.WriteString("package main\n\nimport (\n\t\"os\"\n\tencoder \"encoding/json\"\n")
	for _, path := range []string{"maps", "slices"} {
		if strings.Contains(members, path+".") {
			fmt.Fprintf(&src, "\t%q\n", path)
		}
	}
	for _, imp := range f.Imports {
		path, _ := strconv.Unquote(imp.Path.Value)
		name := filepath.Base(path)
		if imp.Name != nil {
			name = imp.Name.Name
		}
		if used[name] && path != "os" && path != "maps" && path != "slices" {
			fmt.Fprintf(&src, "\t%s %s\n", name, imp.Path.Value)
		}
	}
	src.WriteString(")\n\n")
	for _, d := range keep {
		if err := format.Node(&src, token.NewFileSet(), d); err != nil {
			t.Fatal(err)
		}
		src.WriteString("\n\n")
	}
	src.WriteString("func main() {\n")
	if err := format.Node(&src, token.NewFileSet(), table); err != nil {
		t.Fatal(err)
	}
	src.WriteString(`
	out := encoder.NewEncoder(os.Stdout)
	for _, tt := range tests {
		if err := out.Encode(map[string]any{` + members + `}); err != nil {
			panic(err)
		}
	}
}
`)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(program, src.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	virtual := filepath.Join(here, "upstreamtable", "main.go")
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{virtual: program}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "-overlay", overlay, "./upstreamtable")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	dec.UseNumber()
	return dec
}
