package eval_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/kindsmith/kindsmith/internal/emit/unions/testdata/table"
	"github.com/kindsmith/kindsmith/internal/eval"
)

// TestNormalize compares every object with every other as its old one.
func TestNormalize(t *testing.T) {
	objects := []string{
		`{}`, `{"union":{}}`, `{"union":{"a":1}}`, `{"union":{"b":1}}`, `{"union":{"d":"A","a":1}}`, `{"union":{"d":"A","b":1}}`, `{"union":{"d":"B","a":1,"b":0,"c":["1"]}}`,
		`{"union":{"d":"None","a":1}}`, `{"union":{"d":"Zed","a":1,"b":2}}`, `{"union":{"d":"B","a":1,"x":"y"}}`,
		`{"items":[{"name":"n1","d":"A","a":1},{"name":"n2","d":"B","b":1}]}`, `{"items":[{"name":"n2","d":"A","a":1,"b":1},{"name":"n1","d":"B","a":1,"b":1}]}`,
		`{"atomic":[{"name":"n1","d":"A","a":1}]}`, `{"atomic":[{"name":"n1","d":"B","a":1,"b":1}]}`,
		`{"byKey":{"k":{"d":"A","a":1}},"pointersByKey":{"k":{"d":"A","a":1}}}`, `{"byKey":{"k":{"d":"B","a":1,"b":1}},"pointersByKey":{"k":{"d":"B","a":1,"b":1}}}`,
		`{"pointers":[{"name":"n","d":"A","a":1},{"name":"n","zone":"z","d":"A","a":1},null]}`, `{"pointers":[null,{"name":"n","zone":"z","d":"B","a":1,"b":1},{"name":"n","zone":"y","d":"B","a":1,"b":1}]}`,
		`{"hidden":[{"key":"n1","d":"A","a":1},{"key":"n2","d":"B","b":1}]}`, `{"hidden":[{"key":"n2","d":"A","a":1,"b":1},{"key":"n3","d":"A","a":1,"b":1}]}`,
		`{"two":{"first":"A","firstA":{"k":"v"},"second":"A","secondA":1}}`, `{"two":{"first":"B","firstA":{"k":"v"},"firstB":"b","second":"","secondA":1,"secondB":true}}`,
		`{"nested":{"kind":"Inner","inner":{"d":"A","a":1}}}`, `{"nested":{"kind":"Deeper","inner":{"d":"B","a":1},"deeper":{"kind":"Inner","inner":{"d":"A","a":1,"b":1}}}}`,
		`{"nested":{"kind":"Deeper","deeper":{"kind":"Inner","inner":{"d":"B","a":1,"b":1}}}}`,
	}
	name := eval.TypeName{Package: testdata + "emit/unions/testdata/table", Name: "Spec"}
	total := 0
	for _, before := range objects {
		for _, after := range objects {
			var want, old, got table.Spec
			for text, into := range map[string][]*table.Spec{after: {&want}, before: {&old}} {
				for _, spec := range into {
					if err := json.Unmarshal([]byte(text), spec); err != nil {
						t.Fatal(err)
					}
				}
			}
			if before == after {
				if err := json.Unmarshal([]byte(after), &want); err != nil {
					t.Fatal(err)
				}
				old = want
			}
			table.NormalizeUnions_Spec(&want, &old)
			out, cleared, err := loaded(t).Normalize(name, decode(t, after), decode(t, before))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(encode(t, out)), &got); err != nil {
				t.Fatal(err)
			}
			if got, want := encode(t, got), encode(t, want); got != want {
				t.Errorf("%s after %s\neval %s\n  Go %s", after, before, got, want)
			}
			total += len(cleared)
		}
	}
	if total < 20 {
		t.Errorf("only %d members were cleared", total)
	}
	_, cleared, err := loaded(t).Normalize(name, decode(t, `{"items":[{"name":"a","d":"B","a":1,"b":1}]}`), decode(t, `{"items":[{"name":"a","d":"A","a":1}]}`))
	if want := []string{"items[0].a"}; err != nil || !slices.Equal(cleared, want) {
		t.Errorf("cleared %v (%v), want %v", cleared, err, want)
	}
}
