package roundtrip

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/runtime/convert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

type Color string

type Spec struct {
	Name  string            `json:"name,omitempty"`
	Size  int64             `json:"size,omitempty"`
	Ready *bool             `json:"ready,omitempty"`
	Color Color             `json:"color,omitempty"`
	Parts []Part            `json:"parts,omitempty"`
	Data  map[string][]byte `json:"data,omitempty"`
	Label string            `json:"label,omitempty"` // v1 only
}

type Part struct {
	ID     string `json:"id"`
	Weight int32  `json:"weight,omitempty"`
}

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec,omitempty"`
}

type OlderPart struct {
	Name   string `json:"name"`
	Weight int32  `json:"weight,omitempty"`
}

type OlderSpec struct {
	Title string            `json:"title,omitempty"`
	Size  int64             `json:"size,omitempty"`
	Ready *bool             `json:"ready,omitempty"`
	Color Color             `json:"color,omitempty"`
	Parts []OlderPart       `json:"parts,omitempty"`
	Data  map[string][]byte `json:"data,omitempty"`
}

type OlderThing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OlderSpec `json:"spec,omitempty"`
}

// planted is an API with a fault.
type planted struct {
	api         *jsonconvert.API
	thing, spec *jsonconvert.Type
	up          func(in *OlderThing, out *Thing) error
	down        func(in *Thing, out *OlderThing) error
	once        sync.Once
	converter   *jsonconvert.Converter
	err         error
}

func both(older, newer string, v jsonconvert.Value) jsonconvert.Field {
	return jsonconvert.Field{Older: jsonconvert.Key{Name: older}, Newer: jsonconvert.Key{Name: newer}, Value: v}
}

func sound() *planted {
	p := &planted{
		thing: &jsonconvert.Type{Fields: []jsonconvert.Field{{
			Older: jsonconvert.Key{Name: "spec", EmptyIsAbsent: true}, Newer: jsonconvert.Key{Name: "spec", EmptyIsAbsent: true}, Value: jsonconvert.Value{Type: "Spec"},
		}}},
		spec: &jsonconvert.Type{Fields: []jsonconvert.Field{
			{Older: jsonconvert.Key{Name: "title", Zero: `""`}, Newer: jsonconvert.Key{Name: "name", Zero: `""`}},
			{Newer: jsonconvert.Key{Name: "label", Zero: `""`}},
			both("parts", "parts", jsonconvert.Value{Elem: &jsonconvert.Value{Type: "Part"}, OlderKeys: []string{"name"}, NewerKeys: []string{"id"}}),
		}},
	}
	p.api = &jsonconvert.API{
		Group: "example.com", Kinds: []jsonconvert.Kind{{Name: "Thing", Store: jsonconvert.Annotation}},
		Versions: []jsonconvert.Version{
			{Name: "v1beta1", Kinds: map[string]jsonconvert.Schema{"Thing": jsonconvert.SchemaOf[OlderThing]()}},
			{Name: "v1", Kinds: map[string]jsonconvert.Schema{"Thing": jsonconvert.SchemaOf[Thing]()}},
		},
		Steps: []jsonconvert.Step{{Older: "v1beta1", Newer: "v1", Types: map[string]*jsonconvert.Type{
			"Thing": p.thing, "Spec": p.spec,
			"Part": {Fields: []jsonconvert.Field{{Older: jsonconvert.Key{Name: "name", Zero: `""`, Required: true}, Newer: jsonconvert.Key{Name: "id", Zero: `""`, Required: true}}}},
		}}},
		Funcs: map[string]jsonconvert.Func{},
	}
	p.up = func(in *OlderThing, out *Thing) error { return p.byJSON(in, out, "v1") }
	p.down = func(in *Thing, out *OlderThing) error { return p.byJSON(in, out, "v1beta1") }
	return p
}

// byJSON converts Go objects as generated code does.
func (p *planted) byJSON(in, out any, to string) error {
	p.once.Do(func() { p.converter, p.err = jsonconvert.New(p.api) })
	if p.err != nil {
		return p.err
	}
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if text, err = p.converter.Convert(nil, text, to); err != nil {
		return err
	}
	return utiljson.Unmarshal(text, out)
}

