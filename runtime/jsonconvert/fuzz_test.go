package jsonconvert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

const (
	beta = `"apiVersion":"shop.example.com/v1beta1","kind":"Shop"`
	ga   = `"apiVersion":"shop.example.com/v1","kind":"Shop"`
)

// shops has every kind of change between v1beta1 and v1: Shop renames, adds, drops, nests, moves, and is recursive.
func shops(t testing.TB, store Store) *Converter {
	t.Helper()
	key := func(name string) Key { return Key{Name: name} }
	both := func(older, newer string, v Value) Field { return Field{Older: key(older), Newer: key(newer), Value: v} }
	shelf := &Value{Type: "Shelf"}
	enum := &Type{Enum: &Enum{Up: map[string]string{`"Crimson"`: `"Red"`}, Down: map[string]string{`"Red"`: `"Crimson"`, `"Te\"al"`: `"Blue"`}}}
	c, err := New(&API{
		Group: "shop.example.com", Kinds: []Kind{{Name: "Shop", Store: store}},
		Versions: []Version{{Name: "v1alpha1"}, {Name: "v1beta1"}, {Name: "v1"}},
		Steps: []Step{
			{Older: "v1alpha1", Newer: "v1beta1", Types: map[string]*Type{
				"Shop": {Fields: []Field{both("spec", "spec", Value{Type: "Spec"})}},
				"Spec": {Fields: []Field{{Newer: Key{Name: "x"}}}},
			}},
			{Older: "v1beta1", Newer: "v1", Types: map[string]*Type{
				"Shop": {Fields: []Field{both("spec", "spec", Value{Type: "Spec"})}},
				"Spec": {
					Fields: []Field{
						both("instances", "replicas", Value{}), both("left", "right", Value{}), both("right", "left", Value{}),
						{Newer: key("currency"), Default: []byte(`"EUR"`)}, {Newer: key("token"), DefaultFunc: "Token"}, {Newer: key("notes")}, {Older: key("gone")},
						both("color", "color", Value{Type: "Color"}), both("timeout", "timeoutSeconds", Value{Call: &Call{Up: "Up", Down: "Down"}}),
						both("shelves", "shelves", Value{Elem: shelf, OlderKeys: []string{"id"}, NewerKeys: []string{"label"}}),
						both("byName", "byName", Value{Elem: &Value{Elem: shelf}}), both("shelf", "wall", Value{List: shelf}), both("host", "hosts", Value{List: &Value{}}),
						{Older: key("top")}, both("a", "a", Value{Type: "Parent"}), {Older: key("whole")}, {Newer: key("h")}, {Newer: key("p")},
					},
					Moves: []Move{{Older: []PathKey{{Key: key("top")}}, Newer: []PathKey{{Key: key("a"), Optional: true}, {Key: key("top")}}}},
					Hooks: []Hook{{Split: &Split{Whole: "whole", Pattern: []Part{{Key: "h"}, {Text: ":"}, {Key: "p"}}}, Older: []string{"whole"}, Newer: []string{"h", "p"}}},
				},
				"Shelf":  {Fields: []Field{both("id", "label", Value{}), both("children", "children", Value{Elem: shelf})}},
				"Parent": {Fields: []Field{{Newer: key("top")}}},
				"Color":  enum,
			}},
		},
		Funcs: map[string]Func{
			"Token": DefaultOf(func() string { return "t" }),
			"Up": FailingFuncOf(func(in string) (int64, error) {
				if in == "panic" {
					panic("no")
				}
				d, err := time.ParseDuration(in)
				return int64(d / time.Second), err
			}),
			"Down": FailingFuncOf(func(in int64) (string, error) {
				if in < 0 {
					return "", errors.New("negative")
				}
				return fmt.Sprint(time.Duration(in) * time.Second), nil
			}),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Strict = true
	return c
}

// FuzzConvert converts any text: it must be refused like encoding/json refuses it, or
// converted to valid JSON; what is converted up and down comes back.
func FuzzConvert(f *testing.F) {
	for _, seed := range []string{
		`{` + beta + `,"spec":{"instances":1,"left":null,"color":"Crimson","shelves":[{"id":"a"}]}}`,
		`{` + beta + `,"spec":{"x":"é\u00e9","y":-1.5e+3,"z":[true,false,null,{}]}} `,
		`{` + beta + `,"spec":{"byName":{"":[{"id":{}}]}},"apiVersion":"x"}`,
		`{` + beta + `,"spec":{"gone":[1],"top":2,"a":{"b":1},"whole":"a:b","notes":1,"currency":"x","hosts":[]},"metadata":{"annotations":{}}}`,
		`{` + beta + `,"spec":{"shelves":[{"id":"a","label":1},{"id":"a"},{"children":[{"id":2}]}],"shelf":{"id":null},"timeout":"90s"}}`,
	} {
		f.Add([]byte(seed))
	}
	converters := []*Converter{shops(f, Untracked), shops(f, Status), shops(f, Annotation)}
	f.Fuzz(func(t *testing.T, in []byte) {
		for i, c := range converters {
			up, err := c.Convert(nil, in, "v1")
			if err != nil {
				if e := (*Error)(nil); !errors.As(err, &e) {
					t.Fatalf("the error %v is no *Error", err)
				}
				if strings.Contains(err.Error(), "panicked: runtime") {
					t.Fatal(err)
				}
				if strings.Contains(err.Error(), "JSON") && json.Valid(in) && len(in) > 0 && bytes.TrimSpace(in)[0] == '{' && !strings.Contains(err.Error(), errDepth.Error()) {
					t.Fatalf("valid JSON was refused: %v", err)
				}
				continue
			}
			if !json.Valid(in) {
				t.Fatalf("invalid JSON was accepted: %q", in)
			}
			if !json.Valid(up) {
				t.Fatalf("converted to invalid JSON: %q", up)
			}
			if i > 0 {
				if back, err := c.Convert(nil, up, "v1beta1"); err == nil && !json.Valid(back) {
					t.Fatalf("converted to invalid JSON: %q", back)
				}
			}
		}
	})
}

// FuzzTracked reads texts as tracked values, which clients can change: no conversion fails because of these. As strings, they are
// those of encoding/json.
func FuzzTracked(f *testing.F) {
	for _, text := range []string{
		`{"format":1}`,
		`{"format":1,"upgrades":{"v1":[{"jsonPath":"$.spec.a","value":{"b": [1, 2]},"was":null}]},"keep":"status","null":true}`,
		`{"format":1,"downgrades":{"v1beta1":[{"jsonPath":"$.a['日本']"},{"jsonPath":"$.b[0]","lengths":[1,22]}],"v1":[]}}`,
		`{"upgrades":{"v1":[],"v1":[{"value":"\u003c<&\n"}]},"upgrades":{"v2":null}}`,
		`{"format":1e0,"Keep":"x","other":[]}`,
		`{"format":2147483648}`, `{"format":"1"}`, `{"format":null,"keep":null,"null":null,"upgrades":null}`, `{"null":1}`,
		`{"downgrades":{"v1":[{"jsonPath":"a","lengths":[1],"lengths":[2],"value":1,"value":2}]}}`,
		`{"downgrades":{"v1":[{"lengths":[]},{"lengths":null},{"lengths":[1.5]},null]}}`,
		`{"form\u0061t":1,"keep":"\u00e9"}`, ` {"format" : 1 } `, `{"format":1}x`, `null`, `[]`, `"<b>\/\\\"\u0026\u2028"`, "\"\xff\"", `""`, ``,
		`{"format":2,"upgrades":{"v1":[{"jsonPath":"$.spec.notes","value":1},{"jsonPath":"$.spec.shelves[?@.label=='a'].x","value":{}}]}}`,
		`{"format":2,"downgrades":{"v1beta1":[{"jsonPath":"$.spec.gone","value":1},{"jsonPath":"$.spec['top','a']","value":{"top":1},"was":{}}]}}`,
		`{"format":2,"hidden":[{"in":"labels","key":"a","value":"b"},{"in":"spec"},1]}`,
	} {
		f.Add([]byte(text))
	}
	converters := map[Store]*Converter{Status: shops(f, Status), Annotation: shops(f, Annotation)}
	f.Fuzz(func(t *testing.T, text []byte) {
		quoted, err := json.Marshal(string(text))
		if err != nil {
			t.Fatal(err)
		}
		for store, c := range converters {
			for _, from := range c.Versions() {
				object := `{"apiVersion":"shop.example.com/` + from + `","kind":"Shop","spec":{"shelves":[{"id":"a","label":"a"}]},"metadata":{"annotations":{"versioned.shop.example.com/changed-values":` + string(quoted) + `}}}`
				if store == Status {
					if !json.Valid(text) {
						continue
					}
					object = `{"apiVersion":"shop.example.com/` + from + `","kind":"Shop","spec":{"shelves":[{"id":"a","label":"a"}]},"status":{"changedValues":` + string(text) + `}}`
				}
				for _, to := range c.Versions() {
					out, err := c.Convert(nil, []byte(object), to)
					if err != nil || !json.Valid(out) {
						t.Fatalf("%s from %s to %s: %s, %v", object, from, to, out, err)
					}
				}
			}
		}
		var s string
		if m := (&memory{}); len(text) > 1 && text[0] == '"' && utf8.Valid(text) && json.Unmarshal(text, &s) == nil {
			if got, ok := m.unquote(m.of(string(bytes.TrimSpace(text)))); !ok || got != s {
				t.Fatalf("unquoted %q, want %q", got, s)
			}
		}
	})
}

// FuzzNodes parses texts at once, and when somebody looks inside.
func FuzzNodes(f *testing.F) {
	for _, seed := range []string{
		`{"a":[{"b":[1,"}",{}]},[],null,{"\"]":{"c":[[]]}}],"a":{}}`, `[{"a":1,"b":[]},{"a" : {"b":2} , "b":3},{"a":1},{"b":1,"a":2},{"a":1,"b":2,"a":3},{"\u0061":1,"b":2}]`, ` {"a" : [ { } , [ ] ] } `, strings.Repeat("[", 20) + strings.Repeat("]", 20), `[{}]`, `"{"`, `{}`,
	} {
		f.Add([]byte(seed))
		f.Add([]byte(`{"long":"` + strings.Repeat("x", 1000) + `","value":` + seed + `}`))
	}
	all := &shape{id: 1, members: map[string]*shape{}}
	layouts := &memory{} // with the keys of the texts before
	all.items, all.members["a"], all.members["b"], all.members["value"] = all, all, all, all
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bytes.TrimSpace(text)
		m := &memory{}
		want, err := m.parse(string(text))
		got, end, atOnce := m.at(string(text), 0, all, 0)
		if valid := err == nil; valid != json.Valid(text) || valid != (atOnce == nil && end == len(text)) {
			t.Fatalf("%q: %v at once, %v otherwise, %d bytes", text, atOnce, err, end)
		}
		again, _, known := layouts.at(string(text), 0, all, 0)
		if (known == nil) != (atOnce == nil) {
			t.Fatalf("%q: %v with known keys, %v otherwise", text, known, atOnce)
		}
		if err == nil {
			sameNodes(t, m, got, want)
			sameNodes(t, m, again, want)
		}
		layouts.reset()
	})
}

func sameNodes(t *testing.T, m *memory, got, want *node) {
	t.Helper()
	m.look(got)
	m.look(want)
	if got.kind != want.kind || m.json(got) != m.json(want) || len(got.items) != len(want.items) || len(got.keys) != len(want.keys) {
		t.Fatalf("got %s with %d values, want %s with %d", m.json(got), len(got.items), m.json(want), len(want.items))
	}
	for i := range got.items {
		sameNodes(t, m, got.items[i], want.items[i])
	}
}

// FuzzReview answers any text: the answer is always a ConversionReview.
func FuzzReview(f *testing.F) {
	f.Add([]byte(`{"apiVersion":"a","request":{"uid":"u","desiredAPIVersion":"shop.example.com/v1","objects":[{` + beta + `,"spec":{"timeout":"5s"}}]}}`))
	f.Add([]byte(`{"request":{"uid":"\u00e9","objects":{},"desiredAPIVersion":"shop.example.com/v1beta1"}}`))
	f.Add([]byte(`{"request":{"uid":1,"desiredAPIVersion":"shop.example.com/v1","objects":[{` + beta + `,"spec":{"shelves":[{"id":[]}],"byName":{"":[null]}}},[]`))
	f.Add([]byte(`{"request":{"desiredAPIVersion":"shop.example.com/v1alpha1","objects":[{` + ga + `,"status":{"changedValues":{"format":1,"upgrades":{"v1":[{"jsonPath":"$.spec[?@.a=='"}]}}}}]}}`))
	f.Add([]byte(`{"apiVersion":{},"request":{"uid":[],"desiredAPIVersion":"shop.example.com/v1","objects":[{` + ga + `,"metadata":null},{` + beta + `,"metadata":1}]}}`))
	f.Add([]byte(`{"request":{"objects":[{"apiVersion":"shop.example.com\u002fv1","kind":"\ud800"}],"request":{},"desiredAPIVersion":null}}`))
	f.Add([]byte(`{"request":{"uid":"u","desiredAPIVersion":"shop.example.com\u002fv1","objects":[ {` + beta + `,"apiVersion":1,"metadata":{"a":1},"met\u0061data":{},"spec":{"shelves":[]}} , {` + ga + `} ]}}`))
	converters := []*Converter{shops(f, Untracked), shops(f, Status), shops(f, Annotation)}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, c := range converters {
			checkAnswer(t, c, in)
		}
	})
}

