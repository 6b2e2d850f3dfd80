package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// trackedTables are the tables of a group with versions v1alpha1, v1beta1 and v1, and a kind
// of which each version lacks values of the others.
func trackedTables(store Store) []Conversion {
	narrow := func(to int) Func {
		return func(value []byte) ([]byte, error) {
			var n int
			if err := json.Unmarshal(value, &n); err != nil {
				return nil, &Error{Err: err}
			}
			return json.Marshal(n / to * to)
		}
	}
	functions := map[string]Func{
		"Tens": narrow(10), "Any": Fits[int](), "Text": Fits[string](), "Texts": Fits[[]string](),
		"Even": func(value []byte) ([]byte, error) {
			if n := value[len(value)-1]; n%2 == 1 {
				return nil, &Error{Err: fmt.Errorf("%s is odd", value)}
			}
			return value, nil
		},
		"Odd": func(value []byte) ([]byte, error) { return append(bytes.Clone(value), '1'), nil },
		"Trim": func(value []byte) ([]byte, error) {
			if value[0] != '"' {
				return nil, &Error{Err: fmt.Errorf("%s is not a string", value)}
			}
			return []byte(strings.ReplaceAll(string(value), " ", "")), nil
		},
	}
	versions := []string{"v1alpha1", "v1beta1", "v1"}
	color := &Value{Since: "v1", Until: "v1beta1", Enum: &Enum{
		Up: map[string]string{"Crimson": "Red"}, Down: map[string]string{"Red": "Crimson", "Cyan": "Blue"},
	}}
	inner := []Field{
		{Older: "id", Hub: "name", Names: []Name{{"v1", "name"}}},
		{Hub: "note", Since: "v1", Fits: "Text"},
		{Older: "size", Hub: "size", Value: Value{Down: "Tens", Since: "v1", Up: "Any", Until: "v1beta1"}},
		{Older: "gone", Until: "v1beta1", Fits: "Text"},
	}
	spec := []Field{
		{Older: "racks", Hub: "shelves", Names: []Name{{"v1", "shelves"}}, Value: Value{Each: &Value{Type: 3}, Keys: []string{"name"}}},
		{Older: "rows", Hub: "rows", Value: Value{Each: &Value{Each: &Value{Type: 3}}}},
		{Older: "byName", Hub: "byName", Value: Value{Each: &Value{Type: 3}}},
		{Older: "color", Hub: "color", Value: *color},
		{Older: "colors", Hub: "colors", Value: Value{Each: color, Set: true}},
		{Older: "digits", Hub: "digits", Value: Value{Up: "Even", Down: "Odd", Since: "v1", Until: "v1beta1"}},
		{Older: "text", Hub: "text", Value: Value{Up: "Trim", Until: "v1beta1", Since: "v1"}},
		{Hub: "policy", Fill: json.RawMessage(`"Keep"`), Since: "v1", Fits: "Text"},
		{Hub: "outer", Since: "v1", Fits: "Texts"},
		{Hub: "written", Since: "v1", HubZero: json.RawMessage("null")},
		{Older: "host", Hub: "hosts", Names: []Name{{"v1", "hosts"}}, Value: Value{Wrap: &Value{}, ListSince: "v1", Since: "v1", HubFits: "Texts"}},
		{Older: "wall", Hub: "walls", Names: []Name{{"v1", "walls"}}, Value: Value{Wrap: &Value{Type: 3}, ListSince: "v1", Since: "v1"}},
	}
	kind := []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}
	beta := &Table{Group: "shop.example.com", Older: "v1beta1", Hub: "v1", Versions: versions, Types: []Type{
		{Kind: "Shop", Store: store, Fields: kind}, {Fields: spec}, {Fields: inner},
	}}
	alpha := &Table{Group: "shop.example.com", Older: "v1alpha1", Hub: "v1", Versions: versions, Types: []Type{
		{Kind: "Shop", Store: store, Fields: kind},
		{Fields: append([]Field{
			{Older: "shelfs", Hub: "shelves", Names: []Name{{"v1beta1", "racks"}, {"v1", "shelves"}}, Value: spec[0].Value},
			{Hub: "middle", Since: "v1beta1", Names: []Name{{"v1beta1", "middle"}}},
		}, spec[1:]...)},
		{Fields: append([]Field{{Hub: "extra", Since: "v1beta1"}}, inner...)},
	}}
	return []Conversion{{alpha, functions}, {beta, functions}}
}

