package driver_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

var randomEdits = flag.Int("edits", 12, "edits that TestRandomEdits makes for each seed")

// parts are the files of the module of TestRandomEdits. A file has one variant of each part. Some
// combinations do not compile; the first variants have no mistakes.
var parts = map[string][][]string{
	"units/u.go": {
		{"package units\n\nimport \"time\"\n\ntype Wait struct{ time.Duration }\n\nfunc (in *Box) DeepCopyInto(out *Box) {\n}\n"},
		{"type Count int32\n", "// +k8s:minimum=1\ntype Count int64\n", "// +k8s:minimun=1\ntype Count int32\n", "type Count = int32\n", ""},
		{"const Dozen Count = 12\n", "const Dozen = 13\n", ""},
		{"type Box struct {\n\tInner *Inner `json:\"inner\"`\n}\n\ntype Inner struct {\n\t// +k8s:maxLength=3\n\tName string `json:\"name\"`\n}\n",
			"type Box struct {\n\tInner *Inner `json:\"inner\"`\n}\n\ntype Inner struct {\n\t// +default=4\n\tTitle string `json:\"title\"`\n}\n", ""},
	},
	"base/base.go": {
		{"package base\n\nimport \"image\"\n\nvar _ image.Point\n\nfunc (in *Link) DeepCopyInto(out *Link) {\n}\n"},
		{"type Name string\n", "// +k8s:maxLength=4\ntype Name string\n", "type Name struct {\n\tA, B string\n}\n", "type Name = string\n", "// +k8s:maxLength=5\ntype Name = string\n", "type Names string\n"},
		{"const DefaultName = \"base\"\n", "const DefaultName Name = \"other\"\n", "const DefaultNames = 3\n", ""},
		{"type Link struct {\n\tArea image.Rectangle `json:\"area\"`\n}\n", "type Link struct {\n\tArea image.Point `json:\"area\"`\n}\n"},
	},
	"lib/lib.go": {
		{"package lib\n\nimport (\n\t\"example.com/shop/base\"\n\t\"example.com/units\"\n)\n\nvar _ base.Name\nvar _ units.Wait\n\nfunc (in *Pair) DeepCopyInto(out *Pair) {\n}\n\nfunc (in *Shell) DeepCopyInto(out *Shell) {\n}\n"},
		{"type Pair struct {\n\t// +k8s:optional\n\tA base.Name `json:\"a\"`\n\t// +k8s:optional\n\tB *base.Name `json:\"b\"`\n}\n",
			"type Pair struct {\n\t// +k8s:required\n\tA base.Name `json:\"a,omitempty\"`\n\t// +k8s:optional\n\tC *int32 `json:\"b\"`\n}\n",
			"type Pair struct {\n\tA base.Link `json:\"a\"`\n}\n", "type Pairs struct{}\n"},
		{"type Color string\n", "// +k8s:enum\ntype Color string\n", "// +default=\"Red\"\ntype Color string\n", "type Color int32\n"},
		{"const Red Color = \"Red\"\n", "const Red Color = \"Crimson\"\n", "const Rouge Color = \"Red\"\n", ""},
		{"const Blue Color = \"Blue\"\n", "const Blue base.Name = \"Blue\"\n", ""},
		{"type hidden struct {\n\t// +k8s:maximum=\"x\"\n\tN int32\n}\n\ntype Shell struct {\n\thidden *hidden\n}\n", "type Shell struct{}\n", ""},
	},
	"api/v1/types.go": {
		{"// Package v1 is the API of a shop.\n//\n// +groupName=shop.example.com\n// +kubebuilder:object:generate=true\n// +versioned:version(name: \"v1beta1\")\n" +
			"// +versioned:version(name: \"v1\", storage: true)\npackage v1\n\nimport (\n\t\"context\"\n\n\t\"example.com/shop/base\"\n\t\"example.com/shop/lib\"\n\t\"example.com/units\"\n)\n\n" +
			"var _ base.Name\nvar _ lib.Shell\nvar _ units.Count\nvar _ context.Context\n"},
		{"type Order struct {\n\t// +k8s:optional\n\t// +k8s:subfield(a)=+k8s:required\n\tPair *lib.Pair `json:\"pair,omitempty\"`\n\n\t// +k8s:optional\n\t// +default=ref(units.Dozen)\n\tCount *units.Count `json:\"count,omitempty\"`\n}\n",
			"type Order struct {\n\t// +k8s:optional\n\t// +k8s:subfield(b)=+k8s:required\n\t// +versioned:added(since: \"v1\")\n\tPair *lib.Pair `json:\"pair,omitempty\"`\n\n\t// +k8s:optional\n\t// +default=ref(units.Dozen)\n\t// +k8s:default=12\n\tCount *units.Count `json:\"count,omitempty\"`\n}\n",
			"type Order struct {\n\t// +k8s:optional\n\t// +versioned:changed(since: \"v1\", fromName: \"couple\")\n\tPair *lib.Pair `json:\"pair,omitempty\"`\n\t// +k8s:subfield(area)=+k8s:subfield(Min)=+k8s:subfield(X)=+k8s:minimum=2\n\tLink base.Link `json:\"link\"`\n}\n",
			"type Sale struct{}\n"},
		{"type Paint struct {\n\t// +k8s:optional\n\t// +default=ref(lib.Red)\n\tColor lib.Color `json:\"color,omitempty\"`\n\t// +k8s:optional\n\t// +k8s:neq=\"Blue\"\n\tOther *lib.Color `json:\"other,omitempty\"`\n}\n",
			"type Paint struct {\n\t// +k8s:required\n\t// +k8s:modeDiscriminator\n\tColor lib.Color `json:\"color,omitempty\"`\n\t// +k8s:optional\n\t// +k8s:ifMode(\"Red\")=+k8s:required\n\tShade *Shade `json:\"shade,omitempty\"`\n}\n",
			"type Paint struct {\n\t// +k8s:optional\n\t// +default=\"Blue\"\n\tShade Shade `json:\"shade,omitempty\"`\n\tBox units.Box `json:\"box\"`\n}\n"},
		{"// +versioned:added(since: \"v1\")\ntype Shade string\n", "type Shade = lib.Color\n", "// +k8s:customValidation\ntype Shade string\n", "// +k8s:optional\ntype Shade lib.Color\n", "type Shade string // +k8s:optional\n\n// +k8s:maxLength=2\n\n// k8s:maxLength=2\nvar _ Shade\n"},
		{"", "func ValidateCustom_Shade(ctx context.Context, s *Shade) {}\n", "func toCouple(p *lib.Pair) *string { return nil }\n"},
	},
	"other/types.go": {
		{"// +kubebuilder:object:generate=true\npackage other\n\nimport (\n\t\"image\"\n\n\t\"example.com/shop/lib\"\n\t\"example.com/units\"\n)\n\nvar _ units.Wait\nvar _ lib.Shell\nvar _ image.Point\n"},
		{"type Other struct {\n\tPoint image.Point `json:\"point\"`\n}\n", "type Other struct {\n\tBox *units.Box `json:\"box\"`\n\tShell *lib.Shell `json:\"shell\"`\n}\n", ""},
		{"// +k8s:maxItems=2\ntype Waits []units.Wait\n", "type Colors map[lib.Color]lib.Pair\n", "// +default=ref(lib.Red)\ntype Mine lib.Color\n"},
	},
}

