package jsonconvert

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// splits returns a converter of versions, which have a text before the one with an index, and since then its parts; the reverse
// if it is joined. All but the oldest have a field x.
func splits(t *testing.T, versions []string, since int, parts []Part, joined bool) *Converter {
	t.Helper()
	empty := func(name string) Key { return Key{Name: name, EmptyIsAbsent: true} }
	api := &API{Group: "example.com", Kinds: []Kind{{Name: "K", Store: Annotation}}}
	for i, name := range versions {
		api.Versions = append(api.Versions, Version{Name: name})
		if i == 0 {
			continue
		}
		typ := &Type{Fields: []Field{{Older: empty("list"), Newer: empty("list"), Value: Value{Elem: &Value{Type: "Spec"}}}}}
		if i == 1 {
			typ.Fields = append(typ.Fields, Field{Newer: Key{Name: "x"}})
		}
		if i == since {
			hook := Hook{Split: &Split{Whole: "whole", Pattern: parts, Joined: joined}, Older: []string{"whole"}}
			whole := Key{Name: "whole", Zero: `""`}
			typ.Fields = append(typ.Fields, Field{Older: whole})
			for _, p := range parts {
				if p.Key != "" {
					hook.Newer = append(hook.Newer, p.Key)
					typ.Fields = append(typ.Fields, Field{Newer: Key{Name: p.Key, Zero: string(p.Zero)}})
				}
			}
			if joined {
				hook.Older, hook.Newer = hook.Newer, hook.Older
				for j := range typ.Fields[1:] {
					if f := &typ.Fields[j+1]; f.Older.Name == "whole" || f.Newer.Name != "x" {
						f.Older, f.Newer = f.Newer, f.Older
					}
				}
			}
			typ.Hooks = []Hook{hook}
		}
		api.Steps = append(api.Steps, Step{Older: versions[i-1], Newer: name, Types: map[string]*Type{
			"K": {Fields: []Field{{Older: empty("spec"), Newer: empty("spec"), Value: Value{Type: "Spec"}}}}, "Spec": typ,
		}})
	}
	c, err := New(api)
	if err != nil {
		t.Fatal(err)
	}
	c.Strict = true
	return c
}

// TestSplit divides strings into fields, and joins them again. The older version has the string, or the newer one.
func TestSplit(t *testing.T) {
	number := map[string]*Transform{"port": {Name: "integer", Bits: 32}, "on": {Name: "bool"}}
	for _, test := range []struct{ pattern, whole, parts, back string }{
		{"{host}:{port}", "a:80", `{"host":"a","port":80}`, ""},
		{"{host}:{port}", "a:b:80", `{"host":"a:b","port":80}`, ""},
		{"{host}:{port}", ":80", `{"port":80}`, ""},
		{"{host}:{port}", "a", `{}`, "tracked"},
		{"{host}:{port}", "a:http", `{}`, "tracked"},
		{"{host}:{port}", "a:080", `{"host":"a","port":80}`, "tracked"},
		{"{host}[:{port}]", "a", `{"host":"a"}`, ""},
		{"{host}[:{port}]", "a:1", `{"host":"a","port":1}`, ""},
		{"{host}[:{port}]", "a:", `{"host":"a"}`, "tracked"},
		{"[{registry}/]{name}[:{tag}]", "nginx", `{"name":"nginx"}`, ""},
		{"[{registry}/]{name}[:{tag}]", "localhost:5000/a/nginx:1.2", `{"registry":"localhost:5000/a","name":"nginx","tag":"1.2"}`, ""},
		{"[{registry}/]{name}[:{tag}]", "localhost:5000/nginx", `{"registry":"localhost:5000","name":"nginx"}`, ""},
		{"{scheme}://{rest}", "http://a://b", `{"scheme":"http","rest":"a://b"}`, ""},
		{"<{a}.{b}>", "<a\nb.^]>", `{"a":"a\nb","b":"^]"}`, ""},
		{"<{a}.{b}>", "a.b", `{}`, "tracked"},
		{"{a}^{on}", "é^true", `{"a":"é","on":true}`, ""},
	} {
		for _, joined := range []bool{false, true} {
			parts, err := ParsePattern(test.pattern)
			if err != nil {
				t.Errorf("%s: %v", test.pattern, err)
				continue
			}
			for i := range parts {
				if p := &parts[i]; p.Key != "" {
					p.Transform = number[p.Key]
				}
			}
			from, to := "v1beta1", "v1"
			c := splits(t, []string{from, to}, 1, parts, joined)
			if joined {
				from, to = to, from
			}
			object := func(version, spec string) string {
				return `{"kind":"K","apiVersion":"example.com/` + version + `","spec":` + spec + `}`
			}
			in := object(from, string(append(appendQuoted([]byte(`{"whole":`), test.whole), '}')))
			there := convert(t, c, in, to)
			m := &memory{}
			x, err := m.parse(there)
			if spec := m.get(x, "spec"); err != nil || spec == nil || !sameJSON(m.json(spec), test.parts) || strings.Contains(there, "jsonPath") != (test.back == "tracked") {
				t.Errorf("%s of %s became %s, error %v", test.pattern, in, there, err)
			}
			if back := convert(t, c, there, from); !sameJSON(back, in) {
				t.Errorf("%s of %s became %s and %s", test.pattern, in, there, back)
			}
			if test.back != "" {
				continue
			}
			if whole := convert(t, c, object(to, test.parts), from); !sameJSON(whole, in) {
				t.Errorf("%s of %s became %s, want %s", test.pattern, test.parts, whole, in)
			}
			// An edit of a part wins.
			if edited := strings.Replace(there, `"name":"nginx"`, `"name":"edited"`, 1); edited != there {
				if back := convert(t, c, edited, from); !strings.Contains(back, "edited") {
					t.Errorf("%s became %s", edited, back)
				}
			}
		}
	}
}

