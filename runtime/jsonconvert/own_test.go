package jsonconvert

import (
	"strings"
	"testing"
)

// ownSpec has structs that Go leaves out, or writes, while the JSON has none, or an empty one. A version has a default for a field of opts.
type ownSpec struct {
	Kept  ownOpts   `json:"kept"`
	Opts  ownOpts   `json:"opts,omitzero"`
	Soft  ownSoft   `json:"soft,omitzero"`
	Items []ownItem `json:"items,omitempty"`
}

type (
	ownOpts struct {
		Level int `json:"level,omitempty"`
	}
	ownSoft struct {
		Level int `json:"level,omitempty"`
	}
	ownItem struct {
		Opts ownOpts `json:"opts,omitzero"`
	}
	ownThing struct {
		Spec ownSpec `json:"spec,omitzero"`
	}
	softThing struct {
		Spec   ownSoft  `json:"spec,omitzero"`
		Status *ownOpts `json:"status,omitempty"`
	}
)

// TestComplete keeps what Go's JSON of an object lacks, and restores it in the next conversion.
func TestComplete(t *testing.T) {
	schema := SchemaOf[ownThing]("ownOpts")
	level := Field{Newer: Key{Name: "depth"}, Default: []byte("3")}
	c, err := New(&API{
		Group:    "g",
		Kinds:    []Kind{{Name: "K", Store: Annotation}, {Name: "Soft", Store: Annotation}},
		Versions: []Version{{Name: "v1beta1", Kinds: map[string]Schema{"K": schema, "Soft": SchemaOf[softThing]("ownOpts")}}, {Name: "v1", Kinds: map[string]Schema{"K": {}, "Soft": {}}}},
		Steps: []Step{{Older: "v1beta1", Newer: "v1", Types: map[string]*Type{
			"K": {Fields: []Field{{Older: named("spec"), Newer: named("spec"), Value: Value{Type: "Spec"}}}},
			"Spec": {Fields: []Field{
				{Older: named("kept"), Newer: named("kept"), Value: Value{Type: "Opts"}}, {Older: named("opts"), Newer: named("opts"), Value: Value{Type: "Opts"}},
				{Older: named("items"), Newer: named("items"), Value: Value{Elem: &Value{Type: "Item"}}},
			}},
			"Item": {Fields: []Field{{Older: named("opts"), Newer: named("opts"), Value: Value{Type: "Opts"}}}},
			"Opts": {Fields: []Field{level}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Strict = true
	if !c.HasFilled("K", "v1beta1") || !c.CanLack("K", "v1beta1") || c.CanLack("Soft", "v1beta1") || c.CanLack("K", "v9") {
		t.Error("only K has structs with a default that are no pointers")
	}
	for _, test := range []struct{ object, written, up string }{
		{`{"opts":{}}`, `{"kept":{}}`, `{"opts":{"depth":3}}`},
		{`{"kept":{},"opts":{}}`, `{"kept":{}}`, `{"kept":{"depth":3},"opts":{"depth":3}}`},
		{`{"kept":{},"items":[{"opts":{}},{}]}`, `{"kept":{},"items":[{},{}]}`, `{"kept":{"depth":3},"items":[{"opts":{"depth":3}},{}]}`},
		{`{"kept":{"level":1},"soft":{}}`, `{"kept":{"level":1}}`, `{"kept":{"level":1,"depth":3}}`},
		{`{"kept":{"level":1},"opts":{"level":2}}`, `{"kept":{"level":1},"opts":{"level":2}}`, `{"kept":{"level":1,"depth":3},"opts":{"level":2,"depth":3}}`},
	} {
		object, written := thing("v1beta1", `,"metadata":{"name":"x"},"spec":`+test.object), thing("v1beta1", `,"metadata":{"name":"x"},"spec":`+test.written)
		complete, err := c.Complete([]byte(object), []byte(written))
		if err != nil {
			t.Fatal(err)
		}
		stored := strings.Contains(string(complete), `\"downgrades\":{\"v1beta1\":[`)
		if isSame := string(complete) == object; isSame == stored {
			t.Errorf("%s, which Go writes as %s, became %s", object, written, complete)
		}
		// What Go writes has the tracked values of the object that it was decoded from.
		if stored {
			_, annotation, _ := strings.Cut(string(complete), `"annotations"`)
			annotation, _, _ = strings.Cut(annotation, `"}`)
			written = strings.Replace(written, `"name":"x"`, `"name":"x","annotations"`+annotation+`"}`, 1)
		}
		if up, want := convert(t, c, written, "v1"), thing("v1", `,"metadata":{"name":"x"},"spec":`+test.up); !sameJSON(up, want) {
			t.Errorf("%s became %s, want %s", written, up, want)
		}
		// An edit in Go wins.
		edited := strings.Replace(written, `"kept":{`, `"opts":{"level":5},"kept":{`, 1)
		if up := convert(t, c, edited, "v1"); stored && !strings.Contains(up, `"level":5`) {
			t.Errorf("%s became %s", edited, up)
		}
	}
}
