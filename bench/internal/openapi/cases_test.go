package openapi

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// refused are the cases of openapi-gen that kindsmith reports: the errors. Where openapi-gen
// accepts a case, the reason is beside it.
var refused = map[string][]string{
	"TestFailingDefaultEnforced":  {"default/needs-omitempty"},
	"TestFailingDefaultEnforced2": {"default/wrong-type", "openapi/type"},
	"TestSymbolReference":         {"default/unknown-constant"},                   // the packages do not exist
	"TestUnion":                   {"kepdiscriminator/pointer", "union/required"}, // a union whose members are always set
	"TestSingleEmbeddedStruct":    {"default/wrong-type"},                         // encoding/json writes an object, the type says string
}

// accepted are the cases that openapi-gen refuses and kindsmith accepts, with the reasons.
var accepted = map[string]string{
	"TestFailingSample1": "encoding/json writes integer keys as text",
	"TestFailingSample2": "encoding/json writes integer keys as text",
	"TestRequired2":      "kindsmith warns of +optional beside +required",
}

// inCases are the differences in other cases.
var inCases = []expectation{
	{
		"openapi-gen ignores the default of a type in lists and maps",
		regexp.MustCompile(`TestSliceMapElementDefaultIgnored\d?\.Blah/.*/default$`),
		func(ours, theirs any) bool { return ours == "foo" && theirs == nil },
	},
	{
		"openapi-gen gives an embedded struct without a json tag a property, encoding/json inlines it",
		regexp.MustCompile(`TestEmbeddedStruct\.Blah/(Dependencies|Schema/required|Schema/properties/(String|Nested))$`),
		func(_, _ any) bool { return true },
	},
	{
		"openapi-gen takes the default of an embedded integer for that of the struct",
		regexp.MustCompile(`TestMustEnforceDefaultStruct\.Blah/Schema/properties/Embedded/default$`),
		func(_, theirs any) bool { return theirs == 0.0 },
	},
	{
		"openapi-gen leaves out fields whose json tag has options and no name",
		regexp.MustCompile(`TestSimple\.Blah/Schema/(required|properties/(Int|IntString))$`),
		func(ours, theirs any) bool { return theirs == nil || strings.Contains(fmt.Sprint(ours), "IntString") },
	},
}

// TestCases compares definitions of the types in the tests of openapi-gen.
func TestCases(t *testing.T) {
	m := newTree(t)
	var compared []string
	for _, name := range m.write(t) {
		files, bag := m.generate(t, name)
		var codes []string
		for _, d := range bag.All() {
			if d.Severity == diag.Error && !slices.Contains(codes, d.Code.String()) {
				codes = append(codes, d.Code.String())
			}
		}
		if !slices.Equal(codes, refused[name]) {
			t.Errorf("%s: the errors are %q, want %q", name, codes, refused[name])
		}
		for _, f := range files {
			m.file(t, name+"/"+filepath.Base(f.Path), string(f.Content))
		}
		if len(codes) == 0 && accepted[name] == "" {
			compared = append(compared, "./"+name)
		}
	}
	const theirs = "example.com/base/theirs"
	run(t, append([]string{
		"run", "k8s.io/kube-openapi/cmd/openapi-gen", "--output-dir", "theirs", "--output-pkg", theirs, "--output-file", "theirs.go",
		"--go-header-file", os.DevNull, "--report-filename", "report",
	}, compared...)...)
	var ours []string
	for _, name := range compared {
		ours = append(ours, "example.com/base"+strings.TrimPrefix(name, "."))
	}
	m.file(t, "print/main.go", printer(theirs, ours...))
	compare(t, run(t, "run", "./print"), inCases)
}

// tree is a temporary module with the types.
type tree struct{ dir string }

func newTree(t *testing.T) *tree {
	t.Helper()
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	m := &tree{dir: t.TempDir()}
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(here, name))
		if err != nil {
			t.Fatal(err)
		}
		content = regexp.MustCompile(`(?m)^module .*`).ReplaceAll(content, []byte("module example.com/base"))
		content = regexp.MustCompile(`=> \.\.`).ReplaceAll(content, []byte("=> "+filepath.Dir(here)))
		m.file(t, name, string(content))
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Chdir(m.dir)
	return m
}

func (m *tree) file(t *testing.T, name, content string) {
	t.Helper()
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// write writes a package for each text in the tests of openapi-gen that is one, and returns their names:
// those of the tests, with a number if a test has several.
func (m *tree) write(t *testing.T) (names []string) {
	t.Helper()
	dir := strings.TrimSpace(string(run(t, "list", "-f", "{{.Dir}}", "k8s.io/kube-openapi/pkg/generators")))
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, "openapi_test.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		count := 0
		ast.Inspect(fn, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, ok := constantText(e)
			clause := regexp.MustCompile(`^\s*package (\w+)\n`).FindStringSubmatch(text)
			switch {
			case !ok:
				return true
			case clause == nil || clause[1] == "common": // imitates kube-openapi
			case clause[1] == "foo":
				name := fn.Name.Name
				if count++; count > 1 {
					name += string(rune('0' + count))
				}
				names = append(names, name)
				m.file(t, name+"/types.go", imported(text))
				m.file(t, name+"/doc.go", "// +k8s:openapi-gen=true\npackage foo\n")
			default:
				m.file(t, clause[1]+"/types.go", text)
			}
			return false
		})
	}
	return names
}

// constantText returns the text of a constant expression.
func constantText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return constant.StringVal(constant.MakeFromLiteral(e.Value, e.Kind, 0)), true
		}
	case *ast.BinaryExpr:
		x, ok := constantText(e.X)
		y, also := constantText(e.Y)
		return x + y, ok && also
	}
	return "", false
}

// imported adds the imports that a file lacks: openapi-gen does not need them.
func imported(text string) string {
	for name, path := range map[string]string{"spec": "k8s.io/kube-openapi/pkg/validation/spec", "ptr": "k8s.io/utils/ptr"} {
		if strings.Contains(text, name+".") && !strings.Contains(text, path) {
			text = regexp.MustCompile(`(package \w+\n)`).ReplaceAllString(text, "${1}import \""+path+"\"\n")
		}
	}
	return text
}

// generate generates the definitions of a package.
func (m *tree) generate(t *testing.T, name string) ([]*driver.File, *diag.Bag) {
	t.Helper()
	bag := &diag.Bag{}
	cfg := driver.Config{Only: []string{"openapi"}, With: []string{"openapi"}}
	cfg.Dir, cfg.Patterns = m.dir, []string{"./" + name}
	out, err := driver.Generate(cfg, bag)
	if err != nil {
		t.Fatal(err)
	}
	return out.Files, bag
}
