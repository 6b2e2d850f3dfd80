package wire

import (
	"bytes"
	"strings"
	"testing"
)

// wrappedConverter returns the converter of a kind in v1alpha1 and v1beta1 with single servers, of which v1 and
// v2 have lists: servers are atomic, and spares have keys. Each version has a field that the next one lacks.
func wrappedConverter(t *testing.T) *Converter {
	t.Helper()
	versions := []string{"v1alpha1", "v1beta1", "v1", "v2"}
	gone := []Field{
		{Older: "goneAlpha", Until: "v1alpha1", Fits: "Text"}, {Older: "goneBeta", Until: "v1beta1", Fits: "Text"}, {Older: "goneOne", Until: "v1", Fits: "Text"},
	}
	server := []Field{
		{Older: "id", Hub: "name", Names: []Name{{"v2", "name"}}},
		{Older: "size", Hub: "size", Value: Value{Up: "Tens", Until: "v1"}},
		{Hub: "note", Since: "v2", Fits: "Text"},
	}
	var conversions []Conversion
	for i, older := range versions[:3] {
		servers, spares := Value{Wrap: &Value{Type: 3}, ListSince: "v1", Since: "v2"}, Value{Wrap: &Value{Type: 3}, ListSince: "v1", Since: "v2", Keys: []string{"name"}}
		names := []string{"server", "spare"}
		if older == "v1" {
			names = []string{"servers", "spares"}
			servers, spares = Value{Each: &Value{Type: 3}}, Value{Each: &Value{Type: 3}, Keys: []string{"name"}}
		}
		conversions = append(conversions, Conversion{&Table{Group: "shop.example.com", Older: older, Hub: "v2", Versions: versions, Types: []Type{
			{Kind: "Shop", Store: Status, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
			{Fields: []Field{
				{Older: names[0], Hub: "servers", Names: []Name{{"v1beta1", "server"}, {"v1", "servers"}}, Value: servers},
				{Older: names[1], Hub: "spares", Names: []Name{{"v1beta1", "spare"}, {"v1", "spares"}}, Value: spares},
			}},
			{Fields: append(gone[i:], server...)},
		}}, map[string]Func{
			"Text": Fits[string](),
			"Tens": func(value []byte) ([]byte, error) {
				return append(bytes.Clone(value[:len(value)-1]), '0'), nil
			},
		}})
	}
	c, err := New(conversions...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestWrapped converts objects along versions in which a value is a single one or a list, with edits on the
// way. It compares what is shown and stored at the end.
func TestWrapped(t *testing.T) {
	edit := func(old, new string) func(*testing.T, []byte) []byte {
		return func(t *testing.T, object []byte) []byte {
			t.Helper()
			if !bytes.Contains(object, []byte(old)) {
				t.Fatalf("%s does not have %s", object, old)
			}
			return []byte(strings.Replace(string(object), old, new, 1))
		}
	}
	const two = `{"spares":[{"id":"a","goneOne":"A","size":14},{"id":"b","goneOne":"B","size":25}]}`
	for name, test := range map[string]struct {
		from, in string
		// way has versions, and changes of the object.
		way     []any
		want    string
		dropped int64
	}{
		"paths of the single value": {"v1beta1", `{"server":{"goneBeta":"g","size":14}}`, []any{"v2"},
			`"spec":{"servers":[{"size":10}]},"status":{"changedValues":{"format":1,"downgrades":{"v1":[{"jsonPath":"$.spec.servers[0].size","value":14,"was":10,"lengths":[1]}],"v1beta1":[{"jsonPath":"$.spec.server.goneBeta","value":"g"}]}}}`, 0},
		"paths by keys": {"v1beta1", `{"spare":{"id":"a","goneOne":"A"}}`, []any{"v2"},
			`"spec":{"spares":[{"name":"a"}]},"status":{"changedValues":{"format":1,"downgrades":{"v1":[{"jsonPath":"$.spec.spares[?@.id=='a'].goneOne","value":"A"}]}}}`, 0},
		"down to a list": {"v1alpha1", `{"server":{"goneAlpha":"a","goneBeta":"b","goneOne":"c","size":14}}`, []any{"v1"},
			`"spec":{"servers":[{"size":14,"goneOne":"c"}]},"status":{"changedValues":{"format":1,"downgrades":{"v1alpha1":[{"jsonPath":"$.spec.server.goneAlpha","value":"a"}],"v1beta1":[{"jsonPath":"$.spec.server.goneBeta","value":"b"}]}}}`, 0},
		"and back":                                 {"v1alpha1", `{"server":{"size":14,"goneAlpha":"a","goneBeta":"b","goneOne":"c"}}`, []any{"v1", "v1alpha1"}, `"spec":{"server":{"size":14,"goneAlpha":"a","goneBeta":"b","goneOne":"c"}}`, 0},
		"a longer list":                            {"v1", two, []any{"v1beta1"}, `"spec":{"spare":{"id":"a","size":14,"goneOne":"A"}},"status":{"changedValues":{"format":1,"upgrades":{"v2":[{"jsonPath":"$.spec.spares","value":[{"name":"a","size":10},{"name":"b","size":20}],"was":{"id":"a","size":14,"goneOne":"A"}}]},"downgrades":{"v1":[{"jsonPath":"$.spec.spares[?@.id=='b'].goneOne","value":"B"},{"jsonPath":"$.spec.spares[?@.id=='b'].size","value":25,"was":20}]}}}`, 0},
		"a longer list comes back":                 {"v1", two, []any{"v1beta1", "v2", "v1alpha1", "v1"}, `"spec":{"spares":[{"id":"a","size":14,"goneOne":"A"},{"id":"b","size":25,"goneOne":"B"}]}`, 0},
		"a longer atomic list":                     {"v1", strings.ReplaceAll(two, "spares", "servers"), []any{"v1beta1", "v2", "v1alpha1", "v1"}, `"spec":{"servers":[{"id":"a","size":14,"goneOne":"A"},{"id":"b","size":25,"goneOne":"B"}]}`, 0},
		"an edit of the first item":                {"v1", two, []any{"v1beta1", edit(`"size":14`, `"size":30`), "v1"}, `"spec":{"spares":[{"id":"a","size":30,"goneOne":"A"}]}`, 3},
		"an edit of what the newest version lacks": {"v1beta1", `{"server":{"goneBeta":"g","goneOne":"1"}}`, []any{"v1", edit(`"goneOne":"1"`, `"goneOne":"2"`), "v1beta1"}, `"spec":{"server":{"goneOne":"2","goneBeta":"g"}}`, 0},
		"an edit of the list":                      {"v1beta1", `{"server":{"size":14}}`, []any{"v2", edit(`"size":10`, `"size":20`), "v1beta1"}, `"spec":{"server":{"size":20}}`, 1},
		"the keyed list grows":                     {"v1beta1", `{"spare":{"id":"a","goneOne":"A"}}`, []any{"v2", edit(`{"name":"a"}`, `{"name":"a"},{"name":"b"}`), "v1"}, `"spec":{"spares":[{"id":"a","goneOne":"A"},{"id":"b"}]}`, 0},
		"the keyed list grows in front":            {"v1beta1", `{"spare":{"id":"a","goneOne":"A"}}`, []any{"v2", edit(`{"name":"a"}`, `{"name":"b"},{"name":"a"}`), "v1alpha1", "v1"}, `"spec":{"spares":[{"id":"b"},{"id":"a","goneOne":"A"}]}`, 0},
		"the atomic list grows":                    {"v1beta1", `{"server":{"goneOne":"A"}}`, []any{"v2", edit(`[{}]`, `[{},{}]`), "v1"}, `"spec":{"servers":[{},{}]}`, 1},
		"the item is another":                      {"v1beta1", `{"spare":{"id":"a","goneOne":"A"}}`, []any{"v2", edit(`"a"`, `"b"`), "v1beta1"}, `"spec":{"spare":{"id":"b"}}`, 1},
		"the list shrinks":                         {"v1", two, []any{"v2", edit(`{"name":"a","size":10},`, ``), "v1beta1"}, `"spec":{"spare":{"id":"b","size":25,"goneOne":"B"}}`, 2},
		"the list is removed":                      {"v1", two, []any{"v1beta1", edit(`"spare":{"id":"a","size":14,"goneOne":"A"}`, ``), "v1"}, `"spec":{}`, 3},
		"the list is empty":                        {"v1beta1", `{"server":{"goneBeta":"g"}}`, []any{"v2", edit(`[{}]`, `[]`), "v1beta1"}, `"spec":{},"status":{"changedValues":{"format":1,"upgrades":{"v2":[{"jsonPath":"$.spec.servers","value":[]}]}}}`, 1},
		"a field of the newest version":            {"v2", `{"servers":[{"name":"a","note":"n"}]}`, []any{"v1alpha1", "v1beta1", "v1", "v2"}, `"spec":{"servers":[{"name":"a","note":"n"}]}`, 0},
		"a path of another version":                {"v2", `{"servers":[{"name":"a"}]},"status":{"changedValues":{"format":1,"downgrades":{"v1":[{"jsonPath":"$.spec.servers.goneOne","value":"x"}],"v1beta1":[{"jsonPath":"$.spec.server[0].goneBeta","value":"x","lengths":[1]}]}}}`, []any{"v1beta1"}, `"spec":{"server":{"id":"a"}}`, 2},
		"a value that is not of its type":          {"v2", `{"servers":[{"size":10}]},"status":{"changedValues":{"format":1,"downgrades":{"v1":[{"jsonPath":"$.spec.servers[0].size","value":{},"was":10,"lengths":[1]}]}}}`, []any{"v1beta1"}, `"spec":{"server":{"size":10}}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := wrappedConverter(t)
			object := shop(test.from, `,"spec":`+test.in)
			version := test.from
			for _, step := range test.way {
				if change, ok := step.(func(*testing.T, []byte) []byte); ok {
					object = change(t, object)
					continue
				}
				version = step.(string)
				object = convertTo(t, c, object, version)
			}
			if want := shop(version, ","+test.want); !same(object, want) {
				t.Errorf("got\n%s, want\n%s", object, want)
			}
			if n := c.Dropped(); n != test.dropped {
				t.Errorf("%d values were dropped, want %d", n, test.dropped)
			}
		})
	}
}
