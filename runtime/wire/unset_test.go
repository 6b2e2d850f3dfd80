package wire

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestUnset converts unset and zero values of a field that a transform converts. The newest version distinguishes them; Go
// objects of the older one have a zero value for both.
func TestUnset(t *testing.T) {
	type older struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitzero"`
		X                 metav1.Duration `json:"x"`
	}
	c, err := New(Conversion{Table: &Table{Group: "shop.example.com", Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
		{Kind: "Shop", Store: Annotation, Fields: []Field{
			{Older: "x", Hub: "x", OlderZero: json.RawMessage(`"0s"`), Value: Value{Transforms: []Transform{{Name: "seconds"}}, Since: "v1", Until: "v1beta1"}},
		}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		hub    string
		isGo   bool // Go writes the older object
		shown  string
		edit   string // replaces what is shown; "" for none
		back   string
		tracks bool
	}{
		{name: "null", hub: `,"x":null`, shown: `"0s"`, back: `null`, tracks: true},
		{name: "null in Go", hub: `,"x":null`, isGo: true, shown: `"0s"`, back: `null`, tracks: true},
		{name: "zero", hub: `,"x":0`, shown: `"0s"`, back: `0`},
		{name: "absent", hub: ``},
		{name: "absent, and Go writes it", hub: ``, isGo: true, shown: `"0s"`, back: ``, tracks: true},
		{name: "an edit of null", hub: `,"x":null`, shown: `"0s"`, edit: `"5s"`, back: `5`, tracks: true},
		{name: "an edit of an absent one", hub: ``, isGo: true, shown: `"0s"`, edit: `"5s"`, back: `5`, tracks: true},
		{name: "an absent one that a client sets to null", hub: ``, isGo: true, shown: `"0s"`, edit: `null`, back: `null`, tracks: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := shop("v1", test.hub)
			there := convertTo(t, c, in, "v1beta1")
			if test.isGo {
				b := newBuffer()
				defer b.release()
				route := c.routes["v1beta1"]
				if there, _, _, err = c.along(route, nil, in, 0, false, encoded[older], b); err == nil {
					there, err = encoded[older](there)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			n := newNode(there, 0)
			if shown := string(n.get("x").json()); shown != test.shown {
				t.Errorf("v1beta1 shows %s, want %s", shown, test.shown)
			}
			if tracks := n.get("metadata").get("annotations").get(TrackingAnnotation("shop.example.com")) != nil; tracks != test.tracks {
				t.Errorf("tracked %t, want %t: %s", tracks, test.tracks, there)
			}
			if test.edit != "" {
				n.set("x", newNode([]byte(test.edit), -1))
			}
			if back := string(newNode(convertTo(t, c, n.append(nil), "v1"), 0).get("x").json()); back != test.back {
				t.Errorf("%s came back, want %s", back, test.back)
			}
		})
	}
}
