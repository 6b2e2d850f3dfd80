package jsonconvert

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// keyForm is how the key of the items of a list is in the versions v1alpha1, v1beta1 and v1: its name, its values and how it converts
// in each step.
type keyForm struct {
	names  [3]string
	values [3][]string
	types  [2]*Type
	calls  [2]*Transform
}

// enumOf returns an enum of constants that have another value in the newer version.
func enumOf(up ...string) *Type {
	e := &Enum{Up: map[string]string{}, Down: map[string]string{}}
	for _, pair := range up {
		from, to, _ := strings.Cut(pair, ":")
		e.Up[`"`+from+`"`], e.Down[`"`+to+`"`] = `"`+to+`"`, `"`+from+`"`
	}
	return &Type{Enum: e}
}

// keyForms are keys by what changes them.
var keyForms = map[string]keyForm{
	"renamed field":     {names: [3]string{"a", "b", "name"}, values: [3][]string{{`"x"`, `"y"`, `"z'"`}, {`"x"`, `"y"`, `"z'"`}, {`"x"`, `"y"`, `"z'"`}}},
	"renamed constants": {names: [3]string{"name", "name", "name"}, values: [3][]string{{`"x1"`, `"y"`, `"o"`}, {`"x2"`, `"y2"`, `"o"`}, {`"x3"`, `"y3"`, `"o"`}}, types: [2]*Type{enumOf("x1:x2", "y:y2"), enumOf("x2:x3", "y2:y3")}},
	"exchanged":         {names: [3]string{"name", "key", "key"}, values: [3][]string{{`"x"`, `"y"`, `"z"`}, {`"y"`, `"x"`, `"z"`}, {`"x"`, `"y"`, `"z"`}}, types: [2]*Type{enumOf("x:y", "y:x"), enumOf("x:y", "y:x")}},
	"added constants": {
		names: [3]string{"name", "name", "id"}, values: [3][]string{{`"x"`, `"y"`}, {`"x2"`, `"y"`, `"z"`}, {`"x2"`, `"y"`, `"z"`, `"new"`}},
		types: [2]*Type{{Enum: &Enum{Up: map[string]string{`"x"`: `"x2"`}, Down: map[string]string{`"x2"`: `"x"`, `"z"`: `"y"`}}}, {Enum: &Enum{Down: map[string]string{`"new"`: `"z"`}}}},
	},
	"numbers": {names: [3]string{"name", "id", "id"}, values: [3][]string{{`"7"`, `"08"`, `"8"`}, {`"7"`, `"08"`, `"8"`}, {`7`, `8`, `9`}}, calls: [2]*Transform{nil, {Name: "integer"}}},
	"units": {
		names: [3]string{"name", "name", "name"}, values: [3][]string{{`1000`, `2000`, `1001`}, {`"1s"`, `"2s"`, `"1500ms"`, `"1.5s"`}, {`1`, `2`}},
		calls: [2]*Transform{{Name: "milliseconds", Inverted: true}, {Name: "seconds"}},
	},
}

