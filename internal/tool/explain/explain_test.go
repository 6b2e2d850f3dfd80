package explain_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/controller-tools/pkg/applyconfiguration"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/webhook"

	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/explain"
)

// TestPages looks up one page of each kind, in every spelling.
func TestPages(t *testing.T) {
	index := explain.New()
	for _, test := range []struct {
		names []string
		has   []string
	}{
		{
			names: []string{"maxLength", "k8s:maxLength", "+k8s:maxLength", " +maxLength "},
			has: []string{
				"+k8s:maxLength=<integer>\n", "A string has at most this many characters.", "TooLong, origin `maxLength`",
				"struct fields", "strings", "Good:", "Bad:", "maxlength/negative", "maxlength/wrong-type",
			},
		},
		{names: []string{"default", "+default", "k8s:default", "kubebuilder:default"}, has: []string{"+default=", "default/not-json"}},
		{names: []string{"added", "versioned:added"}, has: []string{"+versioned:added(since: <string>", "since: a string, required"}},
		{names: []string{"structomitempty"}, has: []string{"omitzero", "structomitempty/no-effect", "`kindsmith lint`"}},
		{names: []string{"unvalidatable"}, has: []string{"`kindsmith generate`", "unvalidatable/array"}},
		{names: []string{"maxlength/negative"}, has: []string{"maxlength/negative\n", "cannot be negative", "See also: kindsmith explain k8s:maxLength"}},
		{names: []string{"jsontag/missing"}, has: []string{"See also: kindsmith explain jsontag"}},
		{names: []string{"check/unknown-tag"}, has: []string{"lists them"}},
		{names: []string{"versions/lossy"}, has: []string{"lossy:"}},
		{names: []string{"crd/recursive"}, has: []string{"Schemaless"}},
	} {
		first, _ := index.Page(test.names[0])
		for _, name := range test.names {
			page, ok := index.Page(name)
			if !ok || page != first {
				t.Errorf("Page(%q) is not the page of %q", name, test.names[0])
			}
		}
		for _, part := range test.has {
			if !strings.Contains(first, part) {
				t.Errorf("the page of %q lacks %q:\n%s", test.names[0], part, first)
			}
		}
	}
}

// TestMarkers checks that each marker that controller-gen knows has a page, which says what kindsmith does with it.
func TestMarkers(t *testing.T) {
	registry := &markers.Registry{}
	for _, register := range []func(*markers.Registry) error{
		crdmarkers.Register, deepcopy.Generator{}.RegisterMarkers, rbac.Generator{}.RegisterMarkers, webhook.Generator{}.RegisterMarkers, applyconfiguration.Generator{}.RegisterMarkers,
	} {
		if err := register(registry); err != nil {
			t.Fatal(err)
		}
	}
	index, tags := explain.New(), driver.Tags()
	counterparts := 0
	for _, d := range registry.AllDefinitions() {
		first, ok := index.Page(d.Name)
		if !ok {
			t.Errorf("%s has no page", d.Name)
			continue
		}
		if page, _ := index.Page("+" + d.Name); page != first {
			t.Errorf("the page of +%s is another one than that of %s", d.Name, d.Name)
		}
		if !strings.HasPrefix(first, "+"+d.Name) || tags.Lookup(d.Name) != nil || d.Name == "kubebuilder:validation:XValidation" {
			continue // a tag with this name, and rules in CEL, have pages of their own
		}
		if !strings.Contains(first, "\nkindsmith: ") {
			t.Errorf("the page of %s does not say what kindsmith does:\n%s", d.Name, first)
		}
		if def := tags.ForKeyword(strings.TrimPrefix(d.Name, "kubebuilder:validation:")); def != nil && strings.HasPrefix(d.Name, "kubebuilder:validation:") {
			counterparts++
			if !strings.Contains(first, "kindsmith explain "+def.Name) {
				t.Errorf("the page of %s does not name +%s:\n%s", d.Name, def.Name, first)
			}
		}
		for line := range strings.Lines(first) {
			if len([]rune(line)) > 81 && strings.Contains(strings.TrimSpace(line), " ") && !strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "    ") {
				t.Errorf("%s: the line is too long: %s", d.Name, line)
			}
		}
	}
	if counterparts < 10 {
		t.Errorf("%d counterparts", counterparts)
	}
	for name, want := range map[string]string{
		"Enum": "+k8s:enum has a similar meaning, written on a string type", "AtMostOneOf": "+k8s:zeroOrOneOfMember has a similar meaning, written on each of the",
		"items:MaxLength":        "+k8s:eachVal has a similar meaning, written with the value `+k8s:maxLength`",
		"items:Enum":             "+k8s:enum has a similar meaning, written on the type of the items, a string type with a constant for each value",
		"items:ExclusiveMaximum": "+k8s:eachVal has a similar meaning, written with the value `+k8s:exclusiveMaximum=<bound>`",
		"AtLeastOneOf":           "No tag has this meaning, and you need none: keep the marker.",
	} {
		if page, _ := index.Page("kubebuilder:validation:" + name); !strings.Contains(strings.Join(strings.Fields(page), " "), want) {
			t.Errorf("the page of %s lacks %q:\n%s", name, want, page)
		}
	}
	for _, name := range []string{"Minimum", "validation:Minimum", "kubebuilder:validation:Minimum=3"} {
		if page, _ := index.Page(name); !strings.HasPrefix(page, "+kubebuilder:validation:Minimum=<") {
			t.Errorf("Page(%q):\n%s", name, page)
		}
	}
}

