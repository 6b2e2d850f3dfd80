package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// table has every operation: Shop renames, adds, drops, nests, and is recursive.
func table() *Table {
	return &Table{
		Group: "shop.example.com", Older: "v1beta1", Hub: "v1",
		Types: []Type{
			{Kind: "Shop", Fields: []Field{
				{Older: "spec", Hub: "spec", Value: Value{Type: 2}},
			}},
			{Fields: []Field{
				{Older: "instances", Hub: "replicas"},
				{Older: "left", Hub: "right"},
				{Older: "right", Hub: "left"},
				{Hub: "currency", Fill: json.RawMessage(`"EUR"`)},
				{Hub: "notes"},
				{Hub: "token", FillFunc: "Token"},
				{Older: "color", Hub: "color", Value: Value{Enum: &Enum{Up: map[string]string{"Crimson": "Red"}, Down: map[string]string{"Red": "Crimson", "Te\"al": "Blue"}}}},
				{Older: "level", Hub: "level", Value: Value{Enum: &Enum{Up: map[string]string{"1": "10"}, Down: map[string]string{"10": "1"}}}},
				{Older: "timeout", OlderOmits: true, Hub: "timeoutSeconds", Value: Value{Up: "Up", Down: "Down"}},
				{Older: "shelves", Hub: "shelves", Value: Value{Each: &Value{Type: 3}}},
				{Older: "byName", Hub: "byName", Value: Value{Each: &Value{Each: &Value{Type: 3}}}},
				{Hub: "city"}, {Hub: "street"}, {Hub: "zip"}, {Fill: json.RawMessage(`{ "city": "Rome" }`), Spread: true},
				{FillFunc: "Nothing", Spread: true},
				{Older: "plain", Hub: "plain", Value: Value{Type: 4}},
				{Older: "host", Hub: "hosts", Value: Value{Wrap: &Value{}}},
				{Older: "shelf", Hub: "wall", Value: Value{Wrap: &Value{Type: 3}}},
				{Older: "hue", Hub: "hues", Value: Value{Wrap: &Value{Enum: &Enum{Up: map[string]string{"Crimson": "Red"}}}}},
				{Older: "time", Hub: "times", Value: Value{Wrap: &Value{Up: "Up", Down: "Down"}}},
			}},
			{Fields: []Field{
				{Older: "id", Hub: "label"},
				{Older: "children", Hub: "children", Value: Value{Each: &Value{Type: 3}}},
			}},
			{Fields: []Field{{Older: "same", Hub: "same"}}},
		},
	}
}

var funcs = map[string]Func{
	"Token":   func([]byte) ([]byte, error) { return []byte(`"t"`), nil },
	"Nothing": Filled(func(*struct{}) error { return nil }),
	"Whole": Typed(func(in *map[string]any, out *map[string]bool) error {
		*out = map[string]bool{"whole": (*in)["a"] == int64(1)}
		return nil
	}),
	"Up": func(text []byte) ([]byte, error) {
		if text[0] != '"' {
			return nil, &Error{Err: errors.New("not a string")}
		}
		if string(text) == `"panic"` {
			panic("no")
		}
		return bytes.TrimSuffix(text[1:], []byte(`s"`)), nil
	},
	"Down": func(text []byte) ([]byte, error) {
		if text[0] == '-' {
			return nil, errors.New("negative")
		}
		switch string(text) {
		case "0":
			return []byte(`""`), nil
		case "99":
			return []byte("null"), nil
		}
		return []byte(`"` + string(text) + `s"`), nil
	},
}

