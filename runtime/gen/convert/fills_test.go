package convert

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Version v2 adds fields with defaults, which v3 renames and maps.
type (
	filledV1 struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Spec filledSpecV1 `json:"spec"`
	}
	filledSpecV1 struct {
		Name  string                   `json:"name,omitempty"`
		Items []filledItemV1           `json:"items,omitempty"`
		By    map[string]*filledItemV1 `json:"by,omitempty"`
		Opts  filledItemV1             `json:"opts,omitzero"`
	}
	filledItemV1 struct {
		ID string `json:"id,omitempty"`
	}
	filledV2 struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Spec filledSpecV2 `json:"spec"`
	}
	filledSpecV2 struct {
		Name  string                   `json:"name,omitempty"`
		Mode  *string                  `json:"mode,omitempty"`
		Zones []string                 `json:"zones,omitempty"`
		Items []filledItemV2           `json:"items,omitempty"`
		By    map[string]*filledItemV2 `json:"by,omitempty"`
		Opts  filledItemV2             `json:"opts,omitzero"`
	}
	filledItemV2 struct {
		ID     string `json:"id,omitempty"`
		Weight int32  `json:"weight,omitempty"`
	}
	filledV3 struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Spec filledSpecV3 `json:"spec"`
	}
	filledSpecV3 struct {
		Name     string                   `json:"name,omitempty"`
		Strategy *string                  `json:"strategy,omitempty"`
		Zones    []string                 `json:"zones,omitempty"`
		Items    []filledItemV2           `json:"items,omitempty"`
		By       map[string]*filledItemV2 `json:"by,omitempty"`
		Opts     filledItemV2             `json:"opts,omitzero"`
	}
)

func filledAPI() *jsonconvert.API {
	same := func(name string, v jsonconvert.Value) jsonconvert.Field {
		return jsonconvert.Field{Older: jsonconvert.Key{Name: name}, Newer: jsonconvert.Key{Name: name}, Value: v}
	}
	item, spec := jsonconvert.Value{Type: "Item"}, same("spec", jsonconvert.Value{Type: "Spec"})
	return &jsonconvert.API{
		Group: "test.example.com",
		Kinds: []jsonconvert.Kind{{Name: "Thing", Store: jsonconvert.Annotation}},
		Versions: []jsonconvert.Version{
			{Name: "v1", Kinds: map[string]jsonconvert.Schema{"Thing": jsonconvert.SchemaOf[filledV1]("filledSpecV1", "filledItemV1")}},
			{Name: "v2", Kinds: map[string]jsonconvert.Schema{"Thing": jsonconvert.SchemaOf[filledV2]("filledSpecV2", "filledItemV2")}},
			{Name: "v3", Kinds: map[string]jsonconvert.Schema{"Thing": jsonconvert.SchemaOf[filledV3]("filledSpecV3", "filledItemV2")}},
		},
		Steps: []jsonconvert.Step{
			{Older: "v1", Newer: "v2", Types: map[string]*jsonconvert.Type{
				"Thing": {Fields: []jsonconvert.Field{spec}},
				"Spec": {Fields: []jsonconvert.Field{
					{Newer: jsonconvert.Key{Name: "mode"}, Default: []byte(`"auto"`)}, {Newer: jsonconvert.Key{Name: "zones"}, Default: []byte(`["a","b"]`)},
					same("items", jsonconvert.Value{Elem: &item}), same("by", jsonconvert.Value{Elem: &item}), same("opts", item),
				}},
				"Item": {Fields: []jsonconvert.Field{{Newer: plain("weight", "0"), Default: []byte("3")}}},
			}},
			{Older: "v2", Newer: "v3", Types: map[string]*jsonconvert.Type{
				"Thing": {Fields: []jsonconvert.Field{spec}},
				"Spec":  {Fields: []jsonconvert.Field{{Older: jsonconvert.Key{Name: "mode"}, Newer: jsonconvert.Key{Name: "strategy"}, Value: jsonconvert.Value{Type: "Mode"}}}},
				"Mode":  {Enum: &jsonconvert.Enum{Up: map[string]string{`"auto"`: `"Automatic"`}, Down: map[string]string{`"Automatic"`: `"auto"`}}},
			}},
		},
	}
}

// TestFills compares copies that set or check defaults with what conversions of the JSON give.
func TestFills(t *testing.T) {
	objects := map[string]func() any{"v1": func() any { return &filledV1{} }, "v2": func() any { return &filledV2{} }, "v3": func() any { return &filledV3{} }}
	defaults := map[string]string{"v2": "auto", "v3": "Automatic"}
	for from, source := range objects {
		for to, target := range objects {
			if from == to {
				continue
			}
			var c Conversions
			copies := 0
			for seed := range uint64(600) {
				f := &filler{rand.New(rand.NewPCG(seed, 1)), 30}
				in := source()
				f.fill(reflect.ValueOf(in).Elem(), 0)
				spec := reflect.ValueOf(in).Elem().FieldByName("Spec")
				if f.IntN(2) == 0 {
					asDefault(spec, defaults[from])
				}
				if compare(t, &c, filledAPI, in, target(), from, to) {
					copies++
				}
				there, back := target(), source()
				if err := errors.Join(c.thing(in, there, from, to), c.thing(there, back, to, from)); err != nil {
					t.Fatal(err)
				}
				if before, after := encodedOf(in), encodedOf(back); before != after {
					t.Errorf("from %s to %s: %s came back as %s", from, to, before, after)
				}
				if t.Failed() {
					return
				}
			}
			if copies < 100 {
				t.Errorf("from %s to %s only %d objects were copied", from, to, copies)
			}
		}
	}
}

// thing converts an object of the kind, whose Go types have other names.
func (c *Conversions) thing(in, out any, from, to string) error {
	source, target := reflect.ValueOf(in).Elem(), reflect.ValueOf(out).Elem()
	r, err := c.newRoute(source.Type(), target.Type(), "Thing", from, to)
	if err != nil {
		return err
	}
	return c.object(r, source, target)
}

// asDefault sets the fields that v2 adds to their defaults.
func asDefault(spec reflect.Value, mode string) {
	for _, name := range []string{"Mode", "Strategy"} {
		if f := spec.FieldByName(name); f.IsValid() {
			f.Set(reflect.ValueOf(&mode))
		}
	}
	if f := spec.FieldByName("Zones"); f.IsValid() {
		f.Set(reflect.ValueOf([]string{"a", "b"}))
	}
	if f := spec.FieldByName("Items"); f.Type() == reflect.TypeFor[[]filledItemV2]() {
		for i := range f.Len() {
			f.Index(i).FieldByName("Weight").SetInt(3)
		}
		for entry := spec.FieldByName("By").MapRange(); entry.Next(); {
			if item := entry.Value().Interface().(*filledItemV2); item != nil {
				item.Weight = 3
			}
		}
		if opts := spec.FieldByName("Opts"); !opts.IsZero() {
			opts.FieldByName("Weight").SetInt(3)
		}
	}
}
