package jsonconvert

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// kept returns the table of a kind whose versions lose values in both directions, in the spec and in the status, which has a default.
func kept(store Store) string {
	return `{"group":"g","kinds":[{"name":"K","store":"` + string(store) + `"}],"versions":[{"name":"v1beta1"},{"name":"v1"}],"steps":[{"older":"v1beta1","newer":"v1","types":{
		"K":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}},{"older":{"name":"status"},"newer":{"name":"status"},"value":{"type":"Status"}}]},
		"Spec":{"fields":[{"newer":{"name":"outer"}},{"older":{"name":"gone"}}]},
		"Status":{"fields":[{"newer":{"name":"phase"},"default":"New"},{"older":{"name":"was"}}]}
	}}]}`
}

// TestStore checks what stays of an object in which values are tracked: its other status and metadata, also empty ones and null. A
// status that only tracking made gets no default, and goes with its last value.
func TestStore(t *testing.T) {
	rest := []string{
		``, `,"metadata":{}`, `,"metadata":{"annotations":{}}`, `,"metadata":{"annotations":null}`, `,"metadata":null`, `,"metadata":{"annotations":{"a":"b"},"uid":"u"},"x":1`,
	}
	status := map[string][]string{"v1": {``, `null`, `{}`, `{"phase":"New"}`, `{"phase":"Old"}`, `{"x":[ 1.50 ]}`}, "v1beta1": {``, `null`, `{}`, `{"was":1}`, `{"x":1}`}}
	fields := map[string][]string{"v1": {``, `"outer":["a"]`}, "v1beta1": {``, `"gone":1`}}
	other := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}
	for _, store := range []Store{Status, Annotation} {
		c := tables(t, kept(store), nil)
		for from, to := range other {
			for _, status := range status[from] {
				if status != "" {
					status = `,"status":` + status
				}
				for _, field := range fields[from] {
					for _, rest := range rest {
						in := thing(from, rest+`,"spec":{`+field+`}`+status)
						there := convert(t, c, in, to)
						if status == "" && strings.Contains(there, `"phase"`) {
							t.Errorf("%s has the default of a status that it lacks", there)
						}
						escaped := strings.NewReplacer(`"status":`, `"st\u0061tus" : `, `"metadata":`, `"m\u0065tadata" : `).Replace(there)
						for _, there := range []string{there, escaped} {
							back := convert(t, c, there, from)
							if nulls := strings.Count(back, "null") == strings.Count(in, "null"); !sameJSON(in, back) || !nulls {
								t.Errorf("%s: %s became %s, and came back as %s", store, in, there, back)
							}
						}
					}
				}
			}
		}
		if c.Dropped() > 0 {
			t.Errorf("%s: %d values were dropped", store, c.Dropped())
		}
	}
	// Values of a version that the program does not know stay.
	c := tables(t, kept(Status), nil)
	later := `"v2":[{"jsonPath":"$.spec.z","value":1}]`
	got := convert(t, c, thing("v1beta1", `,"spec":{},"status":{"changedValues":{"format":2,"upgrades":{"v1":[{"jsonPath":"$.spec.outer","value":["a"]}],`+later+`}}}`), "v1")
	if !strings.Contains(got, `"outer":["a"]`) || !strings.Contains(got, later) {
		t.Errorf("got %s", got)
	}
}

