package example_test

import (
	"context"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/example"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/engines"
)

// makers returns the makers of all kinds below a folder.
func makers(t *testing.T, dir string) []*example.Maker {
	t.Helper()
	bag := &diag.Bag{}
	cfg := driver.ModelConfig{Dir: dir, Patterns: []string{"./api/..."}}
	m, err := driver.Model(cfg, bag)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Fatal(d.Span, d.Message)
		}
	}
	programs := kubebuilder.WithKeywords(cfg.Programs(m))
	set := eval.New(programs)
	engine := gotypes.New(set, source.NewFS(nil))
	var all []*example.Maker
	for _, kind := range set.Kinds() {
		name, _ := set.Kind(kind)
		typ := m.Type(name)
		if typ.Kind.List {
			continue
		}
		all = append(all, &example.Maker{Kind: kind, Root: fieldtree.New(programs, typ), Model: m, Engine: engine})
	}
	if len(all) == 0 {
		t.Fatal("no kinds")
	}
	return all
}

var projects = []string{"../../../examples/database", "../../../examples/pipeline"}

func title(k schema.GroupVersionKind) string { return k.Version + " " + k.Kind }

// TestAccepted makes all manifests of the examples. The engine accepts them, without unknown fields.
func TestAccepted(t *testing.T) {
	for _, dir := range projects {
		for _, m := range makers(t, dir) {
			check := func(t *testing.T, e example.Example, err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				result := m.Engine.Validate(context.Background(), verdict.Request{Kind: m.Kind, Object: e.Object})
				text, err := example.YAML(m.Root, e.Object)
				if err != nil {
					t.Fatal(err)
				}
				if len(result.Errors)+len(result.Unknown) > 0 {
					t.Errorf("%v %v in\n%s", result.Errors, result.Unknown, text)
				}
				if testing.Verbose() {
					t.Log("\n" + text)
				}
			}
			t.Run(title(m.Kind), func(t *testing.T) {
				e, err := m.Minimal()
				check(t, e, err)
				e, err = m.Full()
				check(t, e, err)
				for _, c := range m.Choices() {
					e, err := m.Chosen(c)
					check(t, e, err)
				}
			})
		}
	}
}

// TestPublished makes the same manifests for the definitions that an API server has. They accept them, too.
func TestPublished(t *testing.T) {
	for _, dir := range projects {
		bag := &diag.Bag{}
		engine, err := engines.Definitions([]string{dir + "/config/crd"}, nil, bag)
		if err != nil || bag.HasErrors() {
			t.Fatal(err, bag.All())
		}
		engine.Prepare(engine.Kinds(), bag)
		for _, m := range makers(t, dir) {
			if !slices.Contains(engine.Kinds(), m.Kind) {
				continue // not served
			}
			t.Run(title(m.Kind), func(t *testing.T) {
				check := func(e example.Example, err error) {
					if err != nil {
						t.Fatal(err)
					}
					for _, e := range engine.Validate(context.Background(), verdict.Request{Kind: m.Kind, Object: e.Object}).Errors {
						t.Error(e.Error)
					}
				}
				check(m.Minimal())
				check(m.Full())
				for _, c := range m.Choices() {
					check(m.Chosen(c))
				}
			})
		}
	}
}

// TestBreaks breaks each rule of the examples, but for functions in Go.
func TestBreaks(t *testing.T) {
	for _, dir := range projects {
		for _, m := range makers(t, dir) {
			t.Run(title(m.Kind), func(t *testing.T) {
				found := map[string]bool{}
				for _, b := range m.Breaks() {
					if b.Error != "" {
						found[b.Rule.Text] = true
					}
					if testing.Verbose() {
						text, _ := example.YAML(m.Root, b.Object)
						t.Logf("%s %s\n%s\n%s", b.Node.Pattern, b.Rule.Text, b.Error, text)
					}
				}
				for _, r := range m.Engine.Rules(m.Kind) {
					// Rules take an empty list as unset, which is valid.
					if !found[r.Text] && r.Text != "+k8s:minItems=1" {
						t.Errorf("no manifest breaks %s of %s", r.Text, r.Path)
					}
				}
			})
		}
	}
}
