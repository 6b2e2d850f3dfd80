package jsonconvert

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// people are five versions of a kind: names are renamed, an age becomes a text, a struct is added and a map is removed.
func people(t *testing.T) *Converter {
	t.Helper()
	key := func(name string) Key { return Key{Name: name, Zero: `""`} }
	both := func(name string, v Value) Field {
		return Field{Older: Key{Name: name, EmptyIsAbsent: true}, Newer: Key{Name: name, EmptyIsAbsent: true}, Value: v}
	}
	step := func(older, newer string, fields ...Field) Step {
		return Step{Older: older, Newer: newer, Types: map[string]*Type{"Person": {Fields: []Field{both("spec", Value{Type: "Spec"})}}, "Spec": {Fields: fields}}}
	}
	text, number := &Schema{Kind: StringKind}, &Schema{Kind: IntegerKind, Bits: 32, Pointer: true}
	version := func(name string, fields map[string]*Schema) Version {
		fields["tags"] = &Schema{Kind: ListKind, Elem: text}
		return Version{Name: name, Kinds: map[string]Schema{"Person": {Kind: ObjectKind, Fields: map[string]*Schema{"spec": {Kind: ObjectKind, Fields: fields}}}, "PersonList": {}}}
	}
	social := &Schema{Kind: ObjectKind, Pointer: true, Fields: map[string]*Schema{"email": text, "chat": text}}
	c, err := New(&API{
		Group: "example.com",
		Versions: []Version{
			version("v1alpha1", map[string]*Schema{"username": text, "age": number}),
			version("v1alpha2", map[string]*Schema{"username": text, "age": number, "hobby": text}),
			version("v1beta1", map[string]*Schema{"login": text, "age": text, "hobby": text}),
			version("v1", map[string]*Schema{"login": text, "age": text, "hobby": text, "social": social}),
			version("v2", map[string]*Schema{"login": text, "age": text, "social": social}),
		},
		Kinds: []Kind{{Name: "Person", Store: Annotation}, {Name: "PersonList", Item: "Person"}},
		Steps: []Step{
			step("v1alpha1", "v1alpha2", Field{Newer: key("hobby")}),
			step("v1alpha2", "v1beta1", Field{Older: key("username"), Newer: key("login")}, Field{Older: Key{Name: "age"}, Newer: key("age"), Value: Value{Call: &Call{Up: "Text", Down: "Number"}}}),
			step("v1beta1", "v1", Field{Newer: Key{Name: "social"}}),
			step("v1", "v2", Field{Older: key("hobby")}),
		},
		Funcs: map[string]Func{
			"Text": FuncOf(func(in int32) string {
				if in == 666 {
					panic("no")
				}
				return fmt.Sprint(in)
			}),
			"Number": FailingFuncOf(func(in string) (int32, error) {
				var out int32
				if _, err := fmt.Sscan(in, &out); err != nil {
					return 0, fmt.Errorf("%q is no age", in)
				}
				return out, nil
			}),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Strict = true
	c.api.Versions[4].Kinds["Shed"] = Schema{}
	c.kinds["Shed"] = c.compiled(&Kind{Name: "Shed"})
	return c
}

func person(version, spec string) string {
	return `{"apiVersion":"example.com/` + version + `","kind":"Person","spec":` + spec + `}`
}

func convert(t *testing.T, c *Converter, object, to string) string {
	t.Helper()
	out, err := c.Convert([]byte(">"), []byte(object), to)
	if err != nil {
		t.Fatalf("%s to %s: %v", object, to, err)
	}
	return string(out[1:])
}

// trackedIn returns what an object tracks.
func trackedIn(t *testing.T, object string) string {
	t.Helper()
	var o struct {
		Metadata struct{ Annotations map[string]string }
	}
	if err := json.Unmarshal([]byte(object), &o); err != nil {
		t.Fatal(err)
	}
	return o.Metadata.Annotations["versioned.example.com/changed-values"]
}

// TestEntries converts an object through four steps: each step that loses a value has one entry, in the names of the version
// that has it.
func TestEntries(t *testing.T) {
	c := people(t)
	newest := person("v2", `{"login":"jo","age":"007","social":{"email":"jo@example.com","chat":""}}`)
	oldest := convert(t, c, newest, "v1alpha1")
	want := `{"format":2,"upgrades":{"v1beta1":[{"jsonPath":"$.spec.age","value":"007","was":"7"}],` +
		`"v1":[{"jsonPath":"$.spec.social","value":{"email":"jo@example.com","chat":""}}]}}`
	if got := trackedIn(t, oldest); got != want {
		t.Errorf("tracked\n%s\nwant\n%s", got, want)
	}
	if got := convert(t, c, oldest, "v2"); got != newest {
		t.Errorf("came back as\n%s\nwant\n%s", got, newest)
	}
}

func TestEdits(t *testing.T) {
	c := people(t)
	for name, test := range map[string]struct{ newest, edit, to, want string }{
		"edited":               {`{"age":"007"}`, `"age":7`, `"age":8`, `{"age":"8"}`},
		"another one edited":   {`{"age":"007","login":"jo"}`, `"username":"jo"`, `"username":"al"`, `{"age":"007","login":"al"}`},
		"removed":              {`{"age":"007","login":"jo"}`, `"age":7,`, ``, `{"login":"jo"}`},
		"the parent goes":      {`{"age":"007"}`, `"spec":{"age":7}`, `"spec":{}`, `{}`},
		"an item is added":     {`{"tags":["a"],"social":{"chat":"c"}}`, `["a"]`, `["a","b"]`, `{"tags":["a","b"],"social":{"chat":"c"}}`},
		"set where it is gone": {`{"social":{"chat":"c"}}`, `"spec":{`, `"spec":{"username":"al"`, `{"login":"al","social":{"chat":"c"}}`},
	} {
		oldest := convert(t, c, person("v2", test.newest), "v1alpha1")
		edited := strings.Replace(oldest, test.edit, test.to, 1)
		if edited == oldest {
			t.Fatalf("%s: %s has no %s", name, oldest, test.edit)
		}
		back := convert(t, c, edited, "v2")
		if want := person("v2", test.want); !sameJSON(back, want) {
			t.Errorf("%s: %s, want %s", name, back, want)
		}
	}
}

func sameJSON(a, b string) bool {
	m := &memory{}
	x, err := m.parse(a)
	y, err2 := m.parse(b)
	return err == nil && err2 == nil && m.same(x, y, false)
}

// TestStored converts objects in which conversions that people wrote have stored the newest version.
func TestStored(t *testing.T) {
	c := people(t)
	c.api.Restores = []Restore{{Annotation: "example.com/conversion-data", Version: "v2"}}
	stored := func(annotations, spec string) string {
		return `{"apiVersion":"example.com/v1alpha2","kind":"Person","metadata":{"annotations":{` + annotations + `}},"spec":` + spec + `}`
	}
	data := func(object string) string {
		text, _ := json.Marshal(object)
		return `"example.com/conversion-data":` + string(text)
	}
	newest := `{"spec":{"login":"jo","age":"007","social":{"chat":"c"}}}`
	for name, test := range map[string]struct{ object, want string }{
		"restored":      {stored(data(newest), `{"username":"jo","age":7}`), `{"login":"jo","age":"007","social":{"chat":"c"}}`},
		"edited":        {stored(data(newest), `{"username":"al","age":8}`), `{"login":"al","age":"8","social":{"chat":"c"}}`},
		"other ones":    {stored(`"a":"b",`+data(newest), `{"age":7}`), `{"age":"007","social":{"chat":"c"}}`},
		"another kind":  {stored(data(`{"kind":"Shed","spec":{"login":"jo"}}`), `{"age":7}`), `{"age":"7"}`},
		"unreadable":    {stored(data(`{"spec":`), `{"age":7}`), `{"age":"7"}`},
		"no conversion": {stored(data(`{"spec":{"age":"x"}}`), `{"age":7}`), `{"age":"7"}`},
	} {
		m := &memory{}
		x, err := m.parse(convert(t, c, test.object, "v2"))
		if err != nil {
			t.Fatal(err)
		}
		want, _ := m.parse(test.want)
		if got := m.get(x, "spec"); !m.same(got, want, false) {
			t.Errorf("%s: %s, want %s", name, m.json(got), test.want)
		}
		if kept := m.get(x, "metadata", "annotations", "example.com/conversion-data"); (kept != nil) != (name == "another kind" || name == "unreadable" || name == "no conversion") {
			t.Errorf("%s: the annotation is %v", name, kept)
		}
	}
}

// TestFormer reads tracked values of the format before: was is what the newest version showed.
func TestFormer(t *testing.T) {
	c := people(t)
	former := func(version, tracked, spec string) string {
		text, _ := json.Marshal(`{"format":1,` + tracked + `}`)
		return `{"apiVersion":"example.com/` + version + `","kind":"Person","metadata":{"annotations":{"versioned.example.com/changed-values":` + string(text) + `}},"spec":` + spec + `}`
	}
	for name, test := range map[string]struct{ object, to, want string }{
		"without was":          {former("v1alpha1", `"upgrades":{"v1":[{"jsonPath":"$.spec.social","value":{"chat":"c"}}]}`, `{"age":7}`), "v2", `{"age":"7","social":{"chat":"c"}}`},
		"members of a struct":  {former("v2", `"downgrades":{"v1":[{"jsonPath":"$.spec.hobby","value":"h"}]}`, `{}`), "v1alpha2", `{"hobby":"h"}`},
		"was is the same":      {former("v1alpha1", `"upgrades":{"v1beta1":[{"jsonPath":"$.spec.age","value":"007","was":"7"}]}`, `{"age":7}`), "v2", `{"age":"007"}`},
		"a part between":       {former("v1alpha1", `"upgrades":{"v1":[{"jsonPath":"$.spec.age","value":"007","was":"7"}]}`, `{"age":7}`), "v1beta1", `{"age":"007"}`},
		"two directions":       {former("v1alpha1", `"upgrades":{"v1":[{"jsonPath":"$.spec.social","value":{"chat":"c"}}]},"downgrades":{"v1":[{"jsonPath":"$.spec.hobby","value":"h"}]}`, `{"age":7}`), "v1", `{"age":"7","social":{"chat":"c"},"hobby":"h"}`},
		"one between":          {former("v1alpha1", `"upgrades":{"v1beta1":[{"jsonPath":"$.spec.hobby","value":"h"}]}`, `{"age":7}`), "v1alpha2", `{"age":7,"hobby":"h"}`},
		"members of an object": {former("v1alpha1", `"upgrades":{"v1beta1":[{"jsonPath":"$.spec","value":{"hobby":"h"}}]}`, `{"age":7}`), "v1", `{"age":"7","hobby":"h"}`},
		"was is another":       {former("v1alpha1", `"upgrades":{"v1beta1":[{"jsonPath":"$.spec.age","value":"007","was":7}]}`, `{"age":7}`), "v2", `{"age":"7"}`},
		"another format":       {strings.Replace(former("v1alpha1", `"upgrades":{"v1":[{"jsonPath":"$.spec.social","value":{}}]}`, `{"age":7}`), `format\":1`, `format\":9`, 1), "v2", `{"age":"7"}`},
		"an unknown version":   {former("v1alpha1", `"upgrades":{"v7":[{"jsonPath":"$.spec.social","value":{}}]}`, `{"age":7}`), "v2", `{"age":"7"}`},
	} {
		out := convert(t, c, test.object, test.to)
		m := &memory{}
		x, _ := m.parse(out)
		want, _ := m.parse(test.want)
		if got := m.get(x, "spec"); !m.same(got, want, false) {
			t.Errorf("%s: %s, want %s", name, m.json(got), test.want)
		}
		if kept := strings.Contains(out, "v7"); kept != (name == "an unknown version") {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// TestRequired converts a required text that is empty: a stored object has it again, and a partial one gets no field that it
// lacks.
func TestRequired(t *testing.T) {
	c, err := New(&API{
		Group: "example.com", Versions: []Version{{Name: "v1"}, {Name: "v2"}}, Kinds: []Kind{{Name: "Person", Store: Annotation}},
		Steps: []Step{{Older: "v1", Newer: "v2", Types: map[string]*Type{
			"Person": {Fields: []Field{{Older: Key{Name: "spec"}, Newer: Key{Name: "spec"}, Value: Value{Type: "Spec"}}}},
			"Spec":   {Fields: []Field{{Older: Key{Name: "text", Zero: `""`, Required: true}}}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for metadata, want := range map[string]string{`{"uid":"u"}`: `"spec":{"text":""}`, `{}`: `"spec":{}`} {
		x := `{"apiVersion":"example.com/v1","kind":"Person","metadata":` + metadata + `,"spec":{"text":""}}`
		y := convert(t, c, x, "v2")
		if z := convert(t, c, y, "v1"); strings.Contains(y, "text") || !strings.Contains(z, want) {
			t.Errorf("%s becomes %s and %s", x, y, z)
		}
	}
}

func TestList(t *testing.T) {
	c := people(t)
	list := `{"apiVersion":"example.com/v2","kind":"PersonList","items":[` + person("v2", `{"login":"jo","age":"007"}`) + `,{"spec":{"login":"al"}}]}`
	old := convert(t, c, list, "v1alpha1")
	if !strings.Contains(old, `{"spec":{"username":"al"}}`) {
		t.Errorf("an item without apiVersion: %s", old)
	}
	if back := convert(t, c, old, "v2"); !sameJSON(back, list) {
		t.Errorf("came back as %s", back)
	}
}

// TestForged checks tracked values that somebody else has written: no conversion fails, or takes long, because of these.
func TestForged(t *testing.T) {
	c := people(t)
	forged := func(version, upgrades, downgrades string) string {
		spec := `{"login":"jo","age":"7"}`
		if strings.Contains(version, "alpha") {
			spec = `{"username":"jo","age":7}`
		}
		text, _ := json.Marshal(`{"format":2,"upgrades":{` + upgrades + `},"downgrades":{` + downgrades + `}}`)
		return `{"apiVersion":"example.com/` + version + `","kind":"Person","metadata":{"annotations":{"versioned.example.com/changed-values":` + string(text) + `}},"spec":` + spec + `}`
	}
	entries := []string{
		`{"jsonPath":"$","value":"x"}`, `{"jsonPath":"$.spec","value":"x"}`, `{"jsonPath":"$.spec","value":{"age":[]}}`, `{"jsonPath":"$.spec.age","value":{},"was":"7"}`,
		`{"jsonPath":"$.kind","value":"Pod","was":"Person"}`, `{"jsonPath":"$.apiVersion","value":"v1"}`, `{"jsonPath":"$.spec[0]","value":1,"lengths":[1]}`,
		`{"jsonPath":"$.spec['a','b']","value":1}`, `{"jsonPath":"$.spec['age','login']","value":{"age":5},"was":{"age":"7","login":"jo"}}`, `{"jsonPath":"$.spec.tags[0:]","value":["x"]}`,
		`{"jsonPath":"$.spec.age","value":"x","was":"7"}`, `{"jsonPath":7}`, `7`, `{"jsonPath":"$.spec.tags[?@.name=='x']","value":1}`, `{"jsonPath":"$.spec.tags[-1]","lengths":[-1]}`,
		`{"jsonPath":"$.spec.tags[99999999999999999999]","lengths":[1]}`, `{"jsonPath":"$` + strings.Repeat(".spec", 100000) + `","value":1}`,
		strings.Repeat(`{"jsonPath":"$.spec.hobby","value":"x"},`, 5000) + `{}`,
		`{"jsonPath":"$.spec.hobby","value":"` + strings.Repeat("x", 1<<20) + `"}`,
	}
	for _, e := range entries {
		for _, from := range c.Versions() {
			all := make([]string, 0, 5)
			for _, v := range c.Versions() {
				all = append(all, `"`+v+`":[`+e+`]`)
			}
			object := forged(from, strings.Join(all, ","), strings.Join(all, ","))
			for _, to := range c.Versions() {
				start := time.Now()
				out, err := c.Convert(nil, []byte(object), to)
				if took := time.Since(start); took > 2*time.Second {
					t.Errorf("%.60s from %s to %s takes %s", e, from, to, took)
				}
				if err != nil {
					t.Errorf("%.60s from %s to %s: %.200v", e, from, to, err)
					continue
				}
				if from != to && len(e) < 1000 {
					x, err := (&memory{}).parse(string(out))
					v := &c.api.Versions[c.version(to)]
					if fit, ok := v.fit(&memory{}, v.kind("Person"), x); err != nil || !ok || fit != x {
						t.Errorf("%.60s from %s to %s: %s does not fit", e, from, to, out)
					}
				}
			}
		}
	}
}

// TestLimit checks what is too large to be tracked.
func TestLimit(t *testing.T) {
	c := people(t)
	big := strings.Repeat("x", maxTracked)
	_, err := c.Convert(nil, []byte(person("v2", `{"login":"jo","social":{"chat":"`+big+`"}}`)), "v1alpha1")
	if want := "$.spec.social: the values that this version cannot represent are"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%.100v, want %s…", err, want)
	}
}

func TestInvalid(t *testing.T) {
	c := people(t)
	for object, want := range map[string]string{
		``:                             "not a JSON object",
		`[]`:                           "not a JSON object",
		`{"kind":"Person"}`:            `the field "apiVersion" is missing`,
		`{"apiVersion":"v1","kind":7}`: `the field "kind" must be a string`,
		person("v3", `{}`):             `unknown API version "example.com/v3"`,
		person("v2", `{"age":"x"}`):    `$.spec.age: "x" is no age`,
		person("v2", `{"age":"1"`):     "unexpected end of JSON",
		person("v2", `{}`) + "x":       "$: invalid character in JSON",
		`{"apiVersion":"example.com/v2","kind":"PersonList","items":[{},{"spec":{"age":"x"}}]}`: `$.items[1].spec.age: "x" is no age`,
	} {
		out, err := c.Convert([]byte("kept"), []byte(object), "v1alpha1")
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", object, err, want)
		}
		if string(out) != "kept" {
			t.Errorf("%s: the output changed to %s", object, out)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, path := range []string{
		`$.spec.age`, `$.spec['a.b']`, `$['it\'s']`, `$.a['x','y']`, `$.a[?@.name=='a'].b`, `$.a[?@.name=='a' && !@.port && @['x y']==7]`, `$.a[?@=='v']`, `$.a[?@==7]`, `$.a[2].b[0]`, `$.a[2:]`, `$.a['q"\\u00e9\n']`,
	} {
		steps, err := parsePath(&memory{}, path, []int{3, 1})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if again, _ := appendPath(nil, steps); string(again) != path {
			t.Errorf("%s becomes %s", path, again)
		}
	}
	for _, path := range []string{``, `$`, `.a`, `$.a[`, `$.a[2:].b`, `$.a['x','y'].b`, `$[0]`, `$.a[?@.b==]`, `$.a['`, `$.a[b]`, `$.kind`, `$['kind','spec']`, `$.a[1][1][1]`} {
		if _, err := parsePath(&memory{}, path, []int{1, 1}); err == nil {
			t.Errorf("%s is read", path)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, same := range [][2]string{{"1", "1.0"}, {"100", "1e2"}, {"0", "-0"}, {"0", "0e5"}, {"1e1000000000", "10e999999999"}, {"0.1", "1E-1"}} {
		if !sameNumber(same[0], same[1]) {
			t.Errorf("%s and %s differ", same[0], same[1])
		}
	}
	for _, other := range [][2]string{{"1", "-1"}, {"1", "10"}, {"1", "0"}, {"0.1", "0.01"}} {
		if sameNumber(other[0], other[1]) {
			t.Errorf("%s and %s are the same", other[0], other[1])
		}
	}
}

// TestFormerList reads a tracked list of the format before, whose guard is the single value that an older version has.
func TestFormerList(t *testing.T) {
	c := shops(t, Status)
	for host, want := range map[string]string{"a": `["a","b"]`, "edited": `["edited"]`} {
		x := `{` + beta + `,"spec":{"host":"` + host + `"},"status":{"changedValues":{"format":1,"upgrades":{"v1":[{"jsonPath":"$.spec.hosts","value":["a","b"],"was":"a"}]}}}}`
		if y := convert(t, c, x, "v1"); !strings.Contains(y, `"hosts":`+want) {
			t.Errorf("%s becomes %s, want %s", x, y, want)
		}
	}
}

// TestEscapedEnum has the value of an enum in the spelling of Go's package json.
func TestEscapedEnum(t *testing.T) {
	c, err := New(&API{
		Kinds:    []Kind{{Name: "A", Store: Annotation}},
		Versions: []Version{{Name: "v1"}, {Name: "v2"}},
		Steps: []Step{{Older: "v1", Newer: "v2", Types: map[string]*Type{
			"A": {Fields: []Field{{Older: Key{Name: "e"}, Newer: Key{Name: "e"}, Value: Value{Type: "E"}}}},
			"E": {Enum: &Enum{Up: map[string]string{`"<"`: `">"`}, Down: map[string]string{`">"`: `"<"`}}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, spelling := range []string{`"<"`, `"\u003c"`} {
		got, err := c.Convert(nil, []byte(`{"apiVersion":"v1","kind":"A","e":`+spelling+`}`), "v2")
		if want := `{"apiVersion":"v2","kind":"A","e":">"}`; err != nil || string(got) != want {
			t.Errorf("got %s, error %v, want %s", got, err, want)
		}
	}
}

// TestOnTheWay compares the versions on the way with conversions to them.
func TestOnTheWay(t *testing.T) {
	c := people(t)
	versions := c.Versions()
	for _, spec := range []string{`{"login":"jo","age":"7"}`, `{"login":"jo","social":{"chat":"c"},"hobby":"x"}`, `{}`} {
		x := person("v2", spec)
		for range 2 { // also what is stored is the same
			var passed []string
			err := c.ConvertOnTheWay([]byte(x), versions[0], func(version string, object []byte) {
				passed = append(passed, version)
				if want := convert(t, c, x, version); string(object) != want {
					t.Errorf("%s in %s: %s, want %s", x, version, object, want)
				}
			})
			if want := versions[:len(versions)-1]; err != nil || len(passed) != len(want) || passed[len(passed)-1] != versions[0] {
				t.Errorf("%s passed %v, error %v; want all of %v", x, passed, err, want)
			}
			x = convert(t, c, convert(t, c, x, versions[0]), versions[len(versions)-1])
		}
	}
	for _, text := range []string{`{}`, person("v2", `{}`) + "x"} {
		if err := c.ConvertOnTheWay([]byte(text), "v1alpha1", func(string, []byte) {}); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
	if err := c.ConvertOnTheWay([]byte(person("v2", `{}`)), "v9", func(string, []byte) {}); err == nil {
		t.Error("an unknown version: no error")
	}
}
