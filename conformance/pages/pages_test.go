package pages

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/cli"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/explain"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// unshown are the codes that no example can show, with the reasons.
var unshown = map[string]string{
	"coverage/too-many-paths": "it needs types at ten thousand paths",
	"crd/anonymous-struct":    "only types of other modules have it: in those of the project check/anonymous-struct is reported first",
	"crd/unknown-type":        "only a dependency that does not compile has such types, and the go command verifies those of the module cache",
	"driver/does-not-compile": "it says that generated code does not compile, and no type is known for which it does not",
	"load/unreadable":         "it needs a file without the permission to read, which root does not miss",
	"validate/internal":       "it says that an engine failed, and no object is known that makes one fail",
	"deepcopy/unknown-type":   "only a dependency that does not compile has such types, and the go command verifies those of the module cache",
}

// report is what a command says about a project.
type report struct {
	severity diag.Severity
	code     string
	text     string
	// found is nil if the command was run as a whole.
	found *diag.Diagnostic
}

// bench runs examples, one after the other, in one module. Its workspace keeps the packages that examples import.
type bench struct {
	dir       string
	workspace driver.Workspace
}

// TestExamples runs the example of each code. The project with the mistake is reported for this code, and for others only
// if the page says it. The project without it is reported for nothing. If the diagnostic has a fix, the fix removes it.
func TestExamples(t *testing.T) {
	b := newBench(t)
	index := explain.New()
	shown := map[string][]string{} // codes by example
	reported := map[string][]string{}
	for _, code := range index.Codes() {
		if unshown[code] != "" {
			continue
		}
		t.Run(code, func(t *testing.T) {
			e := index.Example(code)
			if e == nil {
				t.Fatal("the code has no example")
			}
			files := filesOf(e, &e.Bad)
			bad := b.run(t, e.Bad.Command, files)
			text := fmt.Sprint(e.Bad)
			shown[text], reported[text] = append(shown[text], code), codesOf(bad)
			b.compare(t, bad, append(e.Also, code))
			b.compare(t, b.run(t, e.Good.Command, filesOf(e, &e.Good)), nil)
			for _, r := range bad {
				if r.code == code && r.found != nil && r.found.Fix != nil {
					b.checkFix(t, e.Bad.Command, files, bad, r)
				}
			}
		})
	}
	for text, codes := range shown {
		for _, code := range codes {
			if len(codes) > 1 && !slices.Contains(reported[text], code) {
				t.Errorf("the examples of %v are the same, but %s is not reported", codes, code)
			}
		}
	}
	for code := range unshown {
		if index.Example(code) != nil || !slices.Contains(index.Codes(), code) {
			t.Errorf("%s has an example, or is no code", code)
		}
	}
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{dir: t.TempDir()}
	if err := workspacetest.Use(b.dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "") // revisions have their own
	t.Setenv("KINDSMITH_CACHE", filepath.Join(t.TempDir(), "cache"))
	t.Setenv("NO_COLOR", "1")
	t.Chdir(b.dir)
	b.clear(t)
	return b
}

