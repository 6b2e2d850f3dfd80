package main

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/cli"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// mistake is one mistake of an author: an edit of a project without mistakes, or a command line.
type mistake struct {
	name string
	// file is the file that the author edits; "" for the Go types. The edit replaces the first text old by new.
	file, old, new string
	// args is the command line; "" for lint.
	args string
	// want is a part of the only report, or of several if the author has as many things to do.
	want    string
	reports int
}

// base returns the files of the project without mistakes.
func base(t *testing.T) *txtar.Archive {
	return goldentest.Archive(t, "testdata/everyday.txtar")
}

// write writes the project with a mistake to a folder.
func (m *mistake) write(t *testing.T, dir string, files []txtar.File) {
	t.Helper()
	edited := false
	for _, f := range files {
		text := string(f.Data)
		if f.Name == cmp.Or(m.file, typesFile) && m.old != "" {
			if !strings.Contains(text, m.old) {
				t.Fatalf("%s: %s has no text %q", m.name, f.Name, m.old)
			}
			text, edited = strings.Replace(text, m.old, m.new, 1), true
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if edited != (m.old != "") {
		t.Fatalf("%s: no file %s", m.name, m.file)
	}
}

const typesFile = "api/v1/types.go"

// slug returns a name as that of a folder and a group.
func slug(name string) string {
	return strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name), "-"), "-")
}

// TestMistakesInTypes lints a package for each mistake.
func TestMistakesInTypes(t *testing.T) {
	dir := workspace(t)
	var patterns []string
	files := slices.DeleteFunc(base(t).Files, func(f txtar.File) bool { return f.Name != typesFile })
	for _, m := range typeMistakes {
		name := slug(m.name)
		list := slices.Clone(files)
		m.write(t, filepath.Join(dir, name), list)
		path := filepath.Join(dir, name, typesFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte("shop.example.com"), []byte(name+".example.com")), 0o644); err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, "./"+name+"/...")
	}
	found := lint(t, dir, patterns)
	// An error in one package keeps others from the stages that follow.
	sound := slices.DeleteFunc(slices.Clone(patterns), func(p string) bool {
		return slices.ContainsFunc(found[folder(p)], func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })
	})
	again := lint(t, dir, sound)
	for _, p := range sound {
		found[folder(p)] = again[folder(p)]
	}
	for _, m := range typeMistakes {
		t.Run(slug(m.name), func(t *testing.T) {
			list := found[slug(m.name)]
			text := string(goldentest.Diagnostics(list, slug(m.name)+"/"))
			if os.Getenv("DUMP") != "" {
				t.Logf("%d\n%s", len(list), text)
			}
			if len(list) != max(m.reports, 1) || !strings.Contains(text, m.want) {
				t.Errorf("%d reports, want %d with %q:\n%s", len(list), max(m.reports, 1), m.want, text)
			}
		})
	}
}

// TestMisspeltArguments lints a package for each argument of a marker about versions, with a misspelt name. The misspelling is
// the only report: the marker is not said to lack the argument too.
func TestMisspeltArguments(t *testing.T) {
	dir := workspace(t)
	text := string(goldentest.Archive(t, "testdata/arguments.txtar").Files[0].Data)
	variants := map[string]string{"sound": text}
	meant := map[string]string{}
	for _, at := range regexp.MustCompile(`[(,] ?(\w+): `).FindAllStringSubmatchIndex(text, -1) {
		line := text[strings.LastIndexByte(text[:at[0]], '\n')+1:]
		marker, _, ok := strings.Cut(strings.TrimSpace(line), "(")
		if !ok || !strings.HasPrefix(marker, "// +versioned:") {
			continue
		}
		arg := text[at[2]:at[3]]
		name := slug(marker + " " + arg + " " + strconv.Itoa(strings.Count(text[:at[0]], "\n")+1))
		variants[name], meant[name] = text[:at[3]]+"z"+text[at[3]:], arg
	}
	var patterns []string
	for name, text := range variants {
		path := filepath.Join(dir, name, filepath.FromSlash(typesFile))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(text, "shop.example.com", name+".example.com", 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, "./"+name+"/...")
	}
	found := lint(t, dir, patterns)
	if sound := found["sound"]; len(sound) > 0 {
		t.Errorf("without mistakes:\n%s", goldentest.Diagnostics(sound, "sound/"))
	}
	for name, arg := range meant {
		t.Run(name, func(t *testing.T) {
			if list := found[name]; len(list) != 1 || !strings.Contains(list[0].Message, "did you mean "+arg+"?") {
				t.Errorf("want one report with a suggestion:\n%s", goldentest.Diagnostics(list, name+"/"))
			}
		})
	}
}

func lint(t *testing.T, dir string, patterns []string) map[string][]*diag.Diagnostic {
	t.Helper()
	webhook, err := emit.ParseConversionWebhook("shop-system/webhooks")
	if err != nil {
		t.Fatal(err)
	}
	bag := &diag.Bag{}
	cfg := driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: patterns}, CRDDir: "crds", CRDs: emit.CRDs{Conversion: webhook}}
	if _, err := driver.Lint(driver.LintConfig{Config: cfg}, bag); err != nil {
		t.Fatal(err)
	}
	found := map[string][]*diag.Diagnostic{}
	for _, d := range bag.All() {
		name := folder(d.Span.String())
		found[name] = append(found[name], d)
	}
	return found
}

func folder(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "./"), "/")
	return name
}

// workspace makes an empty workspace in which the project's imports resolve.
func workspace(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	for name, text := range workspacetest.Files("example.com") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestMistakesInCommands runs a command for each mistake.
func TestMistakesInCommands(t *testing.T) {
	for _, m := range commandMistakes {
		t.Run(slug(m.name), func(t *testing.T) {
			dir := workspace(t)
			m.write(t, dir, base(t).Files)
			t.Chdir(dir)
			t.Setenv("KINDSMITH_CACHE", filepath.Join(dir, ".cache"))
			var out, errs bytes.Buffer
			code := cli.Run(strings.Fields(m.args), cli.Streams{Out: cli.Stream{Writer: &out}, Err: cli.Stream{Writer: &errs}})
			text := out.String() + errs.String()
			if os.Getenv("DUMP") != "" {
				t.Logf("%d\n%s", code, text)
			}
			if n := len(report.FindAllString(text, -1)); code == cli.ExitClean || n != 1 || !strings.Contains(text, m.want) {
				t.Errorf("exit code %d, %d reports, want one with %q:\n%s", code, n, m.want, text)
			}
		})
	}
}

var report = regexp.MustCompile(`(?m)^kindsmith: |^(\S.*: )?(error|warning): `)
