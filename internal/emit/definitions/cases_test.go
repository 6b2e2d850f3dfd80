package definitions_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestCases compares definitions of small packages with controller-gen's. A case is an archive of
// Go files, in a group with the case's name. Its other sections are the differing lines,
// controller-gen's errors, and kindsmith's diagnostics; a missing section is empty.
func TestCases(t *testing.T) { testCases(t, "cases", emit.CRDs{}) }

// TestControllerGenCases does the same with the options of controller-gen's grammar.
func TestControllerGenCases(t *testing.T) {
	testCases(t, "controllergen", emit.CRDs{Options: schema.Options{ControllerGen: true, BareObjectMeta: true}})
}

func testCases(t *testing.T, folder string, options emit.CRDs) {
	paths, err := filepath.Glob("testdata/" + folder + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	for name, text := range workspacetest.Files("cases.example.com") {
		put(t, dir, name, text)
	}
	archives := map[string]*txtar.Archive{}
	for _, path := range paths {
		a := goldentest.Archive(t, path)
		archives[path] = a
		for _, f := range a.Files {
			if strings.HasSuffix(f.Name, ".go") {
				put(t, dir, caseName(path)+"/"+f.Name, string(f.Data))
			}
		}
	}
	const members = 30
	put(t, dir, "large/v1/types.go", unionOf(members))
	t.Chdir(dir)
	theirs, refused := controllerGen(t, "./...")
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}, Descriptions: options.ControllerGen}, bag)
	if err != nil {
		t.Fatal(err)
	}
	driver.Check(m, bag)
	ours := runWith(t, m, options, bag)
	t.Chdir(here)
	t.Run("large", func(t *testing.T) {
		for _, d := range bag.All() {
			if strings.HasPrefix(d.Span.String(), "large/") {
				t.Errorf("%s: %s", d.Span, d.Message)
			}
		}
		// Each member, that there is at most one, and the discriminator.
		if got := bytes.Count(ours["large.example.com_disks.yaml"], []byte("optionalOldSelf: true")); got != members+2 {
			t.Errorf("%d rules compare old and new members, want %d", got, members+2)
		}
	})
	for _, path := range paths {
		name := caseName(path)
		t.Run(name, func(t *testing.T) {
			var lines, errors, found strings.Builder
			for _, file := range sortedNames(theirs, ours) {
				if kind, ok := strings.CutPrefix(file, name+".example.com_"); ok {
					differ(t, &lines, strings.TrimSuffix(kind, ".yaml"), theirs[file], ours[file])
				}
			}
			for line := range strings.Lines(refused) {
				if _, rest, ok := strings.Cut(line, dir+"/"+name+"/"); ok {
					errors.WriteString(rest)
				}
			}
			for _, d := range bag.All() {
				if at, ok := strings.CutPrefix(d.Span.String(), name+"/"); ok {
					fmt.Fprintf(&found, "%s %s: %s [%s]\n", at, d.Severity, d.Message, d.Code)
					for _, n := range d.Notes {
						fmt.Fprintf(&found, "\tnote: %s %s\n", strings.TrimPrefix(n.Span.String(), name+"/"), n.Message)
					}
				}
			}
			goldentest.CheckSection(t, path, archives[path], "differences", []byte(lines.String()))
			goldentest.CheckSection(t, path, archives[path], "controller-gen", []byte(errors.String()))
			goldentest.CheckSection(t, path, archives[path], "diagnostics", []byte(found.String()))
		})
	}
}

// unionOf returns a package with a union of many members in a list.
func unionOf(members int) string {
	var fields, constants strings.Builder
	for i := range members {
		fmt.Fprintf(&fields, "\t// +unionMember\n\t// +optional\n\tMember%02d *int32 `json:\"member%02[1]d,omitempty\"`\n", i)
		fmt.Fprintf(&constants, "\tTypeMember%02d Type = \"Member%02[1]d\"\n", i)
	}
	return fmt.Sprintf(`// +groupName=large.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:storageversion
type Disk struct {
	metav1.TypeMeta   %[1]sjson:",inline"%[1]s
	metav1.ObjectMeta %[1]sjson:"metadata,omitempty"%[1]s
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=1000
	Parts []Part %[1]sjson:"parts,omitempty"%[1]s
}

type Part struct {
	Name string %[1]sjson:"name"%[1]s
	// +unionDiscriminator
	// +required
	Type Type %[1]sjson:"type"%[1]s
%[2]s}

// +enum
// +k8s:enum
type Type string

const (
%[3]s)
`, "`", &fields, &constants)
}

func caseName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".txtar") }

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func sortedNames(a, b map[string][]byte) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// differ writes a line for each value that only one of the definitions has.
func differ(t *testing.T, out *strings.Builder, kind string, theirs, ours []byte) {
	t.Helper()
	want, got := definition(t, theirs), definition(t, ours)
	compare(nil, want, got, func(path []string, want, got any) {
		at := kind + ": " + strings.Join(path, "/")
		if want != nil {
			fmt.Fprintf(out, "- %s: %s\n", at, encoded(t, want))
		}
		if got != nil {
			fmt.Fprintf(out, "+ %s: %s\n", at, encoded(t, got))
		}
	})
}

// definition reads a definition, with its versions by name, without controller-gen's annotation. It
// is nil if there is none.
func definition(t *testing.T, text []byte) any {
	t.Helper()
	var d map[string]any
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	if d == nil {
		return nil
	}
	delete(d["metadata"].(map[string]any), "annotations")
	spec := d["spec"].(map[string]any)
	versions := map[string]any{}
	for _, v := range spec["versions"].([]any) {
		versions[v.(map[string]any)["name"].(string)] = v
	}
	spec["versions"] = versions
	return d
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
