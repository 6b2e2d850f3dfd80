package defaults_test

import (
	"encoding/json"
	"testing"

	"github.com/kindsmith/kindsmith/internal/emit/defaults/testdata/worked"
)

// defaulted decodes, applies defaults and encodes, like an API server.
func defaulted[T any](t *testing.T, set func(*T), input string) string {
	t.Helper()
	var obj T
	if err := json.Unmarshal([]byte(input), &obj); err != nil {
		t.Fatal(err)
	}
	set(&obj)
	out, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	set(&obj)
	if again, err := json.Marshal(obj); err != nil || string(again) != string(out) {
		t.Errorf("defaulting again turns %s into %s (%v)", out, again, err)
	}
	return string(out)
}

// TestWorkedExamples runs the proposal's worked examples, by their numbers in the
// specification. If Go cannot implement the expected outcome (rows 6, 17, 23, 28, 29,
// 35), the test expects Go's.
func TestWorkedExamples(t *testing.T) {
	structRoot := func(t *testing.T, in string) string { return defaulted(t, worked.SetObjectDefaults_StructRoot, in) }
	pointerRoot := func(t *testing.T, in string) string {
		return defaulted(t, worked.SetObjectDefaults_PointerRoot, in)
	}
	bareRoot := func(t *testing.T, in string) string { return defaulted(t, worked.SetObjectDefaults_BareRoot, in) }
	absentRoot := func(t *testing.T, in string) string { return defaulted(t, worked.SetObjectDefaults_AbsentRoot, in) }
	scalarRoot := func(t *testing.T, in string) string { return defaulted(t, worked.SetObjectDefaults_ScalarRoot, in) }
	listRoot := func(t *testing.T, in string) string { return defaulted(t, worked.SetObjectDefaults_ListRoot, in) }
	mapRoot := func(t *testing.T, in string) string { return defaulted(t, worked.SetObjectDefaults_MapRoot, in) }
	typeRoot := func(t *testing.T, in string) string { return defaulted(t, worked.SetObjectDefaults_TypeRoot, in) }
	mapOfStruct := func(t *testing.T, in string) string {
		return defaulted(t, worked.SetObjectDefaults_MapOfStructRoot, in)
	}
	listOfList := func(t *testing.T, in string) string {
		return defaulted(t, worked.SetObjectDefaults_ListOfListRoot, in)
	}
	composite := func(t *testing.T, in string) string {
		return defaulted(t, worked.SetObjectDefaults_CompositeRoot, in)
	}
	boolRoot := func(t *testing.T, in string) string { return defaulted(t, worked.SetObjectDefaults_BoolRoot, in) }

	for _, c := range []struct {
		row       string
		run       func(*testing.T, string) string
		in, wants string
	}{
		{"omitzero", absentRoot, `{}`, `{}`},
		{"omitzero, set", absentRoot, `{"entry":{"number":5}}`, `{"entry":{"name":"default-name","number":5}}`},
		{"1", structRoot, `null`, `{"entry":{"name":"default-name","number":0}}`},
		{"2", structRoot, `{}`, `{"entry":{"name":"default-name","number":0}}`},
		{"3", structRoot, `{"entry":null}`, `{"entry":{"name":"default-name","number":0}}`},
		{"4", structRoot, `{"entry":{}}`, `{"entry":{"name":"default-name","number":0}}`},
		{"5", structRoot, `{"entry":{"name":"other"}}`, `{"entry":{"name":"other","number":0}}`},
		{"6", structRoot, `{"entry":{"name":"","number":0}}`, `{"entry":{"name":"default-name","number":0}}`},
		{"7", structRoot, `{"entry":{"name":null}}`, `{"entry":{"name":"default-name","number":0}}`},
		{"8", pointerRoot, `null`, `{"entry":{"name":"pointer-name","number":0}}`},
		{"9", pointerRoot, `{}`, `{"entry":{"name":"pointer-name","number":0}}`},
		{"10", pointerRoot, `{"entry":null}`, `{"entry":{"name":"pointer-name","number":0}}`},
		{"11", pointerRoot, `{"entry":{}}`, `{"entry":{"name":"default-name","number":0}}`},
		{"12", pointerRoot, `{"entry":{"name":"other"}}`, `{"entry":{"name":"other","number":0}}`},
		{"13", pointerRoot, `{"entry":{"number":5}}`, `{"entry":{"name":"default-name","number":5}}`},
		{"14", bareRoot, `{}`, `{}`},
		{"14 null", bareRoot, `{"entry":null}`, `{}`},
		{"14 present", bareRoot, `{"entry":{}}`, `{"entry":{"name":"default-name","number":0}}`},
		{"15", scalarRoot, `{}`, `{"name":"default-name","defaulted":0}`},
		{"16", scalarRoot, `{"name":"other"}`, `{"name":"other","defaulted":0}`},
		{"17", scalarRoot, `{"name":""}`, `{"name":"default-name","defaulted":0}`},
		{"18", scalarRoot, `{"name":null}`, `{"name":"default-name","defaulted":0}`},
		{"19", scalarRoot, `{"name":"other","defaulted":null}`, `{"name":"other","defaulted":0}`},
		{"22", listRoot, `{"list":[null,"foo"]}`, `{"list":["apple","foo"]}`},
		{"22 pointers", listRoot, `{"list":[],"pointers":[null,"foo"]}`, `{"list":[],"pointers":["apple","foo"]}`},
		{"23", listRoot, `{"list":["","foo"]}`, `{"list":["apple","foo"]}`},
		{"23 pointers", listRoot, `{"list":[],"pointers":["","foo"]}`, `{"list":[],"pointers":["","foo"]}`},
		{"24", listRoot, `{"list":null}`, `{"list":null}`},
		{"27", mapRoot, `{"mapping":{"foo":null,"bar":"apple"}}`, `{"mapping":{"bar":"apple","foo":"banana"}}`},
		{"27 pointers", mapRoot, `{"pointers":{"foo":null,"bar":"apple"}}`, `{"pointers":{"bar":"apple","foo":"banana"}}`},
		{"28", mapRoot, `{"mapping":{"foo":""}}`, `{"mapping":{"foo":"banana"}}`},
		{"28 pointers", mapRoot, `{"pointers":{"foo":""}}`, `{"pointers":{"foo":""}}`},
		{"type marker", typeRoot, `{}`, `{"plain":"banana","pointer":"banana","own":"own"}`},
		{"type marker, given", typeRoot, `{"plain":"a","pointer":"","own":"c"}`, `{"plain":"a","pointer":"","own":"c"}`},
		{"31", mapOfStruct, `{"m":{"a":null,"b":{},"c":{"x":3}}}`, `{"m":{"a":{"x":1,"yy":7},"b":{"yy":7},"c":{"x":3,"yy":7}}}`},
		{"31 without pointers", mapOfStruct, `{"plain":{"a":null,"c":{"x":3,"yy":0}}}`, `{"plain":{"a":{"yy":7},"c":{"x":3,"yy":0}}}`},
		{"32", listOfList, `{"ll":[null,[null]]}`, `{"ll":[null,["z"]]}`},
		{"33", composite, `{}`, `{"sl":["popcorn","chips"],"ports":[{"port":80,"name":"http"}]}`},
		{"33 null", composite, `{"sl":null}`, `{"sl":["popcorn","chips"],"ports":[{"port":80,"name":"http"}]}`},
		{"33 empty, 34", composite, `{"sl":[],"ports":[]}`, `{"sl":[]}`},
		{"34 given", composite, `{"sl":[],"ports":[{"port":1}]}`, `{"sl":[],"ports":[{"port":1,"name":""}]}`},
		{"35", boolRoot, `{"pointer":false,"value":false}`, `{"pointer":false,"value":true}`},
		{"35 absent", boolRoot, `{}`, `{"pointer":true,"value":true}`},
	} {
		t.Run(c.row, func(t *testing.T) {
			got := c.run(t, c.in)
			if got != c.wants {
				t.Errorf("%s\n got %s\nwant %s", c.in, got, c.wants)
			}
		})
	}
}
