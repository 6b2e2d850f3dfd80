package roundtrip

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/runtime/wire"
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

type OlderSpec struct {
	Title string            `json:"title,omitempty"`
	Size  int64             `json:"size,omitempty"`
	Ready *bool             `json:"ready,omitempty"`
	Color Color             `json:"color,omitempty"`
	Parts []Part            `json:"parts,omitempty"`
	Data  map[string][]byte `json:"data,omitempty"`
}

type OlderThing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OlderSpec `json:"spec,omitempty"`
}

// planted is an API with a fault.
type planted struct {
	table    *wire.Table
	spec     *wire.Type
	funcs    map[string]wire.Func
	up       func(in *OlderThing, out *Thing) error
	down     func(in *Thing, out *OlderThing) error
	excepted []Field
}

func sound() *planted {
	p := &planted{
		table: &wire.Table{Group: "example.com", Older: "v1beta1", Hub: "v1", Types: []wire.Type{
			{Kind: "Thing", Fields: []wire.Field{{Older: "spec", Hub: "spec", Value: wire.Value{Type: 2}}}},
			{Fields: []wire.Field{{Older: "title", Hub: "name"}, {Hub: "label"}}},
		}},
		funcs: map[string]wire.Func{},
		up: func(in *OlderThing, out *Thing) error {
			in.DeepCopyInto(&out.ObjectMeta)
			s := in.Spec
			out.Spec = Spec{Name: s.Title, Size: s.Size, Color: s.Color}
			return copied(s.Ready, s.Parts, s.Data, &out.Spec.Ready, &out.Spec.Parts, &out.Spec.Data)
		},
		down: func(in *Thing, out *OlderThing) error {
			in.DeepCopyInto(&out.ObjectMeta)
			s := in.Spec
			out.Spec = OlderSpec{Title: s.Name, Size: s.Size, Color: s.Color}
			return copied(s.Ready, s.Parts, s.Data, &out.Spec.Ready, &out.Spec.Parts, &out.Spec.Data)
		},
		excepted: []Field{{Versions: []string{"v1"}, Type: "Spec", Key: "label", Lost: []string{"v1beta1"}, Missing: []string{"v1beta1"}}},
	}
	p.spec = &p.table.Types[1]
	return p
}

func copied(ready *bool, parts []Part, data map[string][]byte, toReady **bool, toParts *[]Part, toData *map[string][]byte) error {
	text, err := json.Marshal(Spec{Ready: ready, Parts: parts, Data: data})
	var s Spec
	err = errors.Join(err, json.Unmarshal(text, &s))
	*toReady, *toParts, *toData = s.Ready, s.Parts, s.Data
	return err
}

func (p *planted) run(t *testing.T) string {
	t.Helper()
	s, err := newSuite(API{
		Wire: []wire.Conversion{{Table: p.table, Funcs: p.funcs}},
		Kinds: [][]Version{{Older("v1beta1",
			func(in *OlderThing, out *Thing, _ conversion.Scope) error { return p.up(in, out) },
			func(in *Thing, out *OlderThing, _ conversion.Scope) error { return p.down(in, out) },
		)}},
		Values: []Values{{Versions: []string{"v1beta1", "v1"}, Type: "Color", JSON: []string{`"Red"`, `"Blue"`}}},
		Fields: p.excepted,
	})
	if err != nil {
		t.Fatal(err)
	}
	var violations []string
	for _, f := range s.origins() {
		violations = append(violations, f.run(1, 200)...)
	}
	return strings.Join(violations, "\n")
}

