package conversion_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	handwrittenv1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1"
	handwrittenv1alpha1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1alpha1"
	handwrittenv1beta1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1beta1"
	movedv1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/moved/v1"
	movedv1alpha1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/moved/v1alpha1"
	movedv1beta1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/moved/v1beta1"
	shopv1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1"
	shopv1alpha1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1alpha1"
	shopv1beta1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1beta1"
	skippedv1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/skipped/v1"
	skippedv1beta1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/skipped/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/convert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// oldStore returns an object of the oldest version.
func oldStore() *shopv1alpha1.Store {
	limit, replicas := int8(-8), int32(3)
	shelf := shopv1alpha1.Shelf{ID: "a", Width: math.MaxInt32, Colour: "Blue"}
	return &shopv1alpha1.Store{
		ObjectMeta: metav1.ObjectMeta{Name: "corner"},
		Spec: shopv1alpha1.StoreSpec{
			Common:     shopv1alpha1.Common{Nom: "Corner"},
			Replicas:   &replicas,
			PortNumber: 65535,
			Address:    []string{"Main St 1", "2nd floor; Town"},
			Contact:    &shopv1alpha1.Person{Name: "Ada", Phones: []string{"1"}},
			Limit:      &limit,
			Racks:      []shopv1alpha1.Shelf{shelf},
			Shelves:    []shopv1alpha1.Shelf{},
			Pointers:   map[string]*shopv1alpha1.Shelf{"x": &shelf, "none": nil},
			Nested:     [][]shopv1alpha1.Shelf{nil, {shelf}},
			Categories: shopv1alpha1.Categories{{Caption: "top", Children: shopv1alpha1.Categories{{Caption: "below"}}}},
			Index:      shopv1alpha1.ShelfIndex{"i": shelf},
			Color:      "Crimson",
			Colors:     []shopv1alpha1.Color{"Beige", "unheard of"},
			Level:      2,
			Path:       "round",
			Legacy:     &shopv1alpha1.Legacy{Code: "x"}, Floor: 1,
			Host: "a", Aisle: &shelf, Grade: 3, OneTrim: "Crimson", Guest: new(string), Friend: &shelf,
		},
		Status: shopv1alpha1.StoreStatus{ReadyReplicas: 2, Rate: 3},
	}
}

