package v1beta1_test

import (
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
)

// TestInvalidCreates breaks the rule that no newer version has. The tests of v1
// break all other rules.
func TestInvalidCreates(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1beta1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile("../../config/samples/invalid/create/v1beta1-idle-timeout-too-long.yaml")
	if err != nil {
		t.Fatal(err)
	}
	obj, _, err := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer().Decode(manifest, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	scheme.Default(obj)
	if errs := v1beta1.ValidationCoverage.Validate(t.Context(), scheme, obj); len(errs) != 1 {
		t.Errorf("errors: %v", errs)
	}
}
