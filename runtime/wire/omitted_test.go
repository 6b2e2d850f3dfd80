package wire

import (
	"encoding/json"
	"testing"
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
