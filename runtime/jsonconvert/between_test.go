package jsonconvert

import (
	"strings"
	"testing"
)

// between is a kind whose fields have another type, or other constants, in each of the versions.
const between = `{"group":"g","kinds":[{"name":"K","store":"annotation"},{"name":"KList","item":"K"}],"versions":[{"name":"v1alpha1"},{"name":"v1beta1"},{"name":"v1"}],"steps":[
	{"older":"v1alpha1","newer":"v1beta1","types":{
		"K":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}}]},
		"Spec":{"fields":[
			{"older":{"name":"pause","zero":"0"},"newer":{"name":"waits"},"value":{"call":{"transform":{"name":"milliseconds","inverted":true}}}},
			{"newer":{"name":"rests"}},{"older":{"name":"any"},"newer":{"name":"any"},"value":{"call":{"up":"B","down":"A"}}},
			{"older":{"name":"old","zero":"\"\""},"newer":{"name":"former","zero":"0"},"value":{"call":{"transform":{"name":"integer"}}}},{"newer":{"name":"brief"}},
			{"older":{"name":"level"},"newer":{"name":"level"},"value":{"type":"Level"}},{"older":{"name":"levels"},"newer":{"name":"levels"},"value":{"elem":{"type":"Level"},"set":true}},
			{"older":{"name":"list"},"newer":{"name":"list"},"value":{"elem":{"type":"Spec"}}},{"older":{"name":"map"},"newer":{"name":"map"},"value":{"elem":{"type":"Spec"}}}
		]},
		"Level":{"enum":{"up":{"\"low\"":"\"LOW\""},"down":{"\"LOW\"":"\"low\"","\"Less\"":"\"low\""}}}
	}},
	{"older":"v1beta1","newer":"v1","types":{
		"K":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}}]},
		"Spec":{"fields":[
			{"older":{"name":"waits"},"newer":{"name":"wait","zero":"0"},"value":{"call":{"transform":{"name":"seconds"}}}},
			{"older":{"name":"rests"},"newer":{"name":"rest","zero":"0"},"value":{"call":{"transform":{"name":"seconds"}}}},
			{"older":{"name":"any"},"newer":{"name":"any"},"value":{"call":{"up":"One","down":"B"}}},{"older":{"name":"former","zero":"0"}},{"older":{"name":"brief"}},
			{"older":{"name":"level"},"newer":{"name":"level"},"value":{"type":"Level"}},{"older":{"name":"levels"},"newer":{"name":"levels"},"value":{"elem":{"type":"Level"},"set":true}},
			{"older":{"name":"list"},"newer":{"name":"list"},"value":{"elem":{"type":"Spec"}}},{"older":{"name":"map"},"newer":{"name":"map"},"value":{"elem":{"type":"Spec"}}}
		]},
		"Level":{"enum":{"up":{"\"LOW\"":"\"Low\"","\"Less\"":"\"Low\""},"down":{"\"Low\"":"\"LOW\""}}}
	}}
]}`

// TestBetween converts objects of the version in between to the oldest version, changes them there or in the
// newest version, and converts them back.
func TestBetween(t *testing.T) {
	text := func(s string) Func { return func([]byte) ([]byte, error) { return []byte(s), nil } }
	funcs := map[string]Func{"One": text(`1`), "A": text(`"a"`), "B": text(`{"b":1}`)}
	for name, test := range map[string]struct{ in, oldest, edit, to, newest, editNewest, want string }{
		"transforms":      {in: `{"waits":"1500ms"}`, oldest: `{"pause":1500}`},
		"functions":       {in: `{"any":{"b":2}}`, oldest: `{"any":"a"}`},
		"atomic list":     {in: `{"list":[{},{"waits":"1m"}]}`, oldest: `{"list":[{},{"pause":60000}]}`},
		"map":             {in: `{"map":{"a.b":{"any":{}}}}`, oldest: `{"map":{"a.b":{"any":"a"}}}`},
		"almost nothing":  {in: `{"waits":"0.1s"}`, oldest: `{"pause":100}`},
		"constant":        {in: `{"level":"Less"}`, oldest: `{"level":"low"}`},
		"set":             {in: `{"levels":["Less","High"]}`, oldest: `{"levels":["low","High"]}`},
		"removed":         {in: `{"brief":"b"}`, oldest: `{}`},
		"type of removed": {in: `{"former":7}`, oldest: `{"old":"7"}`},
		"edit of removed": {in: `{"former":7}`, oldest: `{"old":"7"}`, edit: `"7"`, to: `"8"`, want: `{"former":8}`},
		"edit":            {in: `{"waits":"1500ms","any":{}}`, oldest: `{"pause":1500,"any":"a"}`, edit: `:1500`, to: `:3000`, want: `{"waits":"3s","any":{}}`},
		"a lossy edit":    {in: `{"waits":"1500ms"}`, oldest: `{"pause":1500}`, edit: `:1500`, to: `:1001`, want: `{"waits":"1.001s"}`},
		"item gone":       {in: `{"list":[{"waits":"1500ms"},{}]}`, oldest: `{"list":[{"pause":1500},{}]}`, edit: `},{}`, to: `}`, want: `{"list":[{"waits":"1.5s"}]}`},
		"newest edited":   {in: `{"waits":"1500ms"}`, oldest: `{"pause":1500}`, editNewest: `"wait":1`, newest: `"wait":2`, want: `{"waits":"2s"}`},
	} {
		c := tables(t, between, funcs)
		if test.want == "" {
			test.want = test.in
		}
		in := thing("v1beta1", `,"spec":`+test.in)
		there := convert(t, c, in, "v1alpha1")
		if got := untracked(t, there, "versioned.g/changed-values"); !sameJSON(got, thing("v1alpha1", `,"spec":`+test.oldest)) {
			t.Errorf("%s: shows %s", name, there)
		}
		there = strings.Replace(there, test.edit, test.to, 1)
		newest := convert(t, c, there, "v1")
		if direct := convert(t, c, in, "v1"); test.edit == "" && !sameJSON(untracked(t, newest, "versioned.g/changed-values"), untracked(t, direct, "versioned.g/changed-values")) {
			t.Errorf("%s: in the newest version it is %s, not %s", name, newest, direct)
		}
		// It goes through the oldest version again.
		newest = strings.Replace(newest, test.editNewest, test.newest, 1)
		back := convert(t, c, convert(t, c, newest, "v1alpha1"), "v1beta1")
		if got := untracked(t, back, "versioned.g/changed-values"); !sameJSON(got, thing("v1beta1", `,"spec":`+test.want)) {
			t.Errorf("%s: comes back as %s, want %s", name, back, test.want)
		}
		if test.edit+test.editNewest == "" && strings.Contains(back, "jsonPath") {
			t.Errorf("%s: comes back with tracked values: %s", name, back)
		}
	}
	// Each object of a list has tracked values of its own.
	c := tables(t, between, funcs)
	item := thing("v1beta1", `,"spec":{"waits":"1500ms"}`)
	list := `{"apiVersion":"g/v1beta1","kind":"KList","items":[` + item + `,` + strings.Replace(item, "1500", "2500", 1) + `]}`
	if back := convert(t, c, convert(t, c, list, "v1"), "v1beta1"); !sameJSON(list, back) {
		t.Errorf("got %s", back)
	}
}