// TestUpgrade converts an object from the oldest version to the newest.
func TestUpgrade(t *testing.T) {
	scheme := newScheme(t)
	in, replicas := oldStore(), int32(3)
	got := &shopv1.Store{}
	if err := scheme.Convert(in, got, nil); err != nil {
		t.Fatal(err)
	}
	got.Status.ChangedValues = nil // what only the older version has
	wideLimit, rate, mode, retries := int64(-8), int8(2), shopv1.ModeFast, int32(5)
	wide := shopv1.Shelf{Label: "a", Width: math.MaxInt32}
	want := &shopv1.Store{
		ObjectMeta: metav1.ObjectMeta{Name: "corner"},
		Spec: shopv1.StoreSpec{
			Common:          shopv1.Common{Title: "Corner"},
			Copies:          &replicas,
			Port:            65535,
			Address:         shopv1.Address{Street: "Main St 1\n2nd floor", City: "Town"},
			Contact:         &shopv1.Contact{Display: "Ada", Phones: []string{"1"}},
			Limit:           &wideLimit,
			Currency:        "EUR",
			Priority:        7,
			Delivery:        &shopv1.Delivery{Limit: 3, Speed: shopv1.SpeedEconomy, Retries: &retries},
			Returns:         map[string]shopv1.Delivery{"any": {Limit: 1, Retries: &retries}},
			Route:           &shopv1.Route{Legs: []shopv1.Delivery{{Limit: 1, Retries: &retries}}, Fee: "2", Currency: "EUR"},
			Path:            &shopv1.Route{Legs: []shopv1.Delivery{{Speed: "round", Retries: &retries}}, Currency: "EUR"},
			Hours:           &shopv1.Hours{Open: 8, Days: []string{"Mon", "Tue"}, Rate: map[string]*int8{"Mon": &rate}, Mode: &mode},
			DeprecatedRacks: []shopv1.Shelf{wide},
			Pointers:        map[string]*shopv1.Shelf{"x": &wide, "none": nil},
			Nested:          [][]shopv1.Shelf{nil, {wide}},
			Categories:      shopv1.Categories{{Name: "top", Children: shopv1.Categories{{Name: "below"}}}},
			Index:           shopv1.ShelfIndex{"i": wide},
			Color:           shopv1.ColorRed,
			Colors:          []shopv1.Color{shopv1.ColorDeprecatedBeige, "unheard of"},
			Level:           shopv1.LevelHigh,
			Hosts:           []string{"a"}, Aisles: []shopv1.Shelf{wide}, Grades: []int64{3}, Trims: []shopv1.Color{"Red"}, Guests: []string{""}, Friends: []*shopv1.Shelf{&wide},
		},
		Status: shopv1.StoreStatus{Ready: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("upgraded otherwise (-want +got):\n%s", diff)
	}
}

// TestReused converts into an object that has values of another one, and leaves the input as it
// was, whatever the author's functions do with their arguments.
func TestReused(t *testing.T) {
	scheme := newScheme(t)
	full := &shopv1.Store{}
	if err := scheme.Convert(oldStore(), full, nil); err != nil {
		t.Fatal(err)
	}
	full.Spec.Backup = &shopv1.Backup{Target: "x"}
	fullBeta := &shopv1beta1.Store{}
	if err := scheme.Convert(full, fullBeta, nil); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ in, fresh, reused runtime.Object }{
		{&shopv1alpha1.Store{}, &shopv1.Store{}, full.DeepCopy()},
		{&shopv1beta1.Store{}, &shopv1.Store{}, full.DeepCopy()},
		{oldStore(), &shopv1.Store{}, full.DeepCopy()},
		{&shopv1.Store{}, &shopv1beta1.Store{}, fullBeta.DeepCopy()},
		{&shopv1.Store{}, &shopv1alpha1.Store{}, oldStore()},
		{full, &shopv1alpha1.Store{}, oldStore()},
	} {
		before := test.in.DeepCopyObject()
		if err := errors.Join(scheme.Convert(test.in, test.fresh, nil), scheme.Convert(test.in, test.reused, nil)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.fresh, test.reused); diff != "" {
			t.Errorf("%T to %T keeps values of another object (-fresh +reused):\n%s", test.in, test.fresh, diff)
		}
		if diff := cmp.Diff(before, test.in); diff != "" {
			t.Errorf("%T to %T changes its input:\n%s", test.in, test.fresh, diff)
		}
	}
}

// TestDefaultsAreFresh checks that two upgraded objects do not share a default.
func TestDefaultsAreFresh(t *testing.T) {
	scheme := newScheme(t)
	a, b := &shopv1.Store{}, &shopv1.Store{}
	for _, out := range []*shopv1.Store{a, b} {
		if err := scheme.Convert(&shopv1alpha1.Store{}, out, nil); err != nil {
			t.Fatal(err)
		}
	}
	h := a.Spec.Hours
	h.Open, h.Days[0], *h.Rate["Mon"], *h.Mode = 0, "", 0, ""
	h.Rate["Tue"] = nil
	if b := b.Spec.Hours; b.Open != 8 || b.Days[0] != "Mon" || len(b.Rate) != 1 || *b.Rate["Mon"] != 2 || *b.Mode != shopv1.ModeFast {
		t.Errorf("a change of one object's default changes another's: %+v", b)
	}
}

// TestAddedLater gives defaults only to objects of versions that lack the field.
func TestAddedLater(t *testing.T) {
	scheme := newScheme(t)
	out := &shopv1.Store{}
	if err := scheme.Convert(&shopv1beta1.Store{}, out, nil); err != nil {
		t.Fatal(err)
	}
	if out.Spec.Currency != "" || out.Spec.Priority != 0 {
		t.Errorf("v1beta1 has these fields, and left them unset: currency %q, priority %d", out.Spec.Currency, out.Spec.Priority)
	}
	if out.Spec.Hours == nil {
		t.Error("v1beta1 lacks hours, and the default was not filled in")
	}
}