func converter(t testing.TB) *Converter {
	t.Helper()
	alpha := &Table{Group: "shop.example.com", Older: "v1alpha1", Hub: "v1", Types: []Type{
		{Kind: "Shop", Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
		{Fields: []Field{{Older: "count", Hub: "replicas"}}},
		{Kind: "Whole", Up: "Whole"},
	}}
	c, err := New(Conversion{table(), funcs}, Conversion{alpha, funcs})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const (
	beta = `"apiVersion":"shop.example.com/v1beta1","kind":"Shop"`
	ga   = `"apiVersion":"shop.example.com/v1","kind":"Shop"`
)

func TestConvert(t *testing.T) {
	c := converter(t)
	for name, test := range map[string]struct{ in, to, want string }{
		"same version":   {`{ ` + ga + ` }`, "v1", `{ ` + ga + ` }`},
		"version twice":  {`{` + beta + `,"apiVersion":1,"apiVersion":[ ]}`, "v1", `{` + ga + `,"apiVersion":1,"apiVersion":[ ]}`},
		"no spec":        {`{` + beta + `}`, "v1", `{` + ga + `}`},
		"null spec":      {`{` + beta + `,"spec":null}`, "v1", `{` + ga + `,"spec":null}`},
		"another shape":  {`{` + beta + `,"spec":[1]}`, "v1", `{` + ga + `,"spec":[1]}`},
		"fills":          {`{` + beta + `,"spec":{}}`, "v1", `{` + ga + `,"spec":{"currency":"EUR","token":"t","city": "Rome"}}`},
		"layout stays":   {"{ \"spec\" : {\n \"instances\" : 1e2 ,\n\"x\":[ 1 ] }\n,\"kind\":\"Shop\",\"apiVersion\":\"shop.example.com/v1beta1\"} ", "v1", "{ \"spec\" : {\n \"replicas\" : 1e2 ,\n\"x\":[ 1 ],\"currency\":\"EUR\",\"token\":\"t\",\"city\": \"Rome\" }\n,\"kind\":\"Shop\",\"apiVersion\":\"shop.example.com/v1\"} "},
		"swap":           {`{` + ga + `,"spec":{"left":1,"right":2}}`, "v1beta1", `{` + beta + `,"spec":{"right":1,"left":2}}`},
		"drop only":      {`{` + ga + `,"spec":{ "notes":1 , "city" : "x" }}`, "v1beta1", `{` + beta + `,"spec":{}}`},
		"drop first":     {`{` + ga + `,"spec":{"notes":1 , "a":2}}`, "v1beta1", `{` + beta + `,"spec":{"a":2}}`},
		"drop middle":    {`{` + ga + `,"spec":{"a":1,"notes":{"b":[]},"currency":"x" ,"token":1,"z":2}}`, "v1beta1", `{` + beta + `,"spec":{"a":1,"z":2}}`},
		"drop last":      {`{` + ga + `,"spec":{"replicas":1, "notes":1 },"z":1}`, "v1beta1", `{` + beta + `,"spec":{"instances":1},"z":1}`},
		"enum up":        {`{` + beta + `,"spec":{"color":"Crimson","level":1,"currency":"x","token":""}}`, "v1", `{` + ga + `,"spec":{"color":"Red","level":10,"currency":"x","token":"","city": "Rome"}}`},
		"enum escaped":   {`{` + ga + `,"spec":{"color":"\u0052ed"}}`, "v1beta1", `{` + beta + `,"spec":{"color":"Crimson"}}`},
		"enum quoted":    {`{` + ga + `,"spec":{"color":"Te\"al"}}`, "v1beta1", `{` + beta + `,"spec":{"color":"Blue"}}`},
		"enum other":     {`{` + ga + `,"spec":{"color":"\n","level":7}}`, "v1beta1", `{` + beta + `,"spec":{"color":"\n","level":7}}`},
		"function":       {`{` + ga + `,"spec":{"timeoutSeconds":5}}`, "v1beta1", `{` + beta + `,"spec":{"timeout":"5s"}}`},
		"function omits": {`{` + ga + `,"spec":{"timeoutSeconds":0,"a":1}}`, "v1beta1", `{` + beta + `,"spec":{"a":1}}`},
		"function unset": {`{` + ga + `,"spec":{"a":1 , "timeoutSeconds":99 }}`, "v1beta1", `{` + beta + `,"spec":{"a":1}}`},
		"function null":  {`{` + ga + `,"spec":{"timeoutSeconds":null}}`, "v1beta1", `{` + beta + `,"spec":{"timeout":null}}`},
		"nested":         {`{` + ga + `,"spec":{"shelves":[{"label":"a","children":[{"label":"b"},{}]},null],"byName":{"k":[{"label":1}],"n":null}}}`, "v1beta1", `{` + beta + `,"spec":{"shelves":[{"id":"a","children":[{"id":"b"},{}]},null],"byName":{"k":[{"id":1}],"n":null}}}`},
		"key escaped":    {`{` + ga + `,"spec":{"repli\u0063as":1}}`, "v1beta1", `{` + beta + `,"spec":{"instances":1}}`},
		"new key exists": {`{` + beta + `,"spec":{"replicas":9,"instances":1,"currency":"x","token":1}}`, "v1", `{` + ga + `,"spec":{"replicas":1,"currency":"x","token":1,"city": "Rome"}}`},
		"wrap":           {`{` + beta + `,"spec":{ "host" : "a" ,"currency":1,"token":1,"shelf":{"id":1},"hue":"Crimson","time":"5s" }}`, "v1", `{` + ga + `,"spec":{ "hosts" : ["a"] ,"currency":1,"token":1,"wall":[{"label":1}],"hues":["Red"],"times":[5],"city": "Rome" }}`},
		"wrap null":      {`{` + beta + `,"spec":{"host":null,"currency":1,"token":1}}`, "v1", `{` + ga + `,"spec":{"hosts":null,"currency":1,"token":1,"city": "Rome"}}`},
		"unwrap":         {`{` + ga + `,"spec":{"hosts":[ "a" , 2 ],"wall":[{"label":1,"x":2}],"hues":["Red"], "times":[5,6] ,"z":1}}`, "v1beta1", `{` + beta + `,"spec":{"host":"a","shelf":{"id":1,"x":2},"hue":"Red", "time":"5s" ,"z":1}}`},
		"unwrap nothing": {`{` + ga + `,"spec":{"hosts":[ ],"wall":null,"hues":"no list","times":[null]}}`, "v1beta1", `{` + beta + `,"spec":{"shelf":null,"hue":"no list","time":null}}`},
		"whole object":   {`{"kind":"Whole","apiVersion":"shop.example.com/v1alpha1","a":1}`, "v1", `{"whole":true}`},
		"through hub":    {`{"apiVersion":"shop.example.com/v1alpha1","kind":"Shop","spec":{"count":1}}`, "v1beta1", `{` + beta + `,"spec":{"instances":1}}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.Convert([]byte("before"), []byte(test.in), test.to)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != "before"+test.want {
				t.Errorf("got  %s\nwant before%s", got, test.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	c := converter(t)
	deep := strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1)
	for in, want := range map[string]string{
		``:                                  "not a JSON object",
		`[]`:                                "not a JSON object",
		`{}`:                                `the field "kind" is missing`,
		`{"kind":"Shop"}`:                   `the field "apiVersion" is missing`,
		`{"kind":"Shop","apiVersion":1}`:    `the field "apiVersion" must be a string`,
		`{"kind":"Shop","apiVersion":"v1"}`: `unknown API version "v1"`,
		`{"kind":"Shop","apiVersion":"shop.example.com/v9"}`:      `unknown API version "shop.example.com/v9"`,
		`{"kind":"Shed","apiVersion":"shop.example.com/v1beta1"}`: `unknown kind "Shed"`,
		`{` + beta + `,"spec":{"timeout":5}}`:                     `$.spec.timeout: not a string`,
		`{` + beta + `,"spec":{"timeout":""}}`:                    `$.spec.timeout: the conversion function returns "\"": ` + errEnd.Error(),
		`{` + beta + `,"spec":{"timeout":"panic"}}`:               `$.spec.timeout: the conversion function panicked: no`,
		`{` + beta + `,"spec":{"shelves":[{},{"children":[}]}}`:   `$.spec.shelves[1].children[0]: ` + errSyntax.Error(),
		`{` + beta + `,"spec":{"byName":{"a":[{"id":tru}]}}}`:     `$.spec.byName["a"][0].id: ` + errSyntax.Error(),
		`{` + beta + `,"spec":{"shelf":{"id":tru}}}`:              `$.spec.shelf.id: ` + errSyntax.Error(),
		`{` + beta + `,"spec":{"x":` + deep + `}}`:                `$.spec.x: ` + errDepth.Error(),
		`{` + beta + `} x`:                    `$: ` + errSyntax.Error(),
		`{` + beta + `,"a":"` + "\x01" + `"}`: `$.a: ` + errControl.Error(),
		`{` + beta + `,"a":01}`:               `$: ` + errSyntax.Error(),
		`{` + beta + `,"a":-}`:                `$.a: ` + errNumber.Error(),
		`{` + beta + `,"a":"\x"}`:             `$.a: ` + errEscape.Error(),
		`{` + beta + `,"a"`:                   `$: ` + errEnd.Error(),
	} {
		before := []byte("before")
		got, err := c.Convert(before, []byte(in), "v1")
		if err == nil || err.Error() != want {
			t.Errorf("%.60s: error %v, want %s", in, err, want)
		}
		if string(got) != "before" {
			t.Errorf("%.60s: the destination is %s", in, got)
		}
	}
	if _, err := c.Convert(nil, []byte(`{`+beta+`}`), "v7"); err == nil || !strings.Contains(err.Error(), "v1beta1, v1alpha1, v1") {
		t.Errorf("error %v", err)
	}
	if _, err := c.Convert(nil, []byte(`{`+ga+`,"spec":{"times":[-1]}}`), "v1beta1"); err == nil || err.Error() != "$.spec.times[0]: negative" {
		t.Errorf("error %v", err)
	}
	if _, err := c.Convert(nil, []byte(`{`+ga+`,"spec":{"hosts":["a" 1]}}`), "v1beta1"); err == nil {
		t.Error("a list without a comma was accepted")
	}
	_, err := c.Convert(nil, []byte(`{`+ga+`,"spec":{"timeoutSeconds":-1}}`), "v1beta1")
	if e := (*Error)(nil); !errors.As(err, &e) || e.Reason != Failed || err.Error() != "$.spec.timeoutSeconds: negative" {
		t.Errorf("error %v", err)
	}
}

func TestNew(t *testing.T) {
	other := table()
	other.Group = "other"
	for want, tables := range map[string][]*Table{
		"needs the function Lost":        {{Older: "v1beta1", Hub: "v1", Types: []Type{{Kind: "A", Fields: []Field{{Hub: "b", FillFunc: "Lost"}}}}}},
		"needs the function Gone":        {{Older: "v1beta1", Hub: "v1", Types: []Type{{Kind: "A", Fields: []Field{{Older: "b", Hub: "b", Value: Value{Down: "Gone"}}}}}}},
		"several groups":                 {table(), other},
		"two conversions are of v1beta1": {table(), table()},
		"the value of b is not JSON: {":  {{Older: "v1beta1", Hub: "v1", Types: []Type{{Kind: "A", Fields: []Field{{Hub: "b", Fill: json.RawMessage("{")}}}}}},
	} {
		var conversions []Conversion
		for _, table := range tables {
			conversions = append(conversions, Conversion{table, funcs})
		}
		if _, err := New(conversions...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// FuzzConvert converts any text: it must be refused like encoding/json refuses it, or
// converted to valid JSON; what is converted up and down comes back.
func FuzzConvert(f *testing.F) {
	for _, seed := range []string{
		`{` + beta + `,"spec":{"instances":1,"left":null,"color":"Crimson","shelves":[{"id":"a"}]}}`,
		`{` + beta + `,"spec":{"x":"é\u00e9","y":-1.5e+3,"z":[true,false,null,{}]}} `,
		`{` + beta + `,"spec":{"byName":{"":[{"id":{}}]}},"apiVersion":"x"}`,
	} {
		f.Add([]byte(seed))
	}
	c := converter(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		up, err := c.Convert(nil, in, "v1")
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) {
				t.Fatalf("the error %v is no *Error", err)
			}
			if strings.Contains(err.Error(), "JSON") && json.Valid(in) && len(in) > 0 && bytes.TrimSpace(in)[0] == '{' && !strings.Contains(err.Error(), errDepth.Error()) {
				t.Fatalf("valid JSON was refused: %v", err)
			}
			return
		}
		if !json.Valid(in) {
			t.Fatalf("invalid JSON was accepted: %q", in)
		}
		if !json.Valid(up) {
			t.Fatalf("converted to invalid JSON: %q", up)
		}
	})
}
