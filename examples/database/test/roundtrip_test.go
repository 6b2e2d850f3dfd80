package test

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/examples/database/internal/offline"
)

var versions = []schema.GroupVersion{offline.V1Alpha1, offline.V1Beta1, offline.V1}

// TestRoundTrips converts every sample to every other version and back: nothing is lost.
func TestRoundTrips(t *testing.T) {
	server := newServer(t)
	for name, obj := range readSamples(t, server) {
		from := obj.GetObjectKind().GroupVersionKind().GroupVersion()
		for _, to := range versions {
			if from == to {
				continue
			}
			t.Run(name+"/"+to.Version, func(t *testing.T) {
				there := convert(t, server, obj, to)
				back := convert(t, server, there, from)
				for _, path := range differences(t, obj, back) {
					t.Errorf("%s is not what it was", path)
				}
				for _, e := range server.Create(t.Context(), there) {
					t.Errorf("valid in %s, but not in %s: %v", from.Version, to.Version, e)
				}
			})
		}
	}
}

// TestTourOfVersions converts the samples of the oldest version to all other
// versions in turn and back. The result equals the original.
func TestTourOfVersions(t *testing.T) {
	server := newServer(t)
	for name, first := range readSamples(t, server) {
		if !strings.HasPrefix(name, offline.V1Alpha1.Version+"_") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			obj := first
			for _, to := range []schema.GroupVersion{offline.V1, offline.V1Beta1, offline.V1, offline.V1Alpha1} {
				obj = convert(t, server, obj, to)
			}
			for _, path := range differences(t, first, obj) {
				t.Errorf("%s is not what it was", path)
			}
		})
	}
}

// TestConversionSaysWhere converts an object that is valid but not convertible.
func TestConversionSaysWhere(t *testing.T) {
	server := newServer(t)
	obj, err := server.Decode([]byte(`{
		"apiVersion": "db.example.com/v1alpha1", "kind": "Database", "metadata": {"name": "a"},
		"spec": {"engine": "Postgres", "version": "17", "storage": {"type": "None"}, "idleTimeout": "soon"}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = server.Convert(obj, offline.V1)
	if err == nil || !strings.HasPrefix(err.Error(), `spec.idleTimeout: "soon" is not a duration`) {
		t.Errorf("converting an idle timeout of soon: got %v", err)
	}
}

func convert(t *testing.T, server *offline.Server, obj runtime.Object, to schema.GroupVersion) runtime.Object {
	t.Helper()
	out, err := server.Convert(obj, to)
	if err != nil {
		t.Fatalf("to %s: %v", to.Version, err)
	}
	return out
}

func readSamples(t *testing.T, server *offline.Server) map[string]runtime.Object {
	t.Helper()
	files, err := filepath.Glob(samples + "/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("samples: %v, %v", files, err)
	}
	objects := map[string]runtime.Object{}
	for _, file := range files {
		obj, err := server.DecodeFile(file)
		if err != nil {
			t.Fatal(err)
		}
		objects[filepath.Base(file)] = obj
	}
	return objects
}

// differences returns the outermost paths at which two objects differ.
func differences(t *testing.T, a, b runtime.Object) []string {
	t.Helper()
	x, err := offline.Fields(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := offline.Fields(b)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	var walk func(path string, x, y any)
	walk = func(path string, x, y any) {
		m, isMap := x.(map[string]any)
		n, areMaps := y.(map[string]any)
		if !isMap || !areMaps {
			if !reflect.DeepEqual(x, y) {
				paths = append(paths, path)
			}
			return
		}
		keys := map[string]bool{}
		for k := range m {
			keys[k] = true
		}
		for k := range n {
			keys[k] = true
		}
		for k := range keys {
			walk(strings.TrimPrefix(path+"."+k, "."), m[k], n[k])
		}
	}
	walk("", x, y)
	slices.Sort(paths)
	return paths
}