func TestEnumDowngrade(t *testing.T) {
	scheme := newScheme(t)
	for _, test := range []struct {
		in      shopv1.Color
		beta    shopv1beta1.Color
		alpha   shopv1alpha1.Color
		levelIn shopv1.Level
		level   shopv1alpha1.Level
	}{
		{shopv1.ColorRed, "Crimson", "Crimson", shopv1.LevelLow, 1},
		{shopv1.ColorTeal, "Teal", "Blue", shopv1.LevelHigh, 2},
		{shopv1.ColorCyan, "Teal", "Blue", 5, 5}, // by way of Teal
		{shopv1.ColorDeprecatedBeige, "Beige", "Beige", 0, 0},
		{"", "", "", 0, 0},
		{"mauve", "mauve", "mauve", 0, 0},
		{"Crimson", "Red", "Red", 2, 10}, // no constants of v1, but old names of some
	} {
		in := &shopv1.Store{Spec: shopv1.StoreSpec{
			Color: test.in, Level: test.levelIn,
			Colors:  []shopv1.Color{test.in},
			ColorOf: map[string]shopv1.Color{"x": test.in},
		}}
		beta, alpha := &shopv1beta1.Store{}, &shopv1alpha1.Store{}
		if err := errors.Join(scheme.Convert(in, beta, nil), scheme.Convert(in, alpha, nil)); err != nil {
			t.Fatal(err)
		}
		for _, got := range []shopv1beta1.Color{beta.Spec.Color, beta.Spec.Colors[0], beta.Spec.ColorOf["x"]} {
			if got != test.beta {
				t.Errorf("%q is %q in v1beta1, want %q", test.in, got, test.beta)
			}
		}
		for _, got := range []shopv1alpha1.Color{alpha.Spec.Color, alpha.Spec.Colors[0], alpha.Spec.ColorOf["x"]} {
			if got != test.alpha {
				t.Errorf("%q is %q in v1alpha1, want %q", test.in, got, test.alpha)
			}
		}
		if alpha.Spec.Level != test.level {
			t.Errorf("level %d is %d in v1alpha1, want %d", test.levelIn, alpha.Spec.Level, test.level)
		}
		back := &shopv1.Store{}
		if err := scheme.Convert(alpha, back, nil); err != nil {
			t.Fatal(err)
		}
		if replaced := test.alpha == "Blue"; back.Spec.Level != test.levelIn || !replaced && back.Spec.Color != test.in {
			t.Errorf("%q and %d come back as %q and %d", test.in, test.levelIn, back.Spec.Color, back.Spec.Level)
		}
	}
}