// firstEdits are the edits before those at random. In the first, a tag refers to a type that the
// model has only because of another package; the others remove and restore that type.
var firstEdits = []struct {
	name          string
	part, variant int
}{{"api/v1/types.go", 1, 2}, {"other/types.go", 1, 1}, {"other/types.go", 1, 0}}

// TestRandomEdits edits declarations of several packages at random. After each edit, it compares a
// reused workspace with a new one: diagnostics, files, and the model before they are made of it.
func TestRandomEdits(t *testing.T) {
	for name, value := range map[string]string{"GOFLAGS": "", "GOWORK": "off", "GOPROXY": "off", "GOENV": "off"} {
		t.Setenv(name, value)
	}
	names := slices.Sorted(maps.Keys(parts))
	for seed := range uint64(2) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		apply(t, dir, map[string]string{"go.mod": module["go.mod"], "units/go.mod": module["units/go.mod"]})
		random := rand.New(rand.NewPCG(seed, 0))
		chosen := map[string][]int{}
		content := func(name string) string {
			var b strings.Builder
			for i, variants := range parts[name] {
				fmt.Fprintln(&b, variants[chosen[name][i]])
			}
			return b.String()
		}
		files := map[string]string{}
		for _, name := range names {
			chosen[name] = make([]int, len(parts[name]))
			files[name] = content(name)
		}
		var warm driver.Workspace
		clean := 0
		for i := range *randomEdits {
			apply(t, dir, files)
			got, want := runs(t, &warm, dir), runs(t, &driver.Workspace{}, dir)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, edit %d of %v differs from a first run:\n%s", seed, i, slices.Sorted(maps.Keys(files)), diff)
			}
			if strings.Contains(want, "zz_generated.deepcopy.go true\n") {
				clean++
			}
			clear(files)
			edit := func(name string, part, variant int) {
				chosen[name][part] = variant
				files[name] = content(name)
			}
			if i < len(firstEdits) {
				edit(firstEdits[i].name, firstEdits[i].part, firstEdits[i].variant)
				continue
			}
			for range 1 + random.IntN(3) {
				name := names[random.IntN(len(names))]
				part := random.IntN(len(parts[name]))
				edit(name, part, random.IntN(len(parts[name][part])))
				// The first variants have no mistakes.
				name = names[random.IntN(len(names))]
				edit(name, random.IntN(len(parts[name])), 0)
			}
		}
		if clean < *randomEdits/10 {
			t.Errorf("seed %d: code is generated for %d of %d edits", seed, clean, *randomEdits)
		}
	}
}

// runs has the results of all runs of a workspace: generating, linting, and the model.
func runs(t *testing.T, w *driver.Workspace, dir string) string {
	t.Helper()
	text, _ := outcome(t, w, dir, nil)
	var b bytes.Buffer
	b.WriteString(text)
	cfg := driver.ModelConfig{Dir: dir, Patterns: []string{"./api/...", "./other"}, Files: source.NewFS(nil)}
	bag := &diag.Bag{}
	_, err := w.Lint(driver.LintConfig{Config: driver.Config{ModelConfig: cfg}}, bag)
	fmt.Fprintln(&b, "lint:", err)
	if err := diag.Render(&b, diag.Text, bag.All(), diag.Options{}); err != nil {
		t.Fatal(err)
	}
	cfg.Files = source.NewFS(nil)
	m, err := w.Model(cfg, &diag.Bag{})
	fmt.Fprintln(&b, "model:", err)
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