func trackedConverter(t testing.TB, store Store) *Converter {
	t.Helper()
	c, err := New(trackedTables(store)...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shop returns an object.
func shop(version, rest string) []byte {
	return []byte(`{"apiVersion":"shop.example.com/` + version + `","kind":"Shop"` + rest + `}`)
}

// convertTo converts an object, which must succeed.
func convertTo(t *testing.T, c *Converter, object []byte, to string) []byte {
	t.Helper()
	out, err := c.Convert(nil, object, to)
	if err != nil {
		t.Fatalf("%s: %v", object, err)
	}
	if !json.Valid(out) {
		t.Fatalf("%s\nconverts to %s", object, out)
	}
	return out
}

// TestTracked converts objects to another version and back. It compares what is stored.
func TestTracked(t *testing.T) {
	for name, test := range map[string]struct{ from, in, to, shown, stored string }{
		"added": {"v1", `{"outer":["a"],"policy":"Keep"}`, "v1beta1", `{}`,
			`"upgrades":{"v1":[{"jsonPath":"$.spec.outer","value":["a"]}]}`},
		"outer and nested fields": {"v1", `{"outer":[],"policy":"Keep","shelves":[{"name":"a","note":"n"},{"name":"b'\"\\","note":"m","x":1}]}`, "v1beta1",
			`{"racks":[{"id":"a"},{"id":"b'\"\\","x":1}]}`,
			`"upgrades":{"v1":[{"jsonPath":"$.spec.outer","value":[]},{"jsonPath":"$.spec.shelves[?@.name=='a'].note","value":"n"},{"jsonPath":"$.spec.shelves[?@.name=='b\\'\"\\\\'].note","value":"m"}]}`},
		"names of the version": {"v1", `{"policy":"Keep","shelves":[{"name":"a","extra":1}],"middle":{}}`, "v1alpha1", `{"shelfs":[{"id":"a"}]}`,
			`"upgrades":{"v1beta1":[{"jsonPath":"$.spec.racks[?@.id=='a'].extra","value":1},{"jsonPath":"$.spec.middle","value":{}}]}`},
		"default":        {"v1", `{"policy":"Drop"}`, "v1beta1", `{}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.policy","value":"Drop"}]}`},
		"unset default":  {"v1", `{}`, "v1beta1", `{}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.policy"}]}`},
		"is the default": {"v1", `{"policy":"\u004beep"}`, "v1beta1", `{}`, ``},
		"null":           {"v1", `{"policy":"Keep","outer":null}`, "v1beta1", `{}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.outer","value":null}]}`},
		"written null":   {"v1", `{"policy":"Keep","written":null}`, "v1beta1", `{}`, ``},
		"no spec":        {"v1", ``, "v1beta1", ``, ``},
		"narrowed": {"v1", `{"policy":"Keep","byName":{"a.b":{"size":14},"":{"size":21}}}`, "v1beta1", `{"byName":{"a.b":{"size":10},"":{"size":20}}}`,
			`"upgrades":{"v1":[{"jsonPath":"$.spec.byName['a.b'].size","value":14,"was":10},{"jsonPath":"$.spec.byName[''].size","value":21,"was":20}]}`},
		"atomic lists":     {"v1", `{"policy":"Keep","rows":[[],[{},{"note":"n"}]]}`, "v1beta1", `{"rows":[[],[{},{}]]}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.rows[1][1].note","value":"n","lengths":[2,2]}]}`},
		"repeated keys":    {"v1", `{"policy":"Keep","shelves":[{"name":"a"},{"name":"a","note":"n"}]}`, "v1beta1", `{"racks":[{"id":"a"},{"id":"a"}]}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.shelves[1].note","value":"n","lengths":[2]}]}`},
		"constant":         {"v1", `{"policy":"Keep","color":"Cyan"}`, "v1beta1", `{"color":"Blue"}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.color","value":"Cyan","was":"Blue"}]}`},
		"other constant":   {"v1", `{"policy":"Keep","color":"Crimson"}`, "v1beta1", `{"color":"Crimson"}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.color","value":"Crimson","was":"Crimson"}]}`},
		"not readable":     {"v1", `{"policy":"Keep","digits":2}`, "v1beta1", `{"digits":21}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.digits","value":2,"was":21}]}`},
		"set":              {"v1", `{"policy":"Keep","colors":["Red","Cyan"]}`, "v1beta1", `{"colors":["Crimson","Blue"]}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.colors[?@=='Blue']","value":"Cyan","was":"Blue"}]}`},
		"set with repeats": {"v1", `{"policy":"Keep","colors":["Blue","Cyan"]}`, "v1beta1", `{"colors":["Blue","Blue"]}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.colors[1]","value":"Cyan","was":"Blue","lengths":[2]}]}`},
		"wrapped":          {"v1", `{"policy":"Keep","hosts":["a","b"]}`, "v1beta1", `{"host":"a"}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.hosts","value":["a","b"],"was":"a"}]}`},
		"wrapped nothing":  {"v1", `{"policy":"Keep","hosts":[ ]}`, "v1alpha1", `{}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.hosts","value":[]}]}`},
		"wrapped null":     {"v1", `{"policy":"Keep","hosts":[null]}`, "v1beta1", `{"host":null}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.hosts","value":[null]}]}`},
		"wrapped objects":  {"v1", `{"policy":"Keep","walls":[{"name":"a","note":"n"}]}`, "v1beta1", `{"wall":{"id":"a"}}`, `"upgrades":{"v1":[{"jsonPath":"$.spec.walls[0].note","value":"n","lengths":[1]}]}`},
		"removed":          {"v1alpha1", `{"shelfs":[{"id":"a","gone":"g"}]}`, "v1", `{"shelves":[{"name":"a"}],"policy":"Keep"}`, `"downgrades":{"v1beta1":[{"jsonPath":"$.spec.racks[?@.id=='a'].gone","value":"g"}]}`},
		"other spelling":   {"v1beta1", `{"text":"a b"}`, "v1", `{"text":"ab","policy":"Keep"}`, `"downgrades":{"v1beta1":[{"jsonPath":"$.spec.text","value":"a b","was":"ab"}]}`},
		"other older":      {"v1alpha1", `{"text":"a b","shelfs":[{"id":"a","gone":"g"}]}`, "v1beta1", `{"text":"a b","racks":[{"id":"a","gone":"g"}]}`, ``},
	} {
		for _, store := range []Store{Status, Annotation} {
			t.Run(name+" "+string(store), func(t *testing.T) {
				c := trackedConverter(t, store)
				spec := func(text string) string {
					if text == "" {
						return ""
					}
					return `,"spec":` + text
				}
				in := shop(test.from, spec(test.in))
				got := convertTo(t, c, in, test.to)
				stored := ""
				if test.stored != "" {
					stored = `{"format":1,` + test.stored + `}`
					if store == Status {
						stored = `,"status":{"changedValues":` + stored + `}`
					} else {
						stored = `,"metadata":{"annotations":{"versioned.shop.example.com/changed-values":` + quote(stored) + `}}`
					}
				}
				if want := string(shop(test.to, spec(test.shown)+stored)); string(got) != want {
					t.Errorf("converts to\n%s, want\n%s", got, want)
				}
				if back := convertTo(t, c, got, test.from); !same(in, back) {
					t.Errorf("comes back as\n%s, want\n%s", back, in)
				}
				if n := c.Dropped(); n > 0 {
					t.Errorf("%d values were dropped", n)
				}
			})
		}
	}
}

// TestTrackedBelow converts objects to older versions and back whose tracked values are in a field that
// the older version lacks, in a struct that Go leaves out, and where the single value of a list is empty.
func TestTrackedBelow(t *testing.T) {
	versions := []string{"v1alpha1", "v1beta1", "v1"}
	tens := func(value []byte) ([]byte, error) { return append(bytes.Clone(value[:len(value)-1]), '0'), nil }
	size := []Field{{Older: "size", Hub: "size", Value: Value{Up: "Tens", Until: "v1beta1"}}}
	table := func(older string, spec ...Field) Conversion {
		return Conversion{&Table{Group: "shop.example.com", Older: older, Hub: "v1", Versions: versions, Types: []Type{
			{Kind: "Shop", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}, OlderOmits: true, HubOmits: true}}},
			{Fields: append(spec,
				Field{Hub: "owner", Since: "v1", Fits: "Any"},
				Field{Older: "port", Hub: "ports", Value: Value{Wrap: &Value{}, ListSince: "v1", Since: "v1", Until: "v1beta1"}, OlderOmits: true},
				Field{Older: "rank", Hub: "rank", Value: Value{Down: "Tens", Since: "v1"}, OlderOmits: true},
				Field{Older: "inner", Hub: "inner", Value: Value{Type: 4}},
			)},
			{Fields: size},
			{Fields: []Field{{Hub: "note", Since: "v1", Fits: "Any"}}},
		}}, map[string]Func{"Tens": tens, "Any": Fits[any]()}}
	}
	c, err := New(
		table("v1alpha1", Field{Hub: "box", Since: "v1beta1", Fits: "Any"}, Field{Hub: "boxes", Since: "v1beta1", Fits: "Any"}),
		table("v1beta1", Field{Older: "box", Hub: "box", Value: Value{Type: 3}}, Field{Older: "boxes", Hub: "boxes", Value: Value{Each: &Value{Type: 3}}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ from, in, via, shown string }{
		{"v1beta1", `,"spec":{"box":{"size":14}}`, "v1alpha1", `,"spec":{}`},
		{"v1beta1", `,"spec":{"boxes":{"a":{"size":14},"b":{"size":20}}}`, "v1alpha1", `,"spec":{}`},
		{"v1beta1", `,"spec":{"boxes":[{"size":14},{"size":15}]}`, "v1alpha1", `,"spec":{}`},
		{"v1beta1", `,"spec":{"port":0}`, "v1", `,"spec":{}`},
		{"v1", `,"spec":{"ports":[0]}`, "v1beta1", `,"spec":{}`},
		{"v1", `,"spec":{"ports":[7]}`, "v1beta1", `,"spec":{"port":7}`},
		{"v1", `,"spec":{"rank":0}`, "v1alpha1", `,"spec":{}`},
		{"v1", `,"spec":{"owner":"a"}`, "v1beta1", `,"spec":{}`},
		{"v1", `,"spec":{"inner":{"note":"a"}}`, "v1beta1", `,"spec":{"inner":{}}`},
	} {
		there := convertTo(t, c, shop(test.from, test.in), test.via)
		shown := newNode(there, 0)
		shown.remove("metadata")
		if got, want := string(shown.append(nil)), string(shop(test.via, test.shown)); got != want {
			t.Errorf("%s in %s: got %s, want %s", test.in, test.via, got, want)
		}
		if back := convertTo(t, c, there, test.from); !same(back, shop(test.from, test.in)) {
			t.Errorf("%s by way of %s: got back %s", test.in, test.via, back)
		}
		// Go leaves out the zero struct.
		without := newNode(there, 0)
		if isBlank(without.get("spec").text) {
			without.remove("spec")
			if back := convertTo(t, c, without.append(nil), test.from); !same(back, shop(test.from, test.in)) {
				t.Errorf("%s by way of %s without spec: got back %s", test.in, test.via, back)
			}
		}
	}
	// An edit wins, and an entry for what is gone does not stay.
	there := convertTo(t, c, shop("v1beta1", `,"spec":{"box":{"size":14}}`), "v1alpha1")
	hub := newNode(convertTo(t, c, there, "v1"), 0)
	hub.get("spec").remove("box")
	if back := convertTo(t, c, hub.append(nil), "v1alpha1"); bytes.Contains(back, []byte("jsonPath")) {
		t.Errorf("after box is removed, it is still tracked: %s", back)
	}
}

// TestEdits changes objects in the older version: an edit wins over a tracked value, and a
// value whose path leads nowhere is dropped.
func TestEdits(t *testing.T) {
	const hub = `{"policy":"Drop","shelves":[{"name":"a","note":"1","size":14},{"name":"b","note":"2"}],"rows":[[{"note":"3"}]],"color":"Cyan","colors":["Red","Cyan"],"byName":{"k":{"note":"4"}}}`
	const older = `{"racks":[{"id":"a","size":10},{"id":"b"}],"rows":[[{}]],"color":"Blue","colors":["Crimson","Blue"],"byName":{"k":{}}}`
	for name, test := range map[string]struct {
		edit, to, want string
		dropped        int64
	}{
		"order":        {`[{"id":"a","size":10},{"id":"b"}]`, `[{"id":"b"},{"id":"a","size":10}]`, `{"policy":"Drop","shelves":[{"name":"b","note":"2"},{"name":"a","note":"1","size":14}],"rows":[[{"note":"3"}]],"color":"Cyan","colors":["Red","Cyan"],"byName":{"k":{"note":"4"}}}`, 0},
		"item gone":    {`,{"id":"b"}`, ``, `{"policy":"Drop","shelves":[{"name":"a","note":"1","size":14}],"rows":[[{"note":"3"}]],"color":"Cyan","colors":["Red","Cyan"],"byName":{"k":{"note":"4"}}}`, 1},
		"value":        {`"size":10`, `"size":30`, strings.Replace(hub, `"size":14`, `"size":30`, 1), 1},
		"value gone":   {`,"size":10`, ``, strings.Replace(hub, `,"size":14`, ``, 1), 1},
		"length":       {`[[{}]]`, `[[{},{}]]`, strings.Replace(hub, `[[{"note":"3"}]]`, `[[{},{}]]`, 1), 1},
		"constant":     {`"color":"Blue"`, `"color":"Crimson"`, strings.Replace(hub, `"color":"Cyan"`, `"color":"Red"`, 1), 1},
		"set":          {`"colors":["Crimson","Blue"]`, `"colors":["Crimson","Green","Blue"]`, strings.Replace(hub, `["Red","Cyan"]`, `["Red","Green","Cyan"]`, 1), 0},
		"key":          {`"k":{}`, `"l":{}`, strings.Replace(hub, `"k":{"note":"4"}`, `"l":{}`, 1), 1},
		"another type": {`[[{}]]`, `"none"`, strings.Replace(hub, `[[{"note":"3"}]]`, `"none"`, 1), 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := trackedConverter(t, Status)
			shown := convertTo(t, c, shop("v1", `,"spec":`+hub), "v1beta1")
			if !bytes.Contains(shown, []byte(older)) {
				t.Fatalf("shown is %s", shown)
			}
			shown = bytes.Replace(shown, []byte(test.edit), []byte(test.to), 1)
			got, want := convertTo(t, c, shown, "v1"), shop("v1", `,"spec":`+test.want)
			if !same(got, want) {
				t.Errorf("got\n%s, want\n%s", got, want)
			}
			if n := c.Dropped(); n != test.dropped {
				t.Errorf("%d values were dropped, want %d", n, test.dropped)
			}
		})
	}
}

