package driver_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

const (
	meta = "import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n"
	shop = "// Shop is a shop.\n//\n// +kubebuilder:object:root=true\ntype Shop struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n" +
		"\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\t// +k8s:optional\n\tSpec Spec `json:\"spec,omitzero\"`\n}\n\n"
	spec = "// Spec is what a shop is.\ntype Spec struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=9\n\tName string `json:\"name,omitempty\"`\n"
)

// group has an API with a generated and a hand-written older version, a later version that it does not declare,
// and a package whose types they use.
var group = map[string]string{
	"go.mod":              "module example.com\n\ngo 1.26\n\nrequire k8s.io/apimachinery v0.37.0\n\nreplace k8s.io/apimachinery => ./apimachinery\n",
	"apimachinery/go.mod": "module k8s.io/apimachinery\n\ngo 1.26\n",
	"apimachinery/pkg/apis/meta/v1/meta.go": "package v1\n\ntype TypeMeta struct {\n\tKind string `json:\"kind,omitempty\"`\n}\n\nfunc (t *TypeMeta) GetObjectKind() string { return t.Kind }\n\n" +
		"type ObjectMeta struct {\n\tName string `json:\"name,omitempty\"`\n}\n\nfunc (in *ObjectMeta) DeepCopyInto(out *ObjectMeta) { *out = *in }\n",
	"api/v1/types.go": "// +groupName=shop.example.com\n// +versioned:version(name: \"v1alpha1\")\n// +versioned:version(name: \"v1beta1\")\n" +
		"// +versioned:version(name: \"v1\", storage: true)\npackage v1\n\n" + meta + "import \"example.com/lib\"\n\n" + shop + spec +
		"\t// +k8s:optional\n\t// +versioned:added(since: \"v1beta1\")\n\tPairs []lib.Pair `json:\"pairs,omitempty\"`\n}\n\n" +
		strings.ReplaceAll(strings.Replace(shop, "Spec Spec", "Spec lib.Pair", 1), "Shop", "Till"),
	"api/v1beta1/types.go": "// +groupName=shop.example.com\npackage v1beta1\n\n" + meta + "import \"example.com/lib\"\n\n" + shop + spec +
		"\t// +k8s:optional\n\tPairs []lib.Pair `json:\"pairs,omitempty\"`\n}\n\n" +
		strings.ReplaceAll(strings.Replace(shop, "Spec Spec", "Spec lib.Pair", 1), "Shop", "Till"),
	"api/v1alpha1/hand.go": "package v1alpha1\n\n// IsBig is hand-written beside generated types.\nfunc IsBig(s *Spec) bool { return len(s.Name) > 5 }\n",
	"api/v2alpha1/types.go": "// +groupName=shop.example.com\npackage v2alpha1\n\n" + meta +
		shop + spec + "}\n",
	"lib/lib.go": "// +kubebuilder:object:generate=true\npackage lib\n\n// Pair is two values.\ntype Pair struct {\n\t// +k8s:optional\n\t// +k8s:minimum=1\n" +
		"\tA *int32 `json:\"a,omitempty\"`\n\t// +default=3\n\t// +optional\n\tB *int32 `json:\"b,omitempty\"`\n}\n",
}

