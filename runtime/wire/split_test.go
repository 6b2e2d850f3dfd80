package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
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
			parts, err := ParsePattern(test.pattern)
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
	s := &Split{Whole: "whole", Pattern: []Part{{Key: "a"}, {Text: ":"}, {Key: "port", Transform: number["port"]}}}
	for object, want := range map[string]string{`{"a":1}`: "a is 1, which is not a string", `{"port":[]}`: "[] is neither a number nor a bool"} {
		if _, err := s.join(newNode([]byte(object), 0)); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", object, err, want)
		}
	}
	if _, err := s.hook(true)([]byte(`[{"whole":1},{}]`)); err == nil || err.Error() != "whole is 1, which is not a string" {
		t.Error(err)
	}
	var parts struct {
		A    string `json:"a"`
		Port int32  `json:"port"`
	}
	if err := Divided(*s, "x:7", &parts); err != nil || parts.A != "x" || parts.Port != 7 {
		t.Errorf("%v, error %v", parts, err)
	}
	if whole, err := Joined(*s, &parts); err != nil || whole != "x:7" {
		t.Errorf("%s, error %v", whole, err)
	}
}
