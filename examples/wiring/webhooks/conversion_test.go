package webhooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	"github.com/kindsmith/kindsmith/examples/database/api"
	v1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	"github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
)

// TestControllerRuntime converts a review between all versions with the webhook of controller-runtime: by the methods of
// the types, and by the converter of the helpers. The answer is that of the helpers.
func TestControllerRuntime(t *testing.T) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1alpha1.AddToScheme, v1beta1.AddToScheme, v1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []runtime.Object{&v1.Database{}, &v1.DatabaseClass{}} {
		if ok, err := conversion.IsConvertible(scheme, kind); !ok || err != nil {
			t.Errorf("%T is not convertible: %v", kind, err)
		}
	}
	converters := conversion.NewRegistry()
	if err := converters.RegisterConverter(schema.GroupKind{Group: v1.GroupVersion.Group, Kind: "Database"}, api.DatabaseConverter{}); err != nil {
		t.Fatal(err)
	}
	for name, registry := range map[string]conversion.Registry{"methods": conversion.NewRegistry(), "converter": converters} {
		handler := conversion.NewWebhookHandler(scheme, registry)
		for _, from := range api.DatabaseVersions() {
			for _, to := range api.DatabaseVersions() {
				if from == to {
					continue // controller-runtime does not pass these through
				}
				object := fmt.Sprintf(`{"apiVersion":%q,"kind":"Database","metadata":{"name":"orders"},"spec":{"engine":"Maria"}}`, from.APIVersion())
				review := &apiextensionsv1.ConversionReview{Request: &apiextensionsv1.ConversionRequest{
					UID: "u", DesiredAPIVersion: to.APIVersion(), Objects: []runtime.RawExtension{{Raw: []byte(object)}},
				}}
				body, err := json.Marshal(review)
				if err != nil {
					t.Fatal(err)
				}
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(body)))
				got := &apiextensionsv1.ConversionReview{}
				if err := json.Unmarshal(w.Body.Bytes(), got); err != nil || got.Response == nil || len(got.Response.ConvertedObjects) != 1 {
					t.Fatalf("%s, %s to %s: %v, %s", name, from, to, err, w.Body)
				}
				want, err := api.ConvertDatabaseReview(t.Context(), review)
				if err != nil || want.Response.Result.Status != "Success" {
					t.Fatalf("%s to %s: %v, %+v", from, to, err, want)
				}
				if g, w := decoded(t, scheme, got), decoded(t, scheme, want); !equality.Semantic.DeepEqual(g, w) {
					t.Errorf("%s, %s to %s: got %+v, want %+v", name, from, to, g, w)
				}
			}
		}
	}
}

// decoded returns the only object of an answer.
func decoded(t *testing.T, scheme *runtime.Scheme, answer *apiextensionsv1.ConversionReview) runtime.Object {
	t.Helper()
	object, _, err := serializer.NewCodecFactory(scheme).UniversalDeserializer().Decode(answer.Response.ConvertedObjects[0].Raw, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return object
}
