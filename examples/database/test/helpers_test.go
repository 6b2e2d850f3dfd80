package test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/examples/database/api"
	v1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	"github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
)

func TestVersions(t *testing.T) {
	for text, want := range map[string]api.DatabaseVersion{
		"v1": api.DatabaseVersionV1, "db.example.com/v1beta1": api.DatabaseVersionV1beta1,
		"v2": "", "": "", "example.com/v1": "", "db.example.com/": "",
	} {
		if got, err := api.ParseDatabaseVersion(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v; want %q", text, got, err, want)
		}
	}
	if all := api.DatabaseVersions(); len(all) != 3 || all[2].APIVersion() != "db.example.com/v1" || all[0].String() != "v1alpha1" {
		t.Errorf("got %v", all)
	}
}

// TestConverter converts between all versions like controller-runtime does.
func TestConverter(t *testing.T) {
	var converter interface { // controller-runtime's conversion.Converter
		ConvertObject(ctx context.Context, src, dst runtime.Object) error
	} = api.DatabaseConverter{}
	from := &v1alpha1.Database{Spec: v1alpha1.DatabaseSpec{Engine: "Maria"}}
	for _, to := range []runtime.Object{&v1alpha1.Database{}, &v1beta1.Database{}, &v1.Database{}} {
		to.GetObjectKind().SetGroupVersionKind(v1.GroupVersion.WithKind("kept"))
		if err := converter.ConvertObject(t.Context(), from, to); err != nil {
			t.Fatal(err)
		}
		back := &v1alpha1.Database{}
		if err := converter.ConvertObject(t.Context(), to, back); err != nil {
			t.Fatal(err)
		}
		if back.Spec.Engine != "Maria" || to.GetObjectKind().GroupVersionKind().Kind != "kept" {
			t.Errorf("%T: %+v came back as %+v", to, to, back.Spec)
		}
	}
	for _, err := range []error{
		converter.ConvertObject(t.Context(), &v1.DatabaseClass{}, &v1.Database{}),
		converter.ConvertObject(t.Context(), from, &v1.DatabaseClass{}),
		converter.ConvertObject(t.Context(), &v1alpha1.Database{Spec: v1alpha1.DatabaseSpec{IdleTimeout: "soon"}}, &v1.Database{}),
	} {
		if err == nil {
			t.Error("an object of another type, or with a value that is refused, is converted")
		}
	}
}

// TestDefinition compares the definition of the helpers with that of clusters.
func TestDefinition(t *testing.T) {
	text, err := os.ReadFile("../config/crd/bases/db.example.com_databases.yaml")
	if err != nil {
		t.Fatal(err)
	}
	published := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(text, published); err != nil {
		t.Fatal(err)
	}
	for _, version := range api.DatabaseVersions() {
		got, err := api.DatabaseCRD(version)
		if err != nil {
			t.Fatal(err)
		}
		want := published.DeepCopy()
		for i := range want.Spec.Versions {
			want.Spec.Versions[i].Storage = want.Spec.Versions[i].Name == string(version)
		}
		wantText, wantErr := json.Marshal(want)
		gotText, gotErr := json.Marshal(got)
		if wantErr != nil || gotErr != nil || !bytes.Equal(gotText, wantText) {
			t.Errorf("stored as %s: got %s, want %s", version, gotText, wantText)
		}
	}
	if got, err := api.DatabaseCRD("v7"); err == nil {
		t.Errorf("got %v", got)
	}
}

func TestConvertReview(t *testing.T) {
	review := &apiextensionsv1.ConversionReview{Request: &apiextensionsv1.ConversionRequest{
		UID: "u", DesiredAPIVersion: api.DatabaseVersionV1.APIVersion(),
		Objects: []runtime.RawExtension{{Raw: []byte(`{"apiVersion":"db.example.com/v1beta1","kind":"Database","metadata":{"name":"orders"},"spec":{"idleTimeout":"1m30s"}}`)}},
	}}
	answer, err := api.ConvertDatabaseReview(t.Context(), review)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"apiVersion":"db.example.com/v1","kind":"Database","metadata":{"name":"orders"},"spec":{"idleTimeoutSeconds":90}}`
	if r := answer.Response; r == nil || r.UID != "u" || r.Result.Status != "Success" || len(r.ConvertedObjects) != 1 || string(r.ConvertedObjects[0].Raw) != want {
		t.Errorf("got %+v", r)
	}
	answer, err = api.ConvertDatabaseClassReview(t.Context(), review)
	if err != nil || answer.Response.Result.Status != "Failed" || answer.Response.Result.Code != 400 {
		t.Errorf("another kind: got %+v, error %v", answer, err)
	}
}
