package wire

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// withRestores returns a converter of three versions. v1alpha1 and v1beta1 lack the field extra of v1, and v1beta1 has the
// field former, which v1 lacks. v1alpha1 calls size count.
func withRestores(t *testing.T, store Store) *Converter {
	t.Helper()
	table := func(older, size string, more ...Field) *Table {
		fields := append([]Field{{Older: size, Hub: "size", Names: []Name{{"v1alpha1", "count"}, {"v1beta1", "size"}}}, {Hub: "extra", Since: "v1"}}, more...)
		return &Table{
			Group: "example.com", Older: older, Hub: "v1", Versions: []string{"v1alpha1", "v1beta1", "v1"},
			Types: []Type{
				{Kind: "Foo", Store: store, Restores: true, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
				{Fields: fields},
			},
			Restores: []Restore{{Annotation: "example.com/data", Version: "v1"}, {Annotation: "example.com/old", Version: "v1beta1"}},
		}
	}
	c, err := New(Conversion{Table: table("v1alpha1", "count")}, Conversion{Table: table("v1beta1", "size", Field{Older: "former", Until: "v1beta1"})})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRestore(t *testing.T) {
	foo := func(version, spec, annotations, rest string) string {
		if annotations != "" {
			annotations = `,"annotations":{` + annotations + `}`
		}
		return `{"apiVersion":"example.com/` + version + `","kind":"Foo","metadata":{"name":"a"` + annotations + `},"spec":` + spec + rest + `}`
	}
	data := func(text string) string { return `"example.com/data":` + strconv.Quote(text) }
	const v1 = `{"spec":{"size":1,"extra":"x"}}`
	large := `{"spec":{"size":1,"extra":"` + strings.Repeat("x", TrackedLimit) + `"}}`
	tracked := func(values string) string { return `"versioned.example.com/changed-values":` + strconv.Quote(values) }
	for name, test := range map[string]struct {
		object, to, want string
		dropped          int64
	}{
		"restored":                {foo("v1beta1", `{"size":1}`, data(v1), ""), "v1", foo("v1", `{"size":1,"extra":"x"}`, "", ""), 0},
		"of the oldest version":   {foo("v1alpha1", `{"count":1}`, data(v1), ""), "v1", foo("v1", `{"size":1,"extra":"x"}`, "", ""), 0},
		"edited":                  {foo("v1beta1", `{"size":2}`, data(v1), ""), "v1", foo("v1", `{"size":2,"extra":"x"}`, "", ""), 0},
		"other annotations":       {foo("v1beta1", `{"size":1}`, `"b":"c",`+data(v1), ""), "v1", foo("v1", `{"size":1,"extra":"x"}`, `"b":"c"`, ""), 0},
		"only the annotation":     {`{"apiVersion":"example.com/v1beta1","kind":"Foo","metadata":{"annotations":{` + data(v1) + `}},"spec":{"size":1}}`, "v1", `{"apiVersion":"example.com/v1","kind":"Foo","metadata":{},"spec":{"size":1,"extra":"x"}}`, 0},
		"to another older":        {foo("v1alpha1", `{"count":1}`, data(v1), ""), "v1beta1", foo("v1beta1", `{"size":1}`, tracked(`{"format":1,"upgrades":{"v1":[{"jsonPath":"$.spec.extra","value":"x"}]}}`), ""), 0},
		"with its version":        {foo("v1alpha1", `{"count":1}`, data(foo("v1beta1", `{"size":1,"former":true}`, `"b":"c"`, "")), ""), "v1beta1", foo("v1beta1", `{"size":1,"former":true}`, "", ""), 0},
		"newest with an older":    {foo("v1", `{"size":1}`, `"example.com/old":"{\"spec\":{\"size\":1,\"former\":true}}"`, ""), "v1beta1", foo("v1beta1", `{"size":1,"former":true}`, "", ""), 0},
		"of the same version":     {foo("v1", `{"size":1}`, data(v1), ""), "v1beta1", foo("v1beta1", `{"size":1}`, "", ""), 0},
		"not converted":           {foo("v1beta1", `{"size":1}`, data(v1), ""), "v1beta1", foo("v1beta1", `{"size":1}`, data(v1), ""), 0},
		"nothing to restore":      {foo("v1beta1", `{"size":1}`, data(`{"spec":{"size":1}}`), ""), "v1", foo("v1", `{"size":1}`, "", ""), 0},
		"own values win":          {foo("v1beta1", `{"size":1}`, data(v1)+`,`+tracked(`{"format":1,"upgrades":{"v1":[{"jsonPath":"$.spec.extra","value":"own"}]}}`), ""), "v1", foo("v1", `{"size":1,"extra":"own"}`, "", ""), 0},
		"no JSON":                 {foo("v1beta1", `{"size":1}`, data(`{`), ""), "v1", foo("v1", `{"size":1}`, data(`{`), ""), 1},
		"no object":               {foo("v1beta1", `{"size":1}`, data(`[1]`), ""), "v1", foo("v1", `{"size":1}`, data(`[1]`), ""), 1},
		"no string":               {foo("v1beta1", `{"size":1}`, `"example.com/data":{}`, ""), "v1", foo("v1", `{"size":1}`, `"example.com/data":{}`, ""), 1},
		"of another kind":         {foo("v1beta1", `{"size":1}`, data(`{"kind":"Bar"}`), ""), "v1", foo("v1", `{"size":1}`, data(`{"kind":"Bar"}`), ""), 1},
		"of an unknown version":   {foo("v1beta1", `{"size":1}`, data(`{"apiVersion":"example.com/v7"}`), ""), "v1", foo("v1", `{"size":1}`, data(`{"apiVersion":"example.com/v7"}`), ""), 1},
		"larger than the limit":   {foo("v1beta1", `{"size":1}`, data(large), ""), "v1", foo("v1", `{"size":1}`, data(large), ""), 1},
		"elsewhere in the object": {foo("v1beta1", `{"size":1,"text":"example.com/data"}`, "", ""), "v1", foo("v1", `{"size":1,"text":"example.com/data"}`, "", ""), 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := withRestores(t, Annotation)
			got, err := c.Convert(nil, []byte(test.object), test.to)
			if err != nil || !same(got, []byte(test.want)) || c.Dropped() != test.dropped {
				t.Errorf("%s, %v, %d dropped\nwant %s", got, err, c.Dropped(), test.want)
			}
			if strings.Contains(name, "JSON") || test.to == "v1beta1" && strings.Contains(test.object, "v1beta1") {
				return
			}
			review := c.Review(nil, []byte(`{"request":{"uid":"u","desiredAPIVersion":"example.com/`+test.to+`","objects":[`+test.object+`, `+test.object+`]}}`))
			var answer struct {
				Response struct{ ConvertedObjects []json.RawMessage }
			}
			if err := json.Unmarshal(review, &answer); err != nil || len(answer.Response.ConvertedObjects) != 2 || !same(answer.Response.ConvertedObjects[1], []byte(test.want)) {
				t.Errorf("the review has %s, %v", review, err)
			}
		})
	}
	c := withRestores(t, Status)
	for spec, want := range map[string]string{
		`{"size":1}`:                           `{"size":1,"extra":"x"}`,
		`{"size":1},"status":{"ready":true}`:   `{"size":1,"extra":"x"},"status":{"ready":true}`,
		`{"size":1},"status":{}`:               `{"size":1,"extra":"x"},"status":{}`,
		`{"size":1},"status":null`:             `{"size":1,"extra":"x"},"status":null`,
		`{"size":1},"status":{"other":[1, 2]}`: `{"size":1,"extra":"x"},"status":{"other":[1,2]}`,
	} {
		got, err := c.Convert(nil, []byte(foo("v1beta1", spec, data(v1), "")), "v1")
		if want := foo("v1", want, "", ""); err != nil || !same(got, []byte(want)) {
			t.Errorf("%s: %s, %v", spec, got, err)
		}
	}
}

// TestRestoreByFunction checks that an annotation stays for functions that convert whole objects, which read it.
func TestRestoreByFunction(t *testing.T) {
	rename := func(to string) Func {
		return func(object []byte) ([]byte, error) {
			n := newNode(object, 0)
			n.set("apiVersion", newNode([]byte(to), -1))
			return n.json(), nil
		}
	}
	c, err := New(Conversion{
		Table: &Table{Group: "example.com", Older: "v1beta1", Hub: "v1", Types: []Type{{Kind: "Foo", Up: "up", Down: "down"}}, Restores: []Restore{{Annotation: "example.com/data", Version: "v1"}}},
		Funcs: map[string]Func{"up": rename(`"example.com/v1"`), "down": rename(`"example.com/v1beta1"`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	const object = `{"apiVersion":"example.com/v1beta1","kind":"Foo","metadata":{"annotations":{"example.com/data":"{}"}}}`
	if got, err := c.Convert(nil, []byte(object), "v1"); err != nil || string(got) != strings.Replace(object, "v1beta1", "v1", 1) {
		t.Errorf("%s, %v", got, err)
	}
}
