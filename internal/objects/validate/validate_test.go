package validate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/validate"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// engine requires spec.name, has a rule that it cannot run, and rejects old objects of other
// versions.
type engine struct{ rule *verdict.Rule }

func (e engine) Name() string { return "types" }
func (e engine) Kinds() []schema.GroupVersionKind {
	return []schema.GroupVersionKind{{Group: "example.com", Version: "v1", Kind: "Widget"}}
}
func (e engine) Missing(schema.GroupVersionKind) string        { return "" }
func (e engine) Prepare([]schema.GroupVersionKind, *diag.Bag)  {}
func (e engine) Rules(schema.GroupVersionKind) []*verdict.Rule { return []*verdict.Rule{e.rule} }
func (e engine) Validate(_ context.Context, r verdict.Request) verdict.Result {
	result := verdict.Result{NotRun: []verdict.NotRun{{Text: "+k8s:customValidation", Reason: "a Go function", Span: e.rule.Span}}}
	spec, _ := r.Object["spec"].(map[string]any)
	if spec["name"] == nil {
		result.Errors = append(result.Errors, verdict.Error{Error: field.Required(field.NewPath("spec", "name"), ""), Rule: e.rule})
	}
	if spec["size"] != int64(1) {
		result.Errors = append(result.Errors, verdict.Error{Error: field.Invalid(field.NewPath("spec", "size"), spec["size"], "must be 1")})
	}
	if r.Old != nil && r.Old["apiVersion"] != r.Object["apiVersion"] {
		result.OldIgnored = "it is of another version"
	}
	return result
}

func input(t *testing.T, name, text string, bag *diag.Bag) *validate.Input {
	t.Helper()
	in := &validate.Input{Documents: manifest.Parse(source.NewFile(name, []byte(text)), bag)}
	for _, doc := range in.Documents {
		in.Objects = append(in.Objects, doc.Objects(bag)...)
	}
	return in
}

func widget(name, rest string) string {
	return "---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: " + name + "}\n" + rest + "\n"
}

func TestRun(t *testing.T) {
	types := source.NewFile("types.go", []byte("// +k8s:required\n"))
	e := engine{rule: &verdict.Rule{Text: "+k8s:required", Path: "spec.name", Span: types.Span(3, 16)}}
	good := "spec: {name: a, size: 1}"
	for _, c := range []struct{ name, now, old, want string }{
		{name: "creates", now: widget("a", good) + widget("b", good), want: "2 documents, 2 objects: 2 valid, 0 invalid, 0 skipped\nnot run: +k8s:customValidation (types.go:1:4): a Go function"},
		{name: "places", now: widget("a", "common: &c {size: 1}\nspec: {<<: *c, size: 2}"), want: `now:6:1: error: Widget a: spec.name: Required value [validate/required]
  types.go:1:4: declared as +k8s:required
now:6:22: error: Widget a: spec.size: Invalid value: 2: must be 1 [validate/invalid]
1 document, 1 object: 0 valid, 1 invalid, 0 skipped
not run: +k8s:customValidation (types.go:1:4): a Go function`},
		{name: "aliases and defaults", now: widget("a", "common: &c {size: 3, name: x}\nspec: *c") + widget("b", "spec: {name: b}"), want: `now:6:7: error: Widget a: spec.size: Invalid value: 3: must be 1 [validate/invalid]
  now:5:19: the anchor of the alias
now:11:1: error: Widget b: spec.size: Invalid value: null: must be 1 [validate/invalid]
  the manifest does not set spec.size
2 documents, 2 objects: 0 valid, 2 invalid, 0 skipped
not run: +k8s:customValidation (types.go:1:4): a Go function`},
		{name: "updates", now: widget("a", good) + widget("b", good) + widget("c", good),
			old: strings.Replace(widget("a", good), "{name", "{namespace: default, name", 1) + strings.Replace(widget("b", good), "v1", "v2", 1) + widget("d", good) + widget("d", good),
			want: `old:7:13: warning: Widget b is validated as a create; the old object is not used: it is of another version [validate/old-ignored]
old:19:18: error: --old has Widget d more than once [validate/old-twice]
  old:14:18: this one is used
3 documents, 3 objects: 3 valid, 0 invalid, 0 skipped
1 update; not in --old, validated as creates: Widget b, Widget c; in --old only: Widget d
not run: +k8s:customValidation (types.go:1:4): a Go function`},
	} {
		t.Run(c.name, func(t *testing.T) {
			bag := &diag.Bag{}
			now := input(t, "now", c.now, bag)
			var old *validate.Input
			if c.old != "" {
				old = input(t, "old", c.old, bag)
			}
			summary := validate.Run(context.Background(), e, now, old, validate.Options{}, bag)
			var got []string
			for _, d := range bag.All() {
				got = append(got, fmt.Sprintf("%v: %v: %s [%s]", d.Span, d.Severity, d.Message, d.Code))
				for _, n := range d.Notes {
					text := "  " + n.Message
					if !n.Span.IsZero() {
						text = fmt.Sprintf("  %v: %s", n.Span, n.Message)
					}
					got = append(got, text)
				}
			}
			got = append(got, summary.Lines()...)
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
