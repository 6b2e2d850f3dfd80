package crd_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/crd"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/testing/crdtest"
)

const example = "../../../examples/database/config"

func objects(t testing.TB, names ...string) []*manifest.Object {
	t.Helper()
	files, err := manifest.Files(names, nil)
	if err != nil {
		t.Fatal(err)
	}
	bag := &diag.Bag{}
	var all []*manifest.Object
	for _, file := range files {
		for _, doc := range manifest.Parse(file, bag) {
			all = append(all, doc.Objects(bag)...)
		}
	}
	for _, d := range bag.All() {
		t.Fatal(d.Span, d.Message)
	}
	return all
}

func load(t testing.TB, names ...string) *crd.Engine {
	t.Helper()
	bag := &diag.Bag{}
	e := crd.Load(objects(t, names...), bag)
	e.Prepare(e.Kinds(), bag)
	for _, d := range bag.All() {
		t.Fatal(d.Span, d.Message)
	}
	return e
}

// gadgets has features that the example's definitions lack: embedded objects, preserved unknown
// fields, nullable fields, rules in allOf.
const gadgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gadgets.example.com
spec:
  group: example.com
  scope: Cluster
  names: {kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              template:
                type: object
                x-kubernetes-embedded-resource: true
                x-kubernetes-preserve-unknown-fields: true
              port:
                x-kubernetes-int-or-string: true
                anyOf: [{type: integer}, {type: string}]
                x-kubernetes-validations:
                - {rule: "type(self) != int || self < 9", message: port}
              note: {type: string, nullable: true, default: none}
              any: {x-kubernetes-preserve-unknown-fields: true, type: object}
              list:
                type: array
                maxItems: 5
                items:
                  type: object
                  properties:
                    num: {type: integer, default: 1, minimum: 0}
                    str: {type: string, maxLength: 10, default: x}
                  allOf:
                  - properties:
                      num: {maximum: 7}
                x-kubernetes-validations:
                - {rule: "self.all(i, !has(i.num) || i.num != 3)", message: three}
                - {rule: "self.all(i, i in oldSelf)", reason: FieldValueForbidden, messageExpression: "'it ' + 'was'"}
            x-kubernetes-validations:
            - {rule: "!has(self.note) || self.note != oldSelf.?note.orValue('no')", optionalOldSelf: true, message: note}
`

const someGadgets = `apiVersion: example.com/v1
kind: Gadget
metadata: {name: a}
spec:
  template: {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {a: b}}, spec: {x: 1}}
  port: 3
  note: null
  any: {a: {b: [1, x]}}
  list: [{num: 2, str: w}, {num: 3}, {}]
---
apiVersion: example.com/v1
kind: Gadget
metadata: {name: b}
spec:
  template: {apiVersion: v1, kind: Pod, metadata: {name: "No Name"}}
  port: x
  list: [{num: 9, str: much too long}]
