package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// run runs a command line and returns what it prints.
func run(args ...string) string {
	var out, err bytes.Buffer
	Run(args, Streams{Out: Stream{Writer: &out}, Err: Stream{Writer: &err}})
	return out.String()
}

// TestEveryCommandIsExplained checks the form of help texts.
func TestEveryCommandIsExplained(t *testing.T) {
	for _, cmd := range newRoot(Streams{}).Commands() {
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: the summary %q is missing, or a sentence", cmd.Name(), cmd.Short)
		}
		if cmd.Name() != "version" && (cmd.Long == "" || !strings.HasPrefix(cmd.Example, "  kindsmith "+cmd.Name())) {
			t.Errorf("%s: has no description, or no examples", cmd.Name())
		}
		for line := range strings.SplitSeq(cmd.Long, "\n") {
			if len(line) > 80 && !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: %q is longer than 80 characters", cmd.Name(), line)
			}
		}
	}
}

// TestCommandsShareNothing runs one command twice: the second run does not have the
// flags of the first.
func TestCommandsShareNothing(t *testing.T) {
	first := run("tags", "--format", "json")
	second := run("tags")
	if !strings.HasPrefix(first, "{") || strings.HasPrefix(second, "{") {
		t.Errorf("the second run begins with %.20q", second)
	}
}

// TestExitCodes runs every command with each of its outcomes: 0 is clean, 1 is for diagnostics, 2 is
// for what keeps a command from doing its work.
func TestExitCodes(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	t.Setenv("KINDSMITH_CACHE", "off")
	const crd = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: as.example.com}, spec: {group: example.com, scope: Namespaced, names: {kind: A, plural: as},
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer, maximum: 3}}}}}]}}`
	for name, content := range map[string]string{
		"go.mod":             "module example.com/t\n\ngo 1.26\n",
		"good/types.go":      "// +kubebuilder:object:generate=true\npackage good\n\ntype A struct{ B *int32 `json:\"b,omitempty\"` }\n",
		"bad/types.go":       "package bad\n\n// +k8s:maxLenght=3\ntype A string\n",
		"crd.yaml":           crd,
		"cluster.yaml":       strings.Replace(crd, "Namespaced", "Cluster", 1),
		"good.yaml":          "{apiVersion: example.com/v1, kind: A, metadata: {name: a}, size: 3}",
		"bad.yaml":           "{apiVersion: example.com/v1, kind: A, metadata: {name: a}, size: 4}",
		"rules/a_test.yaml":  "base: ../good.yaml\ncases: [{name: at most 3, set: {size: 4}, expect: [size]}]",
		"rules/no_case.yaml": "base: ../good.yaml\ncases: [{name: at most 3, set: {size: 4}, expect: valid}]",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tried := map[string]bool{}
	for _, test := range []struct {
		args string
		code int
	}{
		{"", 0}, {"--version", 0}, {"--help", 0}, {"nothing", 2}, {"--nothing", 2},
		{"generate --check ./good", 1}, {"generate ./good", 0}, {"generate --check ./good", 0}, {"generate ./bad", 1}, {"generate ./good --header-file none", 2}, {"generate ./none", 1},
		{"lint ./good", 0}, {"lint ./bad", 1}, {"lint --nothing", 2},
		{"breaking ./good", 0}, {"breaking ./bad", 1}, {"breaking ./good --against none", 2},
		{"adopt ./good", 2}, {"adopt ./bad", 2}, {"adopt ./none", 1}, {"adopt --confirm a", 2},
		{"bump v2 ./good", 2}, {"bump v2 ./none", 1}, {"bump", 2},
		{"model ./good", 0}, {"model ./none", 1}, {"model --rules --plan v1", 2}, {"model --plan v1 ./good", 2},
		{"validate -f good.yaml --crd crd.yaml", 0}, {"validate -f bad.yaml --crd crd.yaml", 1}, {"validate -f none.yaml --crd crd.yaml", 2}, {"validate", 2},
		{"convert", 2}, {"convert -f none.yaml --to v1 ./good", 2}, {"convert -f good.yaml --to v1 ./bad", 1},
		{"plan --from crd.yaml --to crd.yaml", 0}, {"plan --from crd.yaml --to cluster.yaml", 1}, {"plan --from crd.yaml", 2}, {"plan --from crd.yaml --to good.yaml", 2},
		{"test rules --crd crd.yaml", 0}, {"test rules/no_case.yaml --crd crd.yaml", 1}, {"test none --crd crd.yaml", 2}, {"test", 2},
		{"docs", 2}, {"docs --out site ./good", 2}, {"docs --out site ./bad", 1},
		{"schema", 2}, {"schema --json ./bad", 1},
		{"explain maxLength", 0}, {"explain qwertyuiop", 2}, {"explain", 0},
		{"tags", 0}, {"tags more", 2}, {"version", 0}, {"version more", 2},
		{"dev --restore", 2}, {"storage", 0}, {"storage nothing", 2}, {"lsp --nothing", 2}, {"lsp more", 2}, {"completion bash", 0}, {"completion", 2}, {"help lint", 0}, {"help nothing", 2}, {"init --dry-run --release v0.1.0", 0}, {"init --dry-run", 2}, {"init --kind A", 2}, {"init", 2},
	} {
		var out, err bytes.Buffer
		args := strings.Fields(test.args)
		if got := Run(args, Streams{Out: Stream{Writer: &out}, Err: Stream{Writer: &err}}); got != test.code {
			t.Errorf("kindsmith %s: exit code %d, want %d\n%s%s", test.args, got, test.code, out.String(), err.String())
		}
		if len(args) > 0 {
			tried[args[0]] = true
		}
	}
	for _, cmd := range newRoot(Streams{}).Commands() {
		if !tried[cmd.Name()] {
			t.Errorf("%s is not tried", cmd.Name())
		}
	}
}