// TestRefused changes a value that the function refuses, and that a tracked value would replace.
func TestRefused(t *testing.T) {
	c := trackedConverter(t, Status)
	shown := convertTo(t, c, shop("v1", `,"spec":{"digits":2,"byName":{}}`), "v1beta1")
	shown = bytes.Replace(shown, []byte("21"), []byte("23"), 1)
	if _, err := c.Convert(nil, shown, "v1"); err == nil || err.Error() != "$.spec.digits: 23 is odd" {
		t.Errorf("error %v", err)
	}
}

// TestForged reads tracked values that no conversion has stored: none fails, changes another field or
// has a type that the field has not.
func TestForged(t *testing.T) {
	const in = `,"metadata":{"name":"n"},"spec":{"racks":[{"id":"a","size":10}],"text":"t","policy":"x","host":"h"}`
	plain := convertTo(t, trackedConverter(t, Status), shop("v1beta1", in), "v1")
	for _, stored := range []string{
		`1`, `[]`, `{}`, `null`, `{"format":2,"upgrades":{"v1":[{"jsonPath":"$.spec.outer","value":[]}]}}`,
		`{"format":1,"upgrades":{"v1":{}}}`, `{"format":1,"keep":1}`,
		`{"format":1,"upgrades":{"v1beta1":[{"jsonPath":"$.spec.outer","value":[]}]}}`,
		`{"format":1,"downgrades":{"v1beta1":[{"jsonPath":"$.spec.text","value":"x","was":"t"}]}}`,
	} {
		c := trackedConverter(t, Status)
		got := convertTo(t, c, shop("v1beta1", in+`,"status":{"changedValues":`+stored+`}`), "v1")
		if !same(got, plain) || c.Dropped() == 0 && stored != `null` && stored != `{"format":1}` {
			t.Errorf("%s: got\n%s, want\n%s; %d dropped", stored, got, plain, c.Dropped())
		}
	}
	for _, entry := range []string{
		`"jsonPath":""`, `"jsonPath":"$"`, `"jsonPath":"$."`, `"jsonPath":"$.metadata.name","value":"m","was":"n"`, `"jsonPath":"$.kind","value":"K","was":"Shop"`,
		`"jsonPath":"$.spec","value":{}`, `"jsonPath":"$.spec.outer","value":1`, `"jsonPath":"$.spec.outer","value":["a"],"was":1`, `"jsonPath":"$.spec.new","value":1`,
		`"jsonPath":"$.spec.shelves[0].note","value":"n"`, `"jsonPath":"$.spec.shelves[0].note","value":"n","lengths":[2]`, `"jsonPath":"$.spec.shelves[9].note","value":"n","lengths":[9]`,
		`"jsonPath":"$.spec.shelves[?@.name=='a'].size","value":"x","was":10`, `"jsonPath":"$.spec.shelves[?@.name=='a'].size","was":10`, `"jsonPath":"$.spec.shelves[?@.name=='a'].name","value":"b","was":"a"`,
		`"jsonPath":"$.spec.shelves[?@.name=='a]","value":1`, `"jsonPath":"$.spec.shelves[?!@.name && @.x==1].note","value":"n"`, `"jsonPath":"$.spec.shelves[?@==1].note","value":"n"`,
		`"jsonPath":"$.spec.shelves['a'].note","value":"n"`, `"jsonPath":"$.spec.shelves.a.note","value":"n"`, `"jsonPath":"$.spec.racks[?@.id=='a'].note","value":"n"`,
		`"jsonPath":"$.spec.hosts","value":["h",1],"was":"h"`, `"jsonPath":"$.spec.hosts","value":{},"was":"h"`, `"jsonPath":"$.spec[0]","lengths":[1]`, `"jsonPath":"$.spec.text","value":1,"was":"t"`,
	} {
		c := trackedConverter(t, Status)
		got := convertTo(t, c, shop("v1beta1", in+`,"status":{"changedValues":{"format":1,"upgrades":{"v1":[{`+entry+`}]}}}`), "v1")
		if !same(got, plain) || c.Dropped() != 1 {
			t.Errorf("%s: got\n%s, want\n%s; %d dropped", entry, got, plain, c.Dropped())
		}
	}
}

