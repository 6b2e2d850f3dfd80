// Package test tests the generated conversions with the manifests in config/samples.
package test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"

	"github.com/kindsmith/kindsmith/examples/pipeline/api"
	apiv1 "github.com/kindsmith/kindsmith/examples/pipeline/api/v1"
	apiv1alpha1 "github.com/kindsmith/kindsmith/examples/pipeline/api/v1alpha1"
	apiv1alpha2 "github.com/kindsmith/kindsmith/examples/pipeline/api/v1alpha2"
	apiv1beta1 "github.com/kindsmith/kindsmith/examples/pipeline/api/v1beta1"
	apiv1beta2 "github.com/kindsmith/kindsmith/examples/pipeline/api/v1beta2"
	apiv2 "github.com/kindsmith/kindsmith/examples/pipeline/api/v2"
)

// TestSamples converts every sample to every other version and back. All are valid in each version, as
// far as Go types say, and come back as they were for Go: an explicit zero of a field that is no pointer may be absent.
func TestSamples(t *testing.T) {
	converter, err := jsonconvert.New(apiv1alpha1.JSONConversion())
	if err != nil {
		t.Fatal(err)
	}
	decoder := newDecoder(t)
	decode := func(t *testing.T, object []byte) runtime.Object {
		t.Helper()
		decoded, _, err := decoder.Decode(object, nil, nil)
		if err != nil {
			t.Errorf("%v: %s", err, object)
		}
		return decoded
	}
	files, err := filepath.Glob("../config/samples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("samples: %v, %v", files, err)
	}
	for _, file := range files {
		manifest, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		object, err := yaml.YAMLToJSON(manifest)
		if err != nil {
			t.Fatal(err)
		}
		from, kind, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".yaml"), "_")
		for _, to := range api.PipelineVersions() {
			if kind == "runner" && to == api.PipelineVersionV1alpha1 {
				continue // which has no runners
			}
			t.Run(filepath.Base(file)+"/"+to.String(), func(t *testing.T) {
				was := decode(t, object)
				there, err := converter.Convert(nil, object, to.String())
				if err != nil {
					t.Fatal(err)
				}
				decode(t, there)
				back, err := converter.Convert(nil, there, from)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(was, decode(t, back)) {
					t.Errorf("%s\nbecame\n%s\nthrough\n%s", object, back, there)
				}
			})
		}
	}
}

// newDecoder returns a decoder of all versions that refuses unknown fields.
func newDecoder(t *testing.T) runtime.Decoder {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		apiv1alpha1.AddToScheme, apiv1alpha2.AddToScheme, apiv1beta1.AddToScheme, apiv1beta2.AddToScheme, apiv1.AddToScheme, apiv2.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
}
