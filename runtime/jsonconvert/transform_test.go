package jsonconvert

import (
	"strings"
	"testing"
)

// TestTransforms converts values from the first representation of a form to the second, and back.
func TestTransforms(t *testing.T) {
	const refused = "error: "
	modes := Transform{Name: "case", Args: []string{"kebab"}, Values: [][2]string{{"RollingUpdate", "rolling-update"}, {"Recreate", "recreate"}}}
	parts := Transform{Name: "split", Args: []string{"{host}[:{port}][/{on}]"}, Values: [][2]string{{"string", `""`}, {"*uint8", ""}, {"bool", "false"}}}
	shifted := Transform{Name: "case", Values: [][2]string{{"a", "b"}, {"b", "c"}}}
	for _, test := range []struct {
		form              Transform
		first, there, own string // own is what comes back
	}{
		{Transform{Name: "seconds"}, `"90m"`, `5400`, `"1h30m0s"`},
		{Transform{Name: "seconds"}, `"1500ms"`, `1`, `"1s"`},
		{Transform{Name: "seconds"}, `""`, `0`, `"0s"`},
		{Transform{Name: "seconds"}, `null`, `null`, `null`},
		{Transform{Name: "seconds"}, `"soon"`, refused + `"soon" is not a duration`, ``},
		{Transform{Name: "seconds"}, `5`, refused + `5 is not a string`, ``},
		{Transform{Name: "seconds", Bits: 8}, `"128s"`, refused + `128 is too large: the number is from -128 to 127`, ``},
		{Transform{Name: "seconds", Bits: 8, Unsigned: true}, `"-1s"`, refused + `-1 is too large: the number is from 0 to 255`, ``},
		{Transform{Name: "milliseconds"}, `"1.5s"`, `1500`, `"1.5s"`},
		{Transform{Name: "quantity", Args: []string{"Mi"}}, `"2Gi"`, `2048`, `"2Gi"`},
		{Transform{Name: "quantity", Args: []string{"m"}}, `0.5`, `500`, `"500m"`},
		{Transform{Name: "quantity"}, `"2500m"`, `2`, `"2"`},
		{Transform{Name: "quantity", Args: []string{"Gi"}}, `"much"`, refused + `"much" is not a quantity`, ``},
		{Transform{Name: "integer"}, `"007"`, `7`, `"7"`},
		{Transform{Name: "integer"}, `"7.5"`, refused + `"7.5" is not an integer`, ``},
		{Transform{Name: "bool"}, `"True"`, `true`, `"true"`},
		{Transform{Name: "bool"}, `"yes"`, refused + `"yes" is neither`, ``},
		{Transform{Name: "field", Args: []string{"name"}}, `[1.0]`, `{"name":[1.0]}`, `[1.0]`},
		{Transform{Name: "keyed", Args: []string{"name"}}, `{"b":{"x":1.0},"a":{}}`, `[{"name":"a"},{"name":"b","x":1.0}]`, `{"a":{},"b":{"x":1.0}}`},
		{Transform{Name: "keyed", Args: []string{"name"}}, `{"b":1}`, refused + `["b"] is not an object`, ``},
		{Transform{Name: "keyed", Args: []string{"k", "v"}}, `{"b":1,"a":null}`, `[{"k":"a","v":null},{"k":"b","v":1}]`, `{"a":null,"b":1}`},
		{modes, `"RollingUpdate"`, `"rolling-update"`, `"RollingUpdate"`},
		{modes, `"\u0052ecreate"`, `"recreate"`, `"Recreate"`},
		{modes, `"Other"`, `"Other"`, `"Other"`},
		{modes, `"recreate"`, `"Recreate"`, `"recreate"`}, // no constant of the enum
		{modes, `"rolling-update"`, `"RollingUpdate"`, `"rolling-update"`},
		{shifted, `"a"`, `"b"`, `"a"`},
		{shifted, `"c"`, `"a"`, `"c"`},
		{modes, `""`, `""`, `""`},
		{modes, `1`, refused + `1 is not a string`, ``},
		{Transform{Name: "keyed", Args: []string{"k", "v"}, Zero: `""`, Omits: true}, `{"b":"x","a":""}`, `[{"k":"a"},{"k":"b","v":"x"}]`, `{"a":"","b":"x"}`},
		{parts, `"a:b:5/true"`, `{"host":"a:b","port":5,"on":true}`, `"a:b:5/true"`},
		{parts, `"a"`, `{"host":"a","on":false}`, `"a"`},
		{parts, `":5"`, `{"port":5,"host":"","on":false}`, `":5"`},
		{parts, `"a:300"`, `{"host":"","on":false}`, `""`}, // the port is an uint8
		{parts, `""`, `{"host":"","on":false}`, `""`},
		{parts, `5`, refused + `5 is not a string`, ``},
		{Transform{Name: "other"}, `1`, refused + `unknown transform "other"`, ``},
	} {
		for _, inverted := range []bool{false, true} {
			test.form.Inverted = inverted
			there, err := test.form.Convert([]byte(test.first), !inverted)
			if want, isError := strings.CutPrefix(test.there, refused); isError {
				if err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%s of %s: %s, error %v, want %s", test.form.Name, test.first, there, err, want)
				}
				continue
			}
			own, err2 := test.form.Convert(there, inverted)
			if err != nil || err2 != nil || string(there) != test.there || string(own) != test.own {
				t.Errorf("%s of %s: %s and %s, errors %v, %v; want %s and %s", test.form.Name, test.first, there, own, err, err2, test.there, test.own)
			}
		}
	}
	for second, form := range map[string]Transform{
		`9223372036854775807`: {Name: "seconds"}, `1.5`: {Name: "milliseconds"}, `9223372036854775`: {Name: "quantity", Args: []string{"Gi"}},
		`"x"`: {Name: "integer"}, `[]`: {Name: "field", Args: []string{"a"}}, `{}`: {Name: "keyed", Args: []string{"a"}}, `[{"a":1}]`: {Name: "keyed", Args: []string{"a"}},
	} {
		if first, err := form.Convert([]byte(second), false); err == nil {
			t.Errorf("%s of %s: %s", form.Name, second, first)
		}
	}
	endless := Transform{Name: "case", Values: [][2]string{{"a", "x"}, {"b", "a"}, {"a", "b"}}} // in a file
	if _, err := endless.Convert([]byte(`"x"`), true); err != nil {
		t.Error(err)
	}
}
