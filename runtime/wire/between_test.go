package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// betweenTables are the tables of a kind whose fields have another type, or other constants, in each of
// the versions v1alpha1, v1beta1 and v1.
func betweenTables() []Conversion {
	text := func(s string) Func { return func([]byte) ([]byte, error) { return []byte(s), nil } }
	functions := map[string]Func{"One": text(`1`), "A": text(`"a"`), "B": text(`{"b":1}`), "Any": Fits[any]()}
	seconds := Transform{Name: "seconds"}
	wait := []Transform{{Name: "integer"}, {Name: "milliseconds", Inverted: true}, seconds}
	versions := []string{"v1alpha1", "v1beta1", "v1"}
	table := func(older string, level *Enum, until string, fields ...Field) Conversion {
		value := &Value{Enum: level, Since: "v1", Until: until}
		return Conversion{&Table{Group: "shop.example.com", Older: older, Hub: "v1", Versions: versions, Types: []Type{
			{Kind: "Shop", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
			{Fields: append(fields, Field{Older: "level", Hub: "level", Value: *value}, Field{Older: "levels", Hub: "levels", Value: Value{Each: value, Set: true}},
				Field{Older: "list", Hub: "list", Value: Value{Each: &Value{Type: 2}}}, Field{Older: "map", Hub: "map", Value: Value{Each: &Value{Type: 2}}})},
			{Kind: "ShopList", Fields: []Field{{Older: "items", Hub: "items", Value: Value{Each: &Value{Type: 1}}}}},
		}}, functions}
	}
	return []Conversion{
		table("v1alpha1", &Enum{Up: map[string]string{"low": "Low"}, Down: map[string]string{"Low": "low", "Mid": "low"}}, "v1alpha1",
			Field{Older: "pause", Hub: "wait", Names: []Name{{"v1beta1", "waits"}, {"v1", "wait"}}, OlderOmits: true, HubOmits: true, Value: Value{Transforms: wait, Since: "v1", Until: "v1alpha1"}},
			Field{Hub: "rest", Since: "v1", Fits: "Any", Names: []Name{{"v1beta1", "rests"}, {"v1", "rest"}}},
			Field{Older: "any", Hub: "any", Value: Value{Up: "One", Down: "A", Since: "v1", Until: "v1alpha1"}},
			Field{Older: "old", Names: []Name{{"v1beta1", "former"}}, Until: "v1alpha1", OlderOmits: true, Value: Value{Transforms: []Transform{{Name: "integer"}}}}),
		table("v1beta1", &Enum{Up: map[string]string{"LOW": "Low", "Less": "Low"}, Down: map[string]string{"Low": "LOW"}}, "v1beta1",
			Field{Older: "waits", Hub: "wait", Names: []Name{{"v1", "wait"}}, OlderOmits: true, HubOmits: true, Value: Value{Transforms: []Transform{seconds}, Until: "v1beta1"}},
			Field{Older: "rests", Hub: "rest", OlderOmits: true, HubOmits: true, Value: Value{Transforms: []Transform{seconds}, Until: "v1beta1"}},
			Field{Older: "any", Hub: "any", Value: Value{Up: "One", Down: "B", Since: "v1", Until: "v1beta1"}},
			Field{Older: "former", Until: "v1beta1"},
			Field{Older: "brief", Until: "v1beta1", Fits: "Any"}),
	}
}

// TestBetween converts objects of the version in between to the oldest version, changes them there or in the
// newest version, and converts them back.
func TestBetween(t *testing.T) {
	for name, test := range map[string]struct{ in, oldest, edit, to, newest, editNewest, want string }{
		"transforms":      {in: `{"waits":"1500ms"}`, oldest: `{"pause":"1000"}`},
		"functions":       {in: `{"any":{"b":2}}`, oldest: `{"any":"a"}`},
		"atomic list":     {in: `{"list":[{},{"waits":"1m"}]}`, oldest: `{"list":[{},{"pause":"60000"}]}`},
		"map":             {in: `{"map":{"a.b":{"any":{}}}}`, oldest: `{"map":{"a.b":{"any":"a"}}}`},
		"nothing":         {in: `{"waits":"0.1s"}`, oldest: `{}`},
		"constant":        {in: `{"level":"Less"}`, oldest: `{"level":"low"}`},
		"set":             {in: `{"levels":["Less","High"]}`, oldest: `{"levels":["low","High"]}`},
		"removed":         {in: `{"brief":"b"}`, oldest: `{}`},
		"type of removed": {in: `{"former":7}`, oldest: `{"old":"7"}`},
		"edit of removed": {in: `{"former":7}`, oldest: `{"old":"7"}`, edit: `"7"`, to: `"8"`, want: `{"former":8}`},
		"edit":            {in: `{"waits":"1500ms","any":{}}`, oldest: `{"pause":"1000","any":"a"}`, edit: `"1000"`, to: `"3000"`, want: `{"waits":"3s","any":{}}`},
		"a lossy edit":    {in: `{"waits":"1500ms"}`, oldest: `{"pause":"1000"}`, edit: `"1000"`, to: `"1001"`, want: `{"waits":"1s"}`},
		"set where unset": {in: `{"waits":"0.1s"}`, oldest: `{}`, edit: `"spec":{`, to: `"spec":{"pause":"7"`, want: `{}`},
		"item gone":       {in: `{"list":[{"waits":"1500ms"},{}]}`, oldest: `{"list":[{"pause":"1000"},{}]}`, edit: `},{}`, to: `}`, want: `{"list":[{"waits":"1s"}]}`},
		"newest edited":   {in: `{"waits":"1500ms"}`, oldest: `{"pause":"1000"}`, editNewest: `"wait":1`, newest: `"wait":2`, want: `{"waits":"2s"}`},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := New(betweenTables()...)
			if err != nil {
				t.Fatal(err)
			}
			if test.want == "" {
				test.want = test.in
			}
			in := shop("v1beta1", `,"spec":`+test.in)
			there := convertTo(t, c, in, "v1alpha1")
			if !strings.HasPrefix(string(there), strings.TrimSuffix(string(shop("v1alpha1", `,"spec":`+test.oldest)), "}")) {
				t.Errorf("shows %s", there)
			}
			there = bytes.Replace(there, []byte(test.edit), []byte(test.to), 1)
			hub := convertTo(t, c, there, "v1")
			if test.edit == "" && !same(hub, convertTo(t, c, in, "v1")) {
				t.Errorf("in the newest version it is %s", hub)
			}
			// It goes by way of the oldest version again.
			hub = bytes.Replace(hub, []byte(test.editNewest), []byte(test.newest), 1)
			back := newNode(convertTo(t, c, convertTo(t, c, hub, "v1alpha1"), "v1beta1"), 0)
			if got := back.get("spec").append(nil); !same(got, []byte(test.want)) {
				t.Errorf("comes back as %s, want %s", got, test.want)
			}
			if test.edit == "" && back.get("metadata") != nil {
				t.Errorf("comes back with %s", back.get("metadata").text)
			}
		})
	}
	// Each object of a list has guards of its own.
	c, err := New(betweenTables()...)
	if err != nil {
		t.Fatal(err)
	}
	item := string(shop("v1beta1", `,"spec":{"waits":"1500ms"}`))
	list := []byte(`{"apiVersion":"shop.example.com/v1beta1","kind":"ShopList","items":[` + item + `,` + strings.Replace(item, "1500", "2500", 1) + `]}`)
	if back := convertTo(t, c, convertTo(t, c, list, "v1alpha1"), "v1beta1"); !same(list, back) || !json.Valid(back) {
		t.Errorf("got %s", back)
	}
}

