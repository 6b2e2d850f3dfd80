package apidocs_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/apidocs"
	"github.com/kindsmith/kindsmith/internal/tool/apidocs/html"
	"github.com/kindsmith/kindsmith/internal/tool/apidocs/markdown"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/convert"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

var projects = []string{"../../../examples/database", "../../../examples/pipeline"}

// built are the sites of projects, which tests share and do not change.
var built = map[string]struct {
	site *apidocs.Site
	m    *model.Model
}{}

// build returns the documentation of the packages below a folder.
func build(t *testing.T, dir string) (*apidocs.Site, *model.Model) {
	t.Helper()
	known, ok := built[dir]
	if !ok {
		known.site, known.m = rebuild(t, dir)
		built[dir] = known
	}
	return known.site, known.m
}

// project writes a module with files, and returns its folder.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// rebuild makes the documentation of the packages below a folder.
func rebuild(t *testing.T, dir string) (*apidocs.Site, *model.Model) {
	t.Helper()
	bag := &diag.Bag{}
	cfg := driver.ModelConfig{Dir: dir, Patterns: []string{"./api/..."}}
	m, err := driver.Model(cfg, bag)
	if err != nil {
		t.Fatal(err)
	}
	programs := kubebuilder.WithKeywords(cfg.Programs(m))
	c, err := convert.New(m)
	if err != nil {
		t.Fatal(err)
	}
	site, err := apidocs.Build(apidocs.Input{
		Programs: programs, Engine: gotypes.New(eval.New(programs), source.NewFS(nil)), APIs: steps.Build(m),
		Convert: func(object []byte, kind schema.GroupVersionKind, to string) ([]byte, error, error) {
			return c.Object(object, kind, to)
		},
	}, bag)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Error(d.Span, d.Message)
		}
	}
	return site, m
}

// page returns the page of a kind in a version.
func page(t *testing.T, site *apidocs.Site, version, kind string) *apidocs.Page {
	t.Helper()
	for p := range site.Pages {
		if p.Version.Name == version && p.Kind.Name == kind {
			return p
		}
	}
	t.Fatalf("there is no page of %s %s", version, kind)
	return nil
}

func field(t *testing.T, p *apidocs.Page, path string) *apidocs.Field {
	t.Helper()
	for f := range p.All {
		if f.Path == path {
			return f
		}
	}
	t.Fatalf("%s has no field %s", p.Name(), path)
	return nil
}

// members calls f with the paths of all members of a struct, without those of metadata, and of types in themselves.
func members(m *model.Model, t *model.Type, path string, within []*model.Type, f func(string)) {
	object := m.Object(t)
	if object == nil || slices.Contains(within, t) {
		return
	}
	for _, member := range object.Members {
		at := strings.TrimPrefix(path+"."+member.Name, ".")
		if len(within) == 0 && slices.Contains([]string{"apiVersion", "kind", "metadata"}, member.Name) {
			continue
		}
		f(at)
		r := member.Type
		for {
			r, _ = m.Deref(r)
			u := m.Underlying(r)
			if u.Kind != model.KindSlice && u.Kind != model.KindMap {
				break
			}
			r = u.Elem
		}
		if in := m.Struct(r); in != nil && in.Methods["UnmarshalJSON"] == nil && r.ID() != model.ObjectMeta {
			members(m, in, at, append(slices.Clone(within), t), f)
		}
	}
}

// TestAnchors finds an anchor for each field of each kind, in both formats.
func TestAnchors(t *testing.T) {
	for _, dir := range projects {
		site, m := build(t, dir)
		pages, err := html.Print(site)
		if err != nil {
			t.Fatal(err)
		}
		texts, err := markdown.Print(site)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, p := range m.Packages {
			for _, typ := range p.Types {
				if !p.Root || typ.Kind == nil || typ.Kind.List {
					continue
				}
				name := p.Group + "/" + p.Version + "/" + strings.ToLower(typ.Name)
				members(m, typ, "", nil, func(path string) {
					count++
					anchor := `id="` + path + `"`
					if !strings.Contains(string(pages[name+".html"]), anchor) || !strings.Contains(string(texts[name+".md"]), anchor) {
						t.Errorf("%s has no anchor of %s", name, path)
					}
				})
			}
		}
		if count < 100 {
			t.Errorf("%s has %d fields", dir, count)
		}
	}
}

