package jsonconvert

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// tables returns the converter of tables in JSON.
func tables(t *testing.T, text string, funcs map[string]Func) *Converter {
	t.Helper()
	api := &API{Funcs: funcs}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(api); err != nil {
		t.Fatal(err)
	}
	c, err := New(api)
	if err != nil {
		t.Fatal(err)
	}
	c.Strict = true
	return c
}

// thing returns an object of a version of the group g.
func thing(version, members string) string {
	return `{"kind":"K","apiVersion":"g/` + version + `"` + members + `}`
}

// untracked returns an object without the annotation of tracked values.
func untracked(t *testing.T, object, annotation string) string {
	t.Helper()
	m := &memory{}
	n, err := m.parse(object)
	if err != nil {
		t.Fatal(err)
	}
	annotations := m.get(n, "metadata", "annotations")
	if m.has(annotations, annotation) < 0 {
		return object
	}
	switch annotations = m.with(annotations, annotation, nil); {
	case len(annotations.items) > 0:
		n = m.put(n, annotations, "metadata", "annotations")
	case len(m.get(n, "metadata").items) > 1:
		n = m.put(n, nil, "metadata", "annotations")
	default:
		n = m.put(n, nil, "metadata")
	}
	return m.json(n)
}

var errRefused = errors.New("refused")

const moves = `{"group":"g","versions":[{"name":"v1beta1"},{"name":"v1"}],"kinds":[{"name":"K","store":"annotation"}],"steps":[{"older":"v1beta1","newer":"v1","types":{
	"K":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}}]},
	"Spec":{
		"fields":[
			{"older":{"name":"a"},"newer":{"name":"a"},"value":{"type":"Parent"}},{"older":{"name":"was"},"newer":{"name":"always"},"value":{"type":"Was"}},
			{"older":{"name":"top"}},{"older":{"name":"gone"}},{"newer":{"name":"x"}},{"newer":{"name":"down"}},
			{"older":{"name":"p"},"newer":{"name":"p"},"value":{"type":"Filled"}},{"older":{"name":"q"},"newer":{"name":"q"},"value":{"type":"Left"}},{"newer":{"name":"m"}},{"newer":{"name":"n"}}
		],
		"moves":[
			{"older":[{"name":"top"}],"newer":[{"name":"a","optional":true},{"name":"top"}]},
			{"older":[{"name":"was"},{"name":"x"}],"newer":[{"name":"x"}]},
			{"older":[{"name":"gone","optional":true},{"name":"deep","optional":true},{"name":"down"}],"newer":[{"name":"down"}],"value":{"call":{"up":"Up","down":"Down"}}},
			{"older":[{"name":"p","optional":true},{"name":"m"}],"newer":[{"name":"m"}]},
			{"older":[{"name":"q","optional":true},{"name":"n"}],"newer":[{"name":"n"}]}
		]
	},
	"Parent":{"fields":[{"newer":{"name":"top"}}]},
	"Was":{"fields":[{"older":{"name":"x"}}]},
	"Filled":{"fields":[{"older":{"name":"m"}},{"newer":{"name":"mode"},"default":"a"}]},
	"Left":{"fields":[{"older":{"name":"n"}},{"older":{"name":"lost"}}]}
}}]}`