// TestForgedBetween converts objects with tracked values that no conversion has stored, from and to each of
// three versions: none changes the object, and long paths take no longer than others of their size.
func TestForgedBetween(t *testing.T) {
	c, err := New(betweenTables()...)
	if err != nil {
		t.Fatal(err)
	}
	const in = `,"spec":{"any":1,"level":"Low"}`
	deep := strings.Repeat(".a", 50_000)
	for _, path := range []string{"", "$", "$.", "$[0]", "$['spec']['']", "$" + deep, "$.spec" + deep, "$.spec.map" + deep} {
		for _, from := range c.Versions() {
			for _, of := range c.Versions() {
				for _, direction := range []string{"upgrades", "downgrades"} {
					entry := `{"format":1,"` + direction + `":{"` + of + `":[{"jsonPath":` + quote(path) + `,"value":"x"}]}}`
					object := shop(from, `,"metadata":{"annotations":{"versioned.shop.example.com/changed-values":`+quote(entry)+`}}`+in)
					for _, to := range c.Versions() {
						plain, got := newNode(convertTo(t, c, shop(from, in), to), 0), newNode(convertTo(t, c, object, to), 0)
						if !same(got.get("spec").append(nil), plain.get("spec").append(nil)) {
							t.Errorf("%.20q in %s for %s, from %s to %s: %s", path, direction, of, from, to, got.get("spec").append(nil))
						}
					}
				}
			}
		}
	}
}

// TestPanic converts an object whose conversion panics: it is an error, and the converter goes on.
func TestPanic(t *testing.T) {
	tables := betweenTables()
	c, err := New(tables...)
	if err != nil {
		t.Fatal(err)
	}
	route := c.routes["v1beta1"]
	programs := route.up
	route.up = nil
	if _, err := c.Convert(nil, shop("v1beta1", ``), "v1"); err == nil || !strings.Contains(err.Error(), "the conversion panicked") {
		t.Errorf("got error %v", err)
	}
	route.up = programs
	convertTo(t, c, shop("v1beta1", ``), "v1")
}

