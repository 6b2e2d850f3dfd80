package jsonconvert

import (
	"encoding/json"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	stored "github.com/kindsmith/kindsmith/runtime/convert"
)

// oneStep returns the converter of an API of two versions.
func oneStep(t *testing.T, api *API, types map[string]*Type) *Converter {
	t.Helper()
	api.Group, api.Steps = "example.com", []Step{{Older: "v1", Newer: "v2", Types: types}}
	if api.Versions == nil {
		api.Versions = []Version{{Name: "v1"}, {Name: "v2"}}
	}
	c, err := New(api)
	if err != nil {
		t.Fatal(err)
	}
	c.Strict = true
	return c
}

func named(name string) Key { return Key{Name: name} }

// TestEscapedConstants converts constants in all spellings.
func TestEscapedConstants(t *testing.T) {
	c := oneStep(t, &API{Kinds: []Kind{{Name: "Person", Store: Annotation}}}, map[string]*Type{
		"Person": {Fields: []Field{{Older: named("level"), Newer: named("level"), Value: Value{Type: "Level"}}}},
		"Level":  {Enum: &Enum{Up: map[string]string{`"<b\u003e"`: `"one"`}, Down: map[string]string{`"one"`: `"<b>"`}}},
	})
	for _, text := range []string{`"<b>"`, `"\u003cb\u003e"`, `"\u003cb>"`} {
		x := `{"apiVersion":"example.com/v1","kind":"Person","level":` + text + `}`
		y := convert(t, c, x, "v2")
		if want := `{"apiVersion":"example.com/v2","kind":"Person","level":"one"}`; y != want {
			t.Errorf("%s becomes %s", x, y)
		}
		if z := convert(t, c, y, "v1"); !sameJSON(z, x) {
			t.Errorf("%s came back as %s", x, z)
		}
	}
}

// TestItemKeys restores values of list items whose keys are zero, absent or spelled otherwise when the object comes back.
func TestItemKeys(t *testing.T) {
	item := &Schema{Kind: ObjectKind, Fields: map[string]*Schema{"name": {Kind: StringKind}, "size": {Kind: IntegerKind, Bits: 32}}}
	version := func(name string) Version {
		return Version{Name: name, Kinds: map[string]Schema{"Person": {Kind: ObjectKind, Fields: map[string]*Schema{"items": {Kind: ListKind, Elem: item}}}}}
	}
	c := oneStep(t, &API{Kinds: []Kind{{Name: "Person", Store: Annotation}}, Versions: []Version{version("v1"), version("v2")}}, map[string]*Type{
		"Person": {Fields: []Field{{Older: named("items"), Newer: named("items"), Value: Value{Elem: &Value{Type: "Item"}, OlderKeys: []string{"name"}, NewerKeys: []string{"name"}}}}},
		"Item":   {Fields: []Field{{Older: named("size")}}},
	})
	for _, test := range []struct{ item, edited string }{
		{`{"size":1}`, `{"name":""}`}, {`{"name":"","size":1}`, `{}`}, {`{"name":"<","size":1}`, `{"name":"\u003c"}`}, {`{"name":"a","size":1}`, `{"name":"\u0061"}`},
		{`{"name":null,"size":1}`, `{"name":""}`},
	} {
		x := `{"apiVersion":"example.com/v1","kind":"Person","items":[` + test.item + `,{"name":"other"}]}`
		y := convert(t, c, x, "v2")
		bare, _, _ := strings.Cut(y, `,{"name":"other"}`)
		bare = bare[strings.LastIndex(bare, "[")+1:]
		y = strings.Replace(y, bare+`,{"name":"other"}`, `{"name":"other"},`+test.edited, 1)
		if z := convert(t, c, y, "v1"); !strings.Contains(z, `"size":1`) {
			t.Errorf("%s: %s became %s", test.item, y, z)
		}
	}
}

// TestHidden keeps the labels that mean something in another version in the Go type of a status.
func TestHidden(t *testing.T) {
	place := Place{Kind: "Person", In: "labels", Key: "team"}
	c := oneStep(t, &API{Kinds: []Kind{{Name: "Person", Store: Status}}, Versions: []Version{{Name: "v1", Places: []Place{place}}, {Name: "v2"}}}, map[string]*Type{
		"Person":                 {Moves: []Move{{Older: []PathKey{{Key: named("metadata"), Optional: true}, {Key: named("labels"), Optional: true}, {Key: named("team"), Entry: true}}, Newer: []PathKey{{Key: named("team")}}}}, Fields: []Field{{Newer: named("team")}, {Older: named("metadata"), Newer: named("metadata"), Value: Value{Type: "Person.metadata"}}}},
		"Person.metadata":        {Fields: []Field{{Older: named("labels"), Newer: named("labels"), Value: Value{Type: "Person.metadata.labels"}}}},
		"Person.metadata.labels": {Fields: []Field{{Older: named("team")}}},
	})
	x := `{"apiVersion":"example.com/v2","kind":"Person","metadata":{"labels":{"team":"a"}},"team":"b"}`
	y := convert(t, c, x, "v1")
	var o struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Metadata   map[string]any `json:"metadata"`
		Status     struct {
			ChangedValues *stored.ChangedValues `json:"changedValues"`
		} `json:"status"`
	}
	if err := json.Unmarshal([]byte(y), &o); err != nil {
		t.Fatal(err)
	}
	if o.Status.ChangedValues = o.Status.ChangedValues.DeepCopy(); len(o.Status.ChangedValues.Hidden) != 1 {
		t.Errorf("%s hides %v", y, o.Status.ChangedValues)
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	if z := convert(t, c, string(text), "v2"); !sameJSON(z, x) {
		t.Errorf("%s came back as %s", x, z)
	}
}

