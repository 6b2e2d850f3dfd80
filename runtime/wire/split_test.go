package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// TestSplit divides strings into fields, and joins them again. The older version has the string, or the newest one.
func TestSplit(t *testing.T) {
	number := map[string]*Transform{"port": {Name: "integer", Bits: 32}, "on": {Name: "bool"}}
	for _, test := range []struct{ pattern, whole, parts, back string }{
		{"{host}:{port}", "a:80", `{"host":"a","port":80}`, ""},
		{"{host}:{port}", "a:b:80", `{"host":"a:b","port":80}`, ""},
		{"{host}:{port}", ":80", `{"port":80}`, ""},
		{"{host}:{port}", "a", `{}`, "tracked"},
		{"{host}:{port}", "a:http", `{}`, "tracked"},
		{"{host}:{port}", "a:080", `{"host":"a","port":80}`, "tracked"},
		{"{host}:{port}", "a:0", `{"host":"a","port":0}`, "tracked"},
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
		{"{a}/{b}", "", `{}`, "tracked"}, // an explicit empty string
	} {
		for _, joined := range []bool{false, true} {
			parts, err := jsonconvert.ParsePattern(test.pattern)
			if err != nil {
				t.Errorf("%s: %v", test.pattern, err)
				continue
			}
			fields := []Field{{Older: "whole", Hooked: true}}
			if joined {
				fields = []Field{{Hub: "whole", Hooked: true}}
			}
			for i := range parts {
				if p := &parts[i]; p.Key != "" {
					if p.Transform = number[p.Key]; p.Key == "port" {
						p.Zero = json.RawMessage("0")
					}
					f := Field{Hub: p.Key, Hooked: true}
					if joined {
						f = Field{Older: p.Key, Hooked: true}
					}
					fields = append(fields, f)
				}
			}
			c, err := New(Conversion{Table: &Table{Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
				{Kind: "K", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
				{Fields: fields, Hooks: []Hook{{Split: &Split{Whole: "whole", Pattern: parts, Joined: joined}, Since: "v1", Until: "v1beta1"}}},
			}}})
			if err != nil {
				t.Fatal(err)
			}
			from, to := "v1beta1", "v1"
			if joined {
				from, to = to, from
			}
			in := `{"kind":"K","apiVersion":"` + from + `","spec":{"x":1.0,"whole":` + quote(test.whole) + `}}`
			there, err := c.Convert(nil, []byte(in), to)
			back, err2 := c.Convert(nil, there, from)
			spec := newNode(there, 0).get("spec")
			spec.remove("x")
			if err := errors.Join(err, err2); err != nil || !same(spec.append(nil), []byte(test.parts)) || !same(back, []byte(in)) || bytes.Contains(there, []byte("jsonPath")) != (test.back == "tracked") {
				t.Errorf("%s of %s became %s and %s, error %v", test.pattern, in, there, back, err)
			}
			if test.back != "" {
				continue
			}
			object := `{"kind":"K","apiVersion":"` + to + `","spec":` + test.parts + `}`
			whole, err := c.Convert(nil, []byte(object), from)
			if n := newNode(whole, 0).get("spec").get("whole"); err != nil || n == nil || text(n.text) != test.whole {
				t.Errorf("%s of %s became %s, error %v", test.pattern, object, whole, err)
			}
			// An edit of a part wins.
			if edited := bytes.Replace(there, []byte(`"name":"nginx"`), []byte(`"name":"edited"`), 1); !bytes.Equal(edited, there) {
				back, err := c.Convert(nil, edited, from)
				if err != nil || !bytes.Contains(back, []byte("edited")) {
					t.Errorf("%s became %s, error %v", edited, back, err)
				}
			}
		}
	}
}

