package v1_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	v1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// These tests break every rule on the kinds of this version and report the errors
// to ValidationCoverage. The tests in ../../test check the errors of each manifest.

const invalid = "../../config/samples/invalid"

// TestInvalidCreates breaks rules with the manifests of this version.
func TestInvalidCreates(t *testing.T) {
	scheme := newScheme(t)
	for _, name := range glob(t, invalid+"/create/*.yaml") {
		obj := decode(t, scheme, name)
		if obj == nil {
			continue
		}
		scheme.Default(obj)
		if errs := v1.ValidationCoverage.Validate(t.Context(), scheme, obj); len(errs) == 0 {
			t.Errorf("%s is valid", filepath.Base(name))
		}
	}
}

// TestInvalidUpdates breaks rules on updates.
func TestInvalidUpdates(t *testing.T) {
	scheme := newScheme(t)
	for _, name := range glob(t, invalid+"/update/*.to.yaml") {
		obj, old := decode(t, scheme, name), decode(t, scheme, strings.TrimSuffix(name, ".to.yaml")+".from.yaml")
		if obj == nil || old == nil {
			continue
		}
		scheme.Default(obj)
		scheme.Default(old)
		if obj, ok := obj.(*v1.Database); ok {
			v1.NormalizeUnions_Database(union.Request{}, obj, old.(*v1.Database))
		}
		if errs := v1.ValidationCoverage.ValidateUpdate(t.Context(), scheme, obj, old); len(errs) == 0 {
			t.Errorf("%s is valid", filepath.Base(name))
		}
	}
}

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return scheme
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v", pattern, names, err)
	}
	return names
}

// decode reads a manifest. It returns nil for a manifest of another version.
func decode(t *testing.T, scheme *runtime.Scheme, name string) runtime.Object {
	t.Helper()
	manifest, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	obj, _, err := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer().Decode(manifest, nil, nil)
	switch {
	case runtime.IsNotRegisteredError(err):
		return nil
	case err != nil:
		t.Fatalf("%s: %v", filepath.Base(name), err)
	}
	return obj
}