`

// TestAgreesWithTheServer compares verdicts with those of the server's strategy
// for custom resources, on objects and on mutations of them.
func TestAgreesWithTheServer(t *testing.T) {
	servers := map[string]*crdtest.CRD{}
	serve := func(text string) {
		c, err := crdtest.Load([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		servers[c.Definition.Spec.Names.Kind] = c
	}
	definitions, all := parse(t, "gadgets.yaml", gadgets), parse(t, "objects.yaml", someGadgets)
	serve(gadgets)
	paths, err := filepath.Glob(example + "/crd/bases/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		serve(string(text))
	}
	definitions = append(definitions, objects(t, paths...)...)
	for _, pattern := range []string{"*_*.yaml", "invalid/create/*.yaml", "invalid/update/*.yaml"} {
		found, err := filepath.Glob(filepath.Join(example, "samples", filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		all = append(all, objects(t, found...)...)
	}
	bag := &diag.Bag{}
	e := crd.Load(definitions, bag)
	e.Prepare(e.Kinds(), bag)
	for _, d := range bag.All() {
		t.Fatal(d.Span, d.Message)
	}
	random := rand.New(rand.NewPCG(1, 2))
	broken := 0
	judge := func(o *manifest.Object, object, old map[string]any) {
		t.Helper()
		if old != nil {
			if _, errs := servers[o.Kind.Kind].Admit(o.Kind.Version, old); len(errs) > 0 {
				return // it cannot have been stored
			}
		}
		var want, got []string
		for _, err := range servers[o.Kind.Kind].Validate(o.Kind.Version, object, old) {
			if strings.HasPrefix(err.Detail, "some validation rules were not checked") {
				want = append(want, "blocked")
				continue
			}
			want = append(want, err.Error())
		}
		result := e.Validate(context.Background(), verdict.Request{Kind: o.Kind, Object: object, Old: old})
		for _, err := range result.Errors {
			got = append(got, err.Error.Error())
		}
		if result.Blocked {
			got = append(got, "blocked")
		}
		slices.Sort(want)
		slices.Sort(got)
		broken += len(want)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("-server +engine, object %v, old %v:\n%s", object, old, diff)
		}
	}
	for _, o := range all {
		judge(o, o.Value, nil)
		judge(o, o.Value, o.Value)
		rounds := 3
		if o.Kind.Kind == "Gadget" {
			rounds = 100
		}
		for range rounds {
			changed := runtime.DeepCopyJSON(o.Value)
			mutate(random, changed["spec"])
			judge(o, changed, nil)
			judge(o, changed, o.Value)
			judge(o, o.Value, changed)
		}
	}
	if broken < 300 {
		t.Errorf("only %d errors: the objects are too good to compare anything", broken)
	}
}

// TestSamples compares verdicts with the expected errors of the example's invalid manifests.
func TestSamples(t *testing.T) {
	const invalid = example + "/samples/invalid/"
	text, err := os.ReadFile(invalid + "expected.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type mistake struct{ Path, ServerPath string }
	var expected struct {
		Create []struct {
			Manifest string
			Errors   []mistake
		}
		Update []struct {
			From, To string
			Errors   []mistake
		}
	}
	if err := yaml.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	e := load(t, example+"/crd/bases")
	check := func(name string, request verdict.Request, mistakes []mistake) {
		var want, got []string
		for _, m := range mistakes {
			want = append(want, cmp.Or(m.ServerPath, m.Path))
		}
		for _, err := range e.Validate(context.Background(), request).Errors {
			got = append(got, err.Field)
			if err.Rule == nil {
				t.Errorf("%s: no rule for %v", name, err.Error)
			} else if !slices.Contains(e.Rules(request.Kind), err.Rule) {
				t.Errorf("%s: %v is no rule of the kind", name, err.Rule)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := gocmp.Diff(want, slices.Compact(got)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
	for _, c := range expected.Create {
		o := objects(t, invalid+c.Manifest)[0]
		check(c.Manifest, verdict.Request{Kind: o.Kind, Object: o.Value}, c.Errors)
	}
	for _, c := range expected.Update {
		o := objects(t, invalid+c.To)[0]
		check(c.To, verdict.Request{Kind: o.Kind, Object: o.Value, Old: objects(t, invalid+c.From)[0].Value}, c.Errors)
	}
}

// mutate changes one value somewhere below a value.
func mutate(random *rand.Rand, value any) {
	pick := []any{nil, "", "x", "Not a Name", int64(-1), int64(1 << 40), 1.5, true, []any{}, map[string]any{}, strings.Repeat("long", 100)}
	replacement := runtime.DeepCopyJSONValue(pick[random.IntN(len(pick))])
	switch value := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(value))
		if len(names) == 0 {
			value["unknown"] = replacement
			return
		}
		name := names[random.IntN(len(names))]
		switch child := value[name]; {
		case isCollection(child) && random.IntN(4) > 0:
			mutate(random, child)
		case random.IntN(4) == 0:
			delete(value, name)
		default:
			value[name] = replacement
		}
	case []any:
		if len(value) == 0 {
			return
		}
		i := random.IntN(len(value))
		switch {
		case isCollection(value[i]) && random.IntN(3) > 0:
			mutate(random, value[i])
		case len(value) > 1 && random.IntN(2) == 0:
			value[i] = runtime.DeepCopyJSONValue(value[(i+1)%len(value)])
		default:
			value[i] = replacement
		}
	}
}

func isCollection(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations:
        - rule: self.metadata.name != "bad"
          message: the name is bad
        properties:
          spec:
            type: object
            required: [size]
            x-kubernetes-validations:
            - rule: self.size != 7
              message: not seven
              fieldPath: .size
            - rule: self.size != 8
            - rule: self.size != 9
              messageExpression: '"expressed " + string(self.size)'
            - rule: self.size != 6 || !has(self.when)
              messageExpression: '"six " + string(self.size)'
            - rule: self.size != 5 || !has(self.color)
              reason: FieldValueDuplicate
            - rule: self.size != 5 || !has(self.when)
              reason: FieldValueDuplicate
            - rule: self.size == oldSelf.size
              message: size does not change
              reason: FieldValueForbidden
            - rule: 'self.?parts.orValue([]).size() == 0 || self.parts[self.size].name != ""'
            properties:
              size: {type: integer, minimum: 0, exclusiveMinimum: true, maximum: 10, multipleOf: 1}
              when: {type: string, format: date-time}
              color:
                anyOf: [{pattern: "^r"}, {maxLength: 2}]
                type: string
                minLength: 1
              labels:
                type: object
                maxProperties: 2
                additionalProperties: {type: string, enum: [a, b]}
              parts:
                type: array
                maxItems: 3
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string, maxLength: 3}
                    count: {type: integer, default: 1}
`