// checkAnswer checks that the answer to any text is a ConversionReview, the same in one pass.
func checkAnswer(t *testing.T, c *Converter, in []byte) {
	t.Helper()
	got := c.Review(nil, in)
	if streamed, ok := newReviewer(c, in, nil).stream(nil); ok {
		if whole, err := newReviewer(c, in, nil).review(nil); err != nil || !bytes.Equal(streamed, whole) {
			t.Fatalf("%s\nin one pass  %s\nin two       %s, %v", in, streamed, whole, err)
		}
	}
	var answer struct {
		Kind     string
		Response *struct {
			ConvertedObjects []json.RawMessage
			Result           struct{ Status string }
		}
	}
	if err := json.Unmarshal(got, &answer); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if answer.Kind != "ConversionReview" || answer.Response == nil || answer.Response.ConvertedObjects == nil {
		t.Fatalf("%s", got)
	}
	if status := answer.Response.Result.Status; status != "Success" && (status != "Failed" || len(answer.Response.ConvertedObjects) > 0) {
		t.Fatalf("%s", got)
	}
}

// TestMalformed answers reviews without a request that can be read.
func TestMalformed(t *testing.T) {
	c := shops(t, Annotation)
	for in, message := range map[string]string{
		``: "request missing", `[]`: "request missing", `{}`: "request missing", `{"request":null}`: "request missing",
		`{"request":[]}`: `the ConversionReview is malformed: the field "request" must be an object`,
		`{"apiVersion":1,"request":{"desiredAPIVersion":"shop.example.com/v1"}}`: `the ConversionReview is malformed: the field "apiVersion" must be a string`,
		`{"request":{}`: "the ConversionReview is malformed", `{"request":{}} x`: "the ConversionReview is malformed",
	} {
		var answer struct {
			Response struct {
				UID    string
				Result struct {
					Status, Message string
					Code            int
				}
			}
		}
		got := c.Review([]byte("[1,"), []byte(in))
		if err := json.Unmarshal(got[3:], &answer); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if r := answer.Response; r.UID != "" || r.Result.Status != "Failed" || r.Result.Code != 400 || !strings.HasPrefix(r.Result.Message, message) {
			t.Errorf("%s: %s", in, got)
		}
	}
}