// TestFaults plants faults in a sound conversion: each breaks its law, with the smallest
// object that shows it.
func TestFaults(t *testing.T) {
	object := func(change func(o, spec map[string]any)) wire.Func {
		return func(text []byte) ([]byte, error) {
			var o map[string]any
			if err := utiljson.Unmarshal(text, &o); err != nil {
				return nil, err
			}
			spec, _ := o["spec"].(map[string]any)
			change(o, spec)
			return json.Marshal(o)
		}
	}
	value := func(convert func(string) (string, error)) wire.Func {
		return func(text []byte) ([]byte, error) {
			out, err := convert(string(text))
			return []byte(out), err
		}
	}
	for name, test := range map[string]struct {
		plant func(*planted)
		want  string
	}{
		"none": {func(*planted) {}, ""},
		"JSON drops a field": {func(p *planted) { p.spec.Fields = append(p.spec.Fields, wire.Field{Older: "size"}) },
			"from v1beta1 by way of v1, seed 1: L2, JSON: .spec.size: 1 became nothing\nobject: " + `{"apiVersion":"example.com/v1beta1","kind":"Thing","spec":{"size":1}}`},
		"JSON drops a field of the hub": {func(p *planted) { p.spec.Fields = append(p.spec.Fields, wire.Field{Hub: "ready"}) },
			"L1, JSON: .spec.ready: "},
		"an exception that is missing": {func(p *planted) { p.excepted = nil }, `L1, JSON: .spec.label: "a" became nothing`},
		"a value from nowhere": {func(p *planted) { p.spec.Fields[1].Fill = []byte(`"x"`) },
			"L4, JSON: .spec.label: nothing became a value\nobject: " + `{"apiVersion":"example.com/v1beta1","kind":"Thing","spec":{}}`},
		"JSON changes metadata": {func(p *planted) {
			p.table.Types[0] = wire.Type{Kind: "Thing", Up: "up"}
			p.funcs["up"] = object(func(o, _ map[string]any) { o["apiVersion"], o["metadata"] = "example.com/v1", map[string]any{} })
		}, "L7, JSON: metadata: {"},
		"unknown fields": {func(p *planted) {
			p.table.Types = append(p.table.Types, wire.Type{Up: "part"})
			p.spec = &p.table.Types[1]
			p.spec.Fields = append(p.spec.Fields, wire.Field{Older: "parts", Hub: "parts", Value: wire.Value{Each: &wire.Value{Type: 3}}})
			p.funcs["part"] = wire.Typed(func(in, out *Part) error { *out = *in; return nil })
		}, "L5, JSON: .spec.parts[0].x-unknown-001"},
		"JSON fails": {func(p *planted) {
			p.spec.Fields = append(p.spec.Fields, wire.Field{Older: "ready", Hub: "ready", Value: wire.Value{Up: "f"}})
			p.funcs["f"] = value(func(string) (string, error) { return "", errors.New("no") })
		}, "JSON does not convert, and Go objects do: $.spec.ready: no"},
		"the way back fails": {func(p *planted) {
			p.spec.Fields = append(p.spec.Fields, wire.Field{Older: "size", Hub: "size", Value: wire.Value{Down: "f"}})
			p.funcs["f"] = value(func(string) (string, error) { return "", errors.New("no") })
		}, "L2, JSON: $.spec.size: no"},
		"an edit is undone": {func(p *planted) {
			p.table.Types[0] = wire.Type{Kind: "Thing", Up: "up", Down: "down"}
			p.funcs["down"] = object(func(o, spec map[string]any) {
				o["apiVersion"] = "example.com/v1beta1"
				if name, ok := spec["name"]; ok {
					spec["title"], o["stash"] = name, name
					delete(spec, "name")
				}
				delete(spec, "label")
			})
			p.funcs["up"] = object(func(o, spec map[string]any) {
				o["apiVersion"] = "example.com/v1"
				if title, ok := spec["title"]; ok {
					spec["name"] = title
					delete(spec, "title")
				}
				if name, ok := o["stash"]; ok && spec != nil {
					spec["name"] = name
					delete(o, "stash")
				}
			})
			p.excepted = append(p.excepted, Field{Versions: []string{"v1", "v1beta1"}, Type: "OlderThing", Decoded: true}, Field{Versions: []string{"v1"}, Type: "Thing", Decoded: true})
		}, `L3, JSON: .spec.title: "an edit" became "a"`},
		"Go drops a field": {func(p *planted) {
			p.down = func(in *Thing, out *OlderThing) error {
				out.ObjectMeta, out.Spec = *in.DeepCopy(), OlderSpec{Title: in.Spec.Name}
				return nil
			}
		}, "JSON and Go objects convert differently: .spec."},
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
		}, "the original changes: .spec"},
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

// TestIdentify shows that the items of sets and keyed lists are told apart by value, not by spelling.
func TestIdentify(t *testing.T) {
	g := &generator{}
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
	} {
		a, errA := parse([]byte(test.a))
		b, errB := parse([]byte(test.b))
		if err := errors.Join(errA, errB); err != nil {
			t.Fatal(err)
		}
		keys := []string{"name"}
		if a.kind == 's' {
			keys = nil
		}
		if got := g.identify(nil, a, keys) == g.identify(nil, b, keys); got != test.same {
			t.Errorf("%s and %s: one item %t, want %t", test.a, test.b, got, test.same)
		}
	}
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
	s := &shapes{know: map[string]map[string]flags{"Color": {"": {values: []string{`"Red"`}, closed: true}}}, pkg: reflect.TypeFor[Color]().PkgPath()}
	for seed := range uint64(50) {
		g := &generator{Rand: random(seed), shapes: s, left: 9}
		text := []byte(g.list(reflect.TypeFor[[]item](), flags{keys: []string{"number", "on", "name"}}, 0, false).String())
		var items []item
		if err := json.Unmarshal(text, &items); err != nil {
			t.Errorf("seed %d: %v: %s", seed, err, text)
		}
		for _, i := range items {
			if i.Name != "Red" {
				t.Errorf("seed %d: the key %q is no constant: %s", seed, i.Name, text)
			}
		}
	}
}

// TestZero compares objects of which one has a zero value and the other lacks it, in a field for which this
// makes no difference.
func TestZero(t *testing.T) {
	type below struct {
		Wait *metav1.Duration `json:"wait"`
		On   bool             `json:"on"`
	}
	type all struct {
		Wait  metav1.Duration   `json:"wait"`
		Size  resource.Quantity `json:"size"`
		Since metav1.Time       `json:"since"`
		Text  string            `json:"text"`
		Below below             `json:"below"`
	}
	typ, flag := reflect.TypeFor[all](), flags{zero: true}
	s := &shapes{know: map[string]map[string]flags{"all": {"wait": flag, "size": flag, "since": flag, "text": flag, "below": flag}}, pkg: typ.PkgPath()}
	for text, zero := range map[string]bool{
		`{"wait":"0s"}`: true, `{"wait":"1s"}`: false, `{"size":"0"}`: true, `{"size":"0s"}`: false, `{"since":null}`: true,
		`{"text":""}`: true, `{"text":"0s"}`: false, `{"other":"0s"}`: false,
		`{"below":{}}`: true, `{"below":{"on":false,"wait":"0s"}}`: true, `{"below":{"on":true}}`: false, `{"below":{"other":"0s"}}`: false,
	} {
		n, err := parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if d := (comparison{shapes: s, exact: true}).diff(n, object(), typ, "", false); (d == nil) != zero {
			t.Errorf("%s: zero %t, want %t", text, d == nil, zero)
		}
	}
}
