package eval_test

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// TestNormalize tests that the rules of a type become its shape. Package emit/unions compares
// shapes with generated Go.
func TestNormalize(t *testing.T) {
	name := eval.TypeName{Package: testdata + "emit/unions/testdata/table", Name: "Spec"}
	for _, tc := range []struct{ object, old, want, cleared string }{
		{`{"items":[{"name":"a","d":"B","a":1,"b":1}]}`, `{"items":[{"name":"a","d":"A","a":1}]}`, `{"items":[{"b":1,"d":"B","name":"a"}]}`, "items[0].a"},
		{`{"moded":{"mode":"C","a":1}}`, `{"moded":{"mode":"A","a":1}}`, `{"moded":{"mode":"C"}}`, "moded.a"},
		{`{"union":{"d":"B","a":"x"}}`, `{"union":{"d":"A","a":1}}`, `{"union":{"a":"x","d":"B"}}`, ""}, // does not fit
	} {
		out, cleared, err := loaded(t).Normalize(name, union.Request{}, decode(t, tc.object), decode(t, tc.old))
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(t, out); got != tc.want {
			t.Errorf("%s after %s: got %s, want %s", tc.object, tc.old, got, tc.want)
		}
		if (tc.cleared == "") != (len(cleared) == 0) || len(cleared) > 0 && cleared[0].Path != tc.cleared {
			t.Errorf("%s after %s: cleared %v, want %s", tc.object, tc.old, cleared, tc.cleared)
		}
	}
}
