package driver_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestPaths runs all parts on types of which each is used twice by the one before, in two versions: a pass that follows
// each path to a type would run for years. What has a place for each path is reported, each with such a path, and blocks
// nothing else.
func TestPaths(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	for name, text := range workspacetest.Files("example.com") {
		write(t, filepath.Join(dir, name), text)
	}
	const levels = 50
	// Each shape has the types of two fields; T is the next type.
	shapes := map[string][2]string{
		"values": {"T", "T"}, "pointers": {"*T", "*T"}, "lists": {"[]T", "[]*T"}, "maps": {"map[string]T", "map[string][]T"},
	}
	// Each content has the fields of the last type.
	contents := map[string]string{
		"plain":      "S string `json:\"s,omitempty\"`",
		"references": "S []string `json:\"s,omitempty\"`",
		"rules":      "// +k8s:optional\n// +k8s:maxLength=3\nS *string `json:\"s,omitempty\"`",
		"defaults":   "// +k8s:optional\n// +default=\"a\"\nS *string `json:\"s,omitempty\"`",
		"expression": "// +k8s:optional\n// +kubebuilder:validation:XValidation:rule=\"self != 'b'\"\nS *string `json:\"s,omitempty\"`",
		"union":      "// +k8s:unionDiscriminator\n// +k8s:required\nKind Kind `json:\"kind\"`\n// +k8s:unionMember\n// +k8s:optional\nA *string `json:\"a,omitempty\"`\n// +k8s:unionMember\n// +k8s:optional\nB *string `json:\"b,omitempty\"`",
		"versions":   "// +k8s:optional\n// +versioned:changed(since: \"v1\", fromName: \"r\")\nS *string `json:\"s,omitempty\"`",
		"recursion":  "// +kubebuilder:validation:Schemaless\n// +kubebuilder:pruning:PreserveUnknownFields\n// +k8s:optional\nS *T00 `json:\"s,omitempty\"`",
	}
	everywhere := []string{"plain", "union", "versions", "recursion"} // other contents are in one shape
	for shape, types := range shapes {
		for content, last := range contents {
			if shape == "values" && content == "recursion" || shape != "values" && !slices.Contains(everywhere, content) {
				continue
			}
			t.Run(shape+"/"+content, func(t *testing.T) {
				var b strings.Builder
				b.WriteString("// Package v1 is an API.\n//\n// +groupName=shop.example.com\n// +versioned:version(name: \"v1beta1\")\n// +versioned:version(name: \"v1\", storage: true)\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n" +
					"// Kind is a kind of union.\n// +k8s:enum\ntype Kind string\n\nconst (\n\tIsA Kind = \"A\"\n\tIsB Kind = \"B\"\n)\n\n" +
					"// Shop is a kind.\n// +kubebuilder:object:root=true\ntype Shop struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\t// +k8s:optional\n\tSpec T00 `json:\"spec,omitzero\"`\n}\n\n")
				for i := range levels {
					fmt.Fprintf(&b, "// T%02d is a type.\ntype T%02d struct {\n", i, i)
					for k, text := range types {
						option := "omitempty"
						if text == "T" {
							option = "omitzero"
						}
						fmt.Fprintf(&b, "\t// +k8s:optional\n\tF%d %s `json:\"f%d,%s\"`\n", k, strings.Replace(text, "T", fmt.Sprintf("T%02d", i+1), 1), k, option)
					}
					b.WriteString("}\n\n")
				}
				fmt.Fprintf(&b, "// T%02d is a type.\ntype T%02d struct {\n%s\n}\n", levels, levels, last)
				write(t, filepath.Join(dir, "api/v1/types.go"), b.String())
				for _, part := range []string{"", "crd", "coverage"} {
					cfg := driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./api/v1"}}, CRDDir: "crds", PolicyDir: "policies"}
					want := ""
					switch part {
					case "":
						cfg.Skip, cfg.With = []string{"crd", "coverage"}, []string{"openapi", "helpers"}
					case "crd":
						cfg.Only, want = []string{part}, "crd/too-large"
					case "coverage":
						if cfg.Only = []string{part}; shape == "lists" || slices.Contains([]string{"rules", "defaults", "expression", "union"}, content) { // no item is nil
							want = "coverage/too-many-paths"
						}
					}
					bag := &diag.Bag{}
					out, err := driver.Generate(cfg, bag)
					if err != nil {
						t.Fatal(err)
					}
					var codes []string
					for _, d := range bag.All() {
						if d.Severity == diag.Error && !slices.Contains(codes, d.Code.String()) {
							codes = append(codes, d.Code.String())
							if d.Code.String() == want && !strings.Contains(d.Message, "spec.f") {
								t.Errorf("the message names no path: %s", d.Message)
							}
						}
					}
					if got := strings.Join(codes, " "); got != want {
						t.Errorf("%s: errors %q, want %q", part, got, want)
					}
					if part == "" && len(out.Files) < 4 {
						t.Errorf("%d files", len(out.Files))
					}
				}
			})
		}
	}
}

// TestLong runs all parts on types of which each is used by the one before: a pass that looks at all types below each type
// would run for minutes.
func TestLong(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	for name, text := range workspacetest.Files("example.com") {
		write(t, filepath.Join(dir, name), text)
	}
	const levels = 3000
	var b strings.Builder
	b.WriteString("// Package v1 is an API.\n//\n// +groupName=shop.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n" +
		"// Shop is a kind.\n// +kubebuilder:object:root=true\ntype Shop struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\t// +k8s:optional\n\tSpec T0 `json:\"spec,omitzero\"`\n}\n\n")
	for i := range levels {
		fmt.Fprintf(&b, "// T%d is a type.\ntype T%d struct {\n\t// +k8s:optional\n\tA *T%d `json:\"a,omitempty\"`\n}\n\n", i, i, i+1)
	}
	fmt.Fprintf(&b, "// T%d is a type.\ntype T%d struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=3\n\t// +default=\"a\"\n\tA *string `json:\"a,omitempty\"`\n}\n", levels, levels)
	write(t, filepath.Join(dir, "api/v1/types.go"), b.String())
	bag := &diag.Bag{}
	cfg := driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./api/v1"}}, CRDDir: "crds", PolicyDir: "policies", With: []string{"openapi", "coverage"}, Skip: []string{"crd"}} // which has 100 MB of indentation
	if out, err := driver.Generate(cfg, bag); err != nil || bag.HasErrors() || len(out.Files) < 5 {
		t.Errorf("files %d, error %v, diagnostics %v", len(out.Files), err, bag.All())
	}
}
