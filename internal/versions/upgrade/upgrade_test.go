package upgrade_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/versions/upgrade"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// definition returns a definition of orders, with the fields of spec by version; the version with a star is stored.
func definition(versions ...string) string {
	var b strings.Builder
	b.WriteString(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: orders.shop.example.com}
spec:
  group: shop.example.com
  names: {kind: Order, listKind: OrderList, plural: orders}
  scope: Namespaced
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: a, name: b}}}}
  versions:
`)
	for i := 0; i < len(versions); i += 2 {
		name, stored := strings.CutSuffix(versions[i], "*")
		fmt.Fprintf(&b, "  - name: %s\n    served: true\n    storage: %v\n    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {\n      %s\n    }}}}}\n",
			name, stored, strings.ReplaceAll(strings.TrimSpace(versions[i+1]), "\n", "\n      "))
	}
	return b.String()
}

func plan(t *testing.T, from, to string, o upgrade.Options) (*upgrade.Plan, string) {
	t.Helper()
	bag := &diag.Bag{}
	read := func(name, text string) []*upgrade.Definition {
		return upgrade.Read([]*source.File{source.NewFile(name, []byte(text))}, bag)
	}
	p := upgrade.New(read("old.yaml", from), read("new.yaml", to), o, bag)
	var out bytes.Buffer
	for _, d := range bag.All() {
		fmt.Fprintf(&out, "%s: %s: %s [%s]\n", d.Span, d.Severity, d.Message, d.Code)
	}
	return p, out.String()
}

// TestConvert converts objects by plans, there and back.
func TestConvert(t *testing.T) {
	for name, test := range map[string]struct {
		old, new string
		options  upgrade.Options
		// objects are specs in the older version and what they are in the newer one.
		objects [][2]string
		// diagnostics are parts of what is reported, in order.
		diagnostics []string
	}{
		"a new name": {
			old: `copies: {type: integer, description: copies is the number of pods.}`, new: `replicas: {type: integer, description: replicas is the number of pods.}`,
			objects:     [][2]string{{`{copies: 3}`, `{replicas: 3}`}, {`{}`, `{}`}},
			diagnostics: []string{"new.yaml:20:7: warning: guess: spec.replicas was spec.copies in v1beta1: the same schema and description [plan/guess]"},
		},
		"a similar name": {
			old: `replicaCount: {type: integer}`, new: `replicas: {type: integer}`,
			objects: [][2]string{{`{replicaCount: 3}`, `{replicas: 3}`}}, diagnostics: []string{"guess: spec.replicas was spec.replicaCount in v1beta1: the same schema and a similar name"},
		},
		"two candidates are no guess": {
			old: `size: {type: integer}`, new: "sizeMin: {type: integer},\nsizeMax: {type: integer}",
			objects: [][2]string{{`{size: 3}`, `{}`}},
		},
		"a name that people know": {
			old: `size: {type: integer}`, new: "sizeMin: {type: integer},\nsizeMax: {type: integer}", options: upgrade.Options{Renames: map[string]string{"spec.size": "spec.sizeMax"}},
			objects: [][2]string{{`{size: 3}`, `{sizeMax: 3}`}},
		},
		"a name that people know wrongly": {
			old: `size: {type: integer}`, new: "size: {type: integer}", options: upgrade.Options{Renames: map[string]string{"spec.size": "spec.count"}},
			objects: [][2]string{{`{size: 3}`, `{size: 3}`}}, diagnostics: []string{"--rename spec.size=spec.count: no neighbouring versions have the first only in the older one"},
		},
		"no guesses": {
			old: `replicaCount: {type: integer}`, new: `replicas: {type: integer}`, options: upgrade.Options{NoGuess: true},
			objects: [][2]string{{`{replicaCount: 3}`, `{}`}},
		},
		"below lists and maps": {
			old: `parts: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, properties: {name: {type: string}, colour: {type: string}}}},
