package wire

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestOmitted converts an object in which Go has left out a struct that has only tracked values. The field that the
// restored struct lacks stays absent, although the other direction fills it in.
func TestOmitted(t *testing.T) {
	c, err := New(Conversion{Table: &Table{Group: "shop.example.com", Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
		{Kind: "Shop", Store: Annotation, Fields: []Field{{Older: "old", Hub: "new", Value: Value{Type: 2}, OlderOmits: true, HubOmits: true}}},
		{Fields: []Field{{Older: "gone", Until: "v1beta1"}, {Hub: "added", Since: "v1", Fill: json.RawMessage(`"a"`)}}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	const tracked = `,"metadata":{"annotations":{"versioned.shop.example.com/changed-values":"{\"format\":1,\"downgrades\":{\"v1beta1\":[{\"jsonPath\":\"$.old.gone\",\"value\":true}]}}"}}`
	older := newNode(convertTo(t, c, shop("v1", tracked), "v1beta1"), 0)
	if got := string(older.get("old").json()); got != `{"gone":true}` {
		t.Errorf("v1beta1 has %s", got)
	}
	hub := newNode(convertTo(t, c, older.append(nil), "v1"), 0)
	if got := string(hub.get("new").json()); got != `{}` {
		t.Errorf("v1 has %s", got)
	}
}

// TestOmittedZero converts zero values of a version between that are other values in the newest version, which Go leaves out
// there with their struct: then they are like absent ones, and nothing needs to be tracked.
func TestOmittedZero(t *testing.T) {
	type hub struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitzero"`
		Spec              struct {
			Size int64  `json:"size"`
			Text string `json:"text,omitempty"`
		} `json:"spec,omitzero"`
	}
	table := func(older string, size Field) Conversion {
		return Conversion{Table: &Table{Group: "shop.example.com", Older: older, Hub: "v1", Versions: []string{"v1alpha1", "v1beta1", "v1beta2", "v1"}, Types: []Type{
			{Kind: "Shop", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}, HubOmits: true}}},
			{Fields: []Field{size}},
		}}}
	}
	size := Value{Transforms: []Transform{{Name: "quantity", Args: []string{"Mi"}, Bits: 64}}, Until: "v1beta1"}
	c, err := New(
		table("v1alpha1", Field{Hub: "size", Since: "v1", HubZero: json.RawMessage(`0`)}),
		table("v1beta1", Field{Older: "size", Hub: "size", OlderZero: json.RawMessage(`""`), HubZero: json.RawMessage(`0`), Value: size}),
		table("v1beta2", Field{Older: "tag", Hub: "label"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	annotation := TrackingAnnotation("shop.example.com")
	for _, test := range []struct {
		spec               string
		inGo, inJSON, gone bool // whether the newest version tracks a value, and whether another older one has none
	}{
		{spec: `{"size":""}`, inJSON: true, gone: true},
		{spec: `{"size":"","text":"a"}`, inGo: true, inJSON: true},
		{spec: `{"size":"0"}`, inGo: true},
		{spec: `{"size":"3Mi"}`},
	} {
		in := shop("v1beta1", `,"spec":`+test.spec)
		b := newBuffer()
		defer b.release()
		there, _, _, err := c.along(c.routes["v1beta1"], nil, in, 0, true, encoded[hub], b)
		if err != nil {
			t.Fatal(err)
		}
		if tracked := newNode(there, 0).get("metadata").get("annotations").get(annotation) != nil; tracked != test.inGo {
			t.Errorf("%s: Go objects have tracked values %t, want %t: %s", test.spec, tracked, test.inGo, there)
		}
		there = convertTo(t, c, in, "v1")
		if tracked := newNode(there, 0).get("metadata") != nil; tracked != test.inJSON {
			t.Errorf("%s: JSON has tracked values %t, want %t: %s", test.spec, tracked, test.inJSON, there)
		}
		if test.gone { // a Go client leaves out what JSON has
			if there, err = encoded[hub](there); err != nil {
				t.Fatal(err)
			}
			for _, version := range []string{"v1alpha1", "v1beta2"} {
				if older := convertTo(t, c, there, version); newNode(older, 0).get("metadata").get("annotations") != nil {
					t.Errorf("%s: %s", test.spec, older)
				}
			}
		}
	}
}
