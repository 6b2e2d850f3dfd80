package wire

import (
	"bytes"
	"slices"
	"testing"
)

// TestChecks restores tracked values by a table without functions, if they are of the types of their fields.
func TestChecks(t *testing.T) {
	table := &Table{
		Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"},
		Types: []Type{{Kind: "K", Store: Annotation, Fields: []Field{{Hub: "spec", Since: "v1", Fits: "K.Spec/fits", Check: 1}}}},
		Checks: []Check{
			{Kind: CheckObject, Fields: map[string]int{"text": 2, "small": 3, "spec": 1, "list": 4, "map": 5, "on": 6, "ratio": 7}},
			{Kind: CheckString}, {Kind: CheckInteger, Bits: 8, Unsigned: true}, {Kind: CheckList, Elem: 3}, {Kind: CheckMap, Elem: 2}, {Kind: CheckBool}, {Kind: CheckNumber},
		},
	}
	c, err := New(Conversion{Table: table})
	if err != nil {
		t.Fatal(err)
	}
	for value, fits := range map[string]bool{
		`{}`: true, `{"text":"a","small":255,"on":false,"ratio":1.5,"unknown":[1]}`: true, `{"list":[1,2],"map":{"a":"b"},"spec":{"spec":null}}`: true,
		`[]`: false, `"a"`: false, `{"text":1}`: false, `{"small":256}`: false, `{"small":1.0}`: false, `{"list":[1,"a"]}`: false, `{"list":{}}`: false,
		`{"map":{"a":1}}`: false, `{"spec":{"spec":{"on":"yes"}}}`: false, `{"ratio":"1"}`: false,
	} {
		tracked := quote(`{"format":1,"upgrades":{"v1":[{"jsonPath":"$.spec","value":` + value + `}]}}`)
		out, err := c.Convert(nil, []byte(`{"kind":"K","apiVersion":"v1beta1","metadata":{"annotations":{"versioned/changed-values":`+tracked+`}}}`), "v1")
		if restored := bytes.Contains(out, []byte(`"spec":`+value)); err != nil || restored != fits {
			t.Errorf("%s: restored %t, error %v", value, restored, err)
		}
	}
}