// TestMoves converts objects of two versions that have fields at different paths, and back.
func TestMoves(t *testing.T) {
	refuses := func(text string) Func {
		return FailingFuncOf(func(in any) (any, error) {
			if in == text {
				return nil, &Error{Err: errRefused}
			}
			return in, nil
		})
	}
	c := tables(t, moves, map[string]Func{"Up": refuses("up"), "Down": refuses("down")})
	other := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}
	for name, test := range map[string]struct{ from, in, there string }{
		"a parent is created":               {"v1beta1", `{"top":1,"z":2}`, `{"z":2,"a":{"top":1}}`},
		"into a parent":                     {"v1beta1", `{"a":{"z":1.0},"top":true}`, `{"a":{"z":1.0,"top":true}}`},
		"the last value of a parent":        {"v1", `{"a":{"top":{"q":[1,2]}},"b":1}`, `{"b":1,"top":{"q":[1,2]}}`},
		"not the last value":                {"v1", `{"a":{"top":1,"unknown":2}}`, `{"a":{"unknown":2},"top":1}`},
		"nothing moves":                     {"v1", `{"a":{}}`, `{"a":{}}`},
		"the parent is always there":        {"v1beta1", `{"was":{"x":1}}`, `{"always":{},"x":1}`},
		"the parent is only in one version": {"v1beta1", `{"gone":{"deep":{"down":1}}}`, `{"down":1}`},
		"the rest is renamed":               {"v1", `{"always":{"y":1},"x":[]}`, `{"was":{"y":1,"x":[]}}`},
		"an empty parent, created before":   {"v1", `{"a":{},"down":1}`, ``},
		"no parent":                         {"v1", `{"x":1}`, ``},
		"an empty parent":                   {"v1", `{"x":1,"always":{}}`, ``},
		"an empty parent stays":             {"v1beta1", `{"a":{},"top":1}`, ``},
		"empty parents of nothing":          {"v1beta1", `{"gone":{"deep":{}}}`, ``},
		"a value beside":                    {"v1beta1", `{"gone":{"deep":{"down":1},"z":1}}`, ``},
		"beside a default":                  {"v1beta1", `{"p":{"m":1}}`, ``},
		"only a default":                    {"v1beta1", `{"p":{}}`, `{"p":{"mode":"a"}}`},
		"beside a removed field":            {"v1beta1", `{"q":{"lost":true,"n":[]}}`, ``},
		"only a removed field":              {"v1beta1", `{"q":{"lost":true}}`, `{"q":{}}`},
		"the only one":                      {"v1beta1", `{"q":{"n":1}}`, `{"n":1}`},
		"no struct with the default":        {"v1", `{"m":1}`, `{"p":{"m":1}}`},
		"a struct without the default":      {"v1", `{"m":1,"p":{}}`, ``},
		"the default":                       {"v1", `{"m":1,"p":{"mode":"a"}}`, ``},
		"not the default":                   {"v1", `{"m":1,"p":{"mode":"b"}}`, ``},
		"nothing but the default":           {"v1", `{"p":{"mode":"a"}}`, `{"p":{}}`},
		"an empty struct":                   {"v1", `{"n":1,"q":{}}`, ``},
	} {
		in := thing(test.from, `,"spec":`+test.in)
		there := convert(t, c, in, other[test.from])
		if want := thing(other[test.from], `,"spec":`+test.there); test.there != "" && !sameJSON(untracked(t, there, "versioned.g/changed-values"), want) {
			t.Errorf("%s: %s became %s, want %s", name, in, there, want)
		}
		if back := convert(t, c, there, test.from); !sameJSON(back, in) {
			t.Errorf("%s: %s became %s and %s", name, in, there, back)
		}
	}
	for _, test := range []struct{ from, in, want string }{
		{"v1beta1", `{"gone":{"deep":{"down":"up"}}}`, "$.spec.gone.deep.down: refused"},
		{"v1", `{"down":"down"}`, "$.spec.down: refused"},
	} {
		if _, err := c.Convert(nil, []byte(thing(test.from, `,"spec":`+test.in)), other[test.from]); err == nil || err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", test.in, err, test.want)
		}
	}
}

const entries = `{"group":"g","kinds":[{"name":"K","store":"annotation"}],"versions":[
	{"name":"v1beta1","places":[{"kind":"K","in":"annotations","key":"g/text"},{"kind":"K","in":"labels","key":"n"}]},{"name":"v1"}
],"steps":[{"older":"v1beta1","newer":"v1","types":{
	"K":{
		"fields":[{"older":{"name":"metadata","emptyIsAbsent":true},"newer":{"name":"metadata","emptyIsAbsent":true},"value":{"type":"Meta"}},{"older":{"name":"spec","emptyIsAbsent":true},"newer":{"name":"spec","emptyIsAbsent":true},"value":{"type":"Spec"}}],
		"moves":[
			{"older":[{"name":"metadata"},{"name":"annotations","optional":true},{"name":"g/text","entry":true}],"newer":[{"name":"spec","optional":true},{"name":"text","zero":"\"\""}]},
			{"older":[{"name":"metadata"},{"name":"labels","optional":true},{"name":"n","entry":true}],"newer":[{"name":"spec","optional":true},{"name":"n","zero":"0"}],"value":{"call":{"transform":{"name":"integer","bits":32}}}}
		]
	},
	"Spec":{"fields":[{"newer":{"name":"text","zero":"\"\""}},{"newer":{"name":"n","zero":"0"}}]},
	"Meta":{"fields":[{"older":{"name":"annotations","emptyIsAbsent":true},"newer":{"name":"annotations","emptyIsAbsent":true},"value":{"type":"Annotations"}},{"older":{"name":"labels","emptyIsAbsent":true},"newer":{"name":"labels","emptyIsAbsent":true},"value":{"type":"Labels"}}]},
	"Annotations":{"fields":[{"older":{"name":"g/text"}}]},
	"Labels":{"fields":[{"older":{"name":"n"}}]}
}}]}`

