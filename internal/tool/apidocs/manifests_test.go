package apidocs_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/tryit"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/tool/apidocs"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// rules returns the rules of the packages below a folder.
func rules(t *testing.T, dir string) *eval.Set {
	t.Helper()
	_, m := build(t, dir)
	return eval.New(kubebuilder.WithKeywords(new(driver.ModelConfig).Programs(m)))
}

// TestManifestsAreValid judges each manifest that a reader sees, apart from those with errors: minimal, full, one for each member of a
// union, and those before and after a change.
func TestManifestsAreValid(t *testing.T) {
	for _, dir := range projects {
		judge := tryit.New(rules(t, dir))
		for format, pages := range read(t, dir) {
			judged := map[string]int{}
			for name, page := range pages {
				if len(page.manifests["_examples"]) == 0 {
					t.Errorf("%s of %s has no example", format, name)
				}
				for _, at := range slices.Sorted(maps.Keys(page.manifests)) {
					if at == "_errors" {
						continue
					}
					for i, text := range page.manifests[at] {
						of := at
						if !strings.HasPrefix(at, "_") {
							of = "a union"
						}
						judged[of]++
						v := judge.Judge(text)
						if len(v.Documents) != 1 || len(v.Problems) > 0 || v.Documents[0].State == tryit.Invalid {
							t.Errorf("%s of %s, %s %d: %+v\n%s", format, name, at, i, v.Problems, text)
						}
					}
				}
			}
			for _, of := range []string{"_examples", "_changes", "a union"} {
				if judged[of] == 0 && (of != "a union" || dir == projects[0]) { // the other has none
					t.Errorf("%s of %s shows no manifest in %s", format, dir, of)
				}
			}
		}
	}
}

// object reads a manifest, or a part of one.
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out, err := eval.Decode(asJSON)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// kindOf returns the kind of a page.
func kindOf(p *apidocs.Page) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: p.Group.Name, Version: p.Version.Name, Kind: p.Kind.Name}
}

// TestErrorsComeAsShown evaluates the manifest of each error. A page shows the part of a manifest that is about the error; the test
// puts it into the minimal manifest.
func TestErrorsComeAsShown(t *testing.T) {
	for _, dir := range projects {
		site, _ := build(t, dir)
		engine := gotypes.New(rules(t, dir), source.NewFS(nil))
		shown, cut := 0, 0
		for p := range site.Pages {
			for _, e := range p.Errors {
				switch {
				case e.Message == "":
					continue
				case strings.Contains(e.Object+e.Message, "…"):
					cut++ // the page shows the beginning of a long value
					continue
				}
				shown++
				if got := messages(t, engine, p, e); !slices.Contains(got, e.Message) {
					t.Errorf("%s: want %q, got %q\n%s", p.Name(), e.Message, got, e.Object)
				}
			}
		}
		if shown < 50 || cut > shown/2 {
			t.Errorf("%s: evaluated %d manifests, and %d are cut", dir, shown, cut)
		}
	}
}

// messages returns the errors of a manifest with the shown part. A part is in the place of the value with the rule, or of the object
// around a value that is missing.
func messages(t *testing.T, engine verdict.Engine, p *apidocs.Page, e apidocs.Error) (all []string) {
	t.Helper()
	path := strings.Split(e.Path, ".")
	for _, depth := range []int{len(path), len(path) - 1} {
		request := verdict.Request{Kind: kindOf(p), Object: with(object(t, p.Examples[0].YAML), object(t, e.Object), path[:max(depth, 0)])}
		if e.Before != "" {
			request.Old = with(object(t, p.Examples[0].YAML), object(t, e.Before), path[:max(depth, 0)])
		}
		for _, err := range engine.Validate(t.Context(), request).Errors {
			all = append(all, err.Error.Error())
		}
	}
	return all
}

// with replaces the value at a path by that of another object, which has nothing else.
func with(base, part map[string]any, path []string) map[string]any {
	out := maps.Clone(base)
	for key, value := range part {
		before, isObject := out[key].(map[string]any)
		now, alsoObject := value.(map[string]any)
		if len(path) > 1 && isObject && alsoObject {
			value = with(before, now, path[1:])
		}
		out[key] = value
	}
	if len(path) == 1 && part[path[0]] == nil {
		delete(out, path[0])
	}
	return out
}

// TestSwitchingClears switches the discriminator of each union, and compares what the page says with what the API server does.
func TestSwitchingClears(t *testing.T) {
	switches := 0
	for _, dir := range projects {
		site, _ := build(t, dir)
		set := rules(t, dir)
		for p := range site.Pages {
			name, ok := set.Kind(kindOf(p))
			if !ok {
				t.Fatalf("there is no kind %v", kindOf(p))
			}
			for f := range p.All {
				for _, c := range f.Choices {
					for _, from := range c.Options {
						for _, to := range c.Options {
							if c.Discriminator == "" || from.Value == to.Value || from.Member == "" || from.Example == "" || strings.Contains(f.Type, "list") {
								continue
							}
							switches++
							old, now := object(t, from.Example), object(t, from.Example)
							in, ok := at(now, f.Path)
							if !ok || in[from.Member] == nil {
								t.Fatalf("%s: the example of %s has no %s\n%s", p.Name(), from.Value, from.Member, from.Example)
							}
							in[c.Discriminator] = to.Value
							out, cleared, err := set.Normalize(name, union.Request{}, now, old)
							if err != nil {
								t.Fatal(err)
							}
							after, _ := at(out, f.Path)
							if says := slices.Contains(to.Clears, from.Member); says != (after[from.Member] == nil) || says != (len(cleared) > 0) {
								t.Errorf("%s: a switch from %s to %s clears %v, and leaves %v", p.Name(), from.Value, to.Value, to.Clears, after)
							}
						}
					}
				}
			}
		}
	}
	if switches < 6 {
		t.Errorf("tested %d switches", switches)
	}
}

// at returns the object at a path.
func at(v map[string]any, path string) (map[string]any, bool) {
	for name := range strings.SplitSeq(path, ".") {
		in, ok := v[name].(map[string]any)
		if !ok {
			return nil, false
		}
		v = in
	}
	return v, true
}
