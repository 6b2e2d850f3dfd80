package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
)

// sameOutput are two ways to say one thing: arguments of controller-gen, and what takes their place in kindsmith.yaml and as flags.
type sameOutput struct{ arguments, settings, flags string }

// rows are the rows of the tables in guides/from-controller-gen, by their first cells. Rows of options whose third cell is empty
// have no flag of kindsmith.
var rows = map[string]sameOutput{
	"`headerFile`":                 {"crd:headerFile=head.yaml object:headerFile=head.go", "", "--only crd,deepcopy --crd-header-file head.yaml --header-file head.go"},
	"`year`":                       {"crd:headerFile=head.yaml,year=2021", "", "--only crd --crd-header-file head.yaml --year 2021"},
	"`maxDescLen`":                 {"crd:maxDescLen=9", "", "--only crd --max-desc-len 9"},
	"`generateEmbeddedObjectMeta`": {"crd:generateEmbeddedObjectMeta=true", "", "--only crd --embedded-object-meta"},
	"`dir`":                        {"crd output:crd:dir=elsewhere", "", "--only crd --crd-dir elsewhere"},
	"`stdout`":                     {"crd output:stdout", "", "--only crd --stdout"},

	"`paths=./api/...`":                         {"crd paths=./api/...", "packages: [./api/...]", "--only crd"},
	"`object:headerFile=f`, `crd:headerFile=f`": {"crd:headerFile=head.yaml object:headerFile=head.go", "generate: {headerFile: head.go, crdHeaderFile: head.yaml}", "--only crd,deepcopy"},
	"`object:year=y`":                           {"object:headerFile=head.go,year=2021", "generate: {headerFile: head.go, year: 2021}", "--only deepcopy"},
	"`crd:maxDescLen=n`":                        {"crd:maxDescLen=9", "generate: {maxDescLen: 9}", "--only crd"},
	"`crd:generateEmbeddedObjectMeta=false`":    {"crd:generateEmbeddedObjectMeta=false", "generate: {embeddedObjectMeta: false}", "--only crd"},
	"`output:crd:dir=d`":                        {"crd output:crd:dir=elsewhere", "generate: {crdDir: elsewhere}", "--only crd"},
	"`output:object:dir=d`":                     {"object output:object:dir=out/example.com/shop/api/v1", "generate: {outputRoot: out}", "--only deepcopy"},
	"the names of generators":                   {"object crd", "generate: {only: [deepcopy, crd]}", ""},
}

var tableRow = regexp.MustCompile(`(?m)^\| (.+?) \| (.*) \|$`)

// TestControllerGenTables runs both ways of each row, and compares what they write and print.
func TestControllerGenTables(t *testing.T) {
	if testing.Short() {
		t.Skip("it generates 28 times")
	}
	repo, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "bin")
	if err := workspacetest.Kindsmith(filepath.Join(bin, "kindsmith")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("guides/from-controller-gen.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, m := range tableRow.FindAllStringSubmatch(string(text), -1) {
		found[m[1]] = true
		if cells := strings.Split(m[2], " | "); len(cells) == 3 && strings.Contains(cells[1], "--") && rows[m[1]].arguments == "" {
			t.Errorf("no test runs the flag of the row %s", m[1])
		}
	}
	_, settings, _ := strings.Cut(string(text), "\n| controller-gen | kindsmith.yaml |\n|---|---|\n")
	settings, _, _ = strings.Cut(settings, "\n\n")
	for line := range strings.Lines(settings + "\n") {
		if m := tableRow.FindStringSubmatch(strings.TrimSpace(line)); m == nil || rows[m[1]].arguments == "" {
			t.Errorf("no test runs the row %s", line)
		}
	}
	types := saveAs.ReplaceAllString(fence.FindStringSubmatch(string(text))[2], "")
	for row, same := range rows {
		t.Run(row, func(t *testing.T) {
			t.Parallel()
			if !found[row] {
				t.Fatal("the page does not have the row")
			}
			run := func(settings, command string) map[string]string {
				p := &page{T: t, repo: repo, bin: bin}
				// Without what the two grammars write in two ways.
				p.save("api/v1/types.go", strings.Replace(types, "	// +k8s:format=k8s-short-name\n", "", 1))
				if !strings.Contains(same.arguments, "EmbeddedObjectMeta") {
					p.save("api/v1/types.go", strings.Replace(types, "	metav1.ObjectMeta `json:\"metadata,omitempty\"`\n}", "	Weight int32 `json:\"weight\"`\n}", 2))
				}
				p.save("head.go", "// Copyright YEAR me\n")
				p.save("head.yaml", "# Copyright YEAR me\n")
				p.save("kindsmith.yaml", settings)
				files := map[string]string{"printed": p.run("kindsmith generate " + command)}
				err := fs.WalkDir(os.DirFS(p.dir), ".", func(path string, d fs.DirEntry, err error) error {
					if err != nil || d.IsDir() || path == "kindsmith.yaml" {
						return err
					}
					content, err := os.ReadFile(filepath.Join(p.dir, path))
					files[path] = string(content)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				return files
			}
			arguments, flags := same.arguments, same.flags
			if !strings.Contains(arguments, "paths=") {
				arguments += " paths=./api/..."
			}
			if strings.Contains(arguments, "crd") && !strings.Contains(arguments, "output:") {
				arguments += " output:crd:dir=crd"
				flags += " --crd-dir crd"
			}
			if !strings.Contains(same.settings, "packages:") {
				flags += " ./api/..."
			}
			theirs, ours := run("generate: {publishTags: true}", arguments), run(same.settings, flags)
			if len(theirs) < 7 && !strings.Contains(theirs["printed"], "kind: CustomResourceDefinition") {
				t.Errorf("%s writes nothing", arguments)
			}
			if diff := cmp.Diff(theirs, ours); diff != "" {
				t.Errorf("%s\n%s %s\ndiffer (-controller-gen's arguments):\n%s", arguments, same.settings, flags, diff)
			}
		})
	}
}
