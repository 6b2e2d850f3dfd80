package jsonconvert

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestReadFile refuses what this package would convert wrongly, and says what to do.
func TestReadFile(t *testing.T) {
	for text, want := range map[string]string{
		`{"format":2,"apis":[{"group":"example.com","versions":[{"name":"v1"}],"kinds":[],"steps":[]}]}`: "",
		`{"format":`:                 "not a file of conversion tables: unexpected end of JSON input",
		`{"apis":[]}`:                "not a file of conversion tables: it has no format",
		`{"format":1,"tables":[]}`:   "the file of conversion tables has the old format 1; write it again with kindsmith model --tables or kindsmith plan",
		`{"format":3}`:               "the file of conversion tables has format 3, and this program reads format 2; update the program",
		`{"format":2,"apis":[null]}`: "API 0 of the file of conversion tables is null; write the file again with kindsmith model --tables or kindsmith plan",
		`{"format":2,"apis":[{"steps":[{"types":{"A":{"fields":[{"shear":true}]}}}]}]}`: `this program cannot read the file of conversion tables; write it again with the same release of kindsmith: json: unknown field "shear"`,
	} {
		_, err := ReadFile([]byte(text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestFile converts by a file with types: it restores no value that the type of the field refuses, and a value whose function is not
// given is an error.
func TestFile(t *testing.T) {
	api := &API{
		Group: "example.com",
		Kinds: []Kind{{Name: "A", Store: Annotation}},
		Versions: []Version{
			{Name: "v1", Kinds: map[string]Schema{"A": {Ref: "A"}}, Types: map[string]*Schema{"A": {Kind: ObjectKind, Fields: map[string]*Schema{}}}},
			{Name: "v2", Kinds: map[string]Schema{"A": {Ref: "A"}}, Types: map[string]*Schema{
				"A": {Kind: ObjectKind, Fields: map[string]*Schema{"size": {Kind: IntegerKind, Bits: 32}, "until": {Known: "duration"}}},
			}},
		},
		Steps: []Step{{Older: "v1", Newer: "v2", Types: map[string]*Type{"A": {Fields: []Field{
			{Newer: Key{Name: "size"}}, {Newer: Key{Name: "until"}},
			{Older: Key{Name: "fee"}, Newer: Key{Name: "fee"}, Value: Value{Call: &Call{Up: "FormatFee", Down: "ParseFee"}}},
		}}}}},
		Funcs: map[string]Func{"FormatFee": nil},
	}
	text, err := json.Marshal(NewFile(api))
	if err != nil {
		t.Fatal(err)
	}
	file, err := ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	if names := strings.Join(file.APIs[0].Functions(), " "); names != "FormatFee ParseFee" {
		t.Errorf("the functions are %s", names)
	}
	converters, err := file.Converters(map[string]Func{"FormatFee": func([]byte) ([]byte, error) { return []byte(`"2 EUR"`), nil }})
	if err != nil || len(converters) != 1 {
		t.Fatal(converters, err)
	}
	const v1 = `{"apiVersion":"example.com/v1","kind":"A","metadata":{"annotations":{"versioned.example.com/changed-values":`
	for object, want := range map[string]string{
		v1 + `"{\"format\":2,\"upgrades\":{\"v2\":[{\"jsonPath\":\"$.size\",\"value\":7},{\"jsonPath\":\"$.until\",\"value\":\"5s\"}]}}"}}}`:     `"size":7,"until":"5s"`,
		v1 + `"{\"format\":2,\"upgrades\":{\"v2\":[{\"jsonPath\":\"$.size\",\"value\":\"7\"},{\"jsonPath\":\"$.until\",\"value\":\"5x\"}]}}"}}}`: ``,
	} {
		out, err := converters[0].Convert(nil, []byte(object), "v2")
		if err != nil {
			t.Errorf("%s: %v", object, err)
			continue
		}
		if rest, ok := strings.CutPrefix(string(out), `{"apiVersion":"example.com/v2","kind":"A"`); !ok || strings.Trim(rest, ",}") != want {
			t.Errorf("%s becomes %s, want %s", object, out, want)
		}
	}
	if out, err := converters[0].Convert(nil, []byte(`{"apiVersion":"example.com/v1","kind":"A","fee":2}`), "v2"); err == nil || !strings.Contains(err.Error(), "only the Go code of ParseFee converts this value") {
		t.Errorf("a missing function: %s, %v", out, err)
	}
}