// TestSplitBack converts random texts, and random parts, by way of one or two other versions and back: empty and
// absent ones, and those that have what separates parts, at their begin or end, too.
func TestSplitBack(t *testing.T) {
	versions := []string{"v1alpha1", "v1beta1", "v1"}
	text := func(r *rand.Rand) string {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteString([]string{":", "/", "a", "0", "1", "-", "::"}[r.IntN(7)])
		}
		return quote(b.String())
	}
	pick := func(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }
	for _, pattern := range []string{"{a}:{b}", "{a}[:{b}]", "[{a}:]{b}", "[{c}/]{a}[:{b}]", "{a}::{b}", ":{a}/{b}:", "{a}:{b}:{c}"} {
		for _, number := range []*Transform{nil, {Name: "integer", Bits: 32}, {Name: "bool"}} {
			for _, joined := range []bool{false, true} {
				for _, since := range []int{1, 2} { // the version of the split
					splitLaws(t, pattern, number, joined, since, versions, text, pick)
				}
			}
		}
	}
}

func splitLaws(t *testing.T, pattern string, number *Transform, joined bool, since int, versions []string, text func(*rand.Rand) string, pick func(*rand.Rand, ...string) string) {
	t.Helper()
	parts, err := jsonconvert.ParsePattern(pattern)
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
			p.Omits = p.Key != "b" || number == nil
			keys = append(keys, p.Key)
		}
	}
	var conversions []Conversion
	for at, older := range versions[:2] {
		var fields []Field
		var hooks []Hook
		if at < since {
			own := Field{Older: "whole", Hooked: true, Fits: "Text"}
			if joined {
				own.Older, own.Hub = "", "whole"
			}
			fields = append(fields, own)
			for _, key := range keys {
				f := Field{Hub: key, Hooked: true}
				if joined {
					f.Older, f.Hub = key, ""
				}
				fields = append(fields, f)
			}
			hooks = []Hook{{Split: &Split{Whole: "whole", Pattern: parts, Joined: joined}, Since: versions[since], Until: versions[since-1]}}
		}
		if at == 0 {
			fields = append(fields, Field{Hub: "x", Since: "v1beta1"})
		}
		conversions = append(conversions, Conversion{&Table{Older: older, Hub: "v1", Versions: versions, Types: []Type{
			{Kind: "K", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
			{Fields: append(fields, Field{Older: "list", Hub: "list", Value: Value{Each: &Value{Type: 2}}}), Hooks: hooks},
		}}, map[string]Func{"Text": Fits[string]()}})
	}
	c, err := New(conversions...)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(12) {
		for from, version := range versions {
			r := rand.New(rand.NewPCG(seed, 3))
			spec := func() string {
				var members []string
				add := func(key, value string) {
					if r.IntN(3) > 0 {
						members = append(members, quote(key)+":"+value)
					}
				}
				if from < since != joined {
					add("whole", text(r))
				} else {
					for _, key := range keys {
						switch {
						case key != "b" || number == nil:
							add(key, text(r))
						case number.Name == "bool":
							add(key, pick(r, "true", "false"))
						default:
							add(key, pick(r, "0", "1", "-10", "12"))
						}
					}
				}
				if from > 0 {
					add("x", pick(r, "true", "false"))
				}
				return strings.Join(members, ",")
			}
			in := `{"kind":"K","apiVersion":"` + version + `","spec":{` + strings.TrimPrefix(spec()+`,"list":[{`+spec()+`},{`+spec()+`}]`, ",") + `}}`
			for _, via := range versions {
				there, err := c.Convert(nil, []byte(in), via)
				if err != nil {
					t.Fatalf("%s: %v", in, err)
				}
				for _, then := range versions {
					third, err := c.Convert(nil, there, then)
					if err != nil {
						t.Fatalf("%s: %v", there, err)
					}
					if back, err := c.Convert(nil, third, version); err != nil || !same(back, []byte(in)) {
						t.Fatalf("%s %v %v %d: %s\nto %s is %s\nto %s is %s\nand back %s, error %v", pattern, number, joined, since, in, via, there, then, third, back, err)
					}
				}
			}
		}
	}
}
