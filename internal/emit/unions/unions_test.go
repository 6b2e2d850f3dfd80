package unions_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/emit/unions"
	"github.com/kindsmith/kindsmith/internal/emit/unions/testdata/table"
	"github.com/kindsmith/kindsmith/internal/emittest"
)

func TestGolden(t *testing.T) {
	emittest.Golden(t, unions.Emitter(), "./testdata/table")
}

func decode(t *testing.T, text string) *table.Spec {
	t.Helper()
	spec := &table.Spec{}
	if err := json.Unmarshal([]byte(text), spec); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return spec
}

// The rows are those of the newer unions proposal: an update of an existing object, and
// the normalised object before validation.
func TestNormalize(t *testing.T) {
	for _, tc := range []struct{ name, old, obj, want string }{
		{"A2 dropping the member without a discriminator", `{"a":1}`, `{}`, `{}`},
		{"A6 dropping the discriminator wipes the union", `{"d":"A","a":1}`, `{"a":1}`, `{}`},
		{"A9 dropping it and setting another member wipes both", `{"d":"A","a":1}`, `{"b":1}`, `{}`},
		{"A10 a discriminator that stays clears nothing", `{"d":"A","a":1}`, `{"d":"A","b":1}`, `{"d":"A","b":1}`},
		{"A11 selecting another member clears the old one", `{"d":"A","a":1}`, `{"d":"B","a":1}`, `{"d":"B"}`},
		{"A12 switching cleanly", `{"d":"A","a":1}`, `{"d":"B","b":1}`, `{"d":"B","b":1}`},
		{"A13 switching and keeping the old member", `{"d":"A","a":1}`, `{"d":"B","a":1,"b":1}`, `{"d":"B","b":1}`},
		{"A14 editing the selected member", `{"d":"A","a":1}`, `{"d":"A","a":2}`, `{"d":"A","a":2}`},
		{"B2 two members, no discriminator", `{"a":1}`, `{"a":1,"b":1}`, `{"a":1,"b":1}`},
		{"B3 hiding the discriminator wipes all", `{"d":"A","a":1}`, `{"a":1,"b":1}`, `{}`},
		{"B9 an invalid object is left alone", `{"d":"A","a":1,"b":1}`, `{"d":"A","a":1,"b":1}`, `{"d":"A","a":1,"b":1}`},
		{"C4 a value without a member clears all", `{}`, `{"d":"None","a":1}`, `{"d":"None"}`},
		{"C5 selecting none", `{"d":"A","a":1}`, `{"d":"None","a":1}`, `{"d":"None"}`},
		{"C11 all other members go", `{"d":"A","a":1}`, `{"d":"B","a":1,"b":1,"c":["1"]}`, `{"d":"B","b":1}`},
		{"C12 a member that is not selected goes even when it was sent", `{"d":"A","a":1}`, `{"d":"B","c":["1"]}`, `{"d":"B"}`},
		{"C13 zero values that are set stay", `{"d":"A","a":1,"b":0}`, `{"d":"B","a":1,"b":0}`, `{"d":"B","b":0}`},
		{"C15 an unknown value clears nothing", `{"d":"A","a":1}`, `{"d":"Zed","a":1,"b":2}`, `{"d":"Zed","a":1,"b":2}`},
		{"fields outside of the union stay", `{"d":"A","a":1,"x":"x"}`, `{"d":"B","a":1,"x":"y"}`, `{"d":"B","x":"y"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			obj, old := decode(t, `{"union":`+tc.obj+`}`), decode(t, `{"union":`+tc.old+`}`)
			table.NormalizeUnions_Spec(obj, old)
			if diff := cmp.Diff(decode(t, `{"union":`+tc.want+`}`), obj); diff != "" {
				t.Errorf("unexpected object (-want +got):\n%s", diff)
			}
			again := decode(t, `{"union":`+tc.want+`}`)
			table.NormalizeUnions_Spec(again, old)
			if diff := cmp.Diff(obj, again); diff != "" {
				t.Errorf("normalising twice is not normalising once (-once +twice):\n%s", diff)
			}
		})
	}
}

func TestNormalizeInPlaces(t *testing.T) {
	for _, tc := range []struct{ name, old, obj, want string }{
		{
			"no old parent is a create",
			`{}`,
			`{"union":{"d":"A","a":1,"b":1}}`,
			`{"union":{"d":"A","a":1,"b":1}}`,
		},
		{
			"L1 keyed items are paired in any order",
			`{"items":[{"name":"n1","d":"A","a":1},{"name":"n2","d":"B","b":1}]}`,
			`{"items":[{"name":"n2","d":"A","a":1,"b":1},{"name":"n1","d":"A","a":1,"b":1}]}`,
			`{"items":[{"name":"n2","d":"A","a":1},{"name":"n1","d":"A","a":1,"b":1}]}`,
		},
		{
			"L3 atomic items are never paired",
			`{"atomic":[{"name":"n1","d":"A","a":1}]}`,
			`{"atomic":[{"name":"n1","d":"B","a":1,"b":1}]}`,
			`{"atomic":[{"name":"n1","d":"B","a":1,"b":1}]}`,
		},
		{
			"L4 map values are paired by key",
			`{"byKey":{"k":{"d":"A","a":1}},"pointersByKey":{"k":{"d":"A","a":1}}}`,
			`{"byKey":{"k":{"d":"B","a":1,"b":1}},"pointersByKey":{"k":{"d":"B","a":1,"b":1}}}`,
			`{"byKey":{"k":{"d":"B","b":1}},"pointersByKey":{"k":{"d":"B","b":1}}}`,
		},
		{
			"L6 a new item is a create",
			`{"items":[]}`,
			`{"items":[{"name":"n1","d":"A","a":1,"b":1}]}`,
			`{"items":[{"name":"n1","d":"A","a":1,"b":1}]}`,
		},
		{
			"items with several keys, one of them a pointer",
			`{"pointers":[{"name":"n","d":"A","a":1},{"name":"n","zone":"z","d":"A","a":1},null]}`,
			`{"pointers":[null,{"name":"n","zone":"z","d":"B","a":1,"b":1},{"name":"n","zone":"y","d":"B","a":1,"b":1}]}`,
			`{"pointers":[null,{"name":"n","zone":"z","d":"B","b":1},{"name":"n","zone":"y","d":"B","a":1,"b":1}]}`,
		},
		{
			"items with a key that its struct hides",
			`{"hidden":[{"key":"n1","d":"A","a":1},{"key":"n2","d":"B","b":1}]}`,
			`{"hidden":[{"key":"n2","d":"A","a":1,"b":1},{"key":"n3","d":"A","a":1,"b":1}]}`,
			`{"hidden":[{"key":"n2","d":"A","a":1},{"key":"n3","d":"A","a":1,"b":1}]}`,
		},
		{
			"unions of one struct are independent",
			`{"two":{"first":"A","firstA":{"k":"v"},"second":"A","secondA":1}}`,
			`{"two":{"first":"B","firstA":{"k":"v"},"firstB":"b","second":"A","secondA":1,"secondB":true}}`,
			`{"two":{"first":"B","firstB":"b","second":"A","secondA":1,"secondB":true}}`,
		},
		{
			"a required discriminator that is emptied clears nothing",
			`{"two":{"second":"A","secondA":1}}`,
			`{"two":{"second":"","secondA":1,"secondB":true}}`,
			`{"two":{"second":"","secondA":1,"secondB":true}}`,
		},
		{
			"a union in a member that goes is not looked at",
			`{"nested":{"kind":"Inner","inner":{"d":"A","a":1}}}`,
			`{"nested":{"kind":"Deeper","inner":{"d":"B","a":1},"deeper":{"kind":"Inner","inner":{"d":"A","a":1,"b":1}}}}`,
			`{"nested":{"kind":"Deeper","deeper":{"kind":"Inner","inner":{"d":"A","a":1,"b":1}}}}`,
		},
		{
			"a union in a member that stays is",
			`{"nested":{"kind":"Deeper","deeper":{"kind":"Inner","inner":{"d":"A","a":1}}}}`,
			`{"nested":{"kind":"Deeper","deeper":{"kind":"Inner","inner":{"d":"B","a":1,"b":1}}}}`,
			`{"nested":{"kind":"Deeper","deeper":{"kind":"Inner","inner":{"d":"B","b":1}}}}`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			obj, old := &table.Object{Spec: *decode(t, tc.obj)}, &table.Object{Spec: *decode(t, tc.old)}
			before := decode(t, tc.old)
			table.NormalizeUnions_Object(obj, old)
			if diff := cmp.Diff(decode(t, tc.want), &obj.Spec); diff != "" {
				t.Errorf("unexpected object (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, &old.Spec); diff != "" {
				t.Errorf("the old object was changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestCreateIsLeftAlone(t *testing.T) {
	obj := &table.Object{Spec: *decode(t, `{"union":{"d":"A","a":1,"b":1}}`)}
	table.NormalizeUnions_Object(obj, nil)
	if diff := cmp.Diff(decode(t, `{"union":{"d":"A","a":1,"b":1}}`), &obj.Spec); diff != "" {
		t.Errorf("a create was changed (-want +got):\n%s", diff)
	}
	table.NormalizeUnions_Object(nil, nil)
}