func TestRevision(t *testing.T) {
	commit, dirty := debug.BuildSetting{Key: "vcs.revision", Value: "abc"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for want, settings := range map[string][]debug.BuildSetting{
		"": nil, "revision abc, ": {commit}, "revision abc, modified, ": {commit, dirty},
	} {
		if got := revisionOf(settings); got != want {
			t.Errorf("%v: %q, want %q", settings, got, want)
		}
	}
}

// TestControllerGenReplaces checks that no setting of generate is ignored silently when the arguments
// are controller-gen's.
func TestControllerGenReplaces(t *testing.T) {
	defaults := project.Default()
	for _, o := range defaults.Options() {
		if o.Section == "generate" && !slices.ContainsFunc(instead, func(i struct{ flag, write string }) bool { return i.flag == o.Name }) {
			t.Errorf("--%s has no entry", o.Name)
		}
	}
}

func TestAsk(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, "YES\n": true, "yes": true, "n\n": false, "\n": false, "": false, "yeah\n": false} {
		var out bytes.Buffer
		if got, err := ask(strings.NewReader(answer), &out, "Write?"); got != want || err != nil || out.String() != "Write? [y/N] " {
			t.Errorf("%q: %t, %v, %q", answer, got, err, out.String())
		}
	}
}

// TestRelease checks which versions a project can use: those that others can download.
func TestRelease(t *testing.T) {
	pseudo := "v0.3.1-0.20260102030405-0123456789ab"
	for name, test := range map[string]struct {
		main            debug.Module
		linked          string
		release, prints string
	}{
		"go install of a release":            {debug.Module{Version: "v0.3.0", Sum: "h1:a"}, "", "v0.3.0", "v0.3.0"},
		"go install of a commit":             {debug.Module{Version: pseudo, Sum: "h1:a"}, "", pseudo, pseudo},
		"a clone of a tag":                   {debug.Module{Version: "v0.3.0"}, "", "v0.3.0", "v0.3.0"},
		"a clone of another commit":          {debug.Module{Version: pseudo}, "", "", pseudo},
		"a clone of a tag with changes":      {debug.Module{Version: "v0.3.0+dirty"}, "", "", "v0.3.0+dirty"},
		"a clone without git":                {debug.Module{Version: "(devel)"}, "", "", "(devel)"},
		"a test":                             {debug.Module{}, "", "", "(devel)"},
		"a module for tools with a replace":  {debug.Module{Version: "v0.3.0", Replace: &debug.Module{Path: "../kindsmith"}}, "", "", "(devel)"},
		"an archive of the source":           {debug.Module{Version: "(devel)"}, "v0.3.0", "v0.3.0", "v0.3.0"},
		"the clone of a release, by ldflags": {debug.Module{Version: "v0.3.0+dirty"}, "v0.3.0", "v0.3.0", "v0.3.0"},
	} {
		t.Run(name, func(t *testing.T) {
			released = test.linked
			defer func() { released = "" }()
			info := &debug.BuildInfo{Main: test.main}
			if got := releaseOf(info); got != test.release {
				t.Errorf("release is %q, want %q", got, test.release)
			}
			if got := versionOf(info); got != test.prints {
				t.Errorf("version is %q, want %q", got, test.prints)
			}
		})
	}
}

func TestFailedWriterIsReported(t *testing.T) {
	var err bytes.Buffer
	for _, args := range [][]string{{"tags"}, {"explain", "maxLength"}, {"version"}} {
		if code := Run(args, Streams{Out: Stream{Writer: fullDisk{}}, Err: Stream{Writer: &err}}); code != ExitFailed {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
	if !strings.Contains(err.String(), "kindsmith: no space left") {
		t.Errorf("stderr is %q", err.String())
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestReport(t *testing.T) {
	f := source.NewFile("types.go", []byte("package v1\n"))
	bag := &diag.Bag{}
	codes := diag.Protect(diag.Everything)
	bag.Errorf(f.Span(0, 7), codes.New("a/b", "What is wrong."), "wrong")
	bag.Warnf(f.Span(8, 10), codes.New("a/c", "What is odd."), "odd")
	for name, test := range map[string]struct {
		stream Stream
		format diag.Format
		list   []*diag.Diagnostic
		has    string
		ends   string
	}{
		"text ends in a summary": {format: diag.Text, list: bag.All(), has: "types.go:1:1: error: wrong [a/b]\n", ends: "\n1 error, 1 warning\n"},
		"colours":                {stream: Stream{Color: true}, format: diag.Text, list: bag.All(), has: "\x1b[", ends: "\n1 error, 1 warning\n"},
		"JSON is one document":   {format: diag.JSON, list: bag.All(), has: `"errors": 1`, ends: "}\n"},
		"nothing is nothing":     {format: diag.Text, ends: ""},
		"but a document is one":  {format: diag.JSON, has: `"diagnostics": []`, ends: "}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			test.stream.Writer = &out
			if err := report(test.stream, test.format, test.list); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); !strings.Contains(got, test.has) || !strings.HasSuffix(got, test.ends) || test.has == "" && got != "" {
				t.Errorf("got %q", got)
			}
			if !test.stream.Color && strings.Contains(out.String(), "\x1b") {
				t.Error("unexpected colours")
			}
		})
	}
}

// TestStreamOfFile checks that output to a file has neither colours nor progress.
func TestStreamOfFile(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if s := NewStream(f, os.Getenv); s.Terminal || s.Color || s.Width != 0 {
		t.Errorf("a file is taken for a terminal: %+v", s)
	}
}
