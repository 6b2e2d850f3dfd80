package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

// TestDocumentation compares the checked-in schema, and the table of keys in the documentation, with
// the options.
func TestDocumentation(t *testing.T) {
	schema, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, "../../../docs/kindsmith.schema.json", schema)

	const page, mark = "../../../docs/reference/configuration.md", "<!-- keys -->\n"
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text, _, ok := strings.Cut(string(content), mark)
	if !ok {
		t.Fatalf("%s has no line %s", page, mark)
	}
	goldentest.Check(t, page, []byte(text+mark+"\n"+Table()))
}

// read returns the settings of a command in a folder, and the diagnostics.
func read(t *testing.T, text, below string, fixed ...string) (Settings, string) {
	t.Helper()
	root := t.TempDir()
	files := source.NewFS(map[string][]byte{filepath.Join(root, FileName): []byte(text)})
	bag := &diag.Bag{}
	s := Default()
	err := s.Read(files, filepath.Join(root, below), func(o *Option) bool { return slices.Contains(fixed, o.Name) }, bag)
	if err != nil {
		t.Fatal(err)
	}
	return s, string(goldentest.Diagnostics(bag.All(), ""))
}

func TestRead(t *testing.T) {
	const text = `
packages: [./api/..., example.com/x]
tags: [extra]
crd: [config/crd/bases, /abs]
level: alpha
generate:
  headerFile: hack/header.txt
  year: 2024
  maxDescLen: 0
  embeddedObjectMeta: false
  only: [crd, deepcopy]
validate: {strict: true}
diagnostics: {maxlength/too-large: {severity: warning, reason: published}}
`
	want := Default()
	want.Packages, want.BuildTags, want.Definitions = []string{"./api/...", "example.com/x"}, []string{"extra"}, []string{"config/crd/bases", "/abs"}
	want.Generate = Generate{
		HeaderFile: "hack/header.txt", Year: "2024", CRDDir: "config/crd/bases", PolicyDir: "config/policy", EmbeddedMeta: false, Only: []string{"crd", "deepcopy"},
	}
	want.Diagnostics = map[string]string{"maxlength/too-large": "published"}
	want.Validate.Strict, want.Level = true, "alpha"
	below := want
	below.Packages, below.Definitions = []string{"../../api/...", "example.com/x"}, []string{"../../config/crd/bases", "/abs"}
	below.Generate.HeaderFile, below.Generate.CRDDir, below.Generate.PolicyDir = "../../hack/header.txt", "../../config/crd/bases", "../../config/policy"
	for name, test := range map[string]struct {
		folder, text string
		fixed        []string
		want         func() Settings
	}{
		"in the folder":    {folder: ".", text: text, want: func() Settings { return want }},
		"in a folder over": {folder: "a/b", text: text, want: func() Settings { return below }},
		"flags win": {folder: ".", text: text, fixed: []string{"tags", "level"}, want: func() Settings {
			s := want
			s.BuildTags, s.Level = nil, "beta"
			return s
		}},
		"an empty file": {folder: ".", text: "# nothing\n", want: Default},
		"empty sections, and defaults that are relative to the file": {folder: "a", text: "generate:\n", want: func() Settings {
			s := Default()
			s.Packages, s.Generate.CRDDir, s.Generate.PolicyDir = []string{"../..."}, "../config/crd/bases", "../config/policy"
			return s
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got, diags := read(t, test.text, test.folder, test.fixed...)
			if diff := cmp.Diff(test.want(), got, cmpopts.IgnoreUnexported(Settings{})); diff != "" || diags != "" {
				t.Errorf("(-want +got)\n%s%s", diff, diags)
			}
		})
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"package: [./api]\n":              "kindsmith.yaml:1:1: error: kindsmith.yaml has no key package; did you mean packages? [project/unknown-key] «package»\n",
		"crdDir: x\n":                     "kindsmith.yaml:1:1: error: kindsmith.yaml has no key crdDir; did you mean generate.crdDir? [project/unknown-key] «crdDir»\n",
		"generate:\n  crd-dir: x\n":       "kindsmith.yaml:2:3: error: generate has no key crd-dir; did you mean crdDir? [project/unknown-key] «crd-dir»\n",
		"validate:\n  qwertyuiop: 1\n":    "kindsmith.yaml:2:3: error: validate has no key qwertyuiop; its keys are: strict, skipUnknown, allowEmpty [project/unknown-key] «qwertyuiop»\n",
		"generate: [crd]\n":               "kindsmith.yaml:1:1: error: this is a list; write a mapping from keys to values [project/form] «generate»\n",
		"- crd\n":                         "kindsmith.yaml:1:1: error: this is a list; write a mapping from keys to values [project/form] «- crd»\n",
		"packages: ./api\n":               "kindsmith.yaml:1:11: error: packages is a string; write a list of strings [project/wrong-type] «./api»\n",
		"packages: [./api, 7]\n":          "kindsmith.yaml:1:19: error: this is the number 7; write a string [project/wrong-type] «7»\n",
		"generate: {maxDescLen: -3}\n":    "kindsmith.yaml:1:24: error: maxDescLen is the number -3; write a whole number from 0 [project/wrong-type] «-3»\n",
		"generate: {maxDescLen: \"3\"}\n": "kindsmith.yaml:1:24: error: maxDescLen is a string; write a whole number from 0 [project/wrong-type] «\"3\"»\n",
		"generate: {coverage: 1}\n":       "kindsmith.yaml:1:22: error: coverage is the number 1; write true or false [project/wrong-type] «1»\n",
		"generate: {headerFile: {}}\n":    "kindsmith.yaml:1:12: error: headerFile is a mapping; write a string [project/wrong-type] «headerFile»\n",
		"diagnostics: [x]\n":              "kindsmith.yaml:1:1: error: diagnostics is a list; write a mapping from codes to severity and reason [project/wrong-type] «diagnostics»\n",
		"diagnostics: {maxlength/to-large: {severity: warning, reason: x}}\n":          "kindsmith.yaml:1:15: error: there is no diagnostic maxlength/to-large; did you mean maxlength/too-large? [project/unknown-value] «maxlength/to-large»\n",
		"diagnostics: {not-a-scalar: {severity: warning, reason: x}}\n":                "kindsmith.yaml:1:15: error: there is no diagnostic not-a-scalar; did you mean listmapkey/not-a-scalar? [project/unknown-value] «not-a-scalar»\n",
		"diagnostics: {deepcopy/recursive: {severity: warning, reason: x}}\n":          "kindsmith.yaml:1:15: error: deepcopy/recursive stays an error, because the output would be wrong, refused or incomplete [project/firm] «deepcopy/recursive»\n",
		"diagnostics: {maxlength/too-large: {severity: warning}}\n":                    "kindsmith.yaml:1:15: error: maxlength/too-large has no reason; add reason: \"…\" [project/no-reason] «maxlength/too-large»\n",
		"diagnostics: {maxlength/too-large: {severity: error, reason: x}}\n":           "kindsmith.yaml:1:47: error: the severity of a diagnostic can only be lowered to warning [project/unknown-value] «error»\n",
		"diagnostics: {maxlength/too-large: warning}\n":                                "kindsmith.yaml:1:36: error: maxlength/too-large is a string; write {severity: warning, reason: …} [project/wrong-type] «warning»\n",
		"diagnostics: {maxlength/too-large: {severity: warning, reason: x, why: y}}\n": "kindsmith.yaml:1:67: error: maxlength/too-large has no key why; its keys are: severity, reason [project/unknown-key] «why»\n",
		"level: gamma\n":                              "kindsmith.yaml:1:8: error: unknown level \"gamma\"; the levels are: alpha, beta, stable [project/unknown-value] «gamma»\n",
		"tags: [a]\ntags: [b]\n":                      "kindsmith.yaml:2:1: error: tags is repeated; remove one [project/duplicate-key] «tags»\n\tnote: kindsmith.yaml:1:1: first here «tags»\n",
		"tags: [a]\n---\ntags: [b]\n":                 "kindsmith.yaml:3:1: error: this is a second document; kindsmith.yaml has one [project/form] «tags: [b]»\n",
		"tags: [a\n":                                  "kindsmith.yaml:1:1: error: did not find expected ',' or ']' [manifest/syntax] «tags: [a»\n",
		"generate: {only: [crd, deepcpy]}\ntags: 1\n": "",
	} {
		_, got := read(t, text, ".")
		if want == "" && strings.Count(got, "\n") == 2 && strings.Contains(got, `1:24: error: unknown part "deepcpy"; did you mean deepcopy?`) {
			continue // all mistakes are reported
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}