// TestSameOutput builds a site twice.
func TestSameOutput(t *testing.T) {
	for _, dir := range projects {
		first, _ := build(t, dir)
		second, _ := rebuild(t, dir)
		for _, print := range []func(*apidocs.Site) (map[string][]byte, error){html.Print, markdown.Print} {
			one, err := print(first)
			if err != nil {
				t.Fatal(err)
			}
			two, err := print(second)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range slices.Sorted(maps.Keys(one)) {
				if string(one[name]) != string(two[name]) {
					t.Errorf("%s differs: %s", name, cmp.Diff(string(one[name]), string(two[name])))
				}
			}
		}
	}
}

// TestChanges finds all kinds of changes between versions.
func TestChanges(t *testing.T) {
	for dir, tests := range map[string][]struct{ version, kind, path, words string }{
		projects[0]: {
			{"v1beta1", "Database", "spec.replicas", "was called `instances`"},
			{"v1beta1", "Database", "spec.engine", "the value `Maria` is now `MariaDB`"},
			{"v1beta1", "Database", "spec.deletionPolicy", "is new"},
			{"v1", "Database", "spec.idleTimeoutSeconds", "changed from string to integer"},
			{"v1", "Database", "spec.idleTimeoutSeconds", "the default was `\"5m\"`, and is now `300`"},
			{"v1", "Database", "spec.idleTimeoutSeconds", "new rule: at most 86400"},
			{"v1", "Database", "spec.deprecatedAdminUser", "is deprecated: list the account under users, with the role Admin."},
		},
		projects[1]: {
			{"v1beta1", "Pipeline", "spec.source.url", "was `spec.repository`"},
			{"v1beta2", "Pipeline", "spec.keepRuns", "was `metadata.annotations['ci.example.com/keep-runs']`"},
			{"v1", "Pipeline", "spec.team", "was `metadata.labels['ci.example.com/team']`"},
			{"v1", "Pipeline", "spec.proxies.host", "was a part of `address`"},
			{"v1", "Pipeline", "spec.proxies.address", "is now split into `host`, `port`"},
			{"v1", "Pipeline", "spec.artifacts.location", "is converted to `bucket`, `key`"},
			{"v1beta2", "Pipeline", "spec.limits.waitSeconds", "changed from duration to integer"},
			{"v1alpha2", "Pipeline", "spec.triggers", "changed from object to list of objects"},
			{"v1beta2", "Pipeline", "spec.deprecatedMail", "is removed"},
		},
	} {
		site, _ := build(t, dir)
		for _, test := range tests {
			changes := page(t, site, test.version, test.kind).Changes
			found := false
			var all []string
			for _, c := range changes.List {
				found = found || c.Path == test.path && slices.Contains(c.Words, test.words)
				all = append(all, c.Path+" "+strings.Join(c.Words, "; "))
			}
			if !found {
				t.Errorf("%s: %s lacks %q: %s", test.version, test.path, test.words, strings.Join(all, "\n"))
			}
		}
	}
}

