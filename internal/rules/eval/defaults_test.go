package eval_test

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/rules/eval"
)

// TestServersDefaults tests defaults that Go cannot set, because it cannot distinguish unset
// fields.
func TestServersDefaults(t *testing.T) {
	name := eval.TypeName{Package: testdata + "emit/defaults/testdata/shapes", Name: "Thing"}
	for in, want := range map[string]string{`{}`: `true`, `{"sent":false}`: `false`, `{"sent":null}`: `true`} {
		out, _, err := loaded(t).Default(name, decode(t, `{"spec":{"servers":`+in+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		spec, _ := out["spec"].(map[string]any)
		servers, _ := spec["servers"].(map[string]any)
		if got := encode(t, servers["sent"]); got != want {
			t.Errorf("%s: sent is %s, want %s", in, got, want)
		}
	}
}

func TestDefaultsByHandAreNotRun(t *testing.T) {
	_, notRun, err := loaded(t).Default(eval.TypeName{Package: testdata + "emit/defaults/testdata/byhand", Name: "Job"}, decode(t, `{"spec":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(notRun) == 0 || notRun[0].Declared.IsZero() {
		t.Errorf("functions that set defaults are not mentioned: %v", notRun)
	}
}