func (p *planted) run(t *testing.T) string {
	t.Helper()
	s, err := newSuite(API{
		JSON: p.api,
		Kinds: [][]Version{{Older("v1beta1",
			func(in *OlderThing, out *Thing, _ conversion.Scope) error { return p.up(in, out) },
			func(in *Thing, out *OlderThing, _ conversion.Scope) error { return p.down(in, out) },
		)}},
		Values: []Values{{Versions: []string{"v1beta1", "v1"}, Type: "Color", JSON: []string{`"Red"`, `"Blue"`}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var violations []string
	for _, o := range s.origins() {
		violations = append(violations, o.run(1, 200)...)
	}
	return strings.Join(violations, "\n")
}

// TestFaults plants faults in a sound conversion: each breaks its law, with the smallest
// object that shows it.
func TestFaults(t *testing.T) {
	size := func(p *planted, up, down func(string) (string, error)) {
		k := jsonconvert.Key{Name: "size", Zero: "0"}
		p.spec.Fields = append(p.spec.Fields, jsonconvert.Field{Older: k, Newer: k, Value: jsonconvert.Value{Call: &jsonconvert.Call{Up: "up", Down: "down"}}})
		for name, f := range map[string]func(string) (string, error){"up": up, "down": down} {
			p.api.Funcs[name] = func(text []byte) ([]byte, error) {
				out, err := f(string(text))
				return []byte(out), err
			}
		}
	}
	same := func(text string) (string, error) { return text, nil }
	for name, test := range map[string]struct {
		plant func(*planted)
		want  string
	}{
		"none": {func(*planted) {}, ""},
		"what is stored comes back": {func(p *planted) {
			p.spec.Fields = append(p.spec.Fields, jsonconvert.Field{Older: jsonconvert.Key{Name: "size"}}, jsonconvert.Field{Newer: jsonconvert.Key{Name: "ready"}})
		}, ""},
		"nothing is stored": {func(p *planted) { p.api.Kinds[0].Store = jsonconvert.Untracked }, ""},
		"a function that depends on calls": {func(p *planted) {
			n := 0
			size(p, func(string) (string, error) { n++; return fmt.Sprint(n), nil }, same)
		}, "from v1beta1 through v1, seed "},
		"a function that fails": {func(p *planted) {
			p.thing.Down, p.api.Funcs["no"] = "no", func([]byte) ([]byte, error) { return nil, errors.New("no") }
		}, "Thing: no object of v1 converts to all versions, such as: $: no"},
		"a result of another type": {func(p *planted) {
			size(p, func(string) (string, error) { return `"x"`, nil }, func(string) (string, error) { return "1", nil })
		},
			"from v1beta1 through v1, seed 3: Go cannot read the object: json: cannot unmarshal string into Go struct field Spec.spec.size of type int64\nobject: " +
				`{"apiVersion":"example.com/v1beta1","kind":"Thing","spec":{"size":1}}`},
		"metadata is lost": {func(p *planted) {
			of := sound()
			p.thing.Up, p.api.Funcs["up"] = "up", jsonconvert.WholeOf(func(in *OlderThing, out *Thing, _ conversion.Scope) error {
				err := of.up(in, out)
				out.ObjectMeta = metav1.ObjectMeta{}
				return err
			})
		}, `L7: .metadata`},
		"a zero value is not absent": {func(p *planted) {
			of := sound()
			p.thing.Up, p.api.Funcs["up"] = "up", func(text []byte) ([]byte, error) {
				in, out := &OlderThing{}, &Thing{}
				if err := errors.Join(utiljson.Unmarshal(text, in), of.up(in, out)); err != nil {
					return nil, err
				}
				if strings.Contains(string(text), `"size":0`) {
					out.Spec.Label = "none"
				}
				return json.Marshal(out)
			}
		}, `L8: .spec`},
		"Go drops a field": {func(p *planted) {
			p.down = func(in *Thing, out *OlderThing) error {
				out.ObjectMeta, out.Spec = *in.DeepCopy(), OlderSpec{Title: in.Spec.Name}
				return nil
			}
		}, "JSON and Go objects convert differently: .spec."},
		"Go fails": {func(p *planted) {
			p.down = func(*Thing, *OlderThing) error { return errors.New("no") }
		}, "JSON and Go objects convert differently: JSON fails with <nil> became Go objects fail with no"},
		"Go shares memory": {func(p *planted) {
			up := p.up
			p.up = func(in *OlderThing, out *Thing) error {
				err := up(in, out)
				out.Spec.Data = in.Spec.Data
				return err
			}
		}, "memory is shared: .Spec.Data"},
		"Go changes the original": {func(p *planted) {
			up := p.up
			p.up = func(in *OlderThing, out *Thing) error {
				err := up(in, out)
				in.Spec.Title = "changed"
				return err
			}
		}, "the original changes: "},
		"Go changes metadata": {func(p *planted) {
			up := p.up
			p.up = func(in *OlderThing, out *Thing) error {
				err := up(in, out)
				out.Labels = nil
				return err
			}
		}, "JSON and Go objects convert differently: .metadata.labels"},
	} {
		t.Run(name, func(t *testing.T) {
			p := sound()
			test.plant(p)
			got := p.run(t)
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestInvented reports fields that a step has no reason to fill.
func TestInvented(t *testing.T) {
	step := &jsonconvert.Step{Types: map[string]*jsonconvert.Type{
		"Thing": {Fields: []jsonconvert.Field{both("spec", "spec", jsonconvert.Value{Type: "Spec"})}, Moves: []jsonconvert.Move{{
			Older: []jsonconvert.PathKey{{Key: jsonconvert.Key{Name: "top"}}},
			Newer: []jsonconvert.PathKey{{Key: jsonconvert.Key{Name: "spec"}}, {Key: jsonconvert.Key{Name: "moved"}}},
		}}},
		"Spec": {Fields: []jsonconvert.Field{
			both("old", "new", jsonconvert.Value{}), {Newer: jsonconvert.Key{Name: "added"}}, {Newer: jsonconvert.Key{Name: "filled"}, Default: []byte("1")},
			{Newer: jsonconvert.Key{Name: "moved"}}, both("items", "items", jsonconvert.Value{Elem: &jsonconvert.Value{Type: "Spec"}}),
		}},
	}}
	for _, test := range []struct{ x, y, want string }{
		{`{"spec":{"old":1}}`, `{"spec":{"new":1,"filled":1}}`, ""},
		{`{"top":1}`, `{"spec":{"moved":1}}`, ""},
		{`{"spec":{}}`, `{"spec":{"added":1}}`, ".spec.added"},
		{`{"spec":{}}`, `{"spec":{"new":1}}`, ".spec.new"},
		{`{"spec":{}}`, `{"spec":{},"status":{}}`, ".status"},
		{`{"spec":{"items":[{"old":1},{}]}}`, `{"spec":{"items":[{"new":1},{"new":2}]}}`, ".spec.items[1].new"},
	} {
		e := &explainer{step: step, side: 1, moved: map[string]bool{}}
		if got := e.value(tree(t, test.x), tree(t, test.y), &jsonconvert.Value{Type: "Thing"}, ""); got != test.want {
			t.Errorf("%s becomes %s: %q, want %q", test.x, test.y, got, test.want)
		}
	}
}

func tree(t *testing.T, text string) *node {
	t.Helper()
	n, err := parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestIdentity shows that the items of sets and keyed lists are told apart by value, not by spelling.
func TestIdentity(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{`{"name":"\ud83d\ude00"}`, `{"name":"😀"}`, true},
		{`{"name":"a","x":1}`, `{"name":"a","x":2}`, true},
		{`{"name":0}`, `{"name":-0}`, true},
		{`{"name":1e2}`, `{"name":100}`, true},
		{`{"name":"1"}`, `{"name":1}`, false},
		{`"a/b"`, `"a\/b"`, true},
		{`{"name":"a"}`, `{"name":"b"}`, false},
		{`{"name":"a"}`, `{}`, false},
	} {
		a, b, keys := tree(t, test.a), tree(t, test.b), []string{"name"}
		if a.kind == 's' {
			keys = nil
		}
		if got := identity(a, keys) == identity(b, keys); got != test.same {
			t.Errorf("%s and %s: one item %t, want %t", test.a, test.b, got, test.same)
		}
	}
}

// shapeFor returns the shape of a type without conversions.
func shapeFor[T any](values ...Values) *shape {
	api := &API{JSON: &jsonconvert.API{}, Values: values}
	s := jsonconvert.SchemaOf[T]("Filled")
	b := &shaper{api: api, version: &version{name: "v1", typ: indirect(reflect.TypeFor[T]())}, shapes: map[rule]*shape{}}
	return b.of(rule{typ: reflect.TypeFor[T](), schema: &s})
}

// TestKeys makes items of keyed lists: keys that they lack have the types of the fields.
func TestKeys(t *testing.T) {
	type numbered struct {
		Number int32 `json:"number"`
		On     *bool `json:"on"`
	}
	type item struct {
		numbered `json:",inline"`
		Name     Color `json:"name"`
	}
	type list struct {
		Items []item `json:"items"`
	}
	s := shapeFor[list](Values{Versions: []string{"v1"}, Type: "Color", Closed: true, JSON: []string{`"Red"`}})
	f := s.field("items")
	f.keys = []string{"number", "on", "name"}
	for seed := range uint64(50) {
		g := &generator{Rand: random(seed), left: 9}
		text := g.field(f, 0).String()
		var items []item
		if err := json.Unmarshal([]byte(text), &items); err != nil {
			t.Errorf("seed %d: %v: %s", seed, err, text)
		}
		for _, i := range items {
			if i.Name != "Red" && i.Name != "" {
				t.Errorf("seed %d: the key %q is no constant: %s", seed, i.Name, text)
			}
		}
	}
}

type Filled struct {
	On bool `json:"on,omitempty"`
}

// TestSame compares objects of which one has a value and the other lacks it.
func TestSame(t *testing.T) {
	type below struct {
		Wait metav1.Duration `json:"wait"`
		On   bool            `json:"on"`
	}
	type all struct {
		Wait    metav1.Duration        `json:"wait"`
		Later   *metav1.Duration       `json:"later"`
		Size    resource.Quantity      `json:"size"`
		Since   metav1.Time            `json:"since"`
		Text    string                 `json:"text"`
		Pointer *string                `json:"pointer"`
		Below   below                  `json:"below"`
		Filled  Filled                 `json:"filled"`
		List    []string               `json:"list"`
		Pair    [2]int                 `json:"pair"`
		Map     map[string]below       `json:"map"`
		Values  *convert.ChangedValues `json:"values"`
	}
	s := shapeFor[all]()
	for text, absent := range map[string]bool{
		`{"wait":"0s"}`: true, `{"wait":"1s"}`: false, `{"later":"0s"}`: false, `{"later":null}`: true, `{"size":"0"}`: true, `{"size":"0s"}`: false,
		`{"since":null}`: true, `{"text":""}`: true, `{"text":"0s"}`: false, `{"other":"0s"}`: false, `{"other":null}`: false, `{"pointer":""}`: false,
		`{"below":{}}`: true, `{"below":{"on":false,"wait":"0s"}}`: true, `{"below":{"on":true}}`: false, `{"below":{"other":"0s"}}`: false,
		`{"filled":{}}`: false, `{"list":[]}`: false, `{"pair":[0,0]}`: true, `{"pair":[0,1]}`: false, `{"map":{}}`: true, `{"map":{"a":{}}}`: false,
	} {
		n := tree(t, text)
		for _, d := range []*difference{(comparison{}).diff(n, object(), s), (comparison{}).diff(object(), n, s)} {
			if (d == nil) != absent {
				t.Errorf("%s: absent %t, want %t", text, d == nil, absent)
			}
		}
		if bare := n.bare(s); (bare.String() == "{}") != absent {
			t.Errorf("%s: bare %s, absent %t", text, bare, absent)
		}
	}
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{`{"text":"é"}`, `{"text":"\u00e9"}`, true}, {`{"pair":[1,2]}`, `{"pair":[1.0,20e-1]}`, true}, {`{"other":1.0}`, `{"other":1}`, false},
		{`{"map":{"a":{}}}`, `{"map":{"a":{"on":false}}}`, true}, {`{"map":{"a":{}}}`, `{"map":{"a":null}}`, false}, {`{"text":"1"}`, `{"text":1}`, false},
	} {
		if d := (comparison{}).diff(tree(t, test.a), tree(t, test.b), s); (d == nil) != test.same {
			t.Errorf("%s and %s: same %t, want %t", test.a, test.b, d == nil, test.same)
		}
	}
}

// TestUntracked removes stored values, and what was made for these.
func TestUntracked(t *testing.T) {
	status := func(values string) string { return `{"status":{"changedValues":` + values + `}}` }
	annotation := func(values string) string {
		return `{"metadata":{"annotations":{"versioned.example.com/changed-values":` + spell(values) + `}}}`
	}
	for _, test := range []struct {
		store      jsonconvert.Store
		text, want string
	}{
		{jsonconvert.Status, status(`{"format":2}`), `{}`},
		{jsonconvert.Status, status(`{"keep":"status"}`), `{"status":{}}`},
		{jsonconvert.Status, status(`{"null":true}`), `{"status":null}`},
		{jsonconvert.Status, `{"status":{"a":1,"changedValues":{}}}`, `{"status":{"a":1}}`},
		{jsonconvert.Annotation, annotation(`{}`), `{}`},
		{jsonconvert.Annotation, annotation(`{"keep":"metadata"}`), `{"metadata":{}}`},
		{jsonconvert.Annotation, annotation(`{"keep":"annotations"}`), `{"metadata":{"annotations":{}}}`},
		{jsonconvert.Annotation, annotation(`{"keep":"metadata","null":true}`), `{"metadata":{"annotations":null}}`},
		{jsonconvert.Annotation, annotation(`{"null":true}`), `{"metadata":null}`},
		{jsonconvert.Annotation, annotation(`no JSON`), annotation(`no JSON`)},
	} {
		o := &origin{suite: &suite{api: &jsonconvert.API{Group: "example.com"}}, kind: &kind{store: test.store}}
		if got := o.untracked(tree(t, test.text)).String(); got != test.want {
			t.Errorf("%s: %s, want %s", test.text, got, test.want)
		}
	}
}