// clear makes the module empty.
func (b *bench) clear(t *testing.T) {
	t.Helper()
	entries, err := os.ReadDir(b.dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(b.dir, e.Name())))
	}
	for name, text := range workspacetest.Files(modulePath) {
		err = errors.Join(err, source.WriteFile(filepath.Join(b.dir, name), []byte(text)))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// run returns what a command reports about a project.
func (b *bench) run(t *testing.T, command string, files map[string]string) []report {
	t.Helper()
	for name := range files {
		if ext := filepath.Ext(name); ext != ".go" && name != project.FileName {
			return b.whole(t, command, files)
		}
	}
	overlay := map[string][]byte{}
	for name, text := range files {
		if !strings.HasPrefix(name, published) {
			overlay[filepath.Join(b.dir, name)] = []byte(text)
		}
	}
	for name, content := range b.publish(t, files) {
		overlay[name] = content
	}
	fs, bag, settings := source.NewFS(overlay), &diag.Bag{}, project.Default()
	if err := settings.Read(fs, b.dir, func(*project.Option) bool { return false }, bag); err != nil {
		t.Fatal(err)
	}
	config := settings.Config(fs)
	config.Dir = b.dir
	var err error
	switch {
	case bag.HasErrors():
	case command == "kindsmith lint":
		_, err = b.workspace.Lint(driver.LintConfig{Config: config, Enable: settings.Lint.Enable, Disable: settings.Lint.Disable}, bag)
	case command == "kindsmith generate":
		_, err = b.workspace.Generate(config, bag)
	case command == "kindsmith breaking":
		err = b.workspace.Breaking(driver.BreakingConfig{Config: config}, bag)
	default:
		return b.whole(t, command, files)
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []report
	for _, d := range bag.All() {
		list = append(list, report{d.Severity, d.Code.String(), d.Span.String() + ": " + d.Message, d})
	}
	return list
}

// published begins the names of files that were published, as git names them.
const published = "HEAD:"

// publish returns the definitions of the published packages of an example.
func (b *bench) publish(t *testing.T, files map[string]string) map[string][]byte {
	t.Helper()
	overlay := map[string][]byte{}
	for name, text := range files {
		if rest, ok := strings.CutPrefix(name, published); ok {
			overlay[filepath.Join(b.dir, rest)] = []byte(text)
		}
	}
	if len(overlay) == 0 {
		return nil
	}
	settings, bag := project.Default(), &diag.Bag{}
	settings.ConversionWebhook = "shop-system/webhooks"
	config := settings.Config(source.NewFS(overlay))
	config.Dir = b.dir
	out, err := b.workspace.Generate(config, bag)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range bag.All() {
		t.Errorf("the published packages are reported: %s: %s [%s]", d.Span, d.Message, d.Code)
	}
	definitions := map[string][]byte{}
	for _, f := range out.Files {
		if filepath.Ext(f.Path) == ".yaml" {
			definitions[f.Path] = f.Content
		}
	}
	return definitions
}

var line = regexp.MustCompile(`(?m)^(.*)(error|warning|hint): (.*) \[([a-z0-9]+/[a-z0-9-]+)\]$`)

// whole runs a command on files.
func (b *bench) whole(t *testing.T, command string, files map[string]string) []report {
	t.Helper()
	b.clear(t)
	defer b.clear(t)
	b.commit(t, files)
	for name, text := range files {
		if strings.HasPrefix(name, published) {
			continue
		}
		if err := source.WriteFile(filepath.Join(b.dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	out, exit := kindsmith(strings.TrimPrefix(command, "kindsmith "))
	t.Logf("%s\n%s", command, out) // which a failure shows
	var list []report
	for _, m := range line.FindAllStringSubmatch(out, -1) {
		r := report{severity: diag.Error, code: m[4], text: m[1] + m[3]}
		if m[2] != diag.Error.String() {
			r.severity = diag.Warning
		}
		list = append(list, r)
	}
	if exit == cli.ExitFailed || len(list) == 0 && exit != cli.ExitClean {
		t.Errorf("%s exits with %d:\n%s", command, exit, out)
	}
	return list
}

// kindsmith runs the command with arguments, and returns what it prints.
func kindsmith(args string) (string, int) {
	var out bytes.Buffer
	exit := cli.Run(strings.Fields(args), cli.Streams{Out: cli.Stream{Writer: &out}, Err: cli.Stream{Writer: &out}})
	return out.String(), exit
}

// commit makes a git repository of the published files, if there are any, and removes them.
func (b *bench) commit(t *testing.T, files map[string]string) {
	t.Helper()
	var names []string
	for name, text := range files {
		if name, ok := strings.CutPrefix(name, published); ok {
			names = append(names, name)
			if err := source.WriteFile(filepath.Join(b.dir, name), []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	if out, exit := kindsmith("generate --conversion-webhook shop-system/webhooks"); exit != cli.ExitClean {
		t.Fatalf("the published packages are reported:\n%s", out)
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "a"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %s", args, out)
		}
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(b.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func codesOf(list []report) []string {
	var codes []string
	for _, r := range list {
		codes = append(codes, r.code)
	}
	return codes
}

// compare checks that the reported codes are those that a page names.
func (b *bench) compare(t *testing.T, got []report, want []string) {
	t.Helper()
	for _, code := range want {
		if !slices.Contains(codesOf(got), code) {
			t.Errorf("%s is not reported", code)
		}
	}
	for _, r := range got {
		if !slices.Contains(want, r.code) {
			t.Errorf("the project is also reported: %s: %s [%s]", r.severity, r.text, r.code)
		}
	}
}

// checkFix applies the fix of a diagnostic as `kindsmith lint --fix` does. After it, the diagnostic is not reported, and
// there is no new error.
func (b *bench) checkFix(t *testing.T, command string, files map[string]string, before []report, r report) {
	t.Helper()
	contents, n, _ := diag.ApplyFixes([]*diag.Diagnostic{r.found})
	if n != 1 {
		t.Errorf("the fix cannot be applied: %s", r.found.Fix.Message)
		return
	}
	fixed := map[string]string{}
	for name, text := range files {
		fixed[name] = text
	}
	for f, content := range contents {
		fixed[f.Path] = string(content)
		if _, err := parser.ParseFile(token.NewFileSet(), f.Path, content, 0); err != nil && strings.HasSuffix(f.Path, ".go") {
			t.Errorf("the fix leaves no Go: %v", err)
		}
	}
	was := codesOf(before)
	count := func(list []string) (n int) {
		for _, code := range list {
			if code == r.code {
				n++
			}
		}
		return n
	}
	after := b.run(t, command, fixed)
	if count(codesOf(after)) >= count(was) {
		t.Errorf("after the fix, %q, the diagnostic is still reported", r.found.Fix.Message)
	}
	for _, a := range after {
		if a.severity == diag.Error && !slices.Contains(was, a.code) {
			t.Errorf("after the fix, %q, there is a new error: %s [%s]", r.found.Fix.Message, a.text, a.code)
		}
	}
}