func TestEverythingHasAPageThatFits(t *testing.T) {
	index := explain.New()
	names := index.Codes()
	for _, d := range driver.Tags().All() {
		names = append(names, d.Name)
	}
	for _, l := range driver.Lints() {
		names = append(names, l.Name)
	}
	for _, name := range names {
		page, ok := index.Page(name)
		if !ok || strings.Count(page, "\n") < 3 || !strings.HasSuffix(page, "\n") || strings.Contains(page, "\n\n\n") {
			t.Errorf("the page of %s is missing, empty or loose:\n%s", name, page)
		}
		for line := range strings.SplitSeq(page, "\n") {
			if strings.HasSuffix(line, " ") {
				t.Errorf("%s: white space at the end of %q", name, line)
			}
			// Code, and words that cannot be broken, may be longer.
			if len([]rune(line)) > 80 && !strings.HasPrefix(line, "    ") && strings.Contains(strings.TrimSpace(line), " ") && !strings.HasPrefix(line, "+") {
				t.Errorf("%s: a line of prose has more than 80 characters: %q", name, line)
			}
		}
	}
}

// TestExamples checks that the page of each code says more than the message, and that the files of examples are sorted and
// have those of their owner only. Package pages runs the examples.
func TestExamples(t *testing.T) {
	index := explain.New()
	files, err := filepath.Glob("examples/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var listed []string
		for block := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n\n") {
			code, _, _ := strings.Cut(block, "\n")
			listed = append(listed, code)
			if owner, _, _ := strings.Cut(code, "/"); owner+".txt" != filepath.Base(file) || !slices.Contains(index.Codes(), code) {
				t.Errorf("%s has %s, which is no code of this owner", file, code)
			}
			page, _ := index.Page(code)
			for _, part := range []string{code + "\n\n", "\nBad:\n\n    ", "\nGood:\n\n    "} {
				if strings.Count(page, part) != 1 {
					t.Errorf("the page of %s has not one %q:\n%s", code, part, page)
				}
			}
		}
		if !slices.IsSorted(listed) {
			t.Errorf("%s is not sorted by code", file)
		}
	}
}