// TestHistory finds the names of a field in other versions.
func TestHistory(t *testing.T) {
	site, _ := build(t, projects[0])
	f := field(t, page(t, site, "v1", "Database"), "spec.replicas")
	if diff := cmp.Diff([]string{"spec.instances"}, f.Aliases) + cmp.Diff([]string{"`instances` before v1beta1"}, f.Lifecycle); diff != "" {
		t.Error(diff)
	}
	f = field(t, page(t, site, "v1alpha1", "Database"), "spec.instances")
	if diff := cmp.Diff([]string{"spec.replicas"}, f.Aliases) + cmp.Diff([]string{"`replicas` since v1beta1"}, f.Lifecycle); diff != "" {
		t.Error(diff)
	}
	f = field(t, page(t, site, "v1beta1", "Database"), "spec.adminUser")
	if want := "deprecated in v1: list the account under users, with the role Admin."; !slices.Contains(f.Lifecycle, want) {
		t.Errorf("%q", f.Lifecycle)
	}
	f = field(t, page(t, site, "v1", "Database"), "spec.deletionPolicy")
	if !slices.Contains(f.Lifecycle, "since v1beta1") {
		t.Errorf("%q", f.Lifecycle)
	}
}

// TestKinds finds the version that has added a kind.
func TestKinds(t *testing.T) {
	site, _ := build(t, projects[1])
	for name, want := range map[string]string{"Pipeline": "", "Runner": "v1alpha2"} {
		if k := page(t, site, "v2", name).Kind; k.Since != want || k.Gone != "" {
			t.Errorf("%s: since %q, gone in %q", name, k.Since, k.Gone)
		}
	}
}

// TestStatus finds what API servers do with each kind of versions that markers of controller-gen describe.
func TestStatus(t *testing.T) {
	files := workspacetest.Files("example.com")
	const kind = `
type %[1]s struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}
`
	const head = "// +groupName=example.com\npackage %s\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n"
	files["api/v1beta1/types.go"] = fmt.Sprintf(head, "v1beta1") + "\n// +kubebuilder:storageversion\n// +kubebuilder:object:root=true" + fmt.Sprintf(kind, "Old") +
		"\n// +kubebuilder:object:root=true\n// +kubebuilder:deprecatedversion:warning=\"use v1\"" + fmt.Sprintf(kind, "New")
	files["api/v1/types.go"] = fmt.Sprintf(head, "v1") + "\n// +kubebuilder:unservedversion\n// +kubebuilder:object:root=true" + fmt.Sprintf(kind, "Old") +
		"\n// +kubebuilder:object:root=true\n// +kubebuilder:storageversion" + fmt.Sprintf(kind, "New") + "\n// +kubebuilder:object:root=true" + fmt.Sprintf(kind, "Only")
	site, _ := rebuild(t, project(t, files))
	got := map[string]apidocs.Status{}
	for p := range site.Pages {
		got[p.Version.Name+" "+p.Kind.Name] = p.Status
		got[p.Version.Name] = p.Version.Status
	}
	if diff := cmp.Diff(map[string]apidocs.Status{
		"v1beta1 Old": {Served: true, Storage: true}, "v1beta1 New": {Served: true, Deprecated: true, Note: "use v1"}, "v1beta1": {Served: true},
		"v1 Old": {}, "v1 New": {Served: true, Storage: true}, "v1 Only": {Served: true, Storage: true}, "v1": {Served: true},
	}, got); diff != "" {
		t.Error("(-want +got)\n" + diff)
	}
}

