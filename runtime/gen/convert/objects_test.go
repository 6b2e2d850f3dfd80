package convert

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kindsmith/kindsmith/runtime/convert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// oldThing and newThing are a kind in two versions.
type (
	oldThing struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Spec   oldSpec   `json:"spec"`
		Status oldStatus `json:"status,omitempty"`
	}
	oldSpec struct {
		oldBase `json:",inline"`
		Title   string               `json:"title"`
		Size    int32                `json:"size,omitempty"`
		Count   *int64               `json:"count"`
		Colors  []oldColor           `json:"colors,omitempty"`
		Level   int                  `json:"level,omitempty"`
		Parts   []oldPart            `json:"parts"`
		ByName  map[string]oldPart   `json:"byName,omitempty"`
		Tree    *oldPart             `json:"tree,omitempty"`
		Memory  resource.Quantity    `json:"memory"`
		Port    intstr.IntOrString   `json:"port,omitempty"`
		When    *metav1.Time         `json:"when,omitempty"`
		Pod     metav1.LabelSelector `json:"pod,omitempty"`
		Data    []byte               `json:"data,omitempty"`
		Pair    [2]oldPart           `json:"pair"`
		Any     *runtime.RawExtension
		Ratio   float64         `json:"ratio,omitempty"`
		Zeroed  oldPart         `json:"zeroed,omitzero"`
		Hidden  string          `json:"-"`
		Legacy  string          `json:"legacy,omitempty"`
		Wait    string          `json:"wait,omitempty"`
		Raw     json.RawMessage `json:"raw,omitempty"`
	}
	oldBase struct {
		Nom string `json:"nom,omitempty"`
	}
	oldColor string
	oldPart  struct {
		ID   string    `json:"id"`
		Tags []string  `json:"tags,omitempty"`
		Next []oldPart `json:"next,omitempty"`
		Done bool      `json:"done"`
	}
	oldStatus struct {
		Ready         int32                  `json:"ready"`
		ChangedValues *convert.ChangedValues `json:"changedValues,omitempty"`
	}

	newThing struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Spec   newSpec   `json:"spec"`
		Status newStatus `json:"status,omitempty"`
	}
	newSpec struct {
		newBase `json:",inline"`
		Name    string               `json:"name"`
		Size    int64                `json:"size,omitempty"`
		Count   *int64               `json:"count"`
		Colors  []newColor           `json:"colors,omitempty"`
		Level   int                  `json:"level,omitempty"`
		Items   []newPart            `json:"items"`
		ByName  map[string]newPart   `json:"byName,omitempty"`
		Tree    *newPart             `json:"tree,omitempty"`
		Memory  resource.Quantity    `json:"memory"`
		Port    intstr.IntOrString   `json:"port,omitempty"`
		When    *metav1.Time         `json:"when,omitempty"`
		Pod     metav1.LabelSelector `json:"pod,omitempty"`
		Data    []byte               `json:"data,omitempty"`
		Pair    [2]newPart           `json:"pair"`
		Any     *runtime.RawExtension
		Ratio   float64         `json:"ratio,omitempty"`
		Zeroed  newPart         `json:"zeroed,omitzero"`
		Hidden  string          `json:"-"`
		Extra   int32           `json:"extra"`
		Wait    int64           `json:"waitSeconds,omitempty"`
		Raw     json.RawMessage `json:"raw,omitempty"`
	}
	newBase struct {
		Nom string `json:"nom,omitempty"`
	}
	newColor string
	newPart  struct {
		Key  string    `json:"key"`
		Tags []string  `json:"tags,omitempty"`
		Next []newPart `json:"next,omitempty"`
		Done bool      `json:"done"`
	}
	newStatus struct {
		Ready         int32                  `json:"ready"`
		ChangedValues *convert.ChangedValues `json:"changedValues,omitempty"`
	}
)

func plain(name, zero string) jsonconvert.Key { return jsonconvert.Key{Name: name, Zero: zero} }

