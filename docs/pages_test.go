// Package docs_test runs what the pages show: it saves their files, runs their commands, and converts the
// objects in their tables.
package docs_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	saveAs = regexp.MustCompile("(?s)[Ss]ave (?:it|this) as `([^`]+)`:\\s*$")
	table  = regexp.MustCompile(`(?m)^\| written as (v\w+) \| read as (v\w+) \| stored on the side \|\n\|[-| ]+\n((?:\|.*\n)+)`)
	code   = regexp.MustCompile("`([^`]*)`")
)

// folders are the projects in which pages begin, relative to the root. Other pages begin with an empty one.
var folders = map[string]string{
	"guides/validate-manifests": "examples/database",
	"guides/test-rules":         "examples/database",
	"guides/api-docs":           "examples/database",
}

// elsewhere are the pages with commands that other tests run.
var elsewhere = map[string]string{
	"start/first-api":                      "test/install",
	"guides/from-kubebuilder":              "test/install",
	"guides/from-hand-written-conversions": "test/adopt, test/crds",
	"guides/run-it":                        "test/e2e/operator",
	"guides/upgrade":                       "test/install, test/e2e",
	"guides/dev":                           "test/e2e/dev",
}

// header is what the fragments of types.go in the pages go on from.
const header = `// Package v1 is the newest version of the cache.example.com API.
//
// +groupName=cache.example.com
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var _ resource.Quantity

// Cache keeps recently used objects close to their users.
type Cache struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitzero\"`" + `

	Spec CacheSpec ` + "`json:\"spec\"`" + `
}

// CacheList is a list of caches.
type CacheList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitzero\"`" + `

	Items []Cache ` + "`json:\"items\"`" + `
}

`

// TestPages follows each page from top to bottom.
func TestPages(t *testing.T) {
	repo, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "bin")
	if err := workspacetest.Kindsmith(filepath.Join(bin, "kindsmith")); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		name, isPage := strings.CutSuffix(filepath.ToSlash(path), ".md")
		if err != nil || !isPage || elsewhere[name] != "" {
			return err
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &page{T: t, repo: repo, bin: bin}
			if folder := folders[name]; folder != "" {
				p.dir, p.fixed = filepath.Join(repo, folder), true
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p.follow(string(content))
			if p.fixed && p.commands == 0 {
				t.Error("the page has no commands; are they still there?")
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// page is a page whose steps a test follows.
type page struct {
	*testing.T
	repo, bin string
	// dir is the reader's project; "" before the first file. A fixed one is in the repository: pages only read it.
	dir      string
	fixed    bool
	commands int
}

// follow saves the files of a page, runs its commands and converts the objects in its tables, in their order.
func (p *page) follow(text string) {
	for text != "" {
		block, rows := fence.FindStringSubmatchIndex(text), table.FindStringSubmatchIndex(text)
		switch {
		case block == nil && rows == nil:
			return
		case rows == nil || block != nil && block[0] < rows[0]:
			p.block(text[:block[0]], text[block[2]:block[3]], text[block[4]:block[5]])
			text = text[block[1]:]
		default:
			p.table(text[rows[2]:rows[3]], text[rows[4]:rows[5]], text[rows[6]:rows[7]])
			text = text[rows[1]:]
		}
	}
}

// block follows a code block: a file to save, a fragment of types.go, or commands with their output.
func (p *page) block(before, kind, body string) {
	p.Helper()
	name := saveAs.FindStringSubmatch(before)
	switch {
	case p.fixed && kind != "console":
	case name != nil:
		p.save(name[1], body)
	case kind == "go":
		p.dir = ""
		p.save("api/v1/types.go", header+body)
	case kind == "console":
		for _, step := range strings.Split("\n"+body, "\n$ ")[1:] {
			p.commands++
			command, want, _ := strings.Cut(step, "\n")
			p.compare(command, strings.TrimRight(want, "\n"), strings.TrimRight(p.run(command), "\n"))
		}
	}
}

// compare compares the output of a command with the page. A line of three dots is any lines.
func (p *page) compare(command, want, got string) {
	p.Helper()
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(want), `\.\.\.`+"\n", `(?:.*\n)*?`) + "$"
	pattern = strings.ReplaceAll(pattern, `\.\.\.$`, `[\s\S]*$`)
	if !regexp.MustCompile(pattern).MatchString(got) {
		p.Fatalf("$ %s\nprints something else (-page +now):\n%s", command, cmp.Diff(want, got))
	}
}

// save writes a file of the project, which it creates if there is none.
func (p *page) save(name, content string) {
	p.Helper()
	if p.dir == "" {
		p.dir = p.TempDir()
		p.save("go.mod", "module example.com/shop\n\ngo 1.26.0\n\nrequire k8s.io/apimachinery v0.37.0\n")
		p.save("go.work", "go 1.26.0\n\nuse (\n\t.\n\t"+filepath.Join(p.repo, "runtime")+"\n)\n")
	}
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		p.Fatal(err)
	}
}

// run returns what a command prints, on both streams. Commands may fail: some pages show mistakes.
func (p *page) run(command string) string {
	p.Helper()
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PATH="+p.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if !p.fixed {
		cmd.Env = append(cmd.Env, "GOWORK="+filepath.Join(p.dir, "go.work"))
	}
	out, err := cmd.CombinedOutput()
	if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
		p.Fatal(err)
	}
	return string(out)
}