// TestLater restores values that were tracked before there was a newer version, in which the fields have other names and types.
func TestLater(t *testing.T) {
	const next = `,{"older":"v1","newer":"v2","types":{
		"K":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}}]},
		"Spec":{"fields":[{"older":{"name":"outer"},"newer":{"name":"outermost"},"value":{"list":{}}}]}
	}}]}`
	text := strings.Replace(strings.TrimSuffix(kept(Annotation), "]}")+next, `{"name":"v1"}]`, `{"name":"v1"},{"name":"v2"}]`, 1)
	stored := convert(t, tables(t, kept(Annotation), nil), thing("v1", `,"spec":{"outer":"a"}`), "v1beta1")
	c := tables(t, text, nil)
	if got, want := convert(t, c, stored, "v2"), thing("v2", `,"spec":{"outermost":["a"]}`); !sameJSON(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

const together = `{"group":"g","kinds":[{"name":"K","store":"annotation"}],
	"versions":[{"name":"v1beta1","kinds":{"K":{"ref":"K"}},"types":{
		"K":{"kind":"object","fields":{"spec":{"ref":"Spec"}}},"Spec":{"kind":"object","fields":{"list":{"kind":"list","elem":{"ref":"Item"}}}},
		"Item":{"kind":"object","fields":{"a":{"kind":"string"},"b":{"kind":"string"},"c":{"kind":"integer","bits":32},"text":{"kind":"string"},"size":{"kind":"integer","bits":32}}}
	}},{"name":"v1","kinds":{"K":{"ref":"K"}},"types":{
		"K":{"kind":"object","fields":{"spec":{"ref":"Spec"}}},"Spec":{"kind":"object","fields":{"list":{"kind":"list","elem":{"ref":"Item"}}}},
		"Item":{"kind":"object","fields":{"whole":{"kind":"string"},"left":{"kind":"string"},"note":{"kind":"string"}}}
	}}],
	"steps":[{"older":"v1beta1","newer":"v1","types":{
		"K":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}}]},
		"Spec":{"fields":[{"older":{"name":"list"},"newer":{"name":"list"},"value":{"elem":{"type":"Item"}}}]},
		"Item":{
			"fields":[
				{"older":{"name":"a","zero":"\"\""}},{"older":{"name":"b","zero":"\"\""}},{"older":{"name":"c","zero":"0"}},{"newer":{"name":"whole","zero":"\"\""}},
				{"older":{"name":"text","zero":"\"\""}},{"older":{"name":"size","zero":"0"}},{"newer":{"name":"left","zero":"\"\""}},{"newer":{"name":"note","zero":"\"\""}}
			],
			"hooks":[
				{"split":{"whole":"whole","joined":true,"pattern":[{"key":"a"},{"text":":"},{"key":"b"},{"text":":"},{"key":"c","transform":{"name":"integer","bits":32}}]},"older":["a","b","c"],"newer":["whole"]},
				{"up":"up","down":"down","older":["text","size"],"newer":["left","note"],"before":{"text":{},"size":{}},"type":"Item"}
			]
		}
	}}]}`

// TestRefusedNull restores values that have null where a Go type refuses it: in a whole value, in fields of a hook, and alone.
func TestRefusedNull(t *testing.T) {
	const text = `{"group":"g","kinds":[{"name":"K","store":"annotation"}],"versions":[
		{"name":"v1beta1","kinds":{"K":{"ref":"K"}},"types":{"K":{"kind":"object","fields":{"text":{"kind":"string"}}}}},
		{"name":"v1","kinds":{"K":{"ref":"K"}},"types":{
			"K":{"kind":"object","fields":{"added":{"ref":"Added","pointer":true},"name":{"kind":"string"},"delay":{"known":"duration"},"late":{"known":"duration"}}},
			"Added":{"kind":"object","fields":{"name":{"kind":"string"},"delay":{"known":"duration"},"other":{"known":"duration","pointer":true}}}
		}}],
		"steps":[{"older":"v1beta1","newer":"v1","types":{"K":{
			"fields":[
				{"older":{"name":""},"newer":{"name":"added"},"default":{"delay":"1s"}},{"older":{"name":""},"newer":{"name":"late","zero":"\"0s\""}},
				{"older":{"name":""},"newer":{"name":"name","zero":"\"\""}},{"older":{"name":""},"newer":{"name":"delay","zero":"\"0s\""}},{"older":{"name":"text","zero":"\"\""},"newer":{"name":""}}
			],
			"hooks":[{"up":"Up","down":"Down","type":"K","older":["text"],"newer":["name","delay"]}]
		}}}]}`
	hook := func(after string) Func {
		return func([]byte) ([]byte, error) { return []byte(`[{},` + after + `]`), nil }
	}
	c := tables(t, text, map[string]Func{"Up": hook(`{"name":"made","delay":"9s"}`), "Down": hook(`{"text":"x"}`)})
	for value, want := range map[string]string{
		`"added":{"name":"a","delay":null,"other":null}`:                  `"added":{"name":"a","other":null}`,
		`"added":{"delay":null}`:                                          `"added":{}`,
		`"added":{"delay":null,"name":null,"delay":null}`:                 `"added":{"name":null}`,
		`"added":{"name":"a","delay":"2s","other":"3s","unknown":[null]}`: `"added":{"name":"a","delay":"2s","other":"3s","unknown":[null]}`,
		`"added":null,"late":null,"name":"b","delay":null`:                `"name":"b"`,
		`"added":{},"late":"2s","name":null,"delay":"1s"`:                 `"added":{},"late":"2s","name":null,"delay":"1s"`,
	} {
		there := convert(t, c, `{"kind":"K","apiVersion":"g/v1",`+value+`}`, "v1beta1")
		got, want := convert(t, c, there, "v1"), `{"kind":"K","apiVersion":"g/v1",`+want+`}`
		if !sameJSON(got, want) {
			t.Errorf("%s came back as %s\nby way of %s, want %s", value, got, there, want)
		}
	}
}

// TestTogether changes what a version shows of values that are lost together, or the tracked values: all of them come back,
// or none.
func TestTogether(t *testing.T) {
	type before struct {
		Text string `json:"text,omitempty"`
		Size int32  `json:"size,omitempty"`
	}
	type after struct {
		Left string `json:"left,omitempty"`
		Note string `json:"note,omitempty"`
	}
	c := tables(t, together, map[string]Func{
		"up":   HookOf(func(in *before, out *after) { out.Left = strings.Trim(in.Text, "/") }),
		"down": HookOf(func(in *after, out *before) { out.Text = in.Left }),
	})
	other := map[string]string{"v1beta1": "v1", "v1": "v1beta1"}
	for _, test := range []struct {
		from, in, shown string
		// edits are what clients make of what is shown, and damages of the first tracked value.
		edits, damages []string
	}{
		{
			"v1beta1", `{"a":"x","b":"y:z","c":1}`, `{"whole":"x:y:z:1"}`, []string{`{"whole":"x:y:z:2"}`, `{}`, `{"whole":null}`, `{"whole":""}`},
			[]string{`{"a":1,"b":"y:z"}`, `{"a":"x","b":7}`, `[]`, `"x"`, `null`},
		},
		{
			"v1beta1", `{"text":"/x/","size":3}`, `{"left":"x"}`, []string{`{"left":"y"}`, `{}`},
			[]string{`{"text":7,"size":3}`, `{"text":"/x/","size":"3"}`, `7`},
		},
		{ // functions and splits apart, and functions that write nothing
			"v1beta1", `{"a":"x","b":"y:z","c":1,"text":"/","size":3}`, `{"whole":"x:y:z:1"}`, []string{`{"whole":"x","left":"y"}`}, nil,
		},
		{"v1", `{"left":"x","note":"n"}`, `{"text":"x"}`, []string{`{"text":"y"}`, `{}`}, []string{`1`, `[]`}},
	} {
		object := func(version, item string) string { return thing(version, `,"spec":{"list":[`+item+`]}`) }
		to := other[test.from]
		there := convert(t, c, object(test.from, test.in), to)
		if got := untracked(t, there, "versioned.g/changed-values"); !sameJSON(got, object(to, test.shown)) {
			t.Errorf("%s became %s", test.in, there)
		}
		if back := convert(t, c, there, test.from); !sameJSON(back, object(test.from, test.in)) {
			t.Errorf("%s came back as %s", test.in, back)
		}
		_, metadata, _ := strings.Cut(there, `,"metadata"`)
		metadata = `,"metadata"` + strings.TrimSuffix(metadata, "}")
		bare := func(object string) string { return untracked(t, object, "versioned.g/changed-values") }
		for _, edit := range test.edits {
			edited := thing(to, `,"spec":{"list":[`+edit+`]}`+metadata)
			if got, want := convert(t, c, edited, test.from), convert(t, c, object(to, edit), test.from); !sameJSON(bare(got), bare(want)) {
				t.Errorf("%s edited to %s came back as %s, want %s", test.in, edit, got, want)
			}
		}
		var annotated struct {
			Metadata struct{ Annotations map[string]string }
		}
		if err := json.Unmarshal([]byte(there), &annotated); err != nil {
			t.Fatal(err)
		}
		for _, damage := range test.damages {
			var tracked map[string]any
			if err := json.Unmarshal([]byte(annotated.Metadata.Annotations["versioned.g/changed-values"]), &tracked); err != nil {
				t.Fatal(err)
			}
			direction := map[string]string{"v1": "upgrades", "v1beta1": "downgrades"}[test.from]
			tracked[direction].(map[string]any)[test.from].([]any)[0].(map[string]any)["value"] = json.RawMessage(damage)
			text, err := json.Marshal(tracked)
			if err != nil {
				t.Fatal(err)
			}
			damaged := thing(to, `,"spec":{"list":[`+test.shown+`]},"metadata":{"annotations":{"versioned.g/changed-values":`+strconv.Quote(string(text))+`}}`)
			if got, want := convert(t, c, damaged, test.from), convert(t, c, object(to, test.shown), test.from); !sameJSON(bare(got), bare(want)) {
				t.Errorf("%s damaged to %s came back as %s, want %s", test.in, damage, got, want)
			}
		}
	}
}

const typed1 = `"K":{"kind":"object","fields":{"level":{"kind":"integer","bits":8},"levels":{"kind":"list","elem":{"kind":"integer","bits":8}},"byName":{"kind":"map","elem":{"kind":"integer","bits":8}},"host":{"kind":"integer","bits":8},"wait":{"known":"duration"},"gone":{"ref":"Gone","pointer":true}}},
	"Gone":{"kind":"object","fields":{"text":{"kind":"string"},"small":{"kind":"integer","bits":8,"unsigned":true},"on":{"kind":"bool"},"ratio":{"kind":"number"},"list":{"kind":"list","elem":{"kind":"integer","bits":8,"unsigned":true}},"map":{"kind":"map","elem":{"kind":"string"}},"gone":{"ref":"Gone","pointer":true},"bytes":{"kind":"bytes"}}}`

const typed2 = `"K":{"kind":"object","fields":{"level":{"kind":"integer","bits":8},"levels":{"kind":"list","elem":{"kind":"integer","bits":8}},"byName":{"kind":"map","elem":{"kind":"integer","bits":8}},"hosts":{"kind":"list","elem":{"kind":"integer","bits":8}},"wait":{"kind":"integer","bits":32}}}`

// TestTypes restores tracked values in both directions that are of the JSON types of what the object shows, and not of
// the types of the fields that they are for.
func TestTypes(t *testing.T) {
	c := tables(t, `{"group":"g","kinds":[{"name":"K","store":"annotation"}],
		"versions":[{"name":"v1beta1","kinds":{"K":{"ref":"K"}},"types":{`+typed1+`}},{"name":"v1","kinds":{"K":{"ref":"K"}},"types":{`+typed2+`}}],
		"steps":[{"older":"v1beta1","newer":"v1","types":{
			"K":{"fields":[
				{"older":{"name":"level","zero":"0"},"newer":{"name":"level","zero":"0"},"value":{"type":"Level"}},
				{"older":{"name":"levels"},"newer":{"name":"levels"},"value":{"elem":{"type":"Level"}}},
				{"older":{"name":"byName"},"newer":{"name":"byName"},"value":{"elem":{"type":"Level"}}},
				{"older":{"name":"host","zero":"0"},"newer":{"name":"hosts"},"value":{"list":{}}},
				{"older":{"name":"wait","zero":"\"0s\""},"newer":{"name":"wait","zero":"0"},"value":{"call":{"transform":{"name":"seconds","bits":32}}}},
				{"older":{"name":"gone"}}
			]},
			"Level":{"enum":{"up":{"1":"2"},"down":{"2":"1"}}}
		}}]}`, nil)
	for _, test := range []struct {
		to, in, path, was string
		fit, forged       []string
	}{
		{"v1", `"level":3`, `$.level`, `3`, []string{`4`, `-128`}, []string{`128`, `1.5`, `"3"`, `{}`}},
		{"v1beta1", `"level":3`, `$.level`, `3`, []string{`4`}, []string{`300`, `1e2`, `true`}},
		{"v1beta1", `"levels":[3]`, `$.levels[0]`, `3`, []string{`4`}, []string{`300`, `[]`}},
		{"v1", `"byName":{"a":3}`, `$.byName.a`, `3`, []string{`4`}, []string{`300`, `[]`}},
		{"v1", `"host":3`, `$.hosts`, `[3]`, []string{`[3,4]`, `[]`}, []string{`[3,300]`, `3`, `["a"]`, `{}`}},
		{"v1", `"wait":"3s"`, `$.wait`, `3`, []string{`4`}, []string{`3000000000`, `1.5`, `"4s"`}},
		{"v1beta1", `"wait":3`, `$.wait`, `"3s"`, []string{`"3000ms"`}, []string{`4`, `"soon"`, `[]`}},
		{"v1beta1", `"level":3`, `$.gone`, `null`, []string{
			`{}`, `{"text":"a","small":255,"on":false,"ratio":1.5,"unknown":[1]}`, `{"list":[1,2],"map":{"a":"b"},"gone":{"gone":null}}`, `{"bytes":"YQ=="}`,
		}, []string{
			`[]`, `"a"`, `{"text":1}`, `{"small":256}`, `{"small":1.0}`, `{"list":[1,"a"]}`, `{"list":{}}`, `{"map":{"a":1}}`, `{"gone":{"gone":{"on":"yes"}}}`, `{"ratio":"1"}`, `{"bytes":"?"}`,
		}},
	} {
		from, direction := "v1", "downgrades"
		if test.to == "v1" {
			from, direction = "v1beta1", "upgrades"
		}
		plain := convert(t, c, thing(from, ","+test.in), test.to)
		for _, value := range slices.Concat(test.fit, test.forged) {
			entry := `{"format":2,"` + direction + `":{"` + test.to + `":[{"jsonPath":"` + test.path + `","value":` + value + `,"was":` + test.was + `,"lengths":[1]}]}}`
			in, before := thing(from, ","+test.in+`,"metadata":{"annotations":{"versioned.g/changed-values":`+strconv.Quote(entry)+`}}`), c.Dropped()
			out := convert(t, c, in, test.to)
			restored := !sameJSON(untracked(t, out, "versioned.g/changed-values"), plain)
			if fits := slices.Contains(test.fit, value); restored != fits || fits != (c.Dropped() == before) {
				t.Errorf("%s becomes %s; %d dropped", in, out, c.Dropped()-before)
			}
		}
	}
}

const imported = `{"group":"example.com","kinds":[{"name":"Foo","store":"annotation"}],"versions":[{"name":"v1alpha1"},{"name":"v1beta1"},{"name":"v1"}],
	"restores":[{"annotation":"example.com/data","version":"v1"},{"annotation":"example.com/old","version":"v1beta1"}],"steps":[
	{"older":"v1alpha1","newer":"v1beta1","types":{
		"Foo":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}}]},
		"Spec":{"fields":[{"older":{"name":"count"},"newer":{"name":"size"}},{"newer":{"name":"former"}}]}
	}},
	{"older":"v1beta1","newer":"v1","types":{
		"Foo":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}}]},
		"Spec":{"fields":[{"newer":{"name":"extra"}},{"older":{"name":"former"}}]}
	}}
]}`

// TestImported restores values of objects that conversions which people wrote before have stored in annotations.
func TestImported(t *testing.T) {
	foo := func(version, spec, annotations string) string {
		if annotations != "" {
			annotations = `,"annotations":{` + annotations + `}`
		}
		return `{"apiVersion":"example.com/` + version + `","kind":"Foo","metadata":{"name":"a"` + annotations + `},"spec":` + spec + `}`
	}
	data := func(text string) string { return `"example.com/data":` + strconv.Quote(text) }
	const v1 = `{"spec":{"size":1,"extra":"x"}}`
	large := `{"spec":{"size":1,"extra":"` + strings.Repeat("x", maxTracked) + `"}}`
	tracked := func(values string) string { return `"versioned.example.com/changed-values":` + strconv.Quote(values) }
	for name, test := range map[string]struct {
		object, to, want string
		dropped          int64
	}{
		"restored":                {foo("v1beta1", `{"size":1}`, data(v1)), "v1", foo("v1", `{"size":1,"extra":"x"}`, ""), 0},
		"of the oldest version":   {foo("v1alpha1", `{"count":1}`, data(v1)), "v1", foo("v1", `{"size":1,"extra":"x"}`, ""), 0},
		"edited":                  {foo("v1beta1", `{"size":2}`, data(v1)), "v1", foo("v1", `{"size":2,"extra":"x"}`, ""), 0},
		"other annotations":       {foo("v1beta1", `{"size":1}`, `"b":"c",`+data(v1)), "v1", foo("v1", `{"size":1,"extra":"x"}`, `"b":"c"`), 0},
		"with its version":        {foo("v1alpha1", `{"count":1}`, data(foo("v1beta1", `{"size":1,"former":true}`, `"b":"c"`))), "v1beta1", foo("v1beta1", `{"size":1,"former":true}`, ""), 0},
		"newest with an older":    {foo("v1", `{"size":1}`, `"example.com/old":"{\"spec\":{\"size\":1,\"former\":true}}"`), "v1beta1", foo("v1beta1", `{"size":1,"former":true}`, ""), 0},
		"of the same version":     {foo("v1", `{"size":1}`, data(v1)), "v1beta1", foo("v1beta1", `{"size":1}`, ""), 0},
		"not converted":           {foo("v1beta1", `{"size":1}`, data(v1)), "v1beta1", foo("v1beta1", `{"size":1}`, data(v1)), 0},
		"nothing to restore":      {foo("v1beta1", `{"size":1}`, data(`{"spec":{"size":1}}`)), "v1", foo("v1", `{"size":1}`, ""), 0},
		"own values win":          {foo("v1beta1", `{"size":1}`, data(v1)+`,`+tracked(`{"format":2,"upgrades":{"v1":[{"jsonPath":"$.spec.extra","value":"own"}]}}`)), "v1", foo("v1", `{"size":1,"extra":"own"}`, ""), 0},
		"no JSON":                 {foo("v1beta1", `{"size":1}`, data(`{`)), "v1", foo("v1", `{"size":1}`, data(`{`)), 1},
		"no object":               {foo("v1beta1", `{"size":1}`, data(`[1]`)), "v1", foo("v1", `{"size":1}`, data(`[1]`)), 1},
		"no string":               {foo("v1beta1", `{"size":1}`, `"example.com/data":{}`), "v1", foo("v1", `{"size":1}`, `"example.com/data":{}`), 1},
		"of another kind":         {foo("v1beta1", `{"size":1}`, data(`{"kind":"Bar"}`)), "v1", foo("v1", `{"size":1}`, data(`{"kind":"Bar"}`)), 1},
		"of an unknown version":   {foo("v1beta1", `{"size":1}`, data(`{"apiVersion":"example.com/v7"}`)), "v1", foo("v1", `{"size":1}`, data(`{"apiVersion":"example.com/v7"}`)), 1},
		"larger than the limit":   {foo("v1beta1", `{"size":1}`, data(large)), "v1", foo("v1", `{"size":1}`, data(large)), 1},
		"elsewhere in the object": {foo("v1beta1", `{"size":1,"text":"example.com/data"}`, ""), "v1", foo("v1", `{"size":1,"text":"example.com/data"}`, ""), 0},
	} {
		c := tables(t, imported, nil)
		got, err := c.Convert(nil, []byte(test.object), test.to)
		if err != nil || !sameJSON(string(got), test.want) || c.Dropped() != test.dropped {
			t.Errorf("%s: %.300s, %v, %d dropped\nwant %.300s", name, got, err, c.Dropped(), test.want)
		}
	}
	// On the way to another older version the value is tracked.
	c := tables(t, imported, nil)
	there := convert(t, c, foo("v1alpha1", `{"count":1}`, data(v1)), "v1beta1")
	if back := convert(t, c, there, "v1"); strings.Contains(there, "example.com/data") || !sameJSON(back, foo("v1", `{"size":1,"extra":"x"}`, "")) {
		t.Errorf("became %s and %s", there, back)
	}
}