func parse(t *testing.T, name, text string) []*manifest.Object {
	t.Helper()
	bag := &diag.Bag{}
	var all []*manifest.Object
	for _, doc := range manifest.Parse(source.NewFile(name, []byte(text)), bag) {
		all = append(all, doc.Objects(bag)...)
	}
	for _, d := range bag.All() {
		t.Fatal(d.Span, d.Message)
	}
	return all
}

func TestVerdicts(t *testing.T) {
	bag := &diag.Bag{}
	e := crd.Load(parse(t, "crd.yaml", widgets), bag)
	e.Prepare(e.Kinds(), bag)
	for _, d := range bag.All() {
		t.Fatal(d.Span, d.Message)
	}
	for _, c := range []struct{ name, object, old, want string }{
		{name: "valid", object: `{metadata: {name: a}, spec: {size: 1}}`},
		{name: "a missing field", object: `{metadata: {name: a}, spec: {}}`,
			want: "spec.size: Required value <required @ spec.size>\nblocked"},
		{name: "bounds", object: `{metadata: {name: a}, spec: {size: 11}}`,
			want: "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10 <maximum: 10 @ spec.size>"},
		{name: "exclusive bounds", object: `{metadata: {name: a}, spec: {size: 0}}`,
			want: "spec.size: Invalid value: 0: spec.size in body should be greater than 0 <minimum: 0 @ spec.size>"},
		{name: "a rule with a path", object: `{metadata: {name: a}, spec: {size: 7}}`,
			want: "spec.size: Invalid value: not seven <self.size != 7 @ spec>"},
		{name: "a rule without a message", object: `{metadata: {name: a}, spec: {size: 8}}`,
			want: "spec: Invalid value: failed rule: self.size != 8 <self.size != 8 @ spec>"},
		{name: "an expression makes the message", object: `{metadata: {name: a}, spec: {size: 9}}`,
			want: "spec: Invalid value: expressed 9 <self.size != 9 @ spec>"},
		{name: "one of several such", object: `{metadata: {name: a}, spec: {size: 6, when: "2026-01-01T00:00:00Z"}}`,
			want: "spec: Invalid value: six 6 <self.size != 6 || !has(self.when) @ spec>"},
		{name: "a reason that has no message", object: `{metadata: {name: a}, spec: {size: 5, when: "2026-01-01T00:00:00Z"}}`,
			want: "spec: Duplicate value <self.size != 5 || !has(self.when) @ spec>"},
		{name: "a rule that fails to run", object: `{metadata: {name: a}, spec: {size: 5, parts: [{name: x}]}}`,
			want: `spec: Invalid value: "object": index out of bounds: 5 evaluating rule: self.?parts.orValue([]).size() == 0 || self.parts[self.size].name != "" <self.?parts.orValue([]).size() == 0 || self.parts[self.size].name != "" @ spec>`},
		{name: "the object's rule", object: `{metadata: {name: bad}, spec: {size: 1}}`,
			want: "<nil>: Invalid value: the name is bad <self.metadata.name != \"bad\" @ >"},
		{name: "a transition", object: `{metadata: {name: a}, spec: {size: 1}}`, old: `{metadata: {name: a}, spec: {size: 2}}`,
			want: "spec: Forbidden: size does not change <self.size == oldSelf.size @ spec>"},
		{name: "what was wrong before may stay", object: `{metadata: {name: a}, spec: {size: 1, color: ""}}`, old: `{metadata: {name: a}, spec: {size: 1, color: ""}}`},
		{name: "maps", object: `{metadata: {name: a}, spec: {size: 1, labels: {x.y: c}}}`,
			want: "spec.labels.x.y: Unsupported value: \"c\": supported values: \"a\", \"b\" <enum: a, b @ spec.labels[*]>\nblocked"},
		{name: "keys of lists", object: `{metadata: {name: a}, spec: {size: 1, parts: [{name: x}, {name: x}]}}`,
			want: "spec.parts[1]: Duplicate value: {\"name\":\"x\"} <x-kubernetes-list-type: map @ spec.parts>"},
		{name: "formats", object: `{metadata: {name: a}, spec: {size: 1, when: now}}`,
			want: "spec.when: Invalid value: \"now\": spec.when in body must be of type date-time: \"now\" <format: date-time @ spec.when>\nblocked"},
		{name: "types", object: `{metadata: {name: a}, spec: {size: big}}`,
			want: "spec.size: Invalid value: \"string\": spec.size in body must be of type integer: \"string\" <>\nblocked"},
		{name: "names", object: `{metadata: {name: A_B}, spec: {size: 1}}`, want: "metadata.name: Invalid value: \"A_B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*') <>"},
		{name: "generated names", object: `{metadata: {generateName: a-}, spec: {size: 1}}`},
		{name: "no name", object: `{spec: {size: 1}}`, want: "metadata.name: Required value: name or generateName is required <>\nblocked"},
		{name: "metadata of a wrong type", object: `{metadata: {name: a, labels: {x: 1}}, spec: {size: 1}}`,
			want: "metadata: Invalid value: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string <>"},
		{name: "unknown fields", object: `{metadata: {name: a, color: red}, spec: {size: 1, sice: 2, parts: [{name: x, z: 1}, {name: w}]}}`,
			want: "unknown metadata.color\nunknown spec.parts[0].z\nunknown spec.sice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			object := parse(t, "object.yaml", "{apiVersion: example.com/v1, kind: Widget, "+c.object[1:])[0]
			request := verdict.Request{Kind: object.Kind, Object: object.Value}
			if c.old != "" {
				request.Old = parse(t, "old.yaml", "{apiVersion: example.com/v1, kind: Widget, "+c.old[1:])[0].Value
			}
			result := e.Validate(context.Background(), request)
			var got []string
			for _, err := range result.Errors {
				rule := ""
				if err.Rule != nil {
					rule = err.Rule.Text + " @ " + err.Rule.Path
					if err.Rule.Span.IsZero() {
						t.Errorf("%s has no place", rule)
					}
				}
				got = append(got, fmt.Sprintf("%v <%s>", err.Error, rule))
			}
			for _, path := range result.Unknown {
				got = append(got, "unknown "+path)
			}
			slices.SortFunc(got, cmp.Compare[string])
			if result.Blocked {
				got = append(got, "blocked")
			}
			if diff := gocmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
