package driver_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

var everyField = flag.Int("every-field", 6, "TestUnknownTypes takes one field in so many")

// TestUnknownTypes gives a field of an API a type that does not exist: nothing else is reported, whatever refers to the
// field.
func TestUnknownTypes(t *testing.T) {
	defer driver.OnFailure(func(e *emit.Emitter, err error) {
		t.Errorf("%s fails on a package that does not compile: %v", e.Name, err)
	})()
	for name, file := range map[string]string{
		"database": "../../../examples/database/api/v1/database_types.go",
		"pipeline": "../../../examples/pipeline/api/v2/pipeline_types.go",
	} {
		t.Run(name, func(t *testing.T) {
			path, err := filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(filepath.Dir(file), "../..")
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var w driver.Workspace
			run := func(text string) []string {
				t.Helper()
				files := source.NewFS(map[string][]byte{path: []byte(text)})
				bag := &diag.Bag{}
				if _, err := w.Lint(driver.LintConfig{Config: driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./" + filepath.ToSlash(filepath.Join("api", filepath.Base(filepath.Dir(file))))}, Files: files}, CRDDir: "config/crd/bases", PolicyDir: "policies", WebhookDir: "webhooks"}}, bag); err != nil {
					t.Fatal(err)
				}
				var found []string
				for _, d := range bag.All() {
					if d.Severity != diag.Hint {
						found = append(found, d.Severity.String()+": "+d.Message)
					}
				}
				return found
			}
			sound := run(string(content))
			for i, f := range fieldTypes(t, string(content)) {
				if i%*everyField != 0 {
					continue
				}
				text := string(content[:f.start]) + "missing.T" + string(content[f.end:])
				got := slices.DeleteFunc(run(text), func(d string) bool { return slices.Contains(sound, d) })
				if diff := cmp.Diff([]string{"error: undefined: missing"}, got); diff != "" {
					t.Errorf("%s: %s", f.name, diff)
				}
			}
		})
	}
}

// fieldType is the text of a field's type.
type fieldType struct {
	name       string
	start, end int
}

// fieldTypes returns the types of the fields in a file.
func fieldTypes(t *testing.T, content string) []fieldType {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", content, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []fieldType
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					if len(f.Names) > 0 {
						found = append(found, fieldType{spec.Name.Name + "." + f.Names[0].Name, fset.Position(f.Type.Pos()).Offset, fset.Position(f.Type.End()).Offset})
					}
				}
			}
		}
		_, isFunc := n.(*ast.FuncDecl)
		return !isFunc
	})
	return found
}