// TestChoices shows a union as one choice, with a manifest for each option.
func TestChoices(t *testing.T) {
	site, _ := build(t, projects[0])
	choices := field(t, page(t, site, "v1", "Database"), "spec.storage").Choices
	if len(choices) != 1 || choices[0].Discriminator != "type" || len(choices[0].Options) != 3 {
		t.Fatalf("%+v", choices)
	}
	for i, want := range []apidocs.Option{
		{Value: "PersistentVolume", Member: "persistentVolume", Clears: []string{"objectStorage"}},
		{Value: "ObjectStorage", Member: "objectStorage", Clears: []string{"persistentVolume"}},
		{Value: "None", Clears: []string{"persistentVolume", "objectStorage"}},
	} {
		got := choices[0].Options[i]
		if !strings.Contains(got.Example, "type: "+want.Value+"\n") {
			t.Errorf("the example of %s is\n%s", want.Value, got.Example)
		}
		got.Example = ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// TestSeveral has fields of which several may be set among the rules: they are no choice.
func TestSeveral(t *testing.T) {
	files := workspacetest.Files("example.com")
	files["api/v1/types.go"] = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Fault struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Several Several ` + "`json:\"several\"`" + `
	One One ` + "`json:\"one\"`" + `
}

// +kubebuilder:validation:AtLeastOneOf=delay;abort
type Several struct {
	Delay *string ` + "`json:\"delay,omitempty\"`" + `
	Abort *string ` + "`json:\"abort,omitempty\"`" + `
}

// +kubebuilder:validation:ExactlyOneOf=delay;abort
type One struct {
	Delay *string ` + "`json:\"delay,omitempty\"`" + `
	Abort *string ` + "`json:\"abort,omitempty\"`" + `
}
`
	site, _ := rebuild(t, project(t, files))
	several, one := field(t, page(t, site, "v1", "Fault"), "several"), field(t, page(t, site, "v1", "Fault"), "one")
	if len(several.Choices) != 0 || len(several.Rules) != 1 || several.Rules[0].Words != "at least one of the fields in [delay abort] must be set" {
		t.Errorf("several: %+v", several)
	}
	if len(one.Choices) != 1 || len(one.Choices[0].Options) != 2 {
		t.Errorf("one: %+v", one)
	}
}

// TestRules has each rule in words, as a tag, as keywords of a schema, and in CEL.
func TestRules(t *testing.T) {
	site, _ := build(t, projects[0])
	rules := field(t, page(t, site, "v1", "Database"), "spec.replicas").Rules
	want := apidocs.Rule{Words: "at most 15", Tag: "+k8s:maximum=15", CEL: "self <= 15", Schema: []string{"maximum: 15"}}
	if len(rules) != 2 {
		t.Fatalf("%+v", rules)
	}
	if diff := cmp.Diff(want, rules[0]); diff != "" {
		t.Error(diff)
	}
	rules = field(t, page(t, site, "v1", "Database"), "spec.className").Rules
	want = apidocs.Rule{Words: "cannot change after the object is created", Tag: "+k8s:immutable", CEL: "self == oldSelf"}
	if !slices.ContainsFunc(rules, func(r apidocs.Rule) bool { return cmp.Equal(r, want) }) {
		t.Errorf("%+v lacks %+v", rules, want)
	}
}

// TestErrors finds each error that breaks a rule in the pages, with a manifest.
func TestErrors(t *testing.T) {
	site, _ := build(t, projects[0])
	p := page(t, site, "v1", "Database")
	messages := map[string]string{}
	for _, e := range p.Errors {
		messages[e.Message] = e.Object
	}
	for message, object := range map[string]string{
		"spec.replicas: Invalid value: 16: must be less than or equal to 15":                                  "spec:\n  replicas: 16\n",
		"spec.users[1]: Duplicate value: {\"name\":\"my-name\",\"role\":\"ReadOnly\"}":                        "",
		"spec.storage.objectStorage: Invalid value: may only be specified when `type` is \"ObjectStorage\"":   "",
		"spec.engine: Unsupported value: \"Unknown\": supported values: \"MariaDB\", \"MySQL\", \"Postgres\"": "spec:\n  engine: Unknown\n",
		"spec.storage.persistentVolume: Invalid value: must be specified when `type` is \"PersistentVolume\"": "",
		"spec.shards: Forbidden": "spec:\n  shards: 1\n",
	} {
		got, ok := messages[message]
		if !ok || object != "" && got != object {
			t.Errorf("%s: %v\n%s", message, ok, got)
		}
	}
	if t.Failed() {
		t.Log(strings.Join(slices.Sorted(maps.Keys(messages)), "\n"))
	}
}
