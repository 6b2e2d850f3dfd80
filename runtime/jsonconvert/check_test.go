package jsonconvert

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestMistakenTables reports mistakes in tables, which somebody may have changed.
func TestMistakenTables(t *testing.T) {
	for types, want := range map[string]string{
		`{"A":null}`:                                                                                  "the type A of the step from v1 to v2: it is null",
		`{"A":{"value":{"type":"A"}}}`:                                                                "its value is of the same type",
		`{"A":{"enum":{"up":{"x":"\"y\""}}}}`:                                                         "both must be JSON",
		`{"A":{"fields":[{"older":{"name":"a","zero":"x"}}]}}`:                                        "the zero value of a is not JSON",
		`{"A":{"moves":[{"older":[{"name":"a"}],"newer":[]}]}}`:                                       "a field moves from or to nowhere",
		`{"A":{"fields":[{"value":{"elem":{"call":{"transform":{"name":"no"}}}}}]}}`:                  `unknown transform "no"`,
		`{"A":{"fields":[{"older":{"name":"a"},"newer":{"name":"a"},"value":{"call":{"up":"No"}}}]}}`: "the function No is missing",
	} {
		var api API
		if err := json.Unmarshal([]byte(`{"versions":[{"name":"v1"},{"name":"v2"}],"kinds":[{"name":"A"}],"steps":[{"older":"v1","newer":"v2","types":`+types+`}]}`), &api); err != nil {
			t.Fatal(err)
		}
		if _, err := New(&api); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", types, err, want)
		}
	}
}

// TestMistakenVersions reports mistakes in kinds, and in types that are data.
func TestMistakenVersions(t *testing.T) {
	for parts, want := range map[string]string{
		`"kinds":[{"name":"A","store":"label"}],"versions":[{"name":"v1"}]`:                                                `the kind A has the store "label"; it is "status", "annotation" or left out`,
		`"versions":[{"name":"v1","kinds":{"A":{"ref":"A"}}}]`:                                                             `the version v1: the kind A: there is no type "A"`,
		`"versions":[{"name":"v1","types":{"A":{"kind":"object","fields":{"x":{"kind":"list","elem":{"kind":"text"}}}}}}]`: `the version v1: the type A: the field x: unknown kind of JSON "text"`,
		`"versions":[{"name":"v1","types":{"A":{"known":"url"}}}]`:                                                         `the version v1: the type A: unknown type with its own JSON "url"`,
	} {
		var api API
		if err := json.Unmarshal([]byte("{"+parts+"}"), &api); err != nil {
			t.Fatal(err)
		}
		if _, err := New(&api); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", parts, err, want)
		}
	}
}

// TestFilled tracks a field with a default without what the default is: it may change, and no function is called for it.
func TestFilled(t *testing.T) {
	calls := 0
	filled := func(value string) *Converter {
		c, err := New(&API{
			Group: "example.com", Versions: []Version{{Name: "v1"}, {Name: "v2"}}, Kinds: []Kind{{Name: "Person", Store: Annotation}},
			Steps: []Step{{Older: "v1", Newer: "v2", Types: map[string]*Type{
				"Person": {Fields: []Field{{Older: Key{Name: "spec"}, Newer: Key{Name: "spec"}, Value: Value{Type: "Spec"}}}},
				"Spec":   {Fields: []Field{{Newer: Key{Name: "mode"}, Default: []byte(value)}, {Newer: Key{Name: "tier"}, DefaultFunc: "Tier"}}},
			}}},
			Funcs: map[string]Func{"Tier": DefaultOf(func() string { calls++; return "slow" })},
		})
		if err != nil {
			t.Fatal(err)
		}
		c.Strict = true
		return c
	}
	before, after := filled(`"a"`), filled(`"b"`)
	for _, spec := range []string{`{"mode":"x","tier":"fast"}`, `{"mode":"x"}`, `{}`, `{"tier":"fast","mode":{"a":1}}`, `{"mode":"a","tier":"slow"}`} {
		x := person("v2", spec)
		y := convert(t, before, x, "v1")
		if strings.Contains(y, "was") {
			t.Errorf("%s stores a guard: %s", spec, y)
		}
		if z := convert(t, before, y, "v2"); !sameJSON(z, x) {
			t.Errorf("%s came back as %s", x, z)
		}
		if z := convert(t, after, y, "v2"); !sameJSON(z, x) && !strings.Contains(spec, `"a"`) {
			t.Errorf("with another default, %s came back as %s", x, z)
		}
		// What the engine before this one has stored has no guard either.
		if z := convert(t, before, strings.Replace(y, `\"format\":2`, `\"format\":1`, 1), "v2"); !sameJSON(z, x) {
			t.Errorf("of the former format, %s came back as %s", y, z)
		}
	}
	if calls == 0 {
		t.Error("no default was called")
	}
}
