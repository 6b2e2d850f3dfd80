// Package compared compares generated defaulting functions of two tools on random objects.
package compared

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/api/equality"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/bench/internal/object"
	"github.com/kindsmith/kindsmith/runtime/structural"
)

// Kind is a kind with the defaulting functions of both tools; nil if a tool writes none.
type Kind struct {
	Name         string
	typ          reflect.Type
	ours, theirs func(any)
}

// Of returns the kind of a type.
func Of[T any](name string, ours, theirs func(*T)) Kind {
	untyped := func(f func(*T)) func(any) {
		if f == nil {
			return nil
		}
		return func(obj any) { f(obj.(*T)) }
	}
	return Kind{name, reflect.TypeFor[T](), untyped(ours), untyped(theirs)}
}

// objects is the number of random objects of each kind.
const objects = 60

// random returns random object n of the kind.
func (k Kind) random(n uint64) any {
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(k.Name))
	return object.Maker{Rand: rand.New(rand.NewPCG(seed.Sum64(), n))}.New(k.typ)
}

// faults are values that upstream's functions do not default. k8s.io/api has none.
var faults = []struct{ kind, path, reason string }{
	{"defaulted/v1.Pool", "Spec.ByZone", "defaulter-gen does not visit the values of maps"},
}

// faulty reports whether a path is one of upstream's faults.
func (k Kind) faulty(path cmp.Path) bool {
	for _, f := range faults {
		if f.kind == k.Name && path.String() == f.path {
			return true
		}
	}
	return false
}

// TestDifferences compares the functions on random objects.
func TestDifferences(t *testing.T, kinds []Kind) {
	changed := 0
	for _, k := range kinds {
		if k.ours == nil || k.theirs == nil {
			t.Errorf("%s: only one tool writes a function: ours %v, theirs %v", k.Name, k.ours != nil, k.theirs != nil)
			continue
		}
		for n := range uint64(objects) {
			in, ours, theirs := k.random(n), k.random(n), k.random(n)
			k.ours(ours)
			k.theirs(theirs)
			if !equality.Semantic.DeepEqual(in, theirs) {
				changed++
			}
			if equality.Semantic.DeepEqual(ours, theirs) {
				continue
			}
			if diff := cmp.Diff(theirs, ours, cmp.FilterPath(k.faulty, cmp.Ignore())); diff != "" {
				t.Errorf("%s (-theirs +ours):\n%s", k.Name, diff)
				break
			}
		}
	}
	t.Logf("%d kinds, %d objects each; defaults were set in %d", len(kinds), objects, changed)
	if len(kinds) < 20 || changed < len(kinds) {
		t.Error("this compares too little")
	}
}

// TestAllocations checks that our functions do not allocate for objects that have all defaults.
func TestAllocations(t *testing.T, kinds []Kind) {
	for _, k := range kinds {
		if k.ours == nil {
			continue
		}
		obj := k.random(1)
		k.ours(obj)
		if n := testing.AllocsPerRun(5, func() { k.ours(obj) }); n > 0 {
			t.Errorf("%s: %v allocations", k.Name, n)
		}
	}
}

// Benchmark measures the functions on objects that have all defaults and, for the sample, the
// schema's defaulting by the API server's code and by package structural.
func Benchmark(b *testing.B, kinds []Kind) {
	for _, k := range kinds {
		if k.Name != "core/v1.Pod" && k.Name != "defaulted/v1.Pool" || k.ours == nil || k.theirs == nil {
			continue
		}
		obj := k.random(4)
		k.ours(obj)
		run := func(name string, f func()) {
			b.Run(strings.ReplaceAll(k.Name, "/", ".")+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("ours", func() { k.ours(obj) })
		run("theirs", func() { k.theirs(obj) })
		if k.Name != "defaulted/v1.Pool" {
			continue
		}
		server, ours, untyped := schemas(b, obj)
		run("server", func() {
			structuraldefaulting.PruneNonNullableNullsWithoutDefaults(untyped, server)
			structuraldefaulting.Default(untyped, server)
		})
		run("structural", func() { ours.Default(untyped) })
	}
}

// schemas returns the sample's schema in both forms, and an object as decoded JSON.
func schemas(b *testing.B, obj any) (*structuralschema.Structural, *structural.Schema, map[string]any) {
	b.Helper()
	files, err := filepath.Glob("../crd/*.yaml")
	if err != nil || len(files) != 1 {
		b.Fatal(files, err)
	}
	var crd apiextensionsv1.CustomResourceDefinition
	text, err := os.ReadFile(files[0])
	if err == nil {
		err = yaml.UnmarshalStrict(text, &crd)
	}
	if err != nil {
		b.Fatal(err)
	}
	v1 := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	var props apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1, &props, nil); err != nil {
		b.Fatal(err)
	}
	server, err := structuralschema.NewStructural(&props)
	if err != nil {
		b.Fatal(err)
	}
	raw, err := json.Marshal(v1)
	if err != nil {
		b.Fatal(err)
	}
	ours, err := structural.Parse(raw)
	if err != nil {
		b.Fatal(err)
	}
	var untyped map[string]any
	if raw, err = json.Marshal(obj); err == nil {
		err = utiljson.Unmarshal(raw, &untyped)
	}
	if err != nil {
		b.Fatal(err)
	}
	ours.Default(untyped)
	return server, ours, untyped
}
