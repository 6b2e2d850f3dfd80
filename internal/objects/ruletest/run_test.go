package ruletest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/objects/ruletest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// engine reports the same errors for all objects, and records its objects.
type engine struct {
	name   string
	errs   field.ErrorList
	rules  []*verdict.Rule
	notRun []verdict.NotRun
	asked  []verdict.Request
}

func (e *engine) Name() string { return e.name }
func (e *engine) Kinds() []schema.GroupVersionKind {
	return []schema.GroupVersionKind{{Group: "example.com", Version: "v1", Kind: "Widget"}}
}
func (e *engine) Missing(schema.GroupVersionKind) string        { return "" }
func (e *engine) Prepare([]schema.GroupVersionKind, *diag.Bag)  {}
func (e *engine) Rules(schema.GroupVersionKind) []*verdict.Rule { return e.rules }
func (e *engine) Validate(_ context.Context, r verdict.Request) verdict.Result {
	e.asked = append(e.asked, r)
	result := verdict.Result{NotRun: e.notRun}
	for i, err := range e.errs {
		found := verdict.Error{Error: err}
		if i < len(e.rules) {
			found.Rule = e.rules[i]
		}
		result.Errors = append(result.Errors, found)
	}
	return result
}

func run(t *testing.T, text string, engines ...verdict.Engine) (*ruletest.Summary, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x_test.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	bag := &diag.Bag{}
	cases, err := ruletest.Read([]string{path}, bag)
	if err != nil {
		t.Fatal(err)
	}
	summary := ruletest.Run(context.Background(), cases, engines, nil, nil, bag)
	var got []string
	for _, d := range bag.All() {
		got = append(got, fmt.Sprintf("%d: %s: %s [%s]", d.Span.Position().Line, d.Severity, d.Message, d.Code))
	}
	return summary, strings.Join(got, "\n")
}

const base = "base: {apiVersion: example.com/v1, kind: Widget, spec: {a: 1}}\n"

func TestEngines(t *testing.T) {
	size := field.NewPath("spec", "labels").Key("a")
	for _, c := range []struct {
		name, expect, want string
		first, second      field.ErrorList
	}{
		{name: "they agree", expect: "[spec.labels.a]",
			first: field.ErrorList{field.Required(size, "")}, second: field.ErrorList{field.Required(field.NewPath("spec.labels.a"), "other words")}},
		{name: "one has no error", expect: "[spec.labels.a]",
			first: field.ErrorList{field.Required(size, "")},
			want:  `4: error: case "x": expected an error at spec.labels.a, got none (engine: types) [ruletest/missing]`},
		{name: "one has another error", expect: "valid",
			second: field.ErrorList{field.Required(size, "")},
			want:   `3: error: case "x": unexpected error: spec.labels[a]: Required value (engine: types) [ruletest/unexpected]`},
		{name: "types differ", expect: "[spec.labels.a]",
			first: field.ErrorList{field.Required(size, "")}, second: field.ErrorList{field.Invalid(size, 1, "")},
			want: `3: warning: case "x" passes, but the engines differ: schema has spec.labels.a Required; types has spec.labels.a Invalid [ruletest/engines-differ]`},
		{name: "an error of one engine", expect: "[{path: spec.labels.a, engine: schema}]",
			first: field.ErrorList{field.Required(size, "")}},
		{name: "an error of the other engine", expect: "[{path: spec.labels.a, engine: types}]",
			first: field.ErrorList{field.Required(size, "")},
			want: `3: error: case "x": unexpected error: spec.labels[a]: Required value (engine: schema) [ruletest/unexpected]` + "\n" +
				`4: error: case "x": expected an error at spec.labels.a, got none (engine: types) [ruletest/missing]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got := run(t, base+"cases:\n- name: x\n  expect: "+c.expect+"\n", &engine{name: "schema", errs: c.first}, &engine{name: "types", errs: c.second})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestRules(t *testing.T) {
	rules := []*verdict.Rule{{Path: "spec.a", Text: "+one"}, {Path: "spec.b", Text: "+two"}}
	custom := verdict.NotRun{Text: "+custom", Reason: "a Go function"}
	e := &engine{name: "types", rules: rules, notRun: []verdict.NotRun{custom}, errs: field.ErrorList{field.Required(field.NewPath("spec", "a"), "")}}
	summary, got := run(t, base+"cases:\n- name: x\n  expect: [spec.a]\n- name: y\n  expect: [spec.a]\n", e)
	if diff := cmp.Diff("5: error: a name must be a string, but YAML reads true; write it in quotes [ruletest/malformed]", got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(summary.Unbroken) != 1 || summary.Unbroken[0].Rule != rules[1] || summary.Rules != 2 {
		t.Errorf("unbroken: %v of %d", summary.Unbroken, summary.Rules)
	}
	if len(summary.NotRun) != 1 || summary.NotRun[0] != custom {
		t.Errorf("not run: %v", summary.NotRun)
	}
}

// TestObjects checks the objects that engines get.
func TestObjects(t *testing.T) {
	e := &engine{name: "types"}
	summary, got := run(t, base+`cases:
- name: update
  old: {set: {spec.a: 2}, unset: [spec.a]}
  patch: {spec: {a: 3, b: {c: 1}}, metadata: {name: own}}
  set: {"spec.a": 4, 'spec.list[0]["x.y"]': z}
  unset: [spec.b.c]
  expect: valid
- name: no update
  expect: valid
- name: another base
  base: {apiVersion: example.com/v1, kind: Widget, metadata: {generateName: n-}, spec: {z: 1}}
  old: {}
  set: {spec.y: 2}
  expect: valid
`, e)
	if got != "" || summary.Failed != 0 || len(e.asked) != 3 {
		t.Fatal(got, summary, len(e.asked))
	}
	widget := func(metadata, spec map[string]any) map[string]any {
		return map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": spec}
	}
	name := func(key, value string) map[string]any { return map[string]any{key: value} }
	want := []verdict.Request{
		{
			Object: widget(name("name", "own"), map[string]any{"a": int64(4), "b": map[string]any{}, "list": []any{map[string]any{"x.y": "z"}}}),
			Old:    widget(name("name", "test"), map[string]any{}),
		},
		{Object: widget(name("name", "test"), map[string]any{"a": int64(1)})},
		{
			Object: widget(name("generateName", "n-"), map[string]any{"z": int64(1), "y": int64(2)}),
			Old:    widget(name("generateName", "n-"), map[string]any{"z": int64(1)}),
		},
	}
	for i := range want {
		want[i].Kind = e.Kinds()[0]
	}
	if diff := cmp.Diff(want, e.asked); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