// things returns the API of the kind, which stores values somewhere.
func things(store jsonconvert.Store) func() *jsonconvert.API {
	field := func(older, newer jsonconvert.Key, v jsonconvert.Value) jsonconvert.Field {
		return jsonconvert.Field{Older: older, Newer: newer, Value: v}
	}
	same := func(name string, v jsonconvert.Value) jsonconvert.Field {
		return field(jsonconvert.Key{Name: name}, jsonconvert.Key{Name: name}, v)
	}
	part := jsonconvert.Value{Type: "Part"}
	return func() *jsonconvert.API {
		return &jsonconvert.API{
			Group: "test.example.com",
			Kinds: []jsonconvert.Kind{{Name: "Thing", Store: store}, {Name: "ThingList", Item: "Thing"}},
			Versions: []jsonconvert.Version{
				{Name: "v1beta1", Places: []jsonconvert.Place{{Kind: "Thing", In: "labels", Key: "extra"}}},
				{Name: "v1"},
			},
			Steps: []jsonconvert.Step{{Older: "v1beta1", Newer: "v1", Types: map[string]*jsonconvert.Type{
				"Thing": {
					Fields: []jsonconvert.Field{same("spec", jsonconvert.Value{Type: "Spec"}), same("metadata", jsonconvert.Value{Type: "Thing.metadata"})},
				},
				"Spec": {Fields: []jsonconvert.Field{
					field(plain("title", `""`), plain("name", `""`), jsonconvert.Value{}),
					field(jsonconvert.Key{Name: "parts"}, jsonconvert.Key{Name: "items"}, jsonconvert.Value{Elem: &part}),
					same("colors", jsonconvert.Value{Elem: &jsonconvert.Value{Type: "Color"}}),
					field(plain("level", "0"), plain("level", "0"), jsonconvert.Value{Type: "Level"}),
					same("byName", jsonconvert.Value{Elem: &part}), same("tree", part), same("pair", jsonconvert.Value{Elem: &part}), same("zeroed", part),
					{Older: plain("legacy", `""`)},
					{Newer: plain("extra", "0")},
					field(plain("wait", `""`), plain("waitSeconds", "0"), jsonconvert.Value{Call: &jsonconvert.Call{Up: "Seconds", Down: "Text"}}),
				}},
				"Color": {Enum: &jsonconvert.Enum{
					Up: map[string]string{`"Crimson"`: `"Red"`, `"Azure"`: `"Blue"`, `"Navy"`: `"Blue"`}, Down: map[string]string{`"Red"`: `"Crimson"`, `"Blue"`: `"Azure"`},
				}},
				"Level": {Enum: &jsonconvert.Enum{Up: map[string]string{"1": "2"}, Down: map[string]string{"2": "1"}}},
				"Part": {Fields: []jsonconvert.Field{
					field(plain("id", `""`), plain("key", `""`), jsonconvert.Value{}), same("next", jsonconvert.Value{Elem: &part}),
				}},
			}}},
			Funcs: map[string]jsonconvert.Func{
				"Seconds": jsonconvert.FailingFuncOf(func(in string) (int64, error) { return strconv.ParseInt(strings.TrimSuffix(in, "s"), 10, 64) }),
				"Text":    jsonconvert.FuncOf(func(in int64) string { return strconv.FormatInt(in, 10) + "s" }),
			},
		}
	}
}

// filler fills Go values at random. Most of them stay zero.
type filler struct {
	*rand.Rand
	// sparse is the percentage of zero values.
	sparse int
}

func (f *filler) fill(v reflect.Value, depth int) {
	if f.IntN(100) < f.sparse && v.Kind() != reflect.Struct || depth > 8 {
		return
	}
	switch at := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*at = resource.MustParse([]string{"0", "1Gi", "100m", "2.5"}[f.IntN(4)])
		return
	case *metav1.Time:
		*at = metav1.Unix(f.Int64N(1e9), 0)
		return
	case *intstr.IntOrString:
		*at = []intstr.IntOrString{{}, intstr.FromInt32(3), intstr.FromString("http"), intstr.FromString("")}[f.IntN(4)]
		return
	case *runtime.RawExtension:
		at.Raw = []byte(`{"a":1}`)
		return
	case *json.RawMessage:
		*at = json.RawMessage([]string{`{"a":[1]}`, `"x"`, `2`}[f.IntN(3)])
		return
	case *metav1.FieldsV1, *metav1.TypeMeta, **convert.ChangedValues:
		return
	case *metav1.ObjectMeta:
		at.Name, at.CreationTimestamp = "a", metav1.Unix(f.Int64N(1e9), 0)
		for _, entries := range []*map[string]string{&at.Labels, &at.Annotations} {
			if f.IntN(3) == 0 {
				*entries = map[string]string{"a": "b"}
			}
			if f.IntN(9) == 0 {
				*entries = map[string]string{"extra": "1"}
			}
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString([]string{"", "a", "b", "Crimson", "Azure", "Navy", "Red", "Blue"}[f.IntN(8)])
		if v.Type() == reflect.TypeFor[string]() && f.IntN(2) == 0 {
			v.SetString([]string{"1s", "01s", "x"}[f.IntN(3)])
		}
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if v.SetInt(f.Int64N(4) - 1); f.IntN(9) == 0 && v.Kind() == reflect.Int64 {
			v.SetInt(1 << 40)
		}
	case reflect.Float64:
		v.SetFloat(f.Float64())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), f.IntN(3), 3))
		for i := range v.Len() {
			f.fill(v.Index(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range f.IntN(3) {
			key, to := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(key, depth+1)
			f.fill(to, depth+1)
			v.SetMapIndex(key, to)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				f.fill(v.Field(i), depth+1)
			} else if v.Type().Field(i).Anonymous {
				f.fill(v.Field(i).Field(0), depth+1)
			}
		}
	}
}