// TestForgedNull drops a stored null that a type's own method refuses.
func TestForgedNull(t *testing.T) {
	type spec struct {
		Waits []metav1.Duration `json:"waits,omitempty"`
	}
	type person struct {
		metav1.TypeMeta `json:",inline"`
		Spec            spec `json:"spec"`
	}
	c := oneStep(t, &API{Kinds: []Kind{{Name: "Person", Store: Annotation}}, Versions: []Version{
		{Name: "v1", Kinds: map[string]Schema{"Person": SchemaOf[person]()}}, {Name: "v2"},
	}}, map[string]*Type{
		"Person": {Fields: []Field{{Older: named("spec"), Newer: named("spec"), Value: Value{Type: "Spec"}}}},
		"Spec":   {Fields: []Field{{Older: named("waits")}}},
	})
	text, _ := json.Marshal(`{"format":2,"downgrades":{"v1":[{"jsonPath":"$.spec.waits","value":[null]}]}}`)
	x := `{"apiVersion":"example.com/v2","kind":"Person","metadata":{"annotations":{"versioned.example.com/changed-values":` + string(text) + `}},"spec":{}}`
	y := convert(t, c, x, "v1")
	if err := json.Unmarshal([]byte(y), &person{}); err != nil || c.Dropped() != 1 {
		t.Errorf("%s: %v, dropped %d", y, err, c.Dropped())
	}
}

// TestBelowWrapped restores values below a field that became a list, and makes the parent that a client has left out.
func TestBelowWrapped(t *testing.T) {
	inner := &Schema{Kind: ObjectKind, Fields: map[string]*Schema{"gone": {Kind: StringKind}}}
	part := &Schema{Kind: ObjectKind, Fields: map[string]*Schema{"inner": inner}}
	c := oneStep(t, &API{Kinds: []Kind{{Name: "Person", Store: Annotation}}, Versions: []Version{
		{Name: "v1", Kinds: map[string]Schema{"Person": {Kind: ObjectKind, Fields: map[string]*Schema{"part": part}}}},
		{Name: "v2"},
	}}, map[string]*Type{
		"Person": {Fields: []Field{{Older: named("part"), Newer: named("parts"), Value: Value{List: &Value{Type: "Part"}}}}},
		"Part":   {Fields: []Field{{Older: Key{Name: "inner", EmptyIsAbsent: true}, Newer: Key{Name: "inner", EmptyIsAbsent: true}, Value: Value{Type: "Inner"}}}},
		"Inner":  {Fields: []Field{{Older: named("gone")}}},
	})
	x := `{"apiVersion":"example.com/v1","kind":"Person","part":{"inner":{"gone":"a"}}}`
	y := convert(t, c, x, "v2")
	for _, client := range []string{y, strings.Replace(y, `{"inner":{}}`, `{}`, 1)} {
		if z := convert(t, c, client, "v1"); !sameJSON(z, x) {
			t.Errorf("%s became %s", client, z)
		}
	}
	if !strings.Contains(y, `{"inner":{}}`) {
		t.Errorf("%s has no empty struct", y)
	}
}

// TestByHand stores what a function that converts whole objects loses.
func TestByHand(t *testing.T) {
	lose := func(text []byte) ([]byte, error) {
		var o map[string]any
		err := json.Unmarshal(text, &o)
		delete(o["spec"].(map[string]any), "lost")
		out, _ := json.Marshal(o)
		return out, err
	}
	c := oneStep(t, &API{Kinds: []Kind{{Name: "Person", Store: Annotation}}, Funcs: map[string]Func{"Lose": lose}}, map[string]*Type{"Person": {Up: "Lose"}})
	x := `{"apiVersion":"example.com/v1","kind":"Person","spec":{"kept":1,"lost":2}}`
	y := convert(t, c, x, "v2")
	if z := convert(t, c, y, "v1"); strings.Contains(y, `"lost":2}`) && !strings.Contains(y, "changed-values") || !sameJSON(z, x) {
		t.Errorf("%s became %s and came back as %s", x, y, z)
	}
}
