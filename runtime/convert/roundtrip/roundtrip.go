// Package roundtrip tests that no conversion between the versions of an API loses
// anything. Generated tests call it:
//
//	func TestRoundTrip(t *testing.T) { roundtrip.Run(t, roundtrip.API{…}) }
//
// It makes objects at random and checks, for each ordered pair of versions, as Go objects
// and as JSON:
//
//	L1  up(down(x)) = x for every object x of the newer version
//	L2  down(up(y)) = y for every object y of the older version
//	L3  an edit that is made in one version survives a round trip by way of the other
//	L4  a key that is absent stays absent, unless it is added with a default
//	L5  unknown fields survive
//	L6  converting to the version that an object has changes no byte
//	L7  metadata stays as it is
//
// and that an object is the same in a third version, whether it came by way of another or not.
// L4 to L6 concern JSON only. The two forms must agree on every object that both can
// represent. What is known to be lost, from the plan of the conversion, is excepted field
// by field.
package roundtrip

import (
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/conversion"

	"github.com/kindsmith/kindsmith/runtime/wire"
)

// The environment variables that configure a run.
const (
	// ObjectsVariable is the number of objects a pair of versions, by default 100.
	ObjectsVariable = "KINDSMITH_ROUNDTRIP_OBJECTS"
	// SeedVariable is the seed of the first object, by default 1. Each object has the
	// seed after that of the one before.
	SeedVariable = "KINDSMITH_ROUNDTRIP_SEED"
)

// API is one API group in all its versions.
type API struct {
	// Wire are the conversions of JSON.
	Wire []wire.Conversion
	// Kinds are the kinds, each as its older versions.
	Kinds [][]Version
	// Values are the constants of enums.
	Values []Values
	// Fields are the fields of which Go types do not say all.
	Fields []Field
	// Entries are the labels and annotations that are fields in other versions.
	Entries []Entry
}

// Entry is a label or an annotation that is a field in other versions.
type Entry struct {
	// Versions are those in which it is no field.
	Versions []string
	// Kind is the name of the kind, Map labels or annotations, and Key the key in it.
	Kind, Map, Key string
}

func (e *Entry) path() []string { return []string{"metadata", e.Map, e.Key} }

// Version is an older version of a kind.
type Version struct {
	name       string
	older, hub reflect.Type
	// up and down convert between pointers to the types.
	up, down func(in, out any) error
}

// Older returns an older version of a kind, from the functions that convert it to the
// newest version and back.
func Older[O, H any](name string, up func(*O, *H, conversion.Scope) error, down func(*H, *O, conversion.Scope) error) Version {
	return Version{
		name: name, older: reflect.TypeFor[O](), hub: reflect.TypeFor[H](),
		up:   func(in, out any) error { return up(in.(*O), out.(*H), nil) },
		down: func(in, out any) error { return down(in.(*H), out.(*O), nil) },
	}
}

// Values are the constants of an enum, as JSON.
type Values struct {
	// Versions are the versions that have them.
	Versions []string
	// Type is the name of the Go type.
	Type string
	// Closed means that the type has no other values.
	Closed bool
	JSON   []string
}

// Field describes a field.
type Field struct {
	// Versions are the versions that have the field.
	Versions []string
	// Type is the name of the Go type that has the field. Key is the field's key in JSON, or
	// the Go name of an inlined struct; "" describes all values of the type.
	Type, Key string
	// ListKeys are the keys of the items of a keyed list; Set is set on sets.
	ListKeys []string
	Set      bool
	// Lost are versions by way of which values may not come back as they were.
	Lost []string
	// First are versions by way of which only the first item of a list comes back, unless it is empty.
	First []string
	// Missing are versions that lack the field. Objects of these versions get a value for it if
	// Filled is set.
	Missing []string
	Filled  bool
	// Decoded means that Go code converts the value: unknown fields in it, and the
	// spelling of numbers and strings, may be lost.
	Decoded bool
	// Exact means that zero values that Go code converts do not become absent.
	Exact bool
	// Late means that an empty value, or a list that begins with one, may come back behind the other
	// fields.
	Late bool
	// Zero means that the zero value, which Go writes for an absent one, may become absent.
	Zero bool
}

// Run checks the laws.
func Run(t *testing.T, api API) {
	t.Helper()
	objects, seed := setting(t, ObjectsVariable, 100), setting(t, SeedVariable, 1)
	s, err := newSuite(api)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.origins() {
		t.Run(f.kind.name+"/"+f.from.name, func(t *testing.T) {
			t.Parallel()
			for _, violation := range f.run(uint64(seed), objects) {
				t.Error(violation)
			}
		})
	}
}

func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, which is not a positive number", name, text)
	}
	return n
}

// suite is an API that is tested.
type suite struct {
	converter *wire.Converter
	group     string
	kinds     []*kind
}

type kind struct {
	name     string
	versions []*version
}

// version is one version of a kind.
type version struct {
	*shapes
	name string
	typ  reflect.Type
	// age is the position in the order of versions, the hub last.
	age int
	// conversions is nil in the hub.
	conversions *Version
}

func newSuite(api API) (*suite, error) {
	if len(api.Wire) == 0 {
		return nil, errors.New("the API has no conversions")
	}
	converter, err := wire.New(api.Wire...)
	if err != nil {
		return nil, err
	}
	s := &suite{converter: converter, group: api.Wire[0].Table.Group}
	for _, older := range api.Kinds {
		k := &kind{name: older[0].hub.Name()}
		add := func(name string, t reflect.Type, conversions *Version) {
			k.versions = append(k.versions, &version{
				shapes: &shapes{know: api.know(name), pkg: t.PkgPath(), entries: api.entries(k.name)},
				name:   name, typ: t, age: slices.Index(converter.Versions(), name), conversions: conversions,
			})
		}
		for i := range older {
			add(older[i].name, older[i].older, &older[i])
		}
		add(api.Wire[0].Table.Hub, older[0].hub, nil)
		s.kinds = append(s.kinds, k)
	}
	return s, nil
}

// origins returns the versions of all kinds.
func (s *suite) origins() []*origin {
	var origins []*origin
	for _, k := range s.kinds {
		for _, from := range k.versions {
			origins = append(origins, &origin{s, k, from})
		}
	}
	return origins
}

func (api *API) entries(kind string) []Entry {
	return slices.DeleteFunc(slices.Clone(api.Entries), func(e Entry) bool { return e.Kind != kind })
}

// know returns the flags of a version.
func (api *API) know(version string) map[string]map[string]flags {
	know := map[string]map[string]flags{}
	set := func(typ, key string, change func(*flags)) {
		if know[typ] == nil {
			know[typ] = map[string]flags{}
		}
		f := know[typ][key]
		change(&f)
		know[typ][key] = f
	}
	for _, v := range api.Values {
		if slices.Contains(v.Versions, version) {
			set(v.Type, "", func(f *flags) { f.values, f.closed = v.JSON, v.Closed })
		}
	}
	for _, field := range api.Fields {
		if slices.Contains(field.Versions, version) {
			set(field.Type, field.Key, func(f *flags) {
				f.lost, f.missing, f.filled, f.decoded = field.Lost, field.Missing, field.Filled, field.Decoded
				f.first, f.zero, f.late, f.exact = field.First, field.Zero, field.Late, field.Exact
				f.keys, f.unique = field.ListKeys, field.Set
			})
		}
	}
	return know
}

// apiVersion returns the apiVersion of a version's objects.
func (s *suite) apiVersion(v *version) string {
	if s.group == "" {
		return v.name
	}
	return s.group + "/" + v.name
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