// TestLater restores a value that was tracked when v1beta1 was the newest version, in which it had another type.
func TestLater(t *testing.T) {
	stored := shop("v1alpha1", `,"metadata":{"annotations":{"versioned.shop.example.com/changed-values":`+quote(`{"format":1,"upgrades":{"v1beta1":[{"jsonPath":"$.spec.rests","value":"1m"}]}}`)+`}},"spec":{}`)
	for known, want := range map[int]string{2: `{"rest":60}`, 1: `{}`} {
		c, err := New(betweenTables()[:known]...)
		if err != nil {
			t.Fatal(err)
		}
		if got := newNode(convertTo(t, c, stored, "v1"), 0).get("spec").append(nil); !same(got, []byte(want)) || c.Dropped() != int64(2-known) {
			t.Errorf("with %d tables: %s, want %s; %d dropped", known, got, want, c.Dropped())
		}
	}
}

// TestZeroBetween converts objects of a version between to one without a field that Go always writes. The newest version
// shows the field's zero value, which is like an absent one but for what is tracked of the version between.
func TestZeroBetween(t *testing.T) {
	versions := []string{"v1alpha1", "v1beta1", "v1"}
	table := func(older string, types ...Type) Conversion {
		kind := Type{Kind: "Shop", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}}
		return Conversion{Table: &Table{Group: "shop.example.com", Older: older, Hub: "v1", Versions: versions, Types: append([]Type{kind}, types...)}}
	}
	seconds := Value{Transforms: []Transform{{Name: "seconds"}}, Since: "v1", Until: "v1beta1"}
	c, err := New(
		table("v1alpha1", Type{Fields: []Field{
			{Hub: "wait", Since: "v1", HubZero: json.RawMessage(`0`)},
			{Hub: "part", Since: "v1", HubZero: json.RawMessage(`{"rest":0}`)},
			{Older: "list", Hub: "list", Value: Value{Each: &Value{Type: 2}}},
		}}),
		table("v1beta1", Type{Fields: []Field{
			{Older: "wait", Hub: "wait", OlderZero: json.RawMessage(`"0s"`), HubZero: json.RawMessage(`0`), Value: seconds},
			{Older: "part", Hub: "part", Value: Value{Type: 3}},
			{Older: "list", Hub: "list", Value: Value{Each: &Value{Type: 2}}},
		}}, Type{Fields: []Field{
			{Older: "rest", Hub: "rest", OlderZero: json.RawMessage(`"0s"`), HubZero: json.RawMessage(`0`), Value: seconds},
			{Older: "gone", Until: "v1beta1"},
		}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ in, hub, edit, to, want string }{
		{in: `{}`, hub: `{}`},
		{in: `{"wait":"100ms"}`, hub: `{"wait":0}`},
		{in: `{"part":{"rest":"0s","gone":true}}`, hub: `{"part":{"rest":0}}`},
		{in: `{"part":{"rest":"100ms"}}`, hub: `{"part":{"rest":0}}`},
		{in: `{"list":[{},{"part":{"rest":"100ms"},"wait":"2s"}]}`, hub: `{"list":[{},{"part":{"rest":0},"wait":2}]}`},
		{in: `{"wait":"100ms","part":{"rest":"100ms"}}`, hub: `{"wait":0,"part":{"rest":0}}`, edit: `"rest":0`, to: `"rest":3`, want: `{"wait":"100ms","part":{"rest":"3s"}}`},
	} {
		hub := convertTo(t, c, shop("v1beta1", `,"spec":`+test.in), "v1")
		if got := newNode(hub, 0).get("spec").append(nil); !same(got, []byte(test.hub)) {
			t.Errorf("%s is %s in the newest version, want %s", test.in, got, test.hub)
		}
		hub = convertTo(t, c, convertTo(t, c, hub, "v1alpha1"), "v1")
		if got := newNode(hub, 0).get("spec").append(nil); !same(got, []byte(test.hub)) {
			t.Errorf("%s comes back to the newest version as %s, want %s", test.in, got, test.hub)
		}
		if test.want == "" {
			test.want = test.in
		}
		hub = bytes.Replace(hub, []byte(test.edit), []byte(test.to), 1)
		back := newNode(convertTo(t, c, convertTo(t, c, hub, "v1alpha1"), "v1beta1"), 0)
		if got := back.get("spec").append(nil); !same(got, []byte(test.want)) {
			t.Errorf("%s comes back as %s, want %s", test.in, got, test.want)
		}
		if back.get("metadata") != nil {
			t.Errorf("%s comes back with %s", test.in, back.get("metadata").text)
		}
	}
	if c.Dropped() > 1 {
		t.Errorf("%d values were dropped", c.Dropped())
	}
}
