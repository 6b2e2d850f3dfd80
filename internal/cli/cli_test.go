package cli

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/source"
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
	var codes diag.Codes
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
