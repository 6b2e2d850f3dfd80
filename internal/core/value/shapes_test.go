package value_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

const shapesPkg = "github.com/kindsmith/kindsmith/internal/core/value/testdata/shapes"

// shapesOf returns the model of testdata/shapes, and the fields of its Spec.
func shapesOf(t testing.TB) (*model.Model, map[string]value.Field) {
	t.Helper()
	m, bag := emittest.Model(t, "./testdata/shapes")
	for _, d := range bag.All() {
		t.Errorf("%s: %s", d.Span, d.Message)
	}
	return m, value.Fields(m, model.Named(shapesPkg, "Spec"))
}

// parse parses text that is known to be good.
func parse(t testing.TB, text string) *value.Value {
	t.Helper()
	v, problems := value.Parse(text)
	if v == nil || len(problems) > 0 {
		t.Fatalf("%s: %v", text, problems)
	}
	return v
}

// judgement is what is wrong with a value of a shape: the kind of problem and
// the text that is underlined. A value that fits has none.
type judgement struct {
	json string
	what value.What
	at   string
}

// judged are values of every shape, by field of testdata/shapes: right ones, and
// every mistake that is possible there.
var judged = map[string][]judgement{
	"string":  {{`"a"`, "", ""}, {`""`, "", ""}, {`1`, wrong, `1`}, {`null`, wrong, `null`}, {`"a" "b"`, notJSON, `"`}, {`1e999999999999`, wrong, `1e999999999999`}, {`["a"]`, wrong, `["a"]`}, {"\"a\u2028<\\n\"", "", ""}},
	"bool":    {{`true`, "", ""}, {`"yes"`, wrong, `"yes"`}, {`0`, wrong, `0`}, {`null`, wrong, `null`}, {`true,`, notJSON, `,`}},
	"int":     {{`9223372036854775807`, "", ""}, {`9223372036854775808`, out, `9223372036854775808`}, {`1.5`, wrong, `1.5`}, {`1e2`, wrong, `1e2`}, {`1.0`, wrong, `1.0`}, {`"1"`, wrong, `"1"`}, {`null`, wrong, `null`}, {`1e1000000000`, wrong, `1e1000000000`}, {`-0`, "", ""}},
	"int8":    {{`127`, "", ""}, {`-128`, "", ""}, {`128`, out, `128`}, {`-129`, out, `-129`}, {`[1]`, wrong, `[1]`}},
	"int16":   {{`32767`, "", ""}, {`-32768`, "", ""}, {`32768`, out, `32768`}, {`-32769`, out, `-32769`}},
	"int32":   {{`2147483647`, "", ""}, {`-2147483648`, "", ""}, {`2147483648`, out, `2147483648`}, {`-2147483649`, out, `-2147483649`}, {`{"a":1,"a":2}`, duplicate, `"a"`}},
	"int64":   {{`-9223372036854775808`, "", ""}, {`-9223372036854775809`, out, `-9223372036854775809`}, {`100000000000000000000000000000000000000000`, out, `100000000000000000000000000000000000000000`}},
	"uint8":   {{`255`, "", ""}, {`256`, out, `256`}, {`-1`, out, `-1`}, {`-0`, out, `-0`}},
	"uint16":  {{`65535`, "", ""}, {`65536`, out, `65536`}, {`-1`, out, `-1`}},
	"uint32":  {{`4294967295`, "", ""}, {`4294967296`, out, `4294967296`}, {`-1`, out, `-1`}},
	"uint64":  {{`18446744073709551615`, "", ""}, {`18446744073709551616`, out, `18446744073709551616`}, {`-1`, out, `-1`}},
	"float32": {{`1.5`, "", ""}, {`3e38`, "", ""}, {`1e39`, out, `1e39`}, {`"1"`, wrong, `"1"`}, {`null`, wrong, `null`}, {`1e-1000000000`, "", ""}},
	"float64": {{`1e308`, "", ""}, {`-0.5E+3`, "", ""}, {`1e309`, out, `1e309`}, {`1e1000000000`, out, `1e1000000000`}, {`true`, wrong, `true`}, {`1.`, notJSON, `.`}},
	"mode":    {{`"Fast"`, "", ""}, {`"other"`, "", ""}, {`1`, wrong, `1`}, {`null`, wrong, `null`}},
	"level":   {{`3`, "", ""}, {`40000`, out, `40000`}, {`"3"`, wrong, `"3"`}},
	"alias":   {{`"Slow"`, "", ""}, {`{}`, wrong, `{}`}},

	"pointer": {{`1`, "", ""}, {`null`, "", ""}, {`"1"`, wrong, `"1"`}, {`2147483648`, out, `2147483648`}, {`1 1`, notJSON, `1`}},
	"twice":   {{`"a"`, "", ""}, {`null`, "", ""}, {`1`, wrong, `1`}},
	"steps":   {{`"a"`, "", ""}, {`"Fast"`, "", ""}, {`null`, "", ""}, {`1`, wrong, `1`}},
	"paths":   {{`[["a"],[]]`, "", ""}, {`[null]`, "", ""}, {`[[1]]`, wrong, `1`}},
	"bytes":   {{`"aGk="`, "", ""}, {`""`, "", ""}, {`null`, "", ""}, {`"not base64"`, bad, `"not base64"`}, {`[1,2]`, wrong, `[1,2]`}, {`1e400`, wrong, `1e400`}},
	"blob":    {{`"aGk="`, "", ""}, {`"?"`, bad, `"?"`}},

	"list":    {{`["a"]`, "", ""}, {`[]`, "", ""}, {`null`, "", ""}, {`{"a":1}`, wrong, `{"a":1}`}, {`["a",2]`, wrong, `2`}, {`["a",null]`, wrong, `null`}, {`["a",]`, notJSON, `]`}, {`1e400`, wrong, `1e400`}},
	"lists":   {{`[[1],[],null]`, "", ""}, {`[[1],[128]]`, out, `128`}, {`[1]`, wrong, `1`}},
	"array":   {{`[1,2]`, "", ""}, {`[1]`, wrong, `[1]`}, {`[1,2,3]`, wrong, `[1,2,3]`}, {`null`, wrong, `null`}, {`[1,"b"]`, wrong, `"b"`}},
	"names":   {{`["a"]`, "", ""}, {`[1]`, wrong, `1`}},
	"map":     {{`{"a":"b"}`, "", ""}, {`{}`, "", ""}, {`null`, "", ""}, {`[]`, wrong, `[]`}, {`{"a":"b","a":"c"}`, duplicate, `"a"`}, {`{"a":1}`, wrong, `1`}, {`{"a":"b"}}`, notJSON, `}`}},
	"byLevel": {{`{"-1":true,"007":false}`, "", ""}, {`{"x":true}`, out, `"x"`}, {`{"128":true}`, out, `"128"`}, {`{"7":true,"07":true}`, duplicate, `"07"`}, {`{"7":1}`, wrong, `1`}},
	"byMode":  {{`{"Fast":{"count":1},"Slow":null}`, "", ""}, {`{"Fast":{"count":-1}}`, out, `-1`}, {`{"Fast":{"coutn":1}}`, unknown, `"coutn"`}},

	"struct": {
		{`{"name":"a","promoted":1,"hidden":"h","nested":{"count":2,"mode":"Fast"},"items":[{"count":3}],"size":"1Gi"}`, "", ""},
		{`{}`, "", ""},
		{`null`, "", ""},
		{`{"name":null,"items":null}`, "", ""},
		{`"a"`, wrong, `"a"`},
		{`{"Name":"a"}`, unknown, `"Name"`},
		{`{"secret":"a"}`, unknown, `"secret"`},
		{`{"name":"a","name":"b"}`, duplicate, `"name"`},
		{`{"name":true}`, wrong, `true`},
		{`{"promoted":2147483648}`, out, `2147483648`},
		{`{"hidden":1}`, wrong, `1`},
		{`{"nested":{"count":65536}}`, out, `65536`},
		{`{"items":[{"count":1},{"count":"x"}]}`, wrong, `"x"`},
		{`{"items":[{"count":1,"count":2}]}`, duplicate, `"count"`},
		{`{"size":"1 gig"}`, bad, `"1 gig"`},
		{`{"name":"a"} x`, notJSON, `x`},
	},
	"structs": {{`[{"name":"a"}]`, "", ""}, {`[{"name":"a"},null]`, wrong, `null`}, {`[{"names":"a"}]`, unknown, `"names"`}},
	"box":     {{`{"value":1,"more":[2]}`, "", ""}, {`{"value":"a"}`, wrong, `"a"`}, {`{"more":[2147483648]}`, out, `2147483648`}},
	"pair":    {{`{"value":1,"byKey":{"Fast":2}}`, "", ""}, {`{"value":128}`, out, `128`}, {`{"byKey":{"Fast":"x"}}`, wrong, `"x"`}},
	"any":     {{`null`, "", ""}, {`"a"`, wrong, `"a"`}},
	"custom":  {{`null`, "", ""}, {`"x"`, noLiteral, `"x"`}},
	"embeds":  {{`null`, "", ""}, {`"x"`, noLiteral, `"x"`}},
	"endless": {{`{"next":{"all":[{}]}}`, "", ""}, {`{"next":{"all":[{"next":1}]}}`, wrong, `1`}},

	"quantity":     {{`"500m"`, "", ""}, {`" 1Gi "`, "", ""}, {`1`, "", ""}, {`1.5e3`, "", ""}, {`"1E"`, "", ""}, {`null`, "", ""}, {`true`, bad, `true`}, {`"1 gig"`, bad, `"1 gig"`}, {`"1\u0047i"`, bad, `"1\u0047i"`}, {`1e1000000000`, bad, `1e1000000000`}, {`"1e1000000000"`, bad, `"1e1000000000"`}, {`{}`, bad, `{}`}, {`1000000000000000000000`, bad, `1000000000000000000000`}},
	"quantities":   {{`["1",2]`, "", ""}, {`[null]`, bad, `null`}, {`["x"]`, bad, `"x"`}},
	"intOrString":  {{`80`, "", ""}, {`"http"`, "", ""}, {`2147483648`, bad, `2147483648`}, {`1.5`, bad, `1.5`}, {`true`, bad, `true`}, {`{"a":1,"a":2}`, duplicate, `"a"`}},
	"duration":     {{`"1h30m"`, "", ""}, {`"0"`, "", ""}, {`"soon"`, bad, `"soon"`}, {`30`, bad, `30`}, {`null`, "", ""}, {`"9999999h"`, bad, `"9999999h"`}},
	"time":         {{`"2024-05-06T07:08:09Z"`, "", ""}, {`"2024-05-06T07:08:09.5+02:00"`, "", ""}, {`"2024"`, bad, `"2024"`}, {`1`, bad, `1`}, {`"9999-12-31T23:59:59-01:00"`, bad, `"9999-12-31T23:59:59-01:00"`}},
	"microTime":    {{`"2024-05-06T07:08:09.000001Z"`, "", ""}, {`"2024-05-06T07:08:09Z"`, bad, `"2024-05-06T07:08:09Z"`}},
	"goTime":       {{`"2024-05-06T07:08:09.123456789Z"`, "", ""}, {`"2024-05-06"`, bad, `"2024-05-06"`}},
	"rawExtension": {{`{"a":[1,{"b":null}]}`, "", ""}, {`1e1000000000`, "", ""}, {`{"a":{"b":1,"b":2}}`, duplicate, `"b"`}, {`{"a"}`, notJSON, `}`}},
	"json":         {{`[1,"a"]`, "", ""}, {`null`, "", ""}, {`[1`, notJSON, `[1`}},
	"rawMessage":   {{`{"a":1}`, "", ""}, {`{"a":1,"a":1}`, duplicate, `"a"`}},
	"jsons":        {{`[{"a":1},null,"x"]`, "", ""}, {`{}`, wrong, `{}`}},
}

const (
	notJSON, duplicate, wrong = value.NotJSON, value.DuplicateKey, value.WrongType
	out, unknown, bad         = value.OutOfRange, value.UnknownField, value.BadValue
	noLiteral                 = value.NoLiteral
)

// problems returns everything that is wrong with a text.
func problems(m *model.Model, r *model.Ref, text string) []value.Problem {
	v, found := value.Parse(text)
	if v == nil {
		return found
	}
	return append(found, value.Fit(m, r, v)...)
}

func TestFit(t *testing.T) {
	m, fields := shapesOf(t)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		t.Run(name, func(t *testing.T) {
			if len(judged[name]) == 0 {
				t.Fatal("no values")
			}
			for _, want := range judged[name] {
				// The first problem is the mistake; a duplicate key comes with a value
				// that may not fit either.
				got := judgement{json: want.json}
				if found := problems(m, fields[name].Type, want.json); len(found) > 0 {
					got.what, got.at = found[0].What, want.json[found[0].Start:found[0].End]
				}
				if got != want {
					t.Errorf("%s: got %q at %s, want %q at %s", want.json, got.what, got.at, want.what, want.at)
				}
			}
		})
	}
}