by: {type: object, additionalProperties: {type: object, properties: {colour: {type: string}, a: {type: string}}}}`,
			new: `parts: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, properties: {name: {type: string}, color: {type: string}}}},
by: {type: object, additionalProperties: {type: object, properties: {color: {type: string}, b: {type: integer}}}}`,
			objects:     [][2]string{{`{parts: [{name: a, colour: red}, {name: b}], by: {x: {colour: blue, a: kept}}}`, `{parts: [{name: a, color: red}, {name: b}], by: {x: {color: blue}}}`}},
			diagnostics: []string{"guess: spec.parts[*].color was spec.parts[*].colour", "guess: spec.by[*].color was spec.by[*].colour"},
		},
		"renamed with its fields": {
			old: `template: {type: object, properties: {image: {type: string}, tag: {type: string}}}`, new: `pod: {type: object, properties: {image: {type: string}, tag: {type: string}}}`,
			objects: [][2]string{{`{template: {image: x}}`, `{pod: {image: x}}`}}, diagnostics: []string{"the same schema, with the same fields"},
		},
		"out of an object that goes": {
			old: `storage: {type: object, properties: {size: {type: string}, class: {type: string}}}`, new: `size: {type: string}`,
			objects:     [][2]string{{`{storage: {size: 1Gi, class: fast}}`, `{size: 1Gi}`}, {`{storage: {size: 1Gi}}`, `{size: 1Gi}`}, {`{storage: {}}`, `{}`}, {`{}`, `{}`}},
			diagnostics: []string{"new.yaml:20:7: warning: guess: spec.size was spec.storage.size in v1beta1: the same name and schema in another object [plan/guess]"},
		},
		"into a new object": {
			old: `size: {type: string}`, new: `storage: {type: object, properties: {size: {type: string}, class: {type: string}}}`,
			objects:     [][2]string{{`{size: 1Gi}`, `{storage: {size: 1Gi}}`}, {`{}`, `{}`}},
			diagnostics: []string{"guess: spec.storage.size was spec.size in v1beta1"},
		},
		"between objects of both": {
			old: "a: {type: object, properties: {x: {type: integer}, y: {type: integer}}},\nb: {type: object, properties: {z: {type: integer}}}",
			new: "a: {type: object, properties: {y: {type: integer}}},\nb: {type: object, properties: {z: {type: integer}, x: {type: integer}}}",
			objects: [][2]string{
				{`{a: {x: 1, y: 2}}`, `{a: {y: 2}, b: {x: 1}}`}, {`{a: {x: 1}, b: {z: 3}}`, `{b: {z: 3, x: 1}}`}, {`{a: {}, b: {}}`, `{a: {}, b: {}}`},
			},
			diagnostics: []string{"guess: spec.b.x was spec.a.x in v1beta1"},
		},
		"an object that moves": {
			old:         `a: {type: object, properties: {limits: {type: object, properties: {cpu: {type: string}}}, n: {type: integer}}}`,
			new:         "a: {type: object, properties: {n: {type: integer}}},\nlimits: {type: object, properties: {cpu: {type: string}}}",
			objects:     [][2]string{{`{a: {limits: {cpu: "1"}, n: 1}}`, `{a: {n: 1}, limits: {cpu: "1"}}`}},
			diagnostics: []string{"guess: spec.limits was spec.a.limits"},
		},
		"two places are no guess": {
			old: `size: {type: string}`, new: "a: {type: object, properties: {size: {type: string}}},\nb: {type: object, properties: {size: {type: string}}}",
			objects: [][2]string{{`{size: 1Gi}`, `{}`}},
		},
		"fields of two objects are no guess": {
			old: `a: {type: object, properties: {name: {type: string}, x: {type: string}}}`, new: `b: {type: object, properties: {name: {type: string}, y: {type: integer}}}`,
			objects: [][2]string{{`{a: {name: n}}`, `{}`}},
		},
		"other descriptions are no guess": {
			old: `size: {type: string, description: of pods}`, new: `a: {type: object, properties: {size: {type: string, description: of disks}}}`,
			objects: [][2]string{{`{size: 1Gi}`, `{}`}},
		},
		"a place that people know": {
			old: `size: {type: integer}`, new: "a: {type: object, properties: {amount: {type: string}, size: {type: integer}}},\nb: {type: object, properties: {size: {type: integer}}}",
			options: upgrade.Options{Renames: map[string]string{"spec.size": "spec.a.amount"}},
			objects: [][2]string{{`{size: 3}`, `{a: {amount: "3"}}`}}, diagnostics: []string{"guess: spec.a.amount, formerly spec.size, is the text of the integer"},
		},
		"a name with a dot": {
			old: `a.b: {type: object, properties: {size: {type: string}}}`, new: `size: {type: string}`,
			objects: [][2]string{{`{a.b: {size: x}}`, `{}`}},
		},
		"no field moves out of a list": {
			old: `parts: {type: array, items: {type: object, properties: {size: {type: string}, n: {type: string}}}}`, new: "parts: {type: array, items: {type: object, properties: {n: {type: string}}}},\nsize: {type: string}",
			objects: [][2]string{{`{parts: [{size: a, n: b}]}`, `{parts: [{n: b}]}`}},
		},
		"another type": {
			old: "port: {type: string},\nlive: {type: boolean},\nhost: {type: string}", new: "port: {type: integer},\nlive: {type: string},\nhost: {type: array, items: {type: string}}",
			objects:     [][2]string{{`{port: "80", live: true, host: a}`, `{port: 80, live: "true", host: [a]}`}, {`{}`, `{}`}},
			diagnostics: []string{"new.yaml:22:7: warning: guess: spec.port is the integer that was text", "guess: spec.live is the text of the boolean", "guess: spec.host is a list whose first item is the single value"},
		},
		"a type that no plan converts": {
			old: `size: {type: integer}`, new: `size: {type: object, properties: {min: {type: integer}}}`,
			objects:     [][2]string{{`{size: 3}`, `{}`}},
			diagnostics: []string{"new.yaml:20:7: error: spec.size is an integer in v1beta1 and an object in v1, and no plan converts this: serve a conversion with a Go function, or use another name [plan/function]"},
		},
		"no difference": {
			old: `size: {type: integer, description: one}`, new: `size: {type: integer, maximum: 3, description: other}`,
			objects: [][2]string{{`{size: 3}`, `{size: 3}`}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, got := plan(t, definition("v1beta1*", test.old), definition("v1beta1", test.old, "v1*", test.new), test.options)
			rest := got
			for _, want := range test.diagnostics {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %q in\n%s", want, got)
				}
				rest = after
			}
			if strings.Count(got, "\n") != len(test.diagnostics) {
				t.Errorf("reported:\n%s", got)
			}
			text, err := json.Marshal(p.APIs[0])
			api := &jsonconvert.API{}
			if err == nil {
				err = json.Unmarshal(text, api)
			}
			if err != nil {
				t.Fatal(err)
			}
			c, err := jsonconvert.New(api)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			c.Strict = true
			for _, o := range test.objects {
				older, newer := object(t, "v1beta1", o[0]), object(t, "v1", o[1])
				up, err := c.Convert(nil, older, "v1")
				if err != nil {
					t.Fatal(err)
				}
				if got := plain(t, up); got != plain(t, newer) {
					t.Errorf("up: %s, want %s", got, newer)
				}
				back, err := c.Convert(nil, up, "v1beta1")
				if err != nil || plain(t, back) != plain(t, older) {
					t.Errorf("back: %s, want %s: %v", back, older, err)
				}
			}
		})
	}
}

func object(t *testing.T, version, spec string) []byte {
	t.Helper()
	text, err := yaml.YAMLToJSON([]byte("apiVersion: shop.example.com/" + version + "\nkind: Order\nmetadata: {name: a}\nspec: " + spec))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// plain returns an object without annotations, with sorted keys.
func plain(t *testing.T, text []byte) string {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err, string(text))
	}
	delete(o["metadata"].(map[string]any), "annotations")
	out, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestDeploy plans the order of upgrades.
func TestDeploy(t *testing.T) {
	const a, b = `a: {type: string}`, `b: {type: integer}`
	none := func(text string) string {
		return strings.Replace(text, "strategy: Webhook", "strategy: None", 1)
	}
	for name, test := range map[string]struct {
		from, to string
		actions  []string
		reports  string
	}{
		"a new version that is stored": {
			definition("v1beta1*", a), definition("v1beta1", a, "v1*", b),
			[]string{"deploy the conversion webhook of orders", "apply orders.shop.example.com", "kindsmith storage run orders.shop.example.com, so all objects are stored in v1"}, "",
		},
		"a new version that is not stored": {
			definition("v1beta1*", a), definition("v1beta1*", a, "v1", b), []string{"deploy the conversion webhook", "apply orders"}, "",
		},
		"the stored version goes": {
			definition("v1beta1*", a), definition("v1*", b),
			[]string{"deploy", "apply orders.shop.example.com with v1beta1 added: objects are stored in it", "kindsmith storage run", "apply orders.shop.example.com as it is in the new file, without v1beta1"}, "",
		},
		"an older version goes": {
			definition("v1beta1", a, "v1*", b), definition("v1*", b), []string{"deploy", "apply orders.shop.example.com with v1beta1 added, unless", "kindsmith storage run", "without v1beta1"}, "",
		},
		"versions that do not differ": {none(definition("v1beta1*", a)), none(definition("v1beta1", a, "v1*", a)), []string{"apply", "kindsmith storage run"}, ""},
		"no webhook": {
			definition("v1beta1*", a), none(definition("v1beta1", a, "v1*", b)), []string{"deploy", "apply", "kindsmith storage run"},
			"new.yaml:8:26: error: the versions of orders.shop.example.com differ, and the new definition has no conversion webhook: API servers would drop fields [plan/strategy]\n",
		},
		"a new kind": {"", definition("v1*", a), []string{"apply the new definition orders.shop.example.com"}, ""},
		"a kind that goes": {
			definition("v1*", a), "", nil,
			"old.yaml:3:18: warning: orders.shop.example.com is not in the new file: to delete the definition deletes all objects of Order [plan/gone]\n",
		},
		"another scope": {
			definition("v1*", a), strings.Replace(definition("v1*", a), "Namespaced", "Cluster", 1), []string{"apply"},
			"new.yaml:7:10: error: orders.shop.example.com changes the scope from Namespaced to Cluster, which API servers refuse [plan/immutable]\n",
		},
		"a version that changes": {
			definition("v1*", a), definition("v1*", b), []string{"apply"},
			"new.yaml:13:14: warning: v1 of orders.shop.example.com differs between the files; the plan converts by the new one [plan/changed]\n",
		},
		"a field that becomes required": {
			definition("v1beta1*", a), strings.Replace(definition("v1beta1", a, "v1*", a+",\nb: {type: integer}"), "b: {type: integer}\n    }}", "b: {type: integer}\n    }, required: [b]}", 1), []string{"deploy", "apply", "kindsmith"},
			"new.yaml:21:7: error: v1 of orders.shop.example.com requires spec.b, which v1beta1 does not have: make the field optional, or give it a default [plan/required]\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, got := plan(t, test.from, test.to, upgrade.Options{})
			if len(p.Actions) != len(test.actions) {
				t.Fatalf("%q", p.Actions)
			}
			for i, want := range test.actions {
				if !strings.Contains(p.Actions[i], want) {
					t.Errorf("action %d is %q, want %q", i, p.Actions[i], want)
				}
			}
			if got != test.reports {
				t.Errorf("reported:\n%swant\n%s", got, test.reports)
			}
		})
	}
}