// TestStore checks what stays of an object: its other status and metadata, a status that was
// empty, and values of unknown versions.
func TestStore(t *testing.T) {
	for _, store := range []Store{Status, Annotation} {
		c := trackedConverter(t, store)
		for _, rest := range []string{
			``, `,"status":null`, `,"status":{}`, `,"status":{"a":[ 1.50 ]}`, `,"metadata":{}`, `,"metadata":{"annotations":{}}`, `,"metadata":{"annotations":null}`, `,"metadata":{"annotations":{"a":"b"},"uid":"u"},"x":1`,
		} {
			in := shop("v1", rest+`,"spec":{"outer":["a"]}`)
			there := convertTo(t, c, in, "v1alpha1")
			escaped := strings.NewReplacer(`"status":`, `"st\u0061tus" : `, `"metadata":`, `"m\u0065tadata" : `).Replace(string(there))
			for _, there := range []string{string(there), escaped} {
				back := convertTo(t, c, []byte(there), "v1")
				nulls := bytes.Count(back, []byte("null")) == bytes.Count(in, []byte("null"))
				if !same(in, back) || !nulls {
					t.Errorf("%s: %s comes back as %s", store, in, back)
				}
			}
		}
	}
	c := trackedConverter(t, Status)
	later := `"v2":[{"jsonPath":"$.spec.z","value":1}]`
	got := convertTo(t, c, shop("v1beta1", `,"status":{"changedValues":{"format":1,"upgrades":{"v1":[{"jsonPath":"$.spec.outer","value":["a"]}],`+later+`}}}`), "v1")
	if want := shop("v1", `,"status":{"changedValues":{"format":1,"upgrades":{`+later+`}}}`); !same(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestStatusOfTracking converts objects with defaults in the status. A status that only tracking made gets none, and
// goes with its last entry.
func TestStatusOfTracking(t *testing.T) {
	c, err := New(Conversion{Table: &Table{Group: "shop.example.com", Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
		{Kind: "Shop", Store: Status, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}, {Older: "status", Hub: "status", Value: Value{Type: 3}}}},
		{Fields: []Field{{Hub: "outer", Since: "v1"}, {Older: "gone", Until: "v1beta1"}}},
		{Fields: []Field{{Hub: "phase", Fill: json.RawMessage(`"New"`), Since: "v1"}, {Older: "was", Until: "v1beta1"}}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		from, to       string
		status, fields []string
	}{
		{"v1", "v1beta1", []string{``, `null`, `{}`, `{"phase":"New"}`, `{"phase":"Old"}`, `{"x":1}`}, []string{``, `"outer":1`}},
		{"v1beta1", "v1", []string{``, `null`, `{}`, `{"was":1}`, `{"x":1}`}, []string{``, `"gone":1`}},
	} {
		for _, status := range test.status {
			for _, fields := range test.fields {
				rest := `,"spec":{` + fields + `}`
				if status != "" {
					rest += `,"status":` + status
				}
				in := shop(test.from, rest)
				there := convertTo(t, c, in, test.to)
				if status == "" && newNode(there, 0).get("status").get("phase") != nil {
					t.Errorf("%s has the default of a status that it lacks", there)
				}
				escaped := bytes.Replace(there, []byte(`"status"`), []byte(`"st\u0061tus"`), 1)
				for _, there := range [][]byte{there, escaped} {
					if back := convertTo(t, c, there, test.from); !same(in, back) {
						t.Errorf("%s became %s, and came back as %s", in, there, back)
					}
				}
			}
		}
	}
}

// TestLongLists restores values in a list that was edited: items were added, removed and repeated, are in the
// reverse order, and have keys in another spelling.
func TestLongLists(t *testing.T) {
	for name, keys := range map[string][2]string{
		"strings": {`"s%d"`, `"s%d"`}, "escapes": {`"s%d"`, `"\u0073%d"`}, "escaped first": {`"\u0073%d"`, `"s%d"`}, "quotes": {`"\"%d,"`, `"\u0022%d,"`},
		"integers": {`%d`, `%d`}, "fractions": {`%d`, `%d.0`}, "negative": {`-%d`, `-%d`}, "long": {`1%020d`, `1%020d`},
	} {
		c := trackedConverter(t, Status)
		var shelves, racks, want []string
		for i := range 20 {
			key, respelled := fmt.Sprintf(keys[0], i), fmt.Sprintf(keys[1], i)
			shelves = append(shelves, fmt.Sprintf(`{"name":%s,"note":"n%d","size":1%d}`, key, i, i%10))
			rack, shelf := fmt.Sprintf(`{"id":%s,"size":10}`, respelled), fmt.Sprintf(`{"name":%s,"size":10}`, respelled)
			switch i {
			case 7: // removed
				continue
			case 9: // repeated
				racks, want = append(racks, rack), append(want, shelf)
			default:
				shelf = fmt.Sprintf(`{"name":%s,"size":1%d,"note":"n%d"}`, respelled, i%10, i)
			}
			racks, want = append(racks, rack), append(want, shelf)
		}
		slices.Reverse(racks)
		slices.Reverse(want)
		there := convertTo(t, c, shop("v1", `,"spec":{"policy":"Keep","shelves":[`+strings.Join(shelves, ",")+`]}`), "v1beta1")
		edited := shop("v1beta1", `,"spec":{"racks":[`+strings.Join(racks, " , ")+`]},"status":`+string(newNode(there, 0).get("status").text))
		got := newNode(convertTo(t, c, edited, "v1"), 0).get("spec").get("shelves")
		if list := "[" + strings.Join(want, ",") + "]"; !same(got.append(nil), []byte(list)) {
			t.Errorf("%s: got\n%s, want\n%s", name, got.text, list)
		}
	}
}

// TestBump converts an object that was stored before the hub got another version: names and
// values are those of the version under which they were tracked.
func TestBump(t *testing.T) {
	tables := trackedTables(Status)[1:]
	old, err := New(tables...)
	if err != nil {
		t.Fatal(err)
	}
	stored := convertTo(t, old, shop("v1", `,"spec":{"policy":"Keep","outer":["a"],"shelves":[{"name":"k","note":"n"}]}`), "v1beta1")

	beta := *tables[0].Table
	beta.Hub, beta.Versions = "v2", []string{"v1beta1", "v1", "v2"}
	beta.Types = append([]Type(nil), beta.Types...)
	beta.Types[1].Fields = append([]Field{{Hub: "outermost", Since: "v2", Names: []Name{{"v1", "outer"}, {"v2", "outermost"}}}}, beta.Types[1].Fields[:8]...)
	beta.Types[2].Fields = append([]Field{{Hub: "remark", Since: "v2", Names: []Name{{"v1", "note"}, {"v2", "remark"}}}}, beta.Types[2].Fields[0], beta.Types[2].Fields[2])
	double := func(value []byte) ([]byte, error) { return []byte(`[` + string(value) + `]`), nil }
	ga := &Table{Group: "shop.example.com", Older: "v1", Hub: "v2", Types: []Type{
		{Kind: "Shop", Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
		{Fields: []Field{
			{Older: "outer", Hub: "outermost", Value: Value{Up: "Double", Down: "Double"}},
			{Older: "shelves", Hub: "shelves", Value: Value{Each: &Value{Type: 3}}},
		}},
		{Fields: []Field{{Older: "note", Hub: "remark"}}},
	}}
	c, err := New(Conversion{&beta, tables[0].Funcs}, Conversion{ga, map[string]Func{"Double": double}})
	if err != nil {
		t.Fatal(err)
	}
	got, want := convertTo(t, c, stored, "v2"), shop("v2", `,"spec":{"policy":"Keep","outermost":[["a"]],"shelves":[{"name":"k","remark":"n"}]}`)
	if !same(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestLaws converts random objects between all pairs of versions and back.
func TestLaws(t *testing.T) {
	versions := []string{"v1alpha1", "v1beta1", "v1"}
	for _, store := range []Store{Status, Annotation} {
		c := trackedConverter(t, store)
		for seed := range uint64(400) {
			for from, version := range versions {
				in := randomShop(rand.New(rand.NewPCG(seed, 0)), version, from)
				for _, to := range versions {
					before := bytes.Clone(in)
					shown := convertTo(t, c, in, to)
					if back := convertTo(t, c, shown, version); !same(in, back) {
						t.Fatalf("%s\nto %s is %s\nand back %s", in, to, shown, back)
					}
					if !bytes.Equal(before, in) {
						t.Fatal("the object was changed")
					}
				}
			}
		}
		if n := c.Dropped(); n > 0 {
			t.Errorf("%s: %d values were dropped", store, n)
		}
	}
}

// randomShop returns an object of one of the versions.
func randomShop(r *rand.Rand, version string, at int) []byte {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	object := func(members ...string) string {
		var kept []string
		for i := 0; i < len(members); i += 2 {
			if members[i] != "" && r.IntN(3) > 0 {
				kept = append(kept, quote(members[i])+":"+members[i+1])
			}
		}
		r.Shuffle(len(kept), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
		return "{" + strings.Join(kept, pick(",", " , ")) + "}"
	}
	list := func(item func() string) string {
		var items []string
		for range r.IntN(4) {
			items = append(items, item())
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	since := func(v int, name string) string {
		if at < v {
			return ""
		}
		return name
	}
	until := func(v int, name string) string {
		if at > v {
			return ""
		}
		return name
	}
	names := []string{"id", "id", "name"}
	shelf := func() string {
		return object(names[at], pick(`"a"`, `"b"`, `"c'd"`, `"\u00e9"`), since(2, "note"), pick(`"x"`, `""`), "size", pick("1", "10", "25"),
			until(1, "gone"), pick(`"g"`, `""`), since(1, "extra"), pick("1", "{}", `"e"`), "unknown", pick("1.50", "null"))
	}
	color := func() string { return pick(`"Red"`, `"Crimson"`, `"Cyan"`, `"Blue"`, `"other"`, `""`) }
	spec := object([]string{"shelfs", "racks", "shelves"}[at], list(shelf), "rows", list(func() string { return list(shelf) }),
		"byName", object("a", shelf(), "b.c", shelf(), "d'e", shelf()), "color", color(), "colors", list(color), "text", pick(`"a b"`, `"ab"`, `""`),
		since(2, "policy"), pick(`"Keep"`, `"Drop"`), since(2, "outer"), pick(`["o"]`, `[]`), since(1, "middle"), pick("0", `{"m":[1]}`))
	rest := object("spec", spec, "status", pick(`{}`, `{"a":1}`), "metadata", pick(`{"name":"n"}`, `{"annotations":{}}`, `{"annotations":{"a":"b"}}`))
	return shop(version, strings.TrimSuffix(","+rest[1:len(rest)-1], ","))
}

// TestNothingToTrack checks that objects that lose nothing convert without a further
// allocation.
func TestNothingToTrack(t *testing.T) {
	object := shop("v1", `,"spec":{"shelves":[{"name":"a","x":1}],"policy":"Keep","color":"Red","colors":["Blue"]},"status":{"a":1}`)
	var allocations [2]float64
	for i, store := range []Store{Untracked, Status} {
		c := trackedConverter(t, store)
		dst := make([]byte, 0, 4096)
		allocations[i] = testing.AllocsPerRun(100, func() {
			if _, err := c.Convert(dst, object, "v1beta1"); err != nil {
				t.Fatal(err)
			}
		})
	}
	if allocations[0] != allocations[1] {
		t.Errorf("%v allocations with tracking, %v without", allocations[1], allocations[0])
	}
}

// TestEncode compares what is tracked for Go objects with what the encoded object shows.
func TestEncode(t *testing.T) {
	spec, list := element{name: "spec"}, element{list: true}
	wrapped, item := element{name: "host", field: &Field{Older: "host", Hub: "hosts"}}, element{list: true, of: &value{wrap: true, def: &Value{}}}
	for name, test := range map[string]struct {
		lost          loss
		encoded, want string
	}{
		"left out":   {loss{was: []byte(`0`), path: []element{{name: "rank"}, spec}}, `{"spec":{}}`, ``},
		"map":        {loss{was: []byte(`{"a":null}`), path: []element{{name: "map"}, spec}}, `{"spec":{"map":{"a":""}}}`, `{"a":""}`},
		"item":       {loss{was: []byte(`1`), path: []element{{name: "x"}, list, {name: "list"}, spec}}, `{"spec":{"list":[{"x":2}]}}`, `2`},
		"wrapped":    {loss{was: []byte(`1`), path: []element{{name: "x"}, item, wrapped, spec}}, `{"spec":{"hosts":[{"x":2}]}}`, `2`},
		"unwrapped":  {loss{was: []byte(`1`), path: []element{{name: "x"}, item, wrapped, spec}}, `{"spec":{"host":{"x":2}}}`, `2`},
		"of a hook":  {loss{was: []byte(`{"b":1,"c":2}`), hooked: 1, path: []element{{name: "a"}, spec}}, `{"spec":{"b":3}}`, `{"b":1,"c":2}`},
		"not shown":  {loss{path: []element{{name: "rank"}, spec}}, `{"spec":{"rank":0}}`, ``},
		"gone above": {loss{was: []byte(`1`), path: []element{{name: "x"}, list, {name: "list"}, spec}}, `{}`, ``},
	} {
		r := run{tracker: tracker{up: name != "unwrapped", lost: []loss{test.lost}, encoded: func([]byte) ([]byte, error) { return []byte(test.encoded), nil }}}
		if _, err := r.encode(Untracked, newObject(), false); err != nil || string(r.lost[0].was) != test.want {
			t.Errorf("%s: got %s, error %v, want %s", name, r.lost[0].was, err, test.want)
		}
	}
}
