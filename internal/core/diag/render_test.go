package diag_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

// code declares a code in a new set.
func code(id string) diag.Code {
	codes := diag.Protect(diag.Rules)
	return codes.New(id, "A page.")
}

// find returns the span of the first occurrence of text.
func find(t *testing.T, f *source.File, text string) source.Span {
	t.Helper()
	at := bytes.Index(f.Content, []byte(text))
	if at < 0 {
		t.Fatalf("%s: no %q", f.Path, text)
	}
	return f.Span(at, at+len(text))
}

// sample returns diagnostics of all shapes.
func sample(t *testing.T) []*diag.Diagnostic {
	types := source.NewFile("api/v1/my types.go", []byte(strings.Join([]string{
		"package v1",
		"",
		"type Spec struct {",
		"\t// +k8s:maxLength = 5",
		"\tName string\t// tab\tafter",
		"\t// +k8s:enum 世界 é🎉 wrong",
		"\t// " + strings.Repeat("long ", 40) + "+k8s:bad " + strings.Repeat("tail ", 40),
		"\t/* first",
		"\t   second */",
		"}",
	}, "\n")))
	abs := source.NewFile("/abs/100%/other#1.go", []byte("package other\r\nvar X = 1\r\n"))
	var bag diag.Bag
	bag.Errorf(find(t, types, " = "), code("marker/space"), `a space beside "=": 100%% wrong, isn't it`).
		Suggest(find(t, types, " = "), "=", "remove the space")
	bag.Warnf(find(t, types, "// tab\tafter"), code("sample/tabs"), "tabs inside a range").
		Note(find(t, types, "Name"), "the field").
		Note(source.Span{}, "a fact without a place").
		Note(find(t, abs, "X"), "in another file")
	bag.Errorf(find(t, types, "wrong"), code("sample/wide"), "behind wide characters")
	bag.Errorf(find(t, types, "世界"), code("sample/wide"), "wide characters")
	bag.Errorf(find(t, types, "+k8s:bad"), code("sample/long"), "in a long line").
		Suggest(find(t, types, "+k8s:bad"), "+k8s:good", "say it well")
	d := bag.Errorf(find(t, types, "first\n\t   second"), code("sample/lines"), "over two lines")
	d.Fix = &diag.Fix{Message: "two edits, one of them over two lines", Edits: []diag.Edit{
		{Span: find(t, types, "second"), NewText: "2nd"},
		{Span: find(t, abs, "1\r\n"), NewText: "2\n"},
	}}
	end := len(types.Content)
	bag.Warnf(types.Span(end, end), code("sample/end"), "at the end of the file")
	bag.Errorf(abs.Span(0, 7), code("sample/crlf"), "multi-line\r\nmessage, with: signs")
	bag.Errorf(source.Span{}, code("load/no-packages"), "no place at all")
	return bag.All()
}

func TestRender(t *testing.T) {
	for _, tc := range []struct {
		golden string
		format diag.Format
		opts   diag.Options
	}{
		{"text", diag.Text, diag.Options{}},
		{"text-narrow", diag.Text, diag.Options{Width: 30}},
		{"text-color", diag.Text, diag.Options{Color: true}},
		{"json", diag.JSON, diag.Options{}},
		{"sarif", diag.SARIF, diag.Options{
			Version: "v1.2.3", Dir: "/src/repo/sub", Root: "/src/repo",
			Help: func(c diag.Code) (string, string) {
				return "the page of " + c.String(), "https://example.com/" + c.String()
			},
		}},
		{"github", diag.GitHub, diag.Options{Dir: "/src/repo/sub", Root: "/src/repo"}},
	} {
		t.Run(tc.golden, func(t *testing.T) {
			goldentest.Check(t, filepath.Join("testdata", tc.golden+".golden"), render(t, tc.format, sample(t), tc.opts))
		})
	}
}