// table converts the objects of a table from one version to another and back, with the types saved last.
func (p *page) table(from, to, rows string) {
	p.Helper()
	cmd := exec.Command(filepath.Join(p.bin, "kindsmith"), "model", "--tables", "./api/...")
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(p.dir, "go.work"))
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		p.Fatal(err)
	}
	file, err := jsonconvert.ReadFile(text)
	if err != nil {
		p.Fatal(err)
	}
	converters, err := file.Converters(nil)
	if err != nil || len(converters) != 1 {
		p.Fatalf("%d converters, error %v", len(converters), err)
	}
	const group = "cache.example.com/"
	for row := range strings.Lines(rows) {
		cells := strings.Split(strings.Trim(row, "|\n "), " | ")
		if len(cells) != 3 {
			p.Fatalf("this row has %d cells: %s", len(cells), row)
		}
		before, want := p.object(group+from, cells[0]), p.object(group+to, cells[1])
		there, err := converters[0].Convert(nil, before, to)
		if err != nil {
			p.Fatalf("%s: %v", row, err)
		}
		shown, stored := without(p, there)
		if diff := cmp.Diff(p.values(want), shown); diff != "" {
			p.Errorf("%s\nis another object (-page +now):\n%s", row, diff)
		}
		if diff := cmp.Diff(p.stored(cells[2]), stored); diff != "" {
			p.Errorf("%s\nstores something else (-page +now):\n%s", row, diff)
		}
		back, err := converters[0].Convert(nil, there, from)
		if err != nil {
			p.Fatalf("%s: %v", row, err)
		}
		if diff := cmp.Diff(p.values(before), p.values(back)); diff != "" && !strings.HasPrefix(cells[2], "lost") {
			p.Errorf("%s\nis another object after the way back (-page +now):\n%s", row, diff)
		}
	}
}

// object returns the object of a cell.
func (p *page) object(apiVersion, cell string) []byte {
	p.Helper()
	m := code.FindStringSubmatch(cell)
	if m == nil {
		p.Fatalf("this cell has no object: %s", cell)
	}
	text, err := yaml.YAMLToJSON([]byte("{apiVersion: " + apiVersion + ", kind: Cache, " + m[1] + "}"))
	if err != nil {
		p.Fatalf("%s: %v", cell, err)
	}
	return text
}

func (p *page) values(text []byte) map[string]any {
	p.Helper()
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		p.Fatal(err)
	}
	return v
}

// stored returns what a cell says is stored, by path.
func (p *page) stored(cell string) map[string]any {
	p.Helper()
	stored := map[string]any{}
	for _, m := range code.FindAllStringSubmatch(cell, -1) {
		path, value, _ := strings.Cut(m[1], ": ")
		var v any
		if err := yaml.Unmarshal([]byte(value), &v); err != nil {
			p.Fatalf("%s: %v", cell, err)
		}
		stored[path] = v
	}
	return stored
}

// without returns an object without the annotation for stored values, and these by path.
func without(p *page, text []byte) (object, stored map[string]any) {
	p.Helper()
	object, stored = p.values(text), map[string]any{}
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	const key = "versioned.cache.example.com/changed-values"
	if text, ok := annotations[key].(string); ok {
		delete(annotations, key)
		var values struct {
			Upgrades, Downgrades map[string][]struct {
				JSONPath string
				Value    any
			}
		}
		if err := json.Unmarshal([]byte(text), &values); err != nil {
			p.Fatal(err)
		}
		for _, versions := range []map[string][]struct {
			JSONPath string
			Value    any
		}{values.Upgrades, values.Downgrades} {
			for _, entries := range versions {
				for _, e := range entries {
					stored[e.JSONPath] = e.Value
				}
			}
		}
	}
	if annotations != nil && len(annotations) == 0 {
		delete(metadata, "annotations")
	}
	if metadata != nil && len(metadata) == 0 {
		delete(object, "metadata")
	}
	return object, stored
}