func TestSplitErrors(t *testing.T) {
	s := Split{Whole: "whole", Pattern: []Part{{Key: "a"}, {Text: ":"}, {Key: "port", Transform: &Transform{Name: "integer", Bits: 32}}}}
	for object, want := range map[string]string{`{"a":1}`: "a is 1, which is not a string", `{"port":[]}`: "[] is neither a number nor a bool"} {
		m := &memory{}
		if _, err := s.join(m, m.of(object)); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", object, err, want)
		}
	}
	c := splits(t, []string{"v1beta1", "v1"}, 1, s.Pattern, false)
	_, err := c.Convert(nil, []byte(`{"kind":"K","apiVersion":"example.com/v1beta1","spec":{"whole":1}}`), "v1")
	if want := "$.spec.whole: 1 is not a string"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	var parts struct {
		A    string `json:"a"`
		Port int32  `json:"port"`
	}
	if err := divided(s, "x:7", &parts); err != nil || parts.A != "x" || parts.Port != 7 {
		t.Errorf("%v, error %v", parts, err)
	}
}

// FuzzSeparated divides strings without the regular expression of the pattern where that is possible.
func FuzzSeparated(f *testing.F) {
	for _, whole := range []string{"", ":", "a", "a:b", "a:b:c", "::", "a/b:c", "a:b/c", "é:\xff", "\n:\n", "a-b:c-d/e"} {
		f.Add(whole)
	}
	var dividers []*divider
	for _, pattern := range []string{"{a}:{b}", "{a}:{b}:{c}", "{a}-{b}:{c}/{d}", "{a}[:{b}]", "{a}::{b}", ":{a}:{b}", "{a}:{b}:", "{a}é{b}"} {
		parts, err := ParsePattern(pattern)
		if err != nil {
			f.Fatal(err)
		}
		d, err := (&Split{Pattern: parts}).divider()
		if want := strings.Count(pattern, "}")*4-1 == len(pattern); err != nil || d.separated != want {
			f.Fatalf("%s: separated %v, want %v, error %v", pattern, d.separated, want, err)
		}
		dividers = append(dividers, d)
	}
	f.Fuzz(func(t *testing.T, whole string) {
		for _, d := range dividers {
			byExpression := *d
			byExpression.separated = false
			if got, want := d.texts(whole), byExpression.texts(whole); !slices.Equal(got, want) {
				t.Fatalf("%q by %s is %q, want %q", whole, d.expression, got, want)
			}
		}
	})
}

// TestSplitBack converts random texts, and random parts, through one or two other versions and back: empty and absent ones, and
// those that have what separates parts, at their begin or end, too.
func TestSplitBack(t *testing.T) {
	for _, pattern := range []string{"{a}:{b}", "{a}[:{b}]", "[{a}:]{b}", "[{c}/]{a}[:{b}]", "{a}::{b}", ":{a}/{b}:", "{a}:{b}:{c}"} {
		for _, number := range []*Transform{nil, {Name: "integer", Bits: 32}, {Name: "bool"}} {
			for _, joined := range []bool{false, true} {
				for _, since := range []int{1, 2} { // the version of the split
					splitLaws(t, pattern, number, joined, since)
				}
			}
		}
	}
}

func splitLaws(t *testing.T, pattern string, number *Transform, joined bool, since int) {
	t.Helper()
	versions := []string{"v1alpha1", "v1beta1", "v1"}
	parts, err := ParsePattern(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for i := range parts {
		p := &parts[i]
		if p.Key == "b" {
			p.Transform = number
		}
		if p.Key != "" {
			keys = append(keys, p.Key)
		}
	}
	c := splits(t, versions, since, parts, joined)
	for seed := range uint64(12) {
		for from, version := range versions {
			r := rand.New(rand.NewPCG(seed, 3))
			text := func() string {
				var b strings.Builder
				for range 1 + r.IntN(6) {
					b.WriteString([]string{":", "/", "a", "0", "1", "-", "::"}[r.IntN(7)])
				}
				return `"` + b.String() + `"`
			}
			pick := func(list ...string) string { return list[r.IntN(len(list))] }
			spec := func() string {
				var members []string
				add := func(key, value string) {
					if r.IntN(3) > 0 {
						members = append(members, `"`+key+`":`+value)
					}
				}
				if from < since != joined {
					add("whole", text())
				} else {
					for _, key := range keys {
						switch {
						case key != "b" || number == nil:
							add(key, text())
						case number.Name == "bool":
							add(key, pick("true", "false"))
						default:
							add(key, pick("0", "1", "-10", "12"))
						}
					}
				}
				if from > 0 {
					add("x", pick("true", "false"))
				}
				return strings.Join(members, ",")
			}
			in := `{"kind":"K","apiVersion":"example.com/` + version + `","spec":{` + strings.TrimPrefix(spec()+`,"list":[{`+spec()+`},{`+spec()+`}]`, ",") + `}}`
			for _, via := range versions {
				there := convert(t, c, in, via)
				for _, then := range versions {
					third := convert(t, c, there, then)
					if back := convert(t, c, third, version); !sameJSON(back, in) {
						t.Fatal(pattern, number, joined, since, "\n"+in+"\nto "+via+" is\n"+there+"\nto "+then+" is\n"+third+"\nand back\n"+back)
					}
				}
			}
		}
	}
}