// TestForgedTypes restores tracked values in both directions that are of the JSON types of what the object shows,
// and not of the types of the fields that they are for: by functions, and by a table without them.
func TestForgedTypes(t *testing.T) {
	integer := func(older, hub int) Value {
		return Value{Enum: &Enum{Up: map[string]string{"1": "2"}, Down: map[string]string{"2": "1"}}, Since: "v1", Until: "v1beta1", OlderFits: "int8", HubFits: "int8", OlderCheck: older, HubCheck: hub}
	}
	each := integer(1, 1)
	seconds := Value{Transforms: []Transform{{Name: "seconds", Bits: 32}}, Since: "v1", Until: "v1beta1", OlderFits: "string", HubFits: "int32", OlderCheck: 2, HubCheck: 3}
	table := &Table{
		Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"},
		Types: []Type{
			{Kind: "K", Store: Annotation, Fields: []Field{
				{Older: "level", Hub: "level", Value: integer(1, 1)},
				{Older: "levels", Hub: "levels", Value: Value{Each: &each}},
				{Older: "host", Hub: "hosts", Value: Value{Wrap: &Value{}, ListSince: "v1", Since: "v1", Until: "v1beta1", OlderFits: "int8", HubFits: "int8s", OlderCheck: 1, HubCheck: 5}},
				{Older: "spec", Hub: "spec", Value: Value{Type: 2, OlderFits: "spec", HubFits: "spec", OlderCheck: 6, HubCheck: 6}},
				{Older: "rank"}, {Older: "wait"}, {Older: "hooked", Hub: "hooked", Value: Value{Type: 3}},
			}, Moves: []Move{
				{Older: []Step{{Key: "rank"}}, Hub: []Step{{Key: "spec", Optional: true}, {Key: "rank"}}, Value: integer(1, 1), Since: "v1", Until: "v1beta1"},
				{Older: []Step{{Key: "wait"}}, Hub: []Step{{Key: "spec", Optional: true}, {Key: "wait"}}, Value: seconds},
			}},
			{Fields: []Field{{Hub: "rank"}, {Hub: "wait"}}},
			{Hooks: []Hook{{Up: "hook", Down: "hook", Since: "v1", Until: "v1beta1"}}, OlderFits: "spec", HubFits: "spec", OlderCheck: 6, HubCheck: 6},
		},
		Checks: []Check{
			{Kind: CheckInteger, Bits: 8}, {Kind: CheckString}, {Kind: CheckInteger, Bits: 32}, {Kind: CheckBool}, {Kind: CheckList, Elem: 1},
			{Kind: CheckObject, Fields: map[string]int{"note": 2, "rank": 1, "wait": 3, "on": 4}},
		},
	}
	hook := func(value []byte) ([]byte, error) {
		list := newNode(value, 0).items()
		return []byte(`[` + string(list[1].text) + `,` + string(list[1].text) + `]`), nil
	}
	functions := map[string]Func{
		"int8": Fits[int8](), "int8s": Fits[[]int8](), "int32": Fits[int32](), "string": Fits[string](), "hook": hook,
		"spec": Fits[struct {
			Note string `json:"note"`
			Rank int8   `json:"rank"`
			Wait int32  `json:"wait"`
			On   bool   `json:"on"`
		}](),
	}
	for name, funcs := range map[string]map[string]Func{"functions": functions, "checks": {"hook": hook}} {
		c, err := New(Conversion{table, funcs})
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			to, in, path, was string
			fit, forged       []string
		}{
			{"v1", `"level":3`, `$.level`, `3`, []string{`4`, `-128`}, []string{`128`, `1.5`, `"3"`, `{}`}},
			{"v1beta1", `"level":3`, `$.level`, `3`, []string{`4`}, []string{`300`, `1e2`, `true`}},
			{"v1beta1", `"levels":[3]`, `$.levels[0]`, `3`, []string{`4`}, []string{`300`, `[]`}},
			{"v1", `"levels":{"a":3}`, `$.levels.a`, `3`, []string{`4`}, []string{`300`, `[]`}},
			{"v1", `"host":3`, `$.hosts`, `3`, []string{`[3,4]`, `[]`}, []string{`[3,300]`, `3`, `["a"]`, `{}`}},
			{"v1beta1", `"spec":{}`, `$.host`, `null`, []string{`0`}, []string{`300`, `""`, `[]`}},
			{"v1", `"rank":3`, `$.spec.rank`, `3`, []string{`4`}, []string{`300`, `1.5`, `"3"`}},
			{"v1beta1", `"spec":{"rank":3}`, `$.rank`, `3`, []string{`4`}, []string{`300`, `1.5`, `"3"`}},
			{"v1", `"wait":"3s"`, `$.spec.wait`, `"3s"`, []string{`4`}, []string{`3000000000`, `1.5`, `"4s"`}},
			{"v1beta1", `"spec":{"wait":3}`, `$.wait`, `3`, []string{`"3000ms"`}, []string{`4`, `"soon"`, `[]`}},
			{"v1", `"spec":{}`, `$.spec`, `{}`, nil, []string{`{"note":"a"}`, `{"note":1}`, `{"on":"yes"}`, `[]`}},
			{"v1", `"hooked":{"note":"a"}`, `$.hooked.note`, `{"note":"a"}`, []string{`"b"`}, []string{`1`, `{}`, `["b"]`}},
			{"v1beta1", `"hooked":{"on":true}`, `$.hooked.on`, `{"on":true}`, []string{`false`}, []string{`1`, `"true"`}},
		} {
			for _, value := range slices.Concat(test.fit, test.forged) {
				from, direction := "v1", "downgrades"
				if test.to == "v1" {
					from, direction = "v1beta1", "upgrades"
				}
				entry := `{"format":1,"` + direction + `":{"` + test.to + `":[{"jsonPath":"` + test.path + `","value":` + value + `,"was":` + test.was + `,"lengths":[1]}]}}`
				plain := `{"apiVersion":"` + from + `","kind":"K",` + test.in
				in := plain + `,"metadata":{"annotations":{"versioned/changed-values":` + quote(entry) + `}}}`
				before := c.Dropped()
				out, err := c.Convert(nil, []byte(in), test.to)
				forged := same(out, convertTo(t, c, []byte(plain+"}"), test.to))
				if fits := slices.Contains(test.fit, value); err != nil || forged == fits || fits != (c.Dropped() == before) {
					t.Errorf("%s: %s\nbecomes %s, error %v; %d dropped", name, in, out, err, c.Dropped()-before)
				}
			}
		}
	}
}