// TestErrors converts values that no older version can represent, at every depth, and
// expects their paths in the converted object.
func TestErrors(t *testing.T) {
	scheme := newScheme(t)
	bad := shopv1.Shelf{Width: math.MaxInt32 + 1}
	for want, spec := range map[string]shopv1.StoreSpec{
		"spec.port: 65536 is no port":             {Port: 65536},
		"spec.limit: limit 128 is out of range":   {Limit: ptr(int64(128))},
		"spec.deprecatedRacks[1].width: width":    {DeprecatedRacks: []shopv1.Shelf{{}, bad}},
		"spec.byName.a.width: width":              {ByName: map[string]shopv1.Shelf{"a": bad}},
		"spec.pointers.a.width: width":            {Pointers: map[string]*shopv1.Shelf{"a": &bad}},
		"spec.lists.a[1].width: width":            {Lists: map[string][]shopv1.Shelf{"a": {{}, bad}}},
		"spec.nested[1][0].width: width":          {Nested: [][]shopv1.Shelf{nil, {bad}}},
		"spec.itemPtrs[0].width: width":           {ItemPtrs: []*shopv1.Shelf{&bad}},
		"spec.pair[1].width: width":               {Pair: [2]shopv1.Shelf{{}, bad}},
		"spec.byColor.red.width: width":           {ByColor: map[shopv1.Flavour]shopv1.Shelf{"red": bad}},
		"spec.index.a.width: width 2147483648 is": {Index: shopv1.ShelfIndex{"a": bad}},
		"spec.aisles[0].width: width":             {Aisles: []shopv1.Shelf{bad}},
		"spec.friends[0].width: width":            {Friends: []*shopv1.Shelf{&bad}},
		"spec.grades: grade":                      {Grades: []int64{math.MaxInt64}},
	} {
		err := scheme.Convert(&shopv1.Store{Spec: spec}, &shopv1alpha1.Store{}, nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got error %v, want %s", err, want)
		}
		var at *convert.Error
		if !errors.As(err, &at) {
			t.Errorf("error %v has no path", err)
		}
	}
	err := scheme.Convert(&shopv1alpha1.StoreList{Items: []shopv1alpha1.Store{{}, {Spec: shopv1alpha1.StoreSpec{Address: []string{"nowhere"}}}}}, &shopv1.StoreList{}, nil)
	if want := `items[1].spec.address: "nowhere" has no city`; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// TestBoundaries converts the last values that fit.
func TestBoundaries(t *testing.T) {
	scheme := newScheme(t)
	out := &shopv1alpha1.Store{}
	in := &shopv1.Store{Spec: shopv1.StoreSpec{Port: 65535, Limit: ptr(int64(127)), Shelves: []shopv1.Shelf{{Width: math.MinInt32}}}}
	if err := scheme.Convert(in, out, nil); err != nil {
		t.Fatal(err)
	}
	if out.Spec.PortNumber != 65535 || *out.Spec.Limit != 127 || out.Spec.Shelves[0].Width != math.MinInt32 {
		t.Errorf("values changed: %+v", out.Spec)
	}
}

// TestHandWritten converts from and to a hand-written version, with a hand-written function if it
// exists.
func TestHandWritten(t *testing.T) {
	scheme := newScheme(t)
	beta := &handwrittenv1beta1.Job{Spec: handwrittenv1beta1.JobSpec{
		Cmd: []string{"run"}, Policy: "Always", Window: handwrittenv1beta1.Window{Hours: 2, Days: []string{"Mon"}}, Owner: "me",
		Steps: []handwrittenv1beta1.Step{{Title: "one"}}, Retries: 5,
		Marks: handwrittenv1beta1.Marks{"a": {"b"}}, Audit: handwrittenv1beta1.Audit{By: []string{"me"}},
	}}
	got := &handwrittenv1.Job{}
	if err := scheme.Convert(beta, got, nil); err != nil {
		t.Fatal(err)
	}
	want := &handwrittenv1.Job{Spec: handwrittenv1.JobSpec{
		Command: []string{"run"}, Policy: handwrittenv1.PolicyAlways, Window: handwrittenv1.Window{Minutes: 120, Days: []string{"Mon"}}, Owner: "me",
		Steps: []handwrittenv1.Step{{Name: "one"}}, Retries: 5,
		Marks: handwrittenv1.Marks{"a": {"b"}}, Audit: handwrittenv1.Audit{By: []string{"me"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("upgraded otherwise (-want +got):\n%s", diff)
	}
	got.Spec.Policy = handwrittenv1.PolicyOnce
	older, alpha := &handwrittenv1beta1.Job{}, &handwrittenv1alpha1.Job{}
	if err := errors.Join(scheme.Convert(got, older, nil), scheme.Convert(got, alpha, nil)); err != nil {
		t.Fatal(err)
	}
	for _, o := range []metav1.Object{older, alpha} { // both lack the policy, and v1alpha1 the retries
		if o.GetAnnotations()["versioned.handwritten.example.com/changed-values"] == "" {
			t.Errorf("%T has lost values", o)
		}
		o.SetAnnotations(nil)
	}
	if diff := cmp.Diff(beta, older); diff != "" {
		t.Errorf("downgraded otherwise (-want +got):\n%s", diff)
	}
	wantAlpha := &handwrittenv1alpha1.Job{Spec: handwrittenv1alpha1.JobSpec{
		Cmd: []string{"run"}, Policy: "Always", Window: handwrittenv1alpha1.Window{Minutes: 120, Days: []string{"Mon"}}, Owner: "me",
		Steps: []handwrittenv1alpha1.Step{{Run: "one"}},
		Marks: handwrittenv1alpha1.Marks{"a": {"b"}}, Audit: handwrittenv1alpha1.Audit{By: []string{"me"}},
	}}
	if diff := cmp.Diff(wantAlpha, alpha); diff != "" {
		t.Errorf("downgraded otherwise (-want +got):\n%s", diff)
	}
	older.Spec.Window.Days[0] = "Tue" // of the hand-written function, which returns what it gets
	older.Spec.Marks["a"][0], older.Spec.Audit.By[0] = "c", "you"
	if marks := got.Spec.Marks; len(marks) != 1 || marks["a"][0] != "b" || got.Spec.Audit.By[0] != "me" {
		t.Errorf("hand-written functions got memory of their input, which is now %+v", got.Spec)
	}
}

func ptr[T any](v T) *T { return &v }

// TestSkipped calls the author's function for a type whose conversion is not generated.
func TestSkipped(t *testing.T) {
	in := &skippedv1beta1.Outer{ByHand: skippedv1beta1.ByHand{A: "a"}, ByHands: []skippedv1beta1.ByHand{{A: "b"}}, Derived: skippedv1beta1.Derived{Old: []string{"c"}}}
	out, back := &skippedv1.Outer{}, &skippedv1beta1.Outer{}
	if err := skippedv1beta1.Convert_v1beta1_Outer_To_v1_Outer(in, out, nil); err != nil {
		t.Fatal(err)
	}
	if out.ByHand.A != "A" || out.ByHands[0].A != "B" {
		t.Errorf("the author's function was not called: %+v", out)
	}
	if len(out.Derived.New) != 1 || out.Derived.New[0] != "c" {
		t.Errorf("a type declared as another was converted otherwise: %+v", out.Derived)
	}
	if err := skippedv1beta1.Convert_v1_Outer_To_v1beta1_Outer(out, back, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, back); diff != "" {
		t.Errorf("it did not come back as it was:\n%s", diff)
	}
}

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		shopv1.AddToScheme, shopv1beta1.AddToScheme, shopv1alpha1.AddToScheme,
		handwrittenv1.AddToScheme, handwrittenv1beta1.AddToScheme, handwrittenv1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return scheme
}

// TestMoved converts objects with fields that were elsewhere, as Go objects and as JSON, and back.
func TestMoved(t *testing.T) {
	converter, err := jsonconvert.New(movedv1alpha1.JSONConversion())
	if err != nil {
		t.Fatal(err)
	}
	converter.Strict = true
	scheme := runtime.NewScheme()
	if err := errors.Join(movedv1.AddToScheme(scheme), movedv1beta1.AddToScheme(scheme), movedv1alpha1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ version, older, hub string }{
		"nothing":                      {"v1alpha1", `{"cellar":{}}`, `{"cellar":{}}`},
		"a parent is created":          {"v1beta1", `{"cellar":{},"roofTiles":[{"a":"x"}]}`, `{"cellar":{},"roof":{"tiles":[{"a":"x"}]}}`},
		"an earlier name":              {"v1alpha1", `{"cellar":{},"roof":{"slope":"s"},"slates":[{"a":"x"}]}`, `{"cellar":{},"roof":{"slope":"s","tiles":[{"a":"x"}]}}`},
		"an earlier type":              {"v1alpha1", `{"cellar":{},"roof":{"slope":"s","vaneKind":"k","vane":{"tall":true}}}`, `{"cellar":{},"roof":{"slope":"s","vane":{"tall":true,"kind":"k"}}}`},
		"out of a parent":              {"v1beta1", `{"cellar":{},"roof":{"slope":"s","ladder":0}}`, `{"cellar":{},"roof":{"slope":"s"},"ladder":0}`},
		"moved once":                   {"v1beta1", `{"cellar":{"damp":true,"wine":{"a":"b"}}}`, `{"cellar":{"wine":{"a":"b"}},"damp":true}`},
		"moved twice":                  {"v1alpha1", `{"cellar":{},"annex":{"damp":true}}`, `{"cellar":{},"damp":true}`},
		"between parents":              {"v1alpha1", `{"cellar":{},"annex":{"height":2},"roof":{"slope":"s"}}`, `{"cellar":{},"roof":{"slope":"s","height":2}}`},
		"in each item, and empty ones": {"v1beta1", `{"cellar":{},"boxes":[{},{"boxSize":1,"box":{"lid":true,"lidColor":"x"}}]}`, `{"cellar":{},"boxes":[{},{"box":{"lid":true,"size":1,"other":"x"}}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			object := func(version, spec string) []byte {
				return []byte(`{"kind":"House","apiVersion":"moved.example.com/` + version + `","metadata":{},"spec":` + spec + `}`)
			}
			for _, way := range []struct{ from, in, to, want string }{{test.version, test.older, "v1", test.hub}, {"v1", test.hub, test.version, test.older}} {
				text, err := converter.Convert(nil, object(way.from, way.in), way.to)
				if err != nil {
					t.Fatal(err)
				}
				kind := func(version string) runtime.Object {
					o, err := scheme.New(schema.GroupVersionKind{Group: "moved.example.com", Version: version, Kind: "House"})
					if err != nil {
						t.Fatal(err)
					}
					return o
				}
				read := func(version string, text []byte) runtime.Object {
					o := kind(version)
					if err := json.Unmarshal(text, o); err != nil {
						t.Fatalf("%s: %v", text, err)
					}
					return o
				}
				want := read(way.to, object(way.to, way.want))
				if diff := cmp.Diff(want, read(way.to, text)); diff != "" {
					t.Errorf("%s: JSON to %s (-want +got):\n%s", way.in, way.to, diff)
				}
				got := kind(way.to)
				if err := scheme.Convert(read(way.from, object(way.from, way.in)), got, nil); err != nil {
					t.Fatal(err)
				}
				got.GetObjectKind().SetGroupVersionKind(want.GetObjectKind().GroupVersionKind())
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: Go to %s (-want +got):\n%s", way.in, way.to, diff)
				}
			}
		})
	}
}

// TestHook edits what a hook has made: the edit wins over tracked values, unknown fields stay, and what
// is not edited comes back.
func TestHook(t *testing.T) {
	converter, err := jsonconvert.New(movedv1alpha1.JSONConversion())
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ hub, old, edit, want string }{
		"comes back":                     {`"street":"a, b","x":1.0`, `"text":"a, b"`, `"text":"a, b"`, `"x":1.0,"street":"a, b"`},
		"edit wins":                      {`"street":"a, b","x":1.0`, `"text":"a, b"`, `"text":"q, r"`, `"x":1.0,"street":"q","city":"r"`},
		"no edit of what the hook wrote": {`"street":"a, b"`, `"text":"a, b"`, `"note":"n","text":"a, b"`, `"note":"n","street":"a, b"`},
	} {
		in := `{"kind":"House","apiVersion":"moved.example.com/v1","spec":{"where":{` + test.hub + `}}}`
		older, err := converter.Convert(nil, []byte(in), "v1beta1")
		if err != nil || !strings.Contains(string(older), test.old) {
			t.Errorf("%s: %s, error %v", name, older, err)
		}
		edited := strings.Replace(string(older), test.old, test.edit, 1)
		got, err := converter.Convert(nil, []byte(edited), "v1")
		if err != nil || !strings.Contains(string(got), `{"where":{`+test.want+`}}`) {
			t.Errorf("%s: %s became %s, want %s, error %v", name, edited, got, test.want, err)
		}
	}
}