func render(t *testing.T, format diag.Format, list []*diag.Diagnostic, opts diag.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := diag.Render(&out, format, list, opts); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Without diagnostics, JSON and SARIF are still valid documents, and other formats are empty.
func TestRenderNothing(t *testing.T) {
	for format, want := range map[diag.Format]string{
		diag.Text:   "",
		diag.GitHub: "",
		diag.JSON:   `{"version":1,"diagnostics":[],"summary":{"errors":0,"warnings":0}}`,
		diag.SARIF: `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":` +
			`{"driver":{"name":"kindsmith","informationUri":"https://github.com/kindsmith/kindsmith","rules":[]}},"columnKind":"unicodeCodePoints","results":[]}]}`,
	} {
		got := render(t, format, nil, diag.Options{})
		if len(got) > 0 {
			var compact bytes.Buffer
			if err := json.Compact(&compact, got); err != nil {
				t.Fatal(err)
			}
			got = compact.Bytes()
		}
		if diff := cmp.Diff(want, strings.TrimSpace(string(got))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestRenderErrors(t *testing.T) {
	for _, format := range diag.Formats() {
		if err := diag.Render(brokenWriter{}, format, sample(t), diag.Options{}); !errors.Is(err, errBroken) {
			t.Errorf("%s: error %v, want %v", format, err, errBroken)
		}
	}
	if err := diag.Render(&bytes.Buffer{}, "xml", nil, diag.Options{}); err == nil {
		t.Error("no error for an unknown format")
	}
}

func TestParseFormat(t *testing.T) {
	for _, format := range diag.Formats() {
		if got, err := diag.ParseFormat(string(format)); got != format || err != nil {
			t.Errorf("ParseFormat(%q) = %q, %v", format, got, err)
		}
	}
	_, err := diag.ParseFormat("xml")
	if want := `unknown format "xml"; the formats are: text, json, sarif, github`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestSummary(t *testing.T) {
	e, w, h := &diag.Diagnostic{}, &diag.Diagnostic{Severity: diag.Warning}, &diag.Diagnostic{Severity: diag.Hint}
	for want, list := range map[string][]*diag.Diagnostic{
		"":                    nil,
		"1 error":             {e},
		"2 warnings":          {w, w},
		"2 errors, 1 warning": {e, w, e},
		"1 warning, 2 hints":  {h, w, h},
	} {
		if got := diag.Summary(list); got != want {
			t.Errorf("Summary = %q, want %q", got, want)
		}
	}
}

// TestSARIFStructure checks requirements of the standard that the golden file does not show.
func TestSARIFStructure(t *testing.T) {
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version string
					Rules         []struct{ ID string }
				}
			}
			Results []struct {
				RuleID           string
				RuleIndex        *int
				Level            string
				Message          struct{ Text string }
				Locations        []location
				RelatedLocations []location
				Fixes            []struct {
					ArtifactChanges []struct {
						ArtifactLocation artifact
						Replacements     []struct{ DeletedRegion region }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(render(t, diag.SARIF, sample(t), diag.Options{Version: "v1"}), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("version %q, %d runs", log.Version, len(log.Runs))
	}
	run := log.Runs[0]
	seen := map[string]bool{}
	for _, rule := range run.Tool.Driver.Rules {
		if rule.ID == "" || seen[rule.ID] {
			t.Errorf("rule %q is empty or listed twice", rule.ID)
		}
		seen[rule.ID] = true
	}
	if got, want := len(run.Results), len(sample(t)); got != want {
		t.Errorf("%d results, want %d", got, want)
	}
	for _, r := range run.Results {
		if r.RuleIndex == nil || run.Tool.Driver.Rules[*r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s: ruleIndex does not point at the rule", r.RuleID)
		}
		if r.Message.Text == "" || r.Level != "error" && r.Level != "warning" {
			t.Errorf("%s: message %q, level %q", r.RuleID, r.Message.Text, r.Level)
		}
		for _, l := range append(r.Locations, r.RelatedLocations...) {
			checkURI(t, l.PhysicalLocation.ArtifactLocation.URI)
			checkRegion(t, r.RuleID, l.PhysicalLocation.Region)
		}
		for _, f := range r.Fixes {
			for _, c := range f.ArtifactChanges {
				checkURI(t, c.ArtifactLocation.URI)
				for _, replacement := range c.Replacements {
					checkRegion(t, r.RuleID, replacement.DeletedRegion)
				}
			}
		}
	}
}

type artifact struct{ URI string }

type region struct{ StartLine, StartColumn, EndLine, EndColumn int }

type location struct {
	PhysicalLocation struct {
		ArtifactLocation artifact
		Region           region
	}
}

func checkURI(t *testing.T, uri string) {
	t.Helper()
	parsed, err := url.Parse(uri)
	if err != nil || parsed.Fragment != "" || parsed.RawQuery != "" || strings.ContainsAny(uri, ` \`) {
		t.Errorf("uri %q: %v", uri, err)
		return
	}
	if known := parsed.Path == "api/v1/my types.go" || parsed.Scheme == "file" && parsed.Path == "/abs/100%/other#1.go"; !known {
		t.Errorf("uri %q names another file: %q", uri, parsed.Path)
	}
}

func checkRegion(t *testing.T, rule string, r region) {
	t.Helper()
	if r.StartLine < 1 || r.StartColumn < 1 || r.EndLine < r.StartLine || r.EndLine == r.StartLine && r.EndColumn < r.StartColumn {
		t.Errorf("%s: region %+v", rule, r)
	}
}
