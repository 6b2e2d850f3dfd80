// Package roundtrip tests that no conversion between the versions of an API loses
// anything. Generated tests call it:
//
// [Run] is the test: an [API] has the versions, the kinds and the values to try.
//
//	func TestRoundTrip(t *testing.T) { roundtrip.Run(t, roundtrip.API{…}) }
//
// It makes objects at random and checks, for each ordered pair of versions:
//
//	L1  up(down(x)) ≈ x for every object x of the newer version
//	L2  down(up(y)) ≈ y for every object y of the older version
//	L3  an edit in one version survives a round trip through any other
//	L4  an absent key stays absent, unless it was added with a default
//	L5  unknown fields survive
//	L6  converting to the version that an object has changes no byte
//	L7  metadata stays as it is, apart from labels and annotations that are fields in other versions
//	L8  x ≈ y: the conversions of x and y are the same, too
//
// a ≈ b means that the Go types cannot tell the JSON values apart: a field that is not a pointer has no difference between
// absent, null and its zero value.
//
// An object is also the same in a third version, whichever way it took, whatever values a client has forged in it, and converted
// as a Go object.
package roundtrip

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/conversion"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// The environment variables that configure a run.
const (
	// ObjectsVariable is the number of objects of each version, by default 100.
	ObjectsVariable = "KINDSMITH_ROUNDTRIP_OBJECTS"
	// SeedVariable is the seed of the first object, by default 1. Each object has the
	// seed after that of the one before.
	SeedVariable = "KINDSMITH_ROUNDTRIP_SEED"
)

// gcPercent is how much memory may grow until garbage is collected, in percent.
const gcPercent = 400

// API is one API group in all its versions.
type API struct {
	// JSON are the steps between the versions.
	JSON *jsonconvert.API
	// Kinds are the kinds, each as its older versions.
	Kinds [][]Version
	// Values are the constants of enums.
	Values []Values
}

// Version is an older version of a kind.
type Version struct {
	name          string
	older, newest reflect.Type
	// up and down convert between pointers to the types.
	up, down func(in, out any) error
}

// Older returns an older version of a kind, from the functions that convert it to the
// newest version and back.
func Older[O, N any](name string, up func(*O, *N, conversion.Scope) error, down func(*N, *O, conversion.Scope) error) Version {
	return Version{
		name: name, older: reflect.TypeFor[O](), newest: reflect.TypeFor[N](),
		up:   func(in, out any) error { return up(in.(*O), out.(*N), nil) },
		down: func(in, out any) error { return down(in.(*N), out.(*O), nil) },
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

// Run checks the laws.
func Run(t *testing.T, api API) {
	t.Helper()
	objects, seed := setting(t, ObjectsVariable, 100), setting(t, SeedVariable, 1)
	s, err := newSuite(api)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("GOGC") == "" { // a test has little memory and makes much garbage
		percent := debug.SetGCPercent(gcPercent)
		t.Cleanup(func() { debug.SetGCPercent(percent) })
	}
	for _, o := range s.origins() {
		t.Run(o.kind.name+"/"+o.from.name, func(t *testing.T) {
			t.Parallel()
			for _, violation := range o.run(uint64(seed), objects) {
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
	api *jsonconvert.API
	// strict and fast are converters in strict mode and without.
	strict, fast *jsonconvert.Converter
	kinds        []*kind
}

type kind struct {
	name  string
	store jsonconvert.Store
	// places are the labels and annotations that are fields in some version.
	places []jsonconvert.Place
	// keepsMetadata means that conversions do not look into the metadata: there are no such places, and no functions that convert
	// whole objects.
	keepsMetadata bool
	// versions are those that have the kind, oldest first.
	versions []*version
	// forged are stored values that no conversion writes. The long ones are rare, since they take long.
	forged, longForged []func() *node
}

// version is one version of a kind.
type version struct {
	name string
	// age is the position in the order of all versions, the newest last.
	age   int
	typ   reflect.Type
	shape *shape
	// conversions is nil in the newest version.
	conversions *Version
}

func newSuite(api API) (*suite, error) {
	if api.JSON == nil {
		return nil, errors.New("the API has no conversions")
	}
	s := &suite{api: api.JSON}
	for _, c := range []**jsonconvert.Converter{&s.strict, &s.fast} {
		var err error
		if *c, err = jsonconvert.New(api.JSON); err != nil {
			return nil, err
		}
	}
	s.strict.Strict = true
	for _, older := range api.Kinds {
		k := &kind{name: older[0].newest.Name()}
		of := slices.IndexFunc(api.JSON.Kinds, func(known jsonconvert.Kind) bool { return known.Name == k.name })
		if of < 0 {
			return nil, fmt.Errorf("the table lacks the kind %s", k.name)
		}
		k.store = api.JSON.Kinds[of].Store
		all := api.JSON.Versions
		k.forged, k.longForged = forgedBy(k.store, entries, all...), forgedBy(k.store, longEntries, all[0], all[len(all)-1])
		names := s.strict.Versions()
		var err error
		add := func(name string, t reflect.Type, conversions *Version) {
			v := &version{name: name, typ: t, age: slices.Index(names, name), conversions: conversions}
			if v.age < 0 {
				err = fmt.Errorf("the table lacks the version %s", name)
				return
			}
			v.shape = api.shapeOf(k.name, v)
			k.versions = append(k.versions, v)
		}
		for i := range older {
			add(older[i].name, older[i].older, &older[i])
		}
		add(names[len(names)-1], older[0].newest, nil)
		for _, v := range api.JSON.Versions {
			for _, p := range v.Places {
				if p.Kind == k.name && !slices.Contains(k.places, p) {
					k.places = append(k.places, p)
				}
			}
		}
		k.keepsMetadata = len(k.places) == 0 && !slices.ContainsFunc(api.JSON.Steps, func(s jsonconvert.Step) bool {
			t := s.Types[k.name]
			return t != nil && (t.Up != "" || t.Down != "")
		})
		if err != nil {
			return nil, err
		}
		s.kinds = append(s.kinds, k)
	}
	return s, nil
}

func (s *suite) converter(strict bool) *jsonconvert.Converter {
	if strict {
		return s.strict
	}
	return s.fast
}

// isEnd reports whether a version is the oldest or the newest. Conversions to it and back take all steps, so those to the versions
// between need not be strict again.
func (k *kind) isEnd(v *version) bool {
	return v == k.versions[0] || v == k.versions[len(k.versions)-1]
}

// origins returns the versions of all kinds.
func (s *suite) origins() []*origin {
	var origins []*origin
	for _, k := range s.kinds {
		for _, from := range k.versions {
			origins = append(origins, &origin{s, k, from, newResults()})
		}
	}
	return origins
}

// apiVersion returns the apiVersion of a version's objects.
func (s *suite) apiVersion(v *version) string {
	if s.api.Group == "" {
		return v.name
	}
	return s.api.Group + "/" + v.name
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
