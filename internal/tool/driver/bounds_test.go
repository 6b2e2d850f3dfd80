package driver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestBounds has each pair of bounds that no value satisfies, each bound as a tag and as a marker of controller-gen, on
// the type and on the field: each is reported once, and pairs that leave a value are not.
func TestBounds(t *testing.T) {
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
	// The first text of each bound is the tag, the second the marker.
	type texts [2]string
	pairs := []struct {
		of           string
		lower, upper texts
		satisfiable  bool
	}{
		{"string", texts{"k8s:minLength=9", "kubebuilder:validation:MinLength=9"}, texts{"k8s:maxLength=3", "kubebuilder:validation:MaxLength=3"}, false},
		{"[]string", texts{"k8s:minItems=9", "kubebuilder:validation:MinItems=9"}, texts{"k8s:maxItems=3", "kubebuilder:validation:MaxItems=3"}, false},
		{"map[string]string", texts{"k8s:minProperties=9", "kubebuilder:validation:MinProperties=9"}, texts{"k8s:maxProperties=3", "kubebuilder:validation:MaxProperties=3"}, false},
		{"int32", texts{"k8s:minimum=9", "kubebuilder:validation:Minimum=9"}, texts{"k8s:maximum=3", "kubebuilder:validation:Maximum=3"}, false},
		{"int32", texts{"k8s:exclusiveMinimum=9", "kubebuilder:validation:Minimum=9"}, texts{"k8s:exclusiveMaximum=9", "kubebuilder:validation:Maximum=8"}, false},
		{"string", texts{"k8s:minLength=3", "kubebuilder:validation:MinLength=3"}, texts{"k8s:maxLength=3", "kubebuilder:validation:MaxLength=3"}, true},
		{"int32", texts{"k8s:minimum=3", "kubebuilder:validation:Minimum=3"}, texts{"k8s:maximum=3", "kubebuilder:validation:Maximum=3"}, true},
	}
	var types, fields strings.Builder
	wrong := map[string]bool{}
	n := 0
	add := func(of string, onType, onField []string, satisfiable bool) {
		n++
		name := fmt.Sprintf("F%03d", n)
		fmt.Fprintf(&types, "// T%s is a type.\n", name)
		for _, m := range onType {
			fmt.Fprintf(&types, "// +%s\n", m)
		}
		fmt.Fprintf(&types, "type T%s %s\n\n", name, of)
		for _, m := range onField {
			fmt.Fprintf(&fields, "\t// +%s\n", m)
		}
		fmt.Fprintf(&fields, "\t// +k8s:optional\n\t%s T%[1]s `json:\"%s,omitempty\"`\n\n", name, strings.ToLower(name))
		if !satisfiable {
			wrong[name] = true
		}
	}
	for _, p := range pairs {
		for _, lower := range p.lower {
			for _, upper := range p.upper {
				add(p.of, nil, []string{lower, upper}, p.satisfiable)
				add(p.of, []string{lower, upper}, nil, p.satisfiable)
				add(p.of, []string{lower}, []string{upper}, p.satisfiable)
				add(p.of, []string{upper}, []string{lower}, p.satisfiable)
			}
		}
	}
	for _, lower := range []string{"k8s:eachVal=+k8s:minLength=9", "kubebuilder:validation:items:MinLength=9"} {
		for _, upper := range []string{"k8s:eachVal=+k8s:maxLength=3", "kubebuilder:validation:items:MaxLength=3"} {
			add("[]string", nil, []string{lower, upper}, false)
		}
	}
	write(t, filepath.Join(dir, "api/v1/types.go"), "// Package v1 is an API.\n//\n// +groupName=shop.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n"+
		"// Shop is a kind.\ntype Shop struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n"+fields.String()+"}\n\n"+types.String())
	bag := &diag.Bag{}
	if _, err := driver.Generate(driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, CRDDir: "crds"}, bag); err != nil {
		t.Fatal(err)
	}
	source := strings.Split(read(t, filepath.Join(dir, "api/v1/types.go")), "\n")
	found := map[string]int{}
	for _, d := range bag.All() {
		if !strings.Contains(d.Message, "no value can satisfy") {
			if d.Severity == diag.Error {
				t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
			}
			continue
		}
		// The field or the type is the first declaration below.
		for _, line := range source[d.Span.Position().Line:] {
			name := strings.TrimPrefix(strings.Fields(strings.TrimPrefix(line, "type ") + " ?")[0], "T")
			if len(name) == 4 && name[0] == 'F' {
				found[name]++
				break
			}
		}
	}
	for i := range n {
		name := fmt.Sprintf("F%03d", i+1)
		if wrong[name] != (found[name] == 1) || found[name] > 1 {
			t.Errorf("%d diagnostics about %s", found[name], name)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