// converter returns a converter of objects with lists of items that have the key, nested ones, those with a second
// key and sets of keys.
func (k keyForm) converter(t *testing.T) *Converter {
	t.Helper()
	api := &API{Group: "example.com", Kinds: []Kind{{Name: "K", Store: Annotation}}, Versions: []Version{{Name: "v1alpha1"}, {Name: "v1beta1"}, {Name: "v1"}}}
	for i, lost := range []struct{ older, newer []string }{{[]string{"gone"}, []string{"note", "brief"}}, {[]string{"brief", "past"}, []string{"size"}}} {
		both := func(name string, v Value) Field {
			return Field{Older: Key{Name: name, EmptyIsAbsent: true}, Newer: Key{Name: name, EmptyIsAbsent: true}, Value: v}
		}
		list := func(name string, more ...string) Field {
			f := both(name, Value{Elem: &Value{Type: "Item"}, OlderKeys: append([]string{k.names[i]}, more...), NewerKeys: append([]string{k.names[i+1]}, more...)})
			f.Older.EmptyIsAbsent, f.Newer.EmptyIsAbsent = false, false
			return f
		}
		types := map[string]*Type{"K": {Fields: []Field{both("spec", Value{Type: "Spec"})}}}
		key := Value{}
		switch {
		case k.types[i] != nil:
			key.Type, types["Key"] = "Key", k.types[i]
		case k.calls[i] != nil:
			key.Call = &Call{Transform: k.calls[i]}
		}
		set := both("set", Value{Elem: &key, Set: true})
		set.Older.EmptyIsAbsent, set.Newer.EmptyIsAbsent = false, false
		item := []Field{{Older: Key{Name: k.names[i]}, Newer: Key{Name: k.names[i+1]}, Value: key}, list("items"), list("pairs", "kind")}
		for _, name := range lost.older {
			item = append(item, Field{Older: Key{Name: name}})
		}
		for _, name := range lost.newer {
			item = append(item, Field{Newer: Key{Name: name}})
		}
		types["Spec"], types["Item"] = &Type{Fields: []Field{list("items"), list("pairs", "kind"), set}}, &Type{Fields: item}
		api.Steps = append(api.Steps, Step{Older: api.Versions[i].Name, Newer: api.Versions[i+1].Name, Types: types})
	}
	c, err := New(api)
	if err != nil {
		t.Fatal(err)
	}
	c.Strict = true
	return c
}

func (k keyForm) object(version, spec string) string {
	return `{"kind":"K","apiVersion":"example.com/` + version + `","spec":` + spec + `}`
}

