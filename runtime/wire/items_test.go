package wire

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// keyForm is how a key is in the versions v1alpha1, v1beta1 and v1: its name, its values and how they convert to v1.
type keyForm struct {
	names       [3]string
	values      [3][]string
	alpha, beta Value
}

// keyForms are keys by what changes them.
var keyForms = map[string]keyForm{
	"renamed field":     {[3]string{"a", "b", "name"}, [3][]string{{`"x"`, `"y"`, `"z'"`}, {`"x"`, `"y"`, `"z'"`}, {`"x"`, `"y"`, `"z'"`}}, Value{}, Value{}},
	"renamed constants": {[3]string{"name", "name", "name"}, [3][]string{{`"x1"`, `"y"`, `"o"`}, {`"x2"`, `"y2"`, `"o"`}, {`"x3"`, `"y3"`, `"o"`}}, Value{Enum: enumOf("x1:x3", "y:y3", "x3:x1", "y3:y")}, Value{Enum: enumOf("x2:x3", "y2:y3", "x3:x2", "y3:y2")}},
	"exchanged":         {[3]string{"name", "key", "key"}, [3][]string{{`"x"`, `"y"`, `"z"`}, {`"y"`, `"x"`, `"z"`}, {`"x"`, `"y"`, `"z"`}}, Value{}, Value{Enum: enumOf("x:y", "y:x")}},
	"case": {[3]string{"name", "name", "name"}, [3][]string{{`"rolling-update"`, `"once"`, `"?"`}, {`"rollingUpdate"`, `"once"`, `"?"`}, {`"RollingUpdate"`, `"Once"`, `"?"`}},
		Value{Transforms: []Transform{{Name: "case", Args: []string{"kebab"}, Values: [][2]string{{"RollingUpdate", "rolling-update"}, {"Once", "once"}}}}},
		Value{Transforms: []Transform{{Name: "case", Args: []string{"camel"}, Values: [][2]string{{"RollingUpdate", "rollingUpdate"}, {"Once", "once"}}}}}},
	"added constants": {[3]string{"name", "name", "id"}, [3][]string{{`"x"`, `"y"`}, {`"x2"`, `"y"`, `"z"`}, {`"x2"`, `"y"`, `"z"`, `"new"`}},
		Value{Enum: &Enum{Up: map[string]string{"x": "x2"}, Down: map[string]string{"x2": "x", "z": "y", "new": "y"}}, Since: "v1", Until: "v1alpha1"},
		Value{Enum: &Enum{Down: map[string]string{"new": "z"}}, Since: "v1", Until: "v1beta1"}},
	"numbers": {[3]string{"name", "id", "id"}, [3][]string{{`"7"`, `"08"`, `"8"`}, {`"7"`, `"08"`, `"8"`}, {`7`, `8`, `9`}},
		Value{Transforms: []Transform{{Name: "integer"}}, Since: "v1", Until: "v1beta1"}, Value{Transforms: []Transform{{Name: "integer"}}, Since: "v1", Until: "v1beta1"}},
	"units": {[3]string{"name", "name", "name"}, [3][]string{{`1000`, `2000`, `1001`}, {`"1s"`, `"2s"`, `"1500ms"`, `"1.5s"`}, {`1`, `2`}},
		Value{Transforms: []Transform{{Name: "milliseconds", Inverted: true}, {Name: "seconds"}}, Since: "v1", Until: "v1alpha1"}, Value{Transforms: []Transform{{Name: "seconds"}}, Since: "v1", Until: "v1beta1"}},
}

func enumOf(up ...string) *Enum {
	e := &Enum{Up: map[string]string{}, Down: map[string]string{}}
	for _, pair := range up {
		from, to, _ := strings.Cut(pair, ":")
		e.Up[from], e.Down[to] = to, from
	}
	return e
}

// converter returns a converter of objects with lists of items that have the key, nested ones, those with a second
// key and sets of keys.
func (k keyForm) converter(t *testing.T, store Store) *Converter {
	t.Helper()
	names := []Name{{"v1beta1", k.names[1]}, {"v1", k.names[2]}}
	table := func(older string, name string, key Value, fields ...Field) Conversion {
		list := func(name string, keys ...string) Field {
			return Field{Older: name, Hub: name, Value: Value{Each: &Value{Type: 3}, Keys: keys}}
		}
		item := append(slices.Clip(fields), Field{Older: name, Hub: k.names[2], Names: names, Value: key},
			list("items", k.names[2]), list("pairs", k.names[2], "kind"), Field{Hub: "size", Since: "v1", Fits: "Any"}, Field{Older: "gone", Until: older, Fits: "Any"})
		return Conversion{&Table{Group: "shop.example.com", Older: older, Hub: "v1", Versions: []string{"v1alpha1", "v1beta1", "v1"}, Types: []Type{
			{Kind: "Shop", Store: store, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
			{Fields: []Field{list("items", k.names[2]), list("pairs", k.names[2], "kind"), {Older: "set", Hub: "set", Value: Value{Each: &key, Set: true}}}},
			{Fields: item},
		}}, map[string]Func{"Any": Fits[any]()}}
	}
	c, err := New(table("v1alpha1", k.names[0], k.alpha, Field{Hub: "note", Since: "v1beta1", Fits: "Any"}), table("v1beta1", k.names[1], k.beta, Field{Older: "brief", Until: "v1beta1", Fits: "Any"}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// object returns an object of a version.
func (k keyForm) object(r *rand.Rand, at int) []byte {
	of := [][]string{{"gone"}, {"gone", "note", "brief"}, {"note", "size"}}[at]
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
	return shop([]string{"v1alpha1", "v1beta1", "v1"}[at], `,"spec":{"items":`+list(0)+`,"pairs":`+list(1)+`,"set":[`+strings.Join(set, ",")+`]}`)
}

// TestKeys converts objects with keyed lists by way of one or two other versions and back.
func TestKeys(t *testing.T) {
	versions := []string{"v1alpha1", "v1beta1", "v1"}
	for name, k := range keyForms {
		c := k.converter(t, Annotation)
		for seed := range uint64(40) {
			for from, version := range versions {
				in := k.object(rand.New(rand.NewPCG(seed, 7)), from)
				for _, via := range versions {
					there := convertTo(t, c, in, via)
					for _, then := range versions {
						third := convertTo(t, c, there, then)
						if back := convertTo(t, c, third, version); !same(in, back) {
							t.Fatalf("%s: %s\nto %s is %s\nto %s is %s\nand back %s", name, in, via, there, then, third, back)
						}
						if direct := convertTo(t, c, in, then); !same(newNode(direct, 0).get("spec").text, newNode(third, 0).get("spec").text) {
							t.Fatalf("%s: %s\nto %s is %s\nto %s is %s, not %s", name, in, via, there, then, third, direct)
						}
					}
				}
			}
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
		c := keyForms[name].converter(t, Status)
		there := string(convertTo(t, c, shop("v1", `,"spec":{"items":[`+test.in+`]}`), test.via))
		edited := strings.Replace(there, test.from, test.to, 1)
		if edited == there {
			t.Errorf("%s: shows %s", name, there)
		}
		if got, want := convertTo(t, c, []byte(edited), "v1"), shop("v1", `,"spec":{"items":[`+test.want+`]}`); !same(got, want) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