// TestWriteReview answers a review in several chunks, with objects that grow.
func TestWriteReview(t *testing.T) {
	c := shops(t, Annotation)
	for _, size := range []int{10, 1000, 2 * chunkSize} {
		object := `{` + beta + `,"spec":{"instances":1,"y":"` + strings.Repeat("y", size) + `"}}`
		for _, last := range []string{object, `{}`} {
			objects := strings.Repeat(object+",", 3*chunkSize/len(object)+1) + last
			review := []byte(`{"request":{"uid":"u","desiredAPIVersion":"shop.example.com/v1","objects":[` + objects + `]}}`)
			var out bytes.Buffer
			if err := c.WriteReview(&out, review); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), c.Review(nil, review)) {
				t.Errorf("objects of %d bytes, the last %.20s: the answer differs from that of Review", len(object), last)
			}
		}
	}
	for n := range 2 {
		w := &full{left: n}
		if err := c.WriteReview(w, []byte(`{"request":{"uid":"u","desiredAPIVersion":"shop.example.com/v1","objects":[`+strings.Repeat(`{`+ga+`},`, chunkSize/20)+`{`+ga+`}]}}`)); err == nil {
			t.Error("an answer that cannot be written is no error")
		}
	}
}

// TestSharedMemory answers reviews of all sizes at once, which have the memory of earlier ones, failed ones included.
func TestSharedMemory(t *testing.T) {
	c := shops(t, Annotation)
	var reviews, answers [][]byte
	for i, n := range []int{1, 3000, 2, 0, 40, 20_000, 7} {
		objects := strings.Repeat(`{`+beta+`,"spec":{"timeout":"5s"}},`, n)
		for _, last := range []string{`{` + beta + `,"metadata":{"name":"` + strings.Repeat("n", i) + `"}}`, `{` + beta + `,"spec":{"timeout":1}}`} {
			for _, to := range []string{"v1", "v1alpha1"} {
				reviews = append(reviews, []byte(`{"request":{"uid":"u`+to+`","desiredAPIVersion":"shop.example.com/`+to+`","objects":[`+objects+last+`]}}`))
			}
		}
	}
	for _, review := range reviews {
		answers = append(answers, c.Review(nil, review))
	}
	var group sync.WaitGroup
	for worker := range 3 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range reviews {
				n := (i + worker*5) % len(reviews)
				var out bytes.Buffer
				if err := c.WriteReview(&out, reviews[n]); err != nil || !bytes.Equal(out.Bytes(), answers[n]) {
					t.Errorf("review %d: %v\n%.200s\nwant %.200s", n, err, out.Bytes(), answers[n])
				}
			}
		}()
	}
	group.Wait()
}