// TestNamedPackages changes all packages and generates for each subset of them: a run writes for the packages that it
// names, and for their kinds, what a run for all writes, and nothing else.
func TestNamedPackages(t *testing.T) {
	noNetwork(t)
	packages := []string{"api/v1", "api/v1alpha1", "api/v1beta1", "api/v2alpha1", "lib"}
	for _, state := range []string{"first", "later"} {
		dir := tempModule(t, group)
		before := map[string]string{"first": "./lib", "later": "./..."}[state] // others need the methods of lib
		if text := generate(t, inGroup(dir, before)); strings.Contains(text, "error") {
			t.Fatal(text)
		}
		if state == "later" {
			for _, p := range packages {
				for name, content := range group {
					if filepath.Dir(name) == p {
						more := strings.Replace(content, spec, spec+"\t// +k8s:optional\n\tMore *string `json:\"more,omitempty\"`\n", 1)
						apply(t, dir, map[string]string{name: strings.Replace(more, "minimum=1", "minimum=2", 1)})
					}
				}
			}
		}
		all := changes(t, inGroup(dir, "./..."))
		if len(all) < 12 {
			t.Fatalf("%s: a run for all packages writes only %v", state, slices.Sorted(maps.Keys(all)))
		}
		for set := 1; set < 1<<len(packages); set++ {
			if state == "first" && set&(set-1) != 0 {
				continue // single packages are enough
			}
			var named, patterns []string
			for i, p := range packages {
				if set&(1<<i) != 0 {
					named, patterns = append(named, p), append(patterns, "./"+p)
				}
			}
			want := map[string]string{}
			for name, content := range all {
				folder := filepath.ToSlash(filepath.Dir(name))
				switch {
				case slices.Contains(named, folder),
					folder == "api/v1alpha1" && slices.Contains(named, "api/v1"),
					folder == "crd" && slices.ContainsFunc(named, isVersion),
					strings.Contains(name, "shops") && slices.Contains(named, "api/v2alpha1"):
					want[name] = content
				}
			}
			if diff := cmp.Diff(want, changes(t, inGroup(dir, patterns...))); diff != "" {
				t.Errorf("%s, %v (-run for all +run for these):\n%s", state, named, diff)
			}
		}
	}
}

// isVersion reports whether a package is a version of the API.
func isVersion(p string) bool { return strings.HasPrefix(p, "api/v1") }

func inGroup(dir string, patterns ...string) driver.Config {
	return driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: patterns}, CRDDir: "crd"}
}

// changes returns what a run would write.
func changes(t *testing.T, cfg driver.Config) map[string]string {
	t.Helper()
	bag := &diag.Bag{}
	out, err := driver.Generate(cfg, bag)
	if err != nil {
		t.Fatal(err)
	}
	if bag.HasErrors() {
		var text strings.Builder
		_ = diag.Render(&text, diag.Text, bag.All(), diag.Options{})
		t.Errorf("%v:\n%s", cfg.Patterns, text.String())
	}
	found := map[string]string{}
	for _, f := range out.Files {
		if f.Changed() {
			found[f.Name] = string(f.Content)
		}
	}
	return found
}

// TestLeftVersions changes which older versions are generated, or where. A run for the newest version removes what
// a run for all packages removes.
func TestLeftVersions(t *testing.T) {
	noNetwork(t)
	files := maps.Clone(group)
	for _, name := range []string{"api/v1alpha1/hand.go", "api/v1beta1/types.go", "api/v2alpha1/types.go"} {
		delete(files, name)
	}
	for name, edit := range map[string][2]string{
		"not declared":   {"// +versioned:version(name: \"v1alpha1\")\n", ""},
		"another folder": {"package v1\n", "// +versioned:output(\"../old/{version}\")\npackage v1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tempModule(t, files)
			generate(t, inGroup(dir, "./..."))
			hub := strings.Replace(files["api/v1/types.go"], "since: \"v1beta1\"", "since: \"v1\"", 1)
			apply(t, dir, map[string]string{"api/v1/types.go": strings.Replace(hub, edit[0], edit[1], 1)})
			all := changes(t, inGroup(dir, "./..."))
			if content, ok := all["api/v1alpha1/zz_generated.types.go"]; !ok || content != "" {
				t.Error("a run for all packages does not remove the version")
			}
			if diff := cmp.Diff(all, changes(t, inGroup(dir, "./api/v1"))); diff != "" {
				t.Errorf("-run for all +run for v1:\n%s", diff)
			}
		})
	}
}

// TestMissingVersion names an older version that has no files.
func TestMissingVersion(t *testing.T) {
	noNetwork(t)
	dir := tempModule(t, group)
	apply(t, dir, map[string]string{"api/v1alpha1/hand.go": "", "api/v3/README.md": "x"})
	for pattern, hint := range map[string]bool{"./api/v1alpha1": true, "./api/v1alpha1/...": true, "./api/v3": false, "./api/v4": false} {
		got := generate(t, inGroup(dir, pattern))
		if !strings.Contains(got, "error") || strings.Contains(got, "it is an older version of ./api/v1: name that package, which generates it") != hint {
			t.Errorf("%s: %s", pattern, got)
		}
	}
}
