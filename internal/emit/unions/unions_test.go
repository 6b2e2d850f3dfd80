package unions_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/emit/unions"
	"github.com/kindsmith/kindsmith/internal/emit/unions/testdata/table"
	"github.com/kindsmith/kindsmith/internal/emit/validation"
	plans "github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/union"
)

func TestGolden(t *testing.T) {
	emittest.Golden(t, unions.Emitter(), "./testdata/table", "../../../conformance/unions/skew", "../../../conformance/unions/shapes", "../../../conformance/unions/v1")
	emittest.Golden(t, validation.Emitter(), "../../../conformance/unions/skew", "../../../conformance/unions/shapes")
}

// shape returns the shape of a type of a package.
func shape(t testing.TB, pkg, name string) *union.Shape {
	t.Helper()
	m, _ := emittest.Model(t, pkg)
	for _, p := range m.Packages {
		if p.Root {
			return plans.NewPlans(tag.Programs(m, driver.Tags()), plans.All).Shape(p.Type(name))
		}
	}
	return nil
}

func object(t testing.TB, spec string) *table.Object {
	t.Helper()
	o := &table.Object{}
	if err := json.Unmarshal([]byte(spec), &o.Spec); err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	return o
}

func asJSON(t testing.TB, spec table.Spec) map[string]any {
	t.Helper()
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPlaces normalises unions in each place that can have one, as Go values and as JSON.
func TestPlaces(t *testing.T) {
	shape := shape(t, "./testdata/table", "Spec")
	feature := union.Request{Options: map[string]bool{"Feature": true}}
	for _, tc := range []struct {
		name, old, obj, want string
		request              union.Request
	}{
		{name: "no old parent is a create", old: `{}`, obj: `{"union":{"d":"A","a":1,"b":1}}`, want: `{"union":{"d":"A","a":1,"b":1}}`},
		{name: "fields outside of the union stay", old: `{"union":{"d":"A","a":1,"x":"x"}}`, obj: `{"union":{"d":"B","a":1,"x":"y"}}`, want: `{"union":{"d":"B","x":"y"}}`},
		{
			name: "keyed items are paired in any order",
			old:  `{"items":[{"name":"n1","d":"A","a":1},{"name":"n2","d":"B","b":1}]}`,
			obj:  `{"items":[{"name":"n2","d":"A","a":1,"b":1},{"name":"n1","d":"A","a":1,"b":1}]}`,
			want: `{"items":[{"name":"n2","d":"A","a":1},{"name":"n1","d":"A","a":1,"b":1}]}`,
		},
		{name: "atomic items are not paired", old: `{"atomic":[{"name":"n1","d":"A","a":1}]}`, obj: `{"atomic":[{"name":"n1","d":"B","a":1,"b":1}]}`, want: `{"atomic":[{"name":"n1","d":"B","a":1,"b":1}]}`},
		{
			name: "map values are paired by key",
			old:  `{"byKey":{"k":{"d":"A","a":1}},"pointersByKey":{"k":{"d":"A","a":1}}}`,
			obj:  `{"byKey":{"k":{"d":"B","a":1,"b":1}},"pointersByKey":{"k":{"d":"B","a":1,"b":1}}}`,
			want: `{"byKey":{"k":{"d":"B","b":1}},"pointersByKey":{"k":{"d":"B","b":1}}}`,
		},
		{
			name: "items with several keys, one of them a pointer",
			old:  `{"pointers":[{"name":"n","d":"A","a":1},{"name":"n","zone":"z","d":"A","a":1},null]}`,
			obj:  `{"pointers":[null,{"name":"n","zone":"z","d":"B","a":1,"b":1},{"name":"n","zone":"y","d":"B","a":1,"b":1}]}`,
			want: `{"pointers":[null,{"name":"n","zone":"z","d":"B","b":1},{"name":"n","zone":"y","d":"B","a":1,"b":1}]}`,
		},
		{
			name: "items with a key that its struct hides",
			old:  `{"hidden":[{"key":"n1","d":"A","a":1},{"key":"n2","d":"B","b":1}]}`,
			obj:  `{"hidden":[{"key":"n2","d":"A","a":1,"b":1},{"key":"n3","d":"A","a":1,"b":1}]}`,
			want: `{"hidden":[{"key":"n2","d":"A","a":1},{"key":"n3","d":"A","a":1,"b":1}]}`,
		},
		{
			name: "unions of one struct are independent",
			old:  `{"two":{"first":"A","firstA":{"k":"v"},"second":"A","secondA":1}}`,
			obj:  `{"two":{"first":"B","firstA":{"k":"v"},"firstB":"b","second":"A","secondA":1,"secondB":true}}`,
			want: `{"two":{"first":"B","firstB":"b","second":"A","secondA":1,"secondB":true}}`,
		},
		{name: "a required discriminator that is emptied clears nothing", old: `{"two":{"second":"A","secondA":1}}`, obj: `{"two":{"second":"","secondA":1,"secondB":true}}`, want: `{"two":{"second":"","secondA":1,"secondB":true}}`},
		{
			name: "a union in a member that is cleared is not visited",
			old:  `{"nested":{"kind":"Inner","inner":{"d":"A","a":1}}}`,
			obj:  `{"nested":{"kind":"Deeper","inner":{"d":"B","a":1},"deeper":{"kind":"Inner","inner":{"d":"A","a":1,"b":1}}}}`,
			want: `{"nested":{"kind":"Deeper","deeper":{"kind":"Inner","inner":{"d":"A","a":1,"b":1}}}}`,
		},
		{
			name: "a union in a member that stays is",
			old:  `{"nested":{"kind":"Deeper","deeper":{"kind":"Inner","inner":{"d":"A","a":1}}}}`,
			obj:  `{"nested":{"kind":"Deeper","deeper":{"kind":"Inner","inner":{"d":"B","a":1,"b":1}}}}`,
			want: `{"nested":{"kind":"Deeper","deeper":{"kind":"Inner","inner":{"d":"B","b":1}}}}`,
		},
		{name: "a type declared from a union", old: `{"named":{"d":"A","a":1}}`, obj: `{"named":{"d":"B","a":1,"b":1}}`, want: `{"named":{"d":"B","b":1}}`},
		{name: "items of a type declared from another", old: `{"namedItems":[{"name":"n","d":"A","a":1}]}`, obj: `{"namedItems":[{"name":"n","d":"B","a":1,"b":1}]}`, want: `{"namedItems":[{"name":"n","d":"B","b":1}]}`},
		{name: "atomic lists in a map", old: `{"lists":{"k":[{"d":"A","a":1}]}}`, obj: `{"lists":{"k":[{"d":"B","a":1}]}}`, want: `{"lists":{"k":[{"d":"B","a":1}]}}`},
		{name: "keyed lists in a map", old: `{"keyedLists":{"k":[{"name":"n","d":"A","a":1}]}}`, obj: `{"keyedLists":{"k":[{"name":"n","d":"B","a":1}]}}`, want: `{"keyedLists":{"k":[{"name":"n","d":"B"}]}}`},
		{name: "a union by tags on subfields", old: `{"plain":{"d":"A","a":1}}`, obj: `{"plain":{"d":"B","a":1,"b":1}}`, want: `{"plain":{"d":"B","b":1}}`},
		{
			name: "a union by tags on one item",
			old:  `{"special":[{"name":"union","d":"A","a":1},{"name":"other","d":"A","a":1}]}`,
			obj:  `{"special":[{"name":"other","d":"B","a":1},{"name":"union","d":"B","a":1}]}`,
			want: `{"special":[{"name":"other","d":"B","a":1},{"name":"union","d":"B"}]}`,
		},
		{name: "a mode that has no rules for fields clears them", old: `{"moded":{"mode":"A","a":1,"on":true,"c":1}}`, obj: `{"moded":{"mode":"B","a":1,"b":1,"c":1}}`, want: `{"moded":{"mode":"B","a":1,"b":1}}`},
		{name: "an unknown mode clears nothing", old: `{"moded":{"mode":"A","a":1}}`, obj: `{"moded":{"mode":"Z","a":1,"b":1}}`, want: `{"moded":{"mode":"Z","a":1,"b":1}}`},
		{name: "a member under a disabled option is no member", old: `{"conditional":{"d":"A","a":1,"b":1}}`, obj: `{"conditional":{"d":"None","a":1,"b":1,"c":1}}`, want: `{"conditional":{"d":"None","b":1,"c":1}}`},
		{name: "under an enabled option it is", request: feature, old: `{"conditional":{"d":"A","a":1,"b":1}}`, obj: `{"conditional":{"d":"None","a":1,"b":1,"c":1}}`, want: `{"conditional":{"d":"None","c":1}}`},
		{name: "a member of an enforced level is one", request: union.Request{Level: union.Alpha}, old: `{"conditional":{"d":"A","c":1}}`, obj: `{"conditional":{"d":"None","b":1,"c":1}}`, want: `{"conditional":{"d":"None","b":1}}`},
		{name: "a selected member is retained on request", request: union.Request{RetainSelected: true}, old: `{"union":{"d":"C","c":["x"]}}`, obj: `{"union":{"d":"C","x":"y"}}`, want: `{"union":{"d":"C","c":["x"],"x":"y"}}`},
		{name: "and else it is not", old: `{"union":{"d":"C","c":["x"]}}`, obj: `{"union":{"d":"C","x":"y"}}`, want: `{"union":{"d":"C","x":"y"}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			obj, old := object(t, tc.obj), object(t, tc.old)
			asObject := asJSON(t, obj.Spec)
			cleared := table.NormalizeUnions_Object(tc.request, obj, old)
			want := asJSON(t, object(t, tc.want).Spec)
			if diff := cmp.Diff(want, asJSON(t, obj.Spec)); diff != "" {
				t.Errorf("unexpected object (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(object(t, tc.old).Spec, old.Spec); diff != "" {
				t.Errorf("the old object was changed (-before +after):\n%s", diff)
			}
			inJSON := shape.Normalize(tc.request, asObject, asJSON(t, old.Spec))
			if diff := cmp.Diff(want, asObject); diff != "" {
				t.Errorf("unexpected JSON object (-want +got):\n%s", diff)
			}
			compareCleared(t, cleared, inJSON)
		})
	}
}

// compareCleared compares the members that both forms cleared.
func compareCleared(t *testing.T, typed, inJSON []union.Cleared) {
	t.Helper()
	for i := range typed {
		typed[i].Path = typed[i].Path[len("spec."):]
	}
	if diff := cmp.Diff(typed, inJSON); diff != "" {
		t.Errorf("other members were cleared (-Go +JSON):\n%s", diff)
	}
}

func TestCreate(t *testing.T) {
	obj := object(t, `{"union":{"d":"A","a":1,"b":1}}`)
	if cleared := table.NormalizeUnions_Object(union.Request{}, obj, nil); cleared != nil || obj.Spec.Union.B == nil {
		t.Errorf("a create was changed: %v", cleared)
	}
	table.NormalizeUnions_Object(union.Request{}, nil, nil)
}

func TestWarnings(t *testing.T) {
	obj, old := object(t, `{"union":{"d":"B","a":2,"b":1,"c":["x"]}}`), object(t, `{"union":{"d":"A","a":1,"c":["x"]}}`)
	got := union.Warnings(table.NormalizeUnions_Object(union.Request{}, obj, old))
	if diff := cmp.Diff([]string{`spec.union.a was removed: d is set to "B"`}, got); diff != "" {
		t.Errorf("unexpected warnings (-want +got):\n%s", diff)
	}
}

// sometimes returns a value in most cases, else nil.
func sometimes[T any](r *rand.Rand, v func() T) *T {
	if r.IntN(4) == 0 {
		return nil
	}
	out := v()
	return &out
}

// random returns a value of a spec in which all unions are random.
func random(r *rand.Rand) table.Spec {
	number := func() *int64 { return sometimes(r, func() int64 { return r.Int64N(2) }) }
	choice := func() table.Choice { return []table.Choice{"", "A", "B", "C", "None", "Zed"}[r.IntN(6)] }
	one := func() table.Union {
		return table.Union{D: choice(), A: number(), B: number(), C: []string{"x", "y", "z"}[:r.IntN(3)], X: fmt.Sprint(r.IntN(2))}
	}
	item := func(i int) table.Item {
		return table.Item{Name: fmt.Sprint(i / 2), Zone: []*string{nil, new(string)}[i%2], Union: one()}
	}
	plain := func(i int) table.Plain {
		return table.Plain{Name: []string{"union", "other", ""}[i], D: choice(), A: number(), B: number()}
	}
	// Keys are unique: which of several old items is the right one is not defined.
	some := func(n int, add func(i int)) {
		for _, i := range r.Perm(n)[:r.IntN(n)] {
			add(i)
		}
	}
	s := table.Spec{
		Union: sometimes(r, one), Plain: sometimes(r, func() table.Plain { return plain(0) }), Named: table.Named(one()),
		ByKey: map[string]table.Union{}, KeyedLists: map[string][]table.Item{},
		Moded: sometimes(r, func() table.Moded {
			return table.Moded{Mode: choice(), A: number(), B: number(), On: r.IntN(2) == 0, C: number()}
		}),
		Conditional: sometimes(r, func() table.Conditional { return table.Conditional{D: choice(), A: number(), B: number(), C: number()} }),
		Nested: sometimes(r, func() table.Nested {
			return table.Nested{Kind: []table.NestedKind{"Inner", "Deeper", "Zed"}[r.IntN(3)], Inner: sometimes(r, one), Deeper: &table.Nested{Kind: "Inner", Inner: sometimes(r, one)}}
		}),
	}
	some(4, func(i int) { s.Items = append(s.Items, item(2*i)) })
	some(6, func(i int) { s.Pointers = append(s.Pointers, sometimes(r, func() table.Item { return item(i) })) })
	some(3, func(i int) { s.Special = append(s.Special, plain(i)) })
	some(3, func(i int) { s.ByKey[fmt.Sprint(i)] = one() })
	some(3, func(i int) { s.KeyedLists[fmt.Sprint(i)] = []table.Item{item(2), item(0)} })
	return s
}

// TestForms normalises random objects as Go values and as JSON, and tests what holds for all.
func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shape := shape(t, "./testdata/table", "Spec")
	requests := []union.Request{{}, {Options: map[string]bool{"Feature": true}}, {Level: union.Alpha}, {RetainSelected: true}}
	total := 0
	for range 4000 {
		request := requests[r.IntN(len(requests))]
		obj, old := &table.Object{Spec: random(r)}, &table.Object{Spec: random(r)}
		sent, before := asJSON(t, obj.Spec), asJSON(t, old.Spec)
		asObject := asJSON(t, obj.Spec)
		cleared := table.NormalizeUnions_Object(request, obj, old)
		total += len(cleared)
		got := asJSON(t, obj.Spec)
		compareCleared(t, cleared, shape.Normalize(request, asObject, before))
		if diff := cmp.Diff(got, asObject); diff != "" {
			t.Errorf("the forms differ (-Go +JSON):\n%s", diff)
		}
		if again := table.NormalizeUnions_Object(request, obj, old); len(again) > 0 || !cmp.Equal(got, asJSON(t, obj.Spec)) {
			t.Errorf("normalising twice clears %v", again)
		}
		if !request.RetainSelected {
			subset(t, "", got, sent)
		}
		same := obj.Spec
		if same := (&table.Object{Spec: same}); len(table.NormalizeUnions_Object(union.Request{}, same, obj)) > 0 {
			t.Error("an update that changes no discriminator cleared members")
		}
		if t.Failed() {
			t.Fatalf("object %v\nold %v", sent, before)
		}
	}
	if total < 4000 {
		t.Errorf("only %d members were cleared", total)
	}
}

// subset reports keys and values of an object that it did not have before.
func subset(t *testing.T, path string, got, before any) {
	t.Helper()
	switch got := got.(type) {
	case map[string]any:
		was, _ := before.(map[string]any)
		for k, v := range got {
			subset(t, path+"."+k, v, was[k])
		}
	case []any:
		was, _ := before.([]any)
		for i, v := range got {
			subset(t, fmt.Sprintf("%s[%d]", path, i), v, was[i])
		}
	default:
		if got != before {
			t.Errorf("%s was %v and is %v", path, before, got)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	old := &table.Object{Spec: random(rand.New(rand.NewPCG(3, 4)))}
	old.Spec.Items = append(old.Spec.Items, table.Item{Name: "n", Union: table.Union{D: "A", A: new(int64)}})
	obj := &table.Object{Spec: old.Spec}
	if n := testing.AllocsPerRun(100, func() { table.NormalizeUnions_Object(union.Request{}, obj, old) }); n > 0 {
		t.Errorf("%v allocations for an object with nothing to normalise", n)
	}
}