// full is a writer that fails.
type full struct{ left int }

func (w *full) Write(text []byte) (int, error) {
	if w.left == 0 {
		return 0, errors.New("full")
	}
	w.left--
	return len(text), nil
}

// TestOrder answers reviews whose members have an order that only some are converted in one pass in.
func TestOrder(t *testing.T) {
	c := shops(t, Annotation)
	const uid, desired, objects = `"uid":"u"`, `"desiredAPIVersion":"shop.example.com/v1"`, `"objects":[{` + beta + `,"spec":{"instances":1}} , {` + ga + `}]`
	want := c.Review(nil, []byte(`{"apiVersion":"a","request":{`+uid+`,`+desired+`,`+objects+`}}`))
	for in, streams := range map[string]bool{
		`{"apiVersion":"a","kind":"ConversionReview","request":{` + uid + `,` + desired + `,` + objects + `}}`:       true,
		`{"apiVersion":"a","request":{` + desired + `,` + uid + `,"x":[{}],` + objects + `,"y":null},"response":{}}`: true,
		`{"request":{` + uid + `,` + desired + `,` + objects + `},"apiVersion":"a"}`:                                 false,
		`{"apiVersion":"a","request":{` + objects + `,` + uid + `,` + desired + `}}`:                                 false,
		`{"apiVersion":"a","request":{` + uid + `,` + objects + `,` + desired + `}}`:                                 false,
		`{"apiVersion":"a","request":{` + desired + `,` + objects + `,` + uid + `}}`:                                 false,
		`{"apiVersion":"a","request":{` + desired + `,"objects":[],` + objects + `,` + uid + `}}`:                    false,
		`{"apiVersion":"a","request":{"uid":"x"},"request":{` + uid + `,` + desired + `,` + objects + `}}`:           false,
	} {
		if got := c.Review(nil, []byte(in)); !bytes.Equal(got, want) {
			t.Errorf("%s:\n%s", in, got)
		}
		if _, ok := newReviewer(c, []byte(in), nil).stream(nil); ok != streams {
			t.Errorf("%s: in one pass: %t", in, ok)
		}
	}
}
