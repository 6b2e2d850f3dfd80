package value_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

func TestParseKeepsOffsets(t *testing.T) {
	const text = ` { "a" : [ 1 , "x\ny" , null ], "b":{"c":true},"d":-2.5e1 } `
	v := parse(t, text)
	var got []string
	parts(v, func(start, end int) { got = append(got, text[start:end]) })
	want := []string{
		`{ "a" : [ 1 , "x\ny" , null ], "b":{"c":true},"d":-2.5e1 }`,
		`"a"`, `[ 1 , "x\ny" , null ]`, `1`, `"x\ny"`, `null`,
		`"b"`, `{"c":true}`, `"c"`, `true`, `"d"`, `-2.5e1`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if v.Members[0].Value.Items[1].Text != "x\ny" || v.Member("d").Text != "-2.5e1" || v.Member("z") != nil {
		t.Error("the parts are not decoded")
	}
}

// parts calls visit for the place of every value and key, in order.
func parts(v *value.Value, visit func(start, end int)) {
	visit(v.Start, v.End)
	for _, item := range v.Items {
		parts(item, visit)
	}
	for _, m := range v.Members {
		visit(m.Start, m.End)
		parts(m.Value, visit)
	}
}

func TestParseProblems(t *testing.T) {
	for text, want := range map[string]string{
		``:                         `not-json: `,
		`{`:                        `not-json: {`,
		`{"a":1,}`:                 `not-json: }`,
		`1 2`:                      `not-json: 2`,
		`banana`:                   `not-json: b`,
		`{"a":{"b":1,"\u0062":2}}`: `duplicate-key: "\u0062"`,
	} {
		_, problems := value.Parse(text)
		if len(problems) != 1 {
			t.Errorf("%s: %v", text, problems)
			continue
		}
		if got := string(problems[0].What) + ": " + text[problems[0].Start:problems[0].End]; got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// FuzzParse holds Parse to encoding/json: the same texts are JSON, they print the
// same, and every part is where its offsets say.
func FuzzParse(f *testing.F) {
	for _, list := range judged {
		for _, c := range list {
			f.Add(c.json)
		}
	}
	f.Add(` [ {"<\u003c\ud800":"é\\\/"} , -0.0E-0 ] `)
	f.Fuzz(func(t *testing.T, text string) {
		v, problems := value.Parse(text)
		if (v != nil) != json.Valid([]byte(text)) {
			t.Fatalf("%q: parsed is %v", text, v != nil)
		}
		for _, p := range problems {
			if p.Start < 0 || p.End < p.Start || p.End > len(text) {
				t.Fatalf("%q: %+v is outside of the text", text, p)
			}
		}
		if v == nil {
			return
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(text)); err != nil || v.JSON() != compact.String() {
			t.Fatalf("%q prints as %q", text, v.JSON())
		}
		again, more := value.Parse(v.JSON())
		if again == nil || len(more) != len(problems) || !value.Same(v, again) {
			t.Fatalf("%q is not the same after printing", text)
		}
		parts(v, func(start, end int) {
			if part, _ := value.Parse(text[start:end]); part == nil || part.Start != 0 || part.End != end-start {
				t.Fatalf("%q: nothing is at %d to %d", text, start, end)
			}
		})
	})
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`1`, `1.0`, true}, {`10`, `1e1`, true}, {`0.1`, `1e-1`, true}, {`-0`, `0`, true}, {`0e99999999999999999999`, `0`, true},
		{`1e1000000000`, `10e999999999`, true}, {`1e1000000000`, `1e1000000001`, false}, {`1e99999999999999999999`, `1e99999999999999999998`, false},
		{`9007199254740993`, `9007199254740992`, false}, {`0.1`, `0.10000000000000000001`, false}, {`1`, `-1`, false}, {`1`, `"1"`, false},
		{`"\u0061"`, `"a"`, true}, {`[1,2]`, `[1.0,2]`, true}, {`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true}, {`{"a":1}`, `{"a":1,"b":null}`, false}, {`{"a":1}`, `{"b":1}`, false}, {`null`, `[]`, false}, {`true`, `false`, false},
	} {
		if got := value.Same(parse(t, c.a), parse(t, c.b)); got != c.same {
			t.Errorf("%s and %s: same is %v", c.a, c.b, got)
		}
	}
}

func TestEqual(t *testing.T) {
	m, fields := shapesOf(t)
	for _, c := range []struct {
		field, a, b string
		equal       bool
	}{
		{"quantity", `"1Gi"`, `1073741824`, true}, {"quantity", `"1"`, `"1000m"`, true}, {"quantity", `"1"`, `"1Ki"`, false},
		{"duration", `"90s"`, `"1m30s"`, true}, {"duration", `"1s"`, `"1ms"`, false},
		{"time", `"2024-01-01T00:00:00Z"`, `"2024-01-01T01:00:00+01:00"`, true}, {"time", `"2024-01-01T00:00:00Z"`, `"2024-01-01T00:00:01Z"`, false},
		{"intOrString", `80`, `"80"`, false}, {"intOrString", `80`, `80`, true},
		{"float32", `0.1`, `0.10000000149`, true}, {"float64", `0.1`, `0.10000000149`, false},
		{"bytes", `""`, `null`, true}, {"bytes", `"YQ=="`, `"YQ=="`, true}, {"bytes", `"YQ=="`, `"Yg=="`, false},
		{"list", `[]`, `null`, true}, {"list", `["a","b"]`, `["b","a"]`, false}, {"map", `{}`, `null`, true}, {"byLevel", `{"7":true}`, `{"007":true}`, true},
		{"pointer", `0`, `null`, false}, {"twice", `"a"`, `"\u0061"`, true},
		{"struct", `{}`, `null`, false},
		{"struct", `{"nested":{"mode":""},"items":[]}`, `{"size":"0"}`, true},
		{"struct", `{"nested":{"count":0}}`, `{}`, false},
		{"box", `{"value":0}`, `{"more":[]}`, true}, {"json", `{"a":1.0}`, `{"a":1}`, true}, {"json", `[]`, `null`, false},
	} {
		if got := value.Equal(m, fields[c.field].Type, parse(t, c.a), parse(t, c.b)); got != c.equal {
			t.Errorf("%s: %s and %s: equal is %v", c.field, c.a, c.b, got)
		}
	}
}

func TestCompare(t *testing.T) {
	m, fields := shapesOf(t)
	for _, c := range []struct {
		field, a, b string
		order       int
		ok          bool
	}{
		{"int", `9`, `10`, -1, true}, {"uint64", `18446744073709551615`, `1`, 1, true}, {"float64", `1e3`, `1000`, 0, true}, {"float64", `-1.5`, `-1.25`, -1, true},
		{"string", `"a"`, `"b"`, -1, true}, {"bool", `false`, `true`, -1, true}, {"pointer", `2`, `1`, 1, true}, {"pointer", `null`, `1`, 0, false},
		{"quantity", `"1Ki"`, `"1k"`, 1, true}, {"duration", `"1h"`, `"59m"`, 1, true}, {"time", `"2024-01-01T00:00:00Z"`, `"2024-01-01T00:00:00+01:00"`, 1, true},
		{"intOrString", `9`, `10`, -1, true}, {"intOrString", `9`, `"10"`, 0, false}, {"list", `[]`, `[]`, 0, false}, {"struct", `{}`, `{}`, 0, false}, {"json", `1`, `2`, 0, false},
	} {
		order, ok := value.Compare(m, fields[c.field].Type, parse(t, c.a), parse(t, c.b))
		if order != c.order || ok != c.ok {
			t.Errorf("%s: %s and %s: %d, %v", c.field, c.a, c.b, order, ok)
		}
	}
}

func TestZero(t *testing.T) {
	m, fields := shapesOf(t)
	for field, want := range map[string]string{
		"string": `""`, "bool": `false`, "uint8": `0`, "float32": `0`, "mode": `""`, "pointer": `null`, "bytes": `null`, "list": `null`, "map": `null`,
		"array": `[0,0]`, "struct": `null`, "any": `null`, "rawMessage": `null`,
	} {
		if got := value.Zero(m, fields[field].Type).JSON(); got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
	for r, want := range map[model.Name]string{
		model.Quantity: `"0"`, model.Duration: `"0s"`, model.Time: `null`, model.GoTime: `"0001-01-01T00:00:00Z"`, model.IntOrString: `0`,
		{Package: shapesPkg, Name: "Struct"}: `{}`, {Package: shapesPkg, Name: "Custom"}: `null`,
	} {
		if got := value.Zero(m, model.Named(r.Package, r.Name)).JSON(); got != want {
			t.Errorf("%s: %s, want %s", r, got, want)
		}
	}
	for _, c := range []struct {
		field, json string
		zero        bool
	}{
		{"string", `""`, true}, {"string", `"0"`, false}, {"int", `-0`, true}, {"float64", `0.00e5`, true}, {"float64", `1e0`, false}, {"bool", `false`, true},
		{"list", `[]`, true}, {"list", `[""]`, false}, {"map", `{}`, true}, {"pointer", `0`, false}, {"pointer", `null`, true}, {"struct", `{}`, false},
	} {
		if got := value.IsZero(m, fields[c.field].Type, parse(t, c.json)); got != c.zero {
			t.Errorf("%s: zero of %s is %v", c.field, c.json, got)
		}
	}
}

func TestOfConst(t *testing.T) {
	for _, c := range []struct {
		constant model.Const
		want     string
	}{
		{model.Const{Value: `a "name" <b>`, IsString: true}, `"a \"name\" <b>"`}, {model.Const{Value: "3"}, "3"},
		{model.Const{Value: "3/2"}, "1.5"}, {model.Const{Value: "true"}, "true"},
	} {
		v := value.OfConst(&c.constant)
		if got := v.JSON(); got != c.want || !value.Same(v, parse(t, got)) {
			t.Errorf("%s is %s, want %s", c.constant.Value, got, c.want)
		}
	}
}

// renames are what an older version calls the fields and constants of shapes.
type renames map[string]string

func (n renames) Field(f *model.Field) (string, *model.Ref, bool) {
	name, ok := n[f.JSON]
	if !ok {
		name = f.JSON
	}
	return name, f.Type, name != ""
}

func (n renames) Constant(_ *model.Type, text string) string {
	if to, ok := n[text]; ok {
		return to
	}
	return text
}

func TestRename(t *testing.T) {
	m, fields := shapesOf(t)
	names := renames{"name": `na"me`, "promoted": "moved", "items": "", "count": "amount", "Fast": "Quick", "size": "", "more": "rest"}
	for _, c := range []struct{ field, in, want string }{
		{"struct", `{ "name" : "Fast", "promoted":1 }`, `{ "na\"me" : "Fast", "moved":1 }`},
		{"struct", `{"items":[], "name":"a"}`, `{"na\"me":"a"}`},
		{"struct", `{"name":"a", "items": [], "size": "1", "hidden": "h"}`, `{"na\"me":"a", "hidden": "h"}`},
		{"struct", `{"name":"a", "items": [], "size": "1"}`, `{"na\"me":"a"}`},
		{"struct", `{ "items": [], "size": "1" }`, `{  }`},
		{"struct", `{"nested":{"mode":"Fast","count":1}}`, `{"nested":{"mode":"Quick","amount":1}}`},
		{"struct", `{"name":1,"other":{"name":2}}`, `{"na\"me":1,"other":{"name":2}}`},
		{"byMode", `{"a": {"mode":"Fast"}, "b": null}`, `{"a": {"mode":"Quick"}, "b": null}`},
		{"structs", `[{"name":"a"}, {"size":1}]`, `[{"na\"me":"a"}, {}]`},
		{"alias", `"Fast"`, `"Quick"`}, {"string", `"Fast"`, `"Fast"`}, {"box", `{"more":[1]}`, `{"rest":[1]}`},
		{"json", `{"name":"Fast"}`, `{"name":"Fast"}`}, {"struct", `{"name":`, `{"name":`},
	} {
		if got := value.Rename(m, fields[c.field].Type, c.in, names); got != c.want {
			t.Errorf("%s: %s becomes %s, want %s", c.field, c.in, got, c.want)
		}
	}
}

func TestWrittenAt(t *testing.T) {
	for _, c := range []struct{ source, text, part, want string }{
		{`default={"a":1}`, `{"a":1}`, `"a"`, `"a"`},
		{"`{\"a\":1}`", `{"a":1}`, `1`, `1`},
		{`"{\"a\": \"é\u00e9\", \"b\":1}"`, `{"a": "éé", "b":1}`, `"b"`, `\"b\"`},
		{`"{\"a\": \"é\u00e9\", \"b\":1}"`, `{"a": "éé", "b":1}`, `"éé"`, `\"é\u00e9\"`},
		{`somewhere else`, `{"a":1}`, `"a"`, `somewhere else`},
	} {
		file := source.NewFile("f.go", []byte(c.source))
		w := value.Written{Text: c.text, Span: source.Span{File: file, End: len(c.source)}}
		start := bytes.Index([]byte(c.text), []byte(c.part))
		if got := w.At(start, start+len(c.part)).Text(); got != c.want {
			t.Errorf("%s: %s is at %s, want %s", c.source, c.part, got, c.want)
		}
	}
}

// TestEncoded compares values with what Go writes of them.
func TestEncoded(t *testing.T) {
	m, fields := shapesOf(t)
	for _, c := range []struct{ field, json, want string }{
		{"string", `"a"`, `"a"`}, {"list", `[]`, `[]`}, {"list", `null`, `null`}, {"pointer", `0`, `0`}, {"any", `{"a": 1}`, `{"a":1}`},
	} {
		if got := value.Encoded(m, fields[c.field].Type, parse(t, c.json)).JSON(); got != c.want {
			t.Errorf("%s: %s is %s, want %s", c.field, c.json, got, c.want)
		}
	}
	for r, texts := range map[model.Name][2]string{
		model.Duration: {`"90m"`, `"1h30m0s"`}, model.Quantity: {`"1024Mi"`, `"1Gi"`}, model.Time: {`"2006-01-02T15:04:05+00:00"`, `"2006-01-02T15:04:05Z"`},
		model.IntOrString: {`"http"`, `"http"`},
	} {
		if got := value.Encoded(m, model.Named(r.Package, r.Name), parse(t, texts[0])).JSON(); got != texts[1] {
			t.Errorf("%s: %s is %s, want %s", r, texts[0], got, texts[1])
		}
	}
}