// TestCopiesAreConversions compares copies of random objects with what conversions of their JSON give.
func TestCopiesAreConversions(t *testing.T) {
	copied := map[string]int{}
	for _, store := range []jsonconvert.Store{jsonconvert.Untracked, jsonconvert.Annotation, jsonconvert.Status} {
		var up, down Conversions
		for _, sparse := range []int{30, 70, 95} {
			f := &filler{rand.New(rand.NewPCG(1, uint64(sparse))), sparse}
			for range 400 {
				older, newer := &oldThing{}, &newThing{}
				f.fill(reflect.ValueOf(older).Elem(), 0)
				f.fill(reflect.ValueOf(newer).Elem(), 0)
				if compare(t, &up, things(store), older, &newThing{}, "v1beta1", "v1") {
					copied["up"]++
				}
				if compare(t, &down, things(store), newer, &oldThing{}, "v1", "v1beta1") {
					copied["down"]++
				}
				if t.Failed() {
					return
				}
			}
		}
	}
	for _, direction := range []string{"up", "down"} {
		if n := copied[direction]; n < 100 {
			t.Errorf("%s: only %d objects were copied", direction, n)
		}
	}
}

// compare reports whether an object was copied.
func compare(t *testing.T, c *Conversions, api func() *jsonconvert.API, in, out any, from, to string) bool {
	t.Helper()
	source, target := reflect.ValueOf(in).Elem(), reflect.ValueOf(out).Elem()
	c.once.Do(func() { c.api = api(); c.converter, c.err = jsonconvert.New(c.api) })
	r, err := c.newRoute(source.Type(), target.Type(), "Thing", from, to)
	if err != nil {
		t.Fatal(err)
	}
	want := reflect.New(target.Type()).Elem()
	failed := c.throughJSON(r, source, want)
	if r.copy == nil {
		t.Fatal("nothing is copied")
	}
	if r.isMarked(source) || !r.copy(source, target) {
		return false
	}
	if failed != nil {
		t.Fatalf("a copy does not fail like the conversion: %v", failed)
	}
	if diff := cmp.Diff(encoded(t, want), encoded(t, target)); diff != "" {
		t.Errorf("%s: the conversion and the copy differ:\n%s", encoded(t, source), diff)
	}
	if diff := cmp.Diff(want.Addr().Interface(), out, cmp.AllowUnexported(oldSpec{}, newSpec{}), cmp.Comparer(func(a, b metav1.ObjectMeta) bool { return reflect.DeepEqual(encodedOf(a), encodedOf(b)) })); diff != "" {
		t.Errorf("%s: the Go values differ:\n%s", encoded(t, source), diff)
	}
	if a, b := addresses(source, map[uintptr]string{}, ""), addresses(target, map[uintptr]string{}, ""); len(a) > 0 {
		for at, path := range b {
			if shared, ok := a[at]; ok {
				t.Errorf("%s and %s share memory", shared, path)
			}
		}
	}
	return true
}

func encodedOf(v any) string { text, _ := json.Marshal(v); return string(text) }

func encoded(t *testing.T, v reflect.Value) string {
	t.Helper()
	text, err := json.Marshal(v.Addr().Interface())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// addresses adds the memory that a value refers to.
func addresses(v reflect.Value, known map[uintptr]string, path string) map[uintptr]string {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem().PkgPath() != "time" {
			known[v.Pointer()] = path
			addresses(v.Elem(), known, path)
		}
	case reflect.Map, reflect.Slice:
		if v.Kind() == reflect.Map && !v.IsNil() || v.Len() > 0 {
			known[v.Pointer()] = path
		}
		if v.Kind() == reflect.Slice {
			for i := range v.Len() {
				addresses(v.Index(i), known, path+"[]")
			}
			break
		}
		for entry := v.MapRange(); entry.Next(); {
			addresses(entry.Value(), known, path+"{}")
		}
	case reflect.Struct:
		for i := range v.NumField() {
			addresses(v.Field(i), known, path+"."+v.Type().Field(i).Name)
		}
	case reflect.Array:
		for i := range v.Len() {
			addresses(v.Index(i), known, path+"[]")
		}
	}
	return known
}

