package eval_test

import (
	"encoding/json"
	"testing"

	"github.com/kindsmith/kindsmith/internal/emit/defaults/testdata/shapes"
	"github.com/kindsmith/kindsmith/internal/emit/defaults/testdata/worked"
	"github.com/kindsmith/kindsmith/internal/eval"
)

// defaulted compares an object with its defaults with what generated Go makes of it.
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

// TestWorkedExamples goes through the examples of the specification.
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

// TestDefaultsOfEveryShape goes through the types that defaults can be of. What
// only API servers can default is left out: Go cannot.
func TestDefaultsOfEveryShape(t *testing.T) {
	servers := `"servers":{"sent":true,"struct":{"name":"n","own":"o"}}`
	var inputs []string
	for _, section := range []string{
		`"scalars":{"string":"s","int":1,"float":2,"bool":true,"mode":"m","protocol":"p","builder":"b","fromOther":"f","zero":"z"}`,
		`"pointers":{"string":"s","int":1,"int64":0,"float":0,"bool":true,"mode":"","text":"","list":[],"twice":0}`,
		`"composites":{"policy":{},"empty":{"limits":{}},"byName":{},"policies":[{}],"pointers":[null],"matrix":[],"bytes":"","numbered":{},"modes":[""]}`,
		`"special":{"quantity":"5","quantityPtr":"0","duration":"1s","durationPtr":"0s","time":"2020-01-01T00:00:00Z","micro":"2020-01-01T00:00:00.000000Z","go":"2020-01-01T00:00:00Z","port":"named","portPtr":0,"raw":{"a":1},"message":{},"resources":{}}`,
		`"special":{"quantity":"0","duration":"0s","time":null,"port":0,"raw":null}`,
		`"nested":{"structs":[{},{"memory":"3"}],"ptrs":[{},null],"map":{"a":{},"b":{"memory":"3"}},"mapPtrs":{"a":{},"b":null},"mapLists":{"a":[{}],"b":null},"listMaps":[{"a":{}},null],"pointer":[{}],"mapArrays":{"a":[{},{"memory":"3"}]},"levels":["","x"],"levelMap":{"a":["",""]},"levelPtrs":{"a":null,"b":""},"names":[],"namesByKey":{"a":null,"b":[]},"tree":{"left":{"children":[{"name":"x"},{"byName":{"a":{}}}]}},"bare":{}}`,
		`"template":{"spec":{"containers":[{"name":"c","ports":[{"containerPort":80},{"containerPort":81,"protocol":"SCTP"}]}]}}`,
	} {
		inputs = append(inputs, `{"spec":{`+servers+`,`+section+`}}`)
	}
	defaulted(t, "shapes", "Thing", shapes.SetObjectDefaults_Thing, append(inputs, `{"spec":{`+servers+`}}`)...)
}

// TestServersDefaults are those that Go cannot set, since it does not see whether
// a field was left out.
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