func TestNearest(t *testing.T) {
	index := explain.New()
	for name, want := range map[string]string{
		"maxLenght":          "maxLength",
		"k8s:maxLenght":      "k8s:maxLength",
		"+optionl":           "optional",
		"versioned:add":      "versioned:added",
		"nopresense":         "nopresence",
		"maxlength/negativ":  "maxlength/negative",
		"xyzzy/plugh/foobar": "",
		"pattren":            "pattern",
		"metav1":             "",
	} {
		if _, ok := index.Page(name); ok {
			t.Errorf("%q has a page", name)
		}
		got := index.Nearest(name)
		if got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestDocs checks that the written pages of docs/reference are up to date.
func TestDocs(t *testing.T) {
	index := explain.New()
	for page, write := range map[string]func(io.Writer) error{
		"tags.md":                func(w io.Writer) error { return index.Catalogue(w, explain.Markdown) },
		"kubebuilder-markers.md": index.Markers,
		"diagnostics.md":         index.Diagnostics,
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		goldentest.Check(t, "../../../docs/reference/"+page, out.Bytes())
	}
}

// TestContents checks that `kindsmith explain` lists every page, or the first half of a code, and that its lines fit.
func TestContents(t *testing.T) {
	index := explain.New()
	contents := index.Contents()
	words := strings.Fields(contents)
	for _, name := range index.Names() {
		if folder, _, isCode := strings.Cut(name, "/"); isCode {
			name = folder + "/"
		}
		if !slices.Contains(words, name) && !slices.Contains(words, "+"+name) {
			t.Errorf("%s is not listed", name)
		}
	}
	for line := range strings.Lines(contents) {
		if len(line) > 81 && len(strings.Fields(line)) > 1 {
			t.Errorf("too long: %s", line)
		}
	}
}

func TestCatalogueHasEveryTag(t *testing.T) {
	tags := driver.Tags()
	for _, form := range []string{explain.Text, explain.Markdown} {
		var out bytes.Buffer
		if err := explain.New().Catalogue(&out, form); err != nil {
			t.Fatal(err)
		}
		for _, d := range tags.All() {
			if !strings.Contains(out.String(), "+"+d.Name) || !strings.Contains(out.String(), d.Summary[:min(20, len(d.Summary))]) {
				t.Errorf("%s: %s is missing", form, d.Name)
			}
		}
	}
}

func TestJSONCatalogue(t *testing.T) {
	var out bytes.Buffer
	if err := explain.New().Catalogue(&out, explain.JSON); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Version int
		Tags    []struct {
			Name, Usage, Stability, ErrorType, Origin string
			Scopes, Types                             []string
			Arguments                                 []struct {
				Name     string
				Kinds    []string
				Required bool
			}
			Value       *struct{ Kinds, Values []string }
			Go          struct{ Answer, Note string }
			Schema      struct{ Answer, Note string }
			Diagnostics map[string]string
		}
		Planned []any
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Version != 1 || len(doc.Tags) != len(driver.Tags().All()) || doc.Planned == nil || len(doc.Planned) > 0 {
		t.Errorf("version %d with %d tags and %d planned", doc.Version, len(doc.Tags), len(doc.Planned))
	}
	for _, tag := range doc.Tags {
		for side, answer := range map[string]struct{ Answer, Note string }{"Go": tag.Go, "Schema": tag.Schema} {
			if !slices.Contains([]string{"output", "elsewhere", "unsupported"}, answer.Answer) || (answer.Note == "") != (answer.Answer == "output") {
				t.Errorf("%s: %s answers %q with the note %q", tag.Name, side, answer.Answer, answer.Note)
			}
		}
		switch tag.Name {
		case "k8s:maxLength":
			if tag.Usage != "+k8s:maxLength=<integer>" || tag.ErrorType != "TooLong" || tag.Origin != "maxLength" ||
				!slices.Equal(tag.Types, []string{"strings"}) || tag.Value == nil || !slices.Equal(tag.Value.Kinds, []string{"int"}) ||
				tag.Go.Answer != "output" || tag.Diagnostics["maxlength/negative"] == "" {
				t.Errorf("wrong entry: %+v", tag)
			}
		case "k8s:unionMember":
			if len(tag.Arguments) != 2 || tag.Arguments[1].Name != "memberName" || tag.Arguments[1].Required || tag.Value != nil {
				t.Errorf("wrong entry: %+v", tag)
			}
		}
	}
}

func TestUnknownForm(t *testing.T) {
	var out bytes.Buffer
	err := explain.New().Catalogue(&out, "yaml")
	if err == nil || !strings.Contains(err.Error(), "text, json, markdown") || out.Len() > 0 {
		t.Errorf("got %v and %q", err, &out)
	}
}

// TestCELFunctions finds functions on the page of rules in CEL by what Go does with them.
func TestCELFunctions(t *testing.T) {
	page, ok := explain.New().Page("+kubebuilder:validation:XValidation")
	has, lacks, _ := strings.Cut(page, "Go does not have: ")
	for _, name := range []string{"`startsWith`", "`quantity`", "`includes`", "`format.uuid`"} {
		if !ok || !strings.Contains(has, name) || strings.Contains(lacks, name) {
			t.Errorf("%s is not among the functions that Go has:\n%s", name, page)
		}
	}
	for _, name := range []string{"`strings.quote`", "`semver`", "`string.split(string, int)`"} {
		if !strings.Contains(lacks, name) || strings.Contains(has, name) {
			t.Errorf("%s is not among the functions that Go does not have:\n%s", name, page)
		}
	}
}