// random returns an object of a version.
func (k keyForm) random(r *rand.Rand, at int) string {
	of := [][]string{{"gone"}, {"past", "note", "brief"}, {"note", "size"}}[at]
	var list func(depth int) string
	list = func(depth int) string {
		var items []string
		for _, i := range r.Perm(len(k.values[at]))[:r.IntN(len(k.values[at])+1)] {
			item := fmt.Sprintf(`%q:%s,"kind":"%c"`, k.names[at], k.values[at][i], 'a'+byte(r.IntN(2)))
			for _, member := range of {
				if r.IntN(2) > 0 {
					item += fmt.Sprintf(",%q:%d", member, r.IntN(9))
				}
			}
			if depth < 2 && r.IntN(2) > 0 {
				item += `,"items":` + list(depth+1) + `,"pairs":` + list(depth+2)
			}
			items = append(items, "{"+item+"}")
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	set := k.values[at][:r.IntN(len(k.values[at])+1)]
	return k.object([]string{"v1alpha1", "v1beta1", "v1"}[at], `{"items":`+list(0)+`,"pairs":`+list(1)+`,"set":[`+strings.Join(set, ",")+`]}`)
}

// TestKeys converts objects with keyed lists through one or two other versions and back.
func TestKeys(t *testing.T) {
	versions := []string{"v1alpha1", "v1beta1", "v1"}
	for name, k := range keyForms {
		c := k.converter(t)
		for seed := range uint64(40) {
			for from, version := range versions {
				in := k.random(rand.New(rand.NewPCG(seed, 7)), from)
				for _, via := range versions {
					there := convert(t, c, in, via)
					for _, then := range versions {
						third := convert(t, c, there, then)
						if back := convert(t, c, third, version); !sameJSON(in, back) {
							t.Fatalf("%s: %s\nto %s is %s\nto %s is %s\nand back %s", name, in, via, there, then, third, back)
						}
						direct := convert(t, c, in, then)
						if a, b := untracked(t, direct, "versioned.example.com/changed-values"), untracked(t, third, "versioned.example.com/changed-values"); !sameJSON(a, b) {
							t.Fatalf("%s: %s\nto %s is %s\nto %s is %s, not %s", name, in, via, there, then, third, direct)
						}
					}
				}
			}
		}
		if c.Dropped() > 0 {
			t.Errorf("%s: %d values were dropped", name, c.Dropped())
		}
	}
}

// TestKeysEdited changes lists in an older version: values follow their items. Those of items with the same keys are
// known by the index, and dropped if the length changes.
func TestKeysEdited(t *testing.T) {
	for name, test := range map[string]struct{ in, via, from, to, want string }{
		"renamed constants": {`{"name":"x3","size":1,"note":1},{"name":"y3","size":2,"note":2}`, "v1alpha1", `{"name":"x1"},{"name":"y"}`, `{"name":"y"},{"name":"x1"}`, `{"name":"y3","size":2,"note":2},{"name":"x3","size":1,"note":1}`},
		"numbers":           {`{"id":7,"size":1,"note":1},{"id":8,"size":2,"note":2}`, "v1alpha1", `{"name":"7"},`, ``, `{"id":8,"size":2,"note":2}`},
		"added constants":   {`{"id":"new","size":1},{"id":"y","size":2}`, "v1beta1", `{"name":"z"},{"name":"y"}`, `{"name":"y"},{"name":"z"}`, `{"id":"y","size":2},{"id":"new","size":1}`},
		"exchanged":         {`{"key":"x","size":1},{"key":"y","size":2}`, "v1beta1", `{"key":"y"},{"key":"x"}`, `{"key":"x"},{"key":"y"}`, `{"key":"y","size":2},{"key":"x","size":1}`},
		"units":             {`{"name":1,"size":1},{"name":1,"size":2}`, "v1beta1", `{"name":"1s"},{"name":"1s"}`, `{"name":"1s"}`, `{"name":1}`},
	} {
		k := keyForms[name]
		c := k.converter(t)
		there := convert(t, c, k.object("v1", `{"items":[`+test.in+`]}`), test.via)
		edited := strings.Replace(there, test.from, test.to, 1)
		if edited == there {
			t.Errorf("%s: shows %s", name, there)
		}
		if got, want := convert(t, c, edited, "v1"), k.object("v1", `{"items":[`+test.want+`]}`); !sameJSON(got, want) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// TestLongLists restores values in a list that was edited: items were added and removed, are in the reverse order, and have keys in
// another spelling.
func TestLongLists(t *testing.T) {
	for name, keys := range map[string][2]string{
		"strings": {`"s%d"`, `"s%d"`}, "escapes": {`"s%d"`, `"\u0073%d"`}, "escaped first": {`"\u0073%d"`, `"s%d"`}, "quotes": {`"\"%d,"`, `"\u0022%d,"`},
		"integers": {`%d`, `%d`}, "fractions": {`%d`, `%d.0`}, "negative": {`-%d`, `-%d`}, "long": {`1%020d`, `1%020d`},
	} {
		k := keyForms["renamed field"]
		c := k.converter(t)
		var newest, shown, want []string
		for i := range 20 {
			key, respelled := fmt.Sprintf(keys[0], i), fmt.Sprintf(keys[1], i)
			newest = append(newest, fmt.Sprintf(`{"name":%s,"size":%d}`, key, i))
			older, item := fmt.Sprintf(`{"b":%s}`, respelled), fmt.Sprintf(`{"name":%s}`, respelled)
			switch i {
			case 7: // removed
				continue
			case 9: // added
				shown, want = append(shown, strings.Replace(older, fmt.Sprint(i), "99", 1)), append(want, strings.Replace(item, fmt.Sprint(i), "99", 1))
				fallthrough
			default:
				item = fmt.Sprintf(`{"name":%s,"size":%d}`, respelled, i)
			}
			shown, want = append(shown, older), append(want, item)
		}
		slices.Reverse(shown)
		slices.Reverse(want)
		there := convert(t, c, k.object("v1", `{"items":[`+strings.Join(newest, ",")+`]}`), "v1beta1")
		_, metadata, _ := strings.Cut(there, `"metadata"`)
		edited := `{"kind":"K","apiVersion":"example.com/v1beta1","spec":{"items":[` + strings.Join(shown, " , ") + `]},"metadata"` + metadata
		if got := convert(t, c, edited, "v1"); !sameJSON(got, k.object("v1", `{"items":[`+strings.Join(want, ",")+`]}`)) {
			t.Errorf("%s: got\n%s, want\n%s", name, got, want)
		}
	}
}

const wraps = `{"group":"g","kinds":[{"name":"K","store":"annotation"}],"versions":[{"name":"v1alpha1"},{"name":"v1beta1"},{"name":"v1"},{"name":"v2"}],"steps":[
	{"older":"v1alpha1","newer":"v1beta1","types":{
		"K":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}}]},
		"Spec":{"fields":[{"older":{"name":"server"},"newer":{"name":"server"},"value":{"type":"Server"}},{"older":{"name":"spare"},"newer":{"name":"spare"},"value":{"type":"Server"}}]},
		"Server":{"fields":[{"older":{"name":"goneAlpha"}}]}
	}},
	{"older":"v1beta1","newer":"v1","types":{
		"K":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}}]},
		"Spec":{"fields":[{"older":{"name":"server"},"newer":{"name":"servers"},"value":{"list":{"type":"Server"}}},{"older":{"name":"spare"},"newer":{"name":"spares"},"value":{"list":{"type":"Server"},"olderKeys":["id"],"newerKeys":["id"]}}]},
		"Server":{"fields":[{"older":{"name":"goneBeta"}}]}
	}},
	{"older":"v1","newer":"v2","types":{
		"K":{"fields":[{"older":{"name":"spec"},"newer":{"name":"spec"},"value":{"type":"Spec"}}]},
		"Spec":{"fields":[{"older":{"name":"servers"},"newer":{"name":"servers"},"value":{"elem":{"type":"Server"}}},{"older":{"name":"spares"},"newer":{"name":"spares"},"value":{"elem":{"type":"Server"},"olderKeys":["id"],"newerKeys":["name"]}}]},
		"Server":{"fields":[{"older":{"name":"id"},"newer":{"name":"name"}},{"older":{"name":"size"},"newer":{"name":"size"},"value":{"call":{"up":"Tens"}}},{"newer":{"name":"note"}},{"older":{"name":"goneOne"}}]}
	}}
]}`

// TestWraps converts objects along versions in which a value is a single one or a list, with edits on the way, which are a text and what
// replaces it. It compares what is shown at the end.
func TestWraps(t *testing.T) {
	const two = `{"spares":[{"id":"a","goneOne":"A","size":14},{"id":"b","goneOne":"B","size":25}]}`
	for name, test := range map[string]struct {
		from, in string
		// way has versions, and edits.
		way  []any
		want string
	}{
		"a single value":            {"v1beta1", `{"server":{"goneBeta":"g","size":14}}`, []any{"v2"}, `{"servers":[{"size":10}]}`},
		"the key of the item":       {"v1beta1", `{"spare":{"id":"a","goneOne":"A"}}`, []any{"v2"}, `{"spares":[{"name":"a"}]}`},
		"down to a list":            {"v1alpha1", `{"server":{"goneAlpha":"a","goneBeta":"b","goneOne":"c","size":14}}`, []any{"v1"}, `{"servers":[{"goneOne":"c","size":14}]}`},
		"and back":                  {"v1alpha1", `{"server":{"size":14,"goneAlpha":"a","goneBeta":"b","goneOne":"c"}}`, []any{"v2", "v1alpha1"}, `{"server":{"size":14,"goneAlpha":"a","goneBeta":"b","goneOne":"c"}}`},
		"a longer list":             {"v1", two, []any{"v1beta1"}, `{"spare":{"id":"a","goneOne":"A","size":14}}`},
		"a longer list, and back":   {"v1", two, []any{"v1beta1", "v2", "v1alpha1", "v1"}, two},
		"an atomic list, and back":  {"v1", strings.ReplaceAll(two, "spares", "servers"), []any{"v1beta1", "v2", "v1alpha1", "v1"}, strings.ReplaceAll(two, "spares", "servers")},
		"an edit of the first item": {"v1", two, []any{"v1beta1", [2]string{`"size":14`, `"size":30`}, "v1"}, `{"spares":[{"id":"a","goneOne":"A","size":30},{"id":"b","goneOne":"B","size":25}]}`},
		"an edit where it is lost":  {"v1beta1", `{"server":{"goneBeta":"g","goneOne":"1"}}`, []any{"v1", [2]string{`"goneOne":"1"`, `"goneOne":"2"`}, "v1beta1"}, `{"server":{"goneOne":"2","goneBeta":"g"}}`},
		"an edit of the list":       {"v1beta1", `{"server":{"size":14}}`, []any{"v2", [2]string{`"size":10`, `"size":20`}, "v1beta1"}, `{"server":{"size":20}}`},
		"the keyed list grows":      {"v1beta1", `{"spare":{"id":"a","goneOne":"A"}}`, []any{"v2", [2]string{`{"name":"a"}`, `{"name":"a"},{"name":"b"}`}, "v1"}, `{"spares":[{"id":"a","goneOne":"A"},{"id":"b"}]}`},
		"it grows in front":         {"v1beta1", `{"spare":{"id":"a","goneOne":"A"}}`, []any{"v2", [2]string{`{"name":"a"}`, `{"name":"b"},{"name":"a"}`}, "v1alpha1", "v1"}, `{"spares":[{"id":"b"},{"id":"a","goneOne":"A"}]}`},
		"the atomic list grows":     {"v1beta1", `{"server":{"goneOne":"A"}}`, []any{"v2", [2]string{`[{}]`, `[{},{}]`}, "v1"}, `{"servers":[{},{}]}`},
		"the item is another":       {"v1beta1", `{"spare":{"id":"a","goneOne":"A"}}`, []any{"v2", [2]string{`"a"`, `"b"`}, "v1beta1"}, `{"spare":{"id":"b"}}`},
		"the list shrinks":          {"v1", two, []any{"v2", [2]string{`{"name":"a","size":10},`, ``}, "v1beta1"}, `{"spare":{"id":"b","goneOne":"B","size":25}}`},
		"the list is removed":       {"v1", two, []any{"v1beta1", [2]string{`"spare":{"id":"a","goneOne":"A","size":14}`, ``}, "v1"}, `{}`},
		"the list is empty":         {"v1beta1", `{"server":{"goneBeta":"g"}}`, []any{"v2", [2]string{`[{}]`, `[]`}, "v1beta1"}, `{}`},
		"it stays empty":            {"v1beta1", `{"server":{"goneBeta":"g"}}`, []any{"v2", [2]string{`[{}]`, `[]`}, "v1beta1", "v2"}, `{"servers":[]}`},
		"a field of the newest":     {"v2", `{"servers":[{"name":"a","note":"n"}]}`, []any{"v1alpha1", "v1beta1", "v1", "v2"}, `{"servers":[{"name":"a","note":"n"}]}`},
	} {
		c := tables(t, wraps, map[string]Func{"Tens": FuncOf(func(in int64) int64 { return in / 10 * 10 })})
		object, version := thing(test.from, `,"spec":`+test.in), test.from
		for _, step := range test.way {
			if edit, ok := step.([2]string); ok {
				before := object
				if object = strings.Replace(object, edit[0], edit[1], 1); object == before {
					t.Errorf("%s: %s has no %s", name, object, edit[0])
				}
				continue
			}
			version = step.(string)
			object = convert(t, c, object, version)
		}
		if got, want := untracked(t, object, "versioned.g/changed-values"), thing(version, `,"spec":`+test.want); !sameJSON(got, want) {
			t.Errorf("%s: got\n%s, want\n%s", name, object, want)
		}
	}
}