// TestLabels converts objects of two versions of which the older has labels and annotations in place of fields. back is "" where the
// object is the same as before.
func TestLabels(t *testing.T) {
	c := tables(t, entries, nil)
	other := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}
	for _, test := range []struct{ from, in, there, back string }{
		{"v1beta1", `,"metadata":{"name":"x","annotations":{"g/text":"a"}}`, `,"metadata":{"name":"x"},"spec":{"text":"a"}`, ``},
		{"v1beta1", `,"metadata":{"annotations":{"g/text":"a","other":"b"},"labels":{"n":"5"}}`, `,"metadata":{"annotations":{"other":"b"}},"spec":{"text":"a","n":5}`, ``},
		{"v1", `,"metadata":{"name":"x"},"spec":{"text":"-a","n":3}`, `,"metadata":{"name":"x","annotations":{"g/text":"-a"},"labels":{"n":"3"}}`, ``},
		// API servers refuse the label -3.
		{"v1", `,"metadata":{"labels":{"x":"y"}},"spec":{"n":-3}`, ``, ``},
		{"v1", `,"metadata":{"name":"x"}`, `,"metadata":{"name":"x"}`, ``},
		{"v1", `,"spec":{}`, `,"spec":{}`, ``},
		// A field whose Go type cannot tell an empty value from an absent one has none.
		{"v1", `,"spec":{"text":"","n":0,"z":1}`, `,"spec":{"z":1}`, `,"spec":{"z":1}`},
		{"v1beta1", `,"metadata":{"name":"x","annotations":{"g/text":""}}`, ``, ``},
		{"v1beta1", `,"metadata":{"name":"x","labels":{"n":"0"}}`, ``, ``},
		{"v1beta1", `,"metadata":{"name":"x","labels":{"n":"0"}},"spec":{"z":1}`, ``, ``},
		{"v1beta1", `,"metadata":{"name":"x","labels":{"n":"007"}}`, `,"metadata":{"name":"x"},"spec":{"n":7}`, ``},
		// The newest version has labels and annotations with these keys too, which mean nothing.
		{"v1", `,"metadata":{"annotations":{"g/text":"b"},"labels":{"n":"x"}},"spec":{"text":"a"}`, ``, ``},
		{"v1", `,"metadata":{"labels":{"n":"x","other":"y"}}`, ``, ``},
		// A label that is no value of the field comes back, and the field has none.
		{"v1beta1", `,"metadata":{"name":"x","labels":{"n":"x"}}`, `,"metadata":{"name":"x"}`, ``},
	} {
		in := thing(test.from, test.in)
		there := convert(t, c, in, other[test.from])
		if want := thing(other[test.from], test.there); test.there != "" && !sameJSON(untracked(t, there, "versioned.g/changed-values"), want) {
			t.Errorf("%s became %s, want %s", in, there, want)
		}
		want := in
		if test.back != "" {
			want = thing(test.from, test.back)
		}
		if back := convert(t, c, there, test.from); !sameJSON(back, want) {
			t.Errorf("%s became %s, and came back as %s, want %s", in, there, back, want)
		}
	}
	// An edit wins over tracked values.
	there := convert(t, c, thing("v1beta1", `,"metadata":{"name":"x","labels":{"n":"007"}}`), "v1")
	if back, want := convert(t, c, strings.Replace(there, `"n":7`, `"n":8`, 1), "v1beta1"), thing("v1beta1", `,"metadata":{"name":"x","labels":{"n":"8"}}`); !sameJSON(back, want) {
		t.Errorf("the edit of %s became %s, want %s", there, back, want)
	}
	there = convert(t, c, thing("v1", `,"metadata":{"name":"x"},"spec":{"n":-3}`), "v1beta1")
	if back, want := convert(t, c, strings.Replace(there, `"metadata":{`, `"metadata":{"labels":{"n":"8"},`, 1), "v1"), thing("v1", `,"metadata":{"name":"x"},"spec":{"n":8}`); !sameJSON(back, want) {
		t.Errorf("the edit of %s became %s, want %s", there, back, want)
	}
}
