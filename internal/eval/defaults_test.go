package eval_test

import (
	"encoding/json"
	"testing"

	"github.com/kindsmith/kindsmith/internal/emit/defaults/testdata/worked"
	"github.com/kindsmith/kindsmith/internal/eval"
)

// defaulted compares an object after defaulting with the result of generated Go.
// The tests of emit/defaults/testdata/shapes do so for defaults of all types.
func defaulted[T any](t *testing.T, pkg, name string, set func(*T), inputs ...string) {
	t.Helper()
	for _, in := range inputs {
		var want, got T
		if err := json.Unmarshal([]byte(in), &want); err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		set(&want)
		object := decode(t, in)
		out, notRun, err := loaded(t).Default(eval.TypeName{Package: testdata + "emit/defaults/testdata/" + pkg, Name: name}, object)
		if err != nil || len(notRun) > 0 {
			t.Fatal(err, notRun)
		}
		if err := json.Unmarshal([]byte(encode(t, out)), &got); err != nil {
			t.Fatal(err)
		}
		if got, want := encode(t, got), encode(t, want); got != want {
			t.Errorf("%s %s\neval %s\n  Go %s", name, in, got, want)
		}
		if after := encode(t, object); after != encode(t, decode(t, in)) {
			t.Errorf("the object itself was changed: %s became %s", in, after)
		}
	}
}

// TestWorkedExamples tests the examples of the specification.
func TestWorkedExamples(t *testing.T) {
	const w = "worked"
	entries := []string{`{}`, `{"entry":null}`, `{"entry":{}}`, `{"entry":{"name":"other"}}`, `{"entry":{"name":"","number":0}}`, `{"entry":{"name":null}}`, `{"entry":{"number":5}}`}
	defaulted(t, w, "StructRoot", worked.SetObjectDefaults_StructRoot, entries...)
	defaulted(t, w, "AbsentRoot", worked.SetObjectDefaults_AbsentRoot, entries...)
	defaulted(t, w, "PointerRoot", worked.SetObjectDefaults_PointerRoot, entries...)
	defaulted(t, w, "BareRoot", worked.SetObjectDefaults_BareRoot, entries...)
	defaulted(t, w, "ScalarRoot", worked.SetObjectDefaults_ScalarRoot, `{}`, `{"name":"other"}`, `{"name":""}`, `{"name":null}`, `{"defaulted":null}`)
	defaulted(t, w, "ListRoot", worked.SetObjectDefaults_ListRoot, `{}`, `{"list":[null,"foo"]}`, `{"list":["","foo"]}`, `{"list":null}`, `{"pointers":[null,"","foo"]}`)
	defaulted(t, w, "MapRoot", worked.SetObjectDefaults_MapRoot, `{"mapping":{"foo":null,"bar":"apple","none":""}}`, `{"pointers":{"foo":null,"bar":"apple","none":""}}`)
	defaulted(t, w, "TypeRoot", worked.SetObjectDefaults_TypeRoot, `{}`, `{"plain":"a","pointer":"","own":"c"}`)
	defaulted(t, w, "MapOfStructRoot", worked.SetObjectDefaults_MapOfStructRoot, `{"m":{"a":null,"b":{},"c":{"x":3}}}`, `{"plain":{"a":null,"c":{"x":3,"yy":0}}}`)
	defaulted(t, w, "ListOfListRoot", worked.SetObjectDefaults_ListOfListRoot, `{"ll":[null,[null]]}`)
	defaulted(t, w, "CompositeRoot", worked.SetObjectDefaults_CompositeRoot, `{}`, `{"sl":null}`, `{"sl":[],"ports":[]}`, `{"ports":[{"port":1}]}`)
	defaulted(t, w, "BoolRoot", worked.SetObjectDefaults_BoolRoot, `{}`, `{"pointer":false,"value":false}`)
}

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