// kinds returns objects of types with the name of the kind in two versions.
func kinds() (older, newer any) {
	type Thing struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Spec   newSpec   `json:"spec"`
		Status newStatus `json:"status,omitempty"`
	}
	hub := &Thing{}
	return olderThing(), hub
}

func olderThing() any {
	type Thing struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Spec   oldSpec   `json:"spec"`
		Status oldStatus `json:"status,omitempty"`
	}
	return &Thing{Spec: oldSpec{Title: "t", Parts: []oldPart{{ID: "a"}}}}
}

// TestConvert converts an object in both ways: copied, and with a value that is restored.
func TestConvert(t *testing.T) {
	for _, legacy := range []string{"", "x"} {
		var c Conversions
		older, newer := kinds()
		reflect.ValueOf(older).Elem().FieldByName("Spec").FieldByName("Legacy").SetString(legacy)
		meta := typeMetaOf(reflect.ValueOf(newer).Elem())
		meta.Kind = "mine"
		before := encoded(t, reflect.ValueOf(older).Elem())
		if err := c.Convert(things(jsonconvert.Annotation), older, newer, "v1beta1", "v1"); err != nil {
			t.Fatal(err)
		}
		spec := reflect.ValueOf(newer).Elem().FieldByName("Spec").Interface().(newSpec)
		if spec.Name != "t" || spec.Items[0].Key != "a" || *meta != (metav1.TypeMeta{Kind: "mine"}) {
			t.Errorf("got %+v", newer)
		}
		back := reflect.New(reflect.TypeOf(older).Elem())
		if err := c.Convert(things(jsonconvert.Annotation), newer, back.Interface(), "v1", "v1beta1"); err != nil {
			t.Fatal(err)
		}
		if after := encoded(t, back.Elem()); after != before {
			t.Errorf("%s comes back as %s", before, after)
		}
	}
}

// TestErrorPaths fails, and leaves the target as it was.
func TestErrorPaths(t *testing.T) {
	var c Conversions
	older, newer := kinds()
	reflect.ValueOf(older).Elem().FieldByName("Spec").FieldByName("Wait").SetString("long")
	reflect.ValueOf(newer).Elem().FieldByName("Spec").FieldByName("Name").SetString("before")
	err := c.Convert(things(jsonconvert.Annotation), older, newer, "v1beta1", "v1")
	var at *convert.Error
	if !errors.As(err, &at) || at.Path != "spec.wait" || !errors.Is(err, strconv.ErrSyntax) {
		t.Errorf("got %v", err)
	}
	if name := reflect.ValueOf(newer).Elem().FieldByName("Spec").FieldByName("Name").String(); name != "before" {
		t.Errorf("the target was changed: %s", name)
	}
	if err := c.Convert(things(jsonconvert.Annotation), &struct{}{}, newer, "v1beta1", "v1"); err == nil || !strings.Contains(err.Error(), "has no metav1.TypeMeta") {
		t.Errorf("got %v", err)
	}
}

// TestHubMethods converts for controller-runtime.
func TestHubMethods(t *testing.T) {
	up := func(in *oldPart, out *newPart, _ conversion.Scope) error { out.Key = in.ID; return nil }
	down := func(in *newPart, out *oldPart, _ conversion.Scope) error { out.ID = in.Key; return nil }
	var hub newPart
	var back oldPart
	if err := errors.Join(To(&oldPart{ID: "a"}, &hub, up), From(&hub, &back, down)); err != nil || back.ID != "a" {
		t.Errorf("got %+v, error %v", back, err)
	}
	for _, err := range []error{To(&oldPart{}, 1, up), From(1, &oldPart{}, down)} {
		if want := "*convert.oldPart is converted to and from *convert.newPart, not int"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	s := runtime.NewScheme()
	if err := Register(s, Of(up), Of(down)); err != nil {
		t.Fatal(err)
	}
	if err := s.Convert(&oldPart{ID: "b"}, &hub, nil); err != nil || hub.Key != "b" {
		t.Errorf("got %+v, error %v", hub, err)
	}
}
