package webhooks

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	dbv1alpha1 "github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	dbv1beta1 "github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
)

const valid = `{"apiVersion": "db.example.com/v1", "kind": "Database", "metadata": {"name": "a", "namespace": "shop"},
  "spec": {"engine": "Postgres", "version": "17.2", "storage": {"type": "None"}}}`

// server returns the handler of a manager's webhook server.
func server(t *testing.T) http.Handler {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{dbv1alpha1.AddToScheme, dbv1beta1.AddToScheme, dbv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	mgr, err := ctrl.NewManager(&rest.Config{}, ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := Setup(mgr); err != nil {
		t.Fatal(err)
	}
	return mgr.GetWebhookServer().(*webhook.DefaultServer).WebhookMux()
}

// post posts a review and returns the answer in it.
func post[R any](t *testing.T, path string, review any) R {
	t.Helper()
	body, err := json.Marshal(review)
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(string(body)))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	server(t).ServeHTTP(recorder, request)
	var answer struct{ Response R }
	if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s: %v\n%s", path, err, recorder.Body)
	}
	return answer.Response
}

func admit(t *testing.T, path, object, old string) admissionv1.AdmissionResponse {
	t.Helper()
	request := &admissionv1.AdmissionRequest{UID: "1", Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: []byte(object)}}
	if old != "" {
		request.Operation, request.OldObject.Raw = admissionv1.Update, []byte(old)
	}
	return post[admissionv1.AdmissionResponse](t, path, admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Request: request,
	})
}

func TestValidation(t *testing.T) {
	const path = "/validate-db-example-com-v1-database"
	mysql := strings.Replace(valid, "Postgres", "MySQL", 1)
	for name, test := range map[string]struct{ object, old, cause string }{
		"a valid object":    {object: valid},
		"an invalid object": {object: strings.Replace(valid, "17.2", "", 1), cause: "spec.version"},
		"a valid update":    {object: valid, old: valid},
		"an invalid update": {object: mysql, old: valid, cause: "spec.engine"},
	} {
		answer := admit(t, path, test.object, test.old)
		var causes []string
		if answer.Result != nil && answer.Result.Details != nil {
			for _, c := range answer.Result.Details.Causes {
				causes = append(causes, c.Field)
			}
		}
		if answer.Allowed != (test.cause == "") || test.cause != "" && !strings.Contains(strings.Join(causes, " "), test.cause) {
			t.Errorf("%s: allowed is %t, causes are %v: %+v", name, answer.Allowed, causes, answer.Result)
		}
	}
}

func TestDefaults(t *testing.T) {
	const path = "/mutate-db-example-com-v1-database"
	answer := admit(t, path, valid, "")
	if !answer.Allowed || !strings.Contains(string(answer.Patch), `"path":"/spec/replicas"`) {
		t.Errorf("no default in %s", answer.Patch)
	}
	// The update changes the discriminator of a union: the member that it deselects goes.
	bucket := strings.Replace(valid, `{"type": "None"}`, `{"type": "ObjectStorage", "objectStorage": {"bucket": "b", "endpoint": "e.example.com", "credentialsSecretName": "c"}}`, 1)
	answer = admit(t, path, strings.Replace(bucket, `"ObjectStorage"`, `"None"`, 1), bucket)
	if !answer.Allowed || !strings.Contains(string(answer.Patch), `{"op":"remove","path":"/spec/storage/objectStorage"}`) {
		t.Errorf("the patch is %s", answer.Patch)
	}
}

func TestConversion(t *testing.T) {
	object := strings.Replace(valid, `"storage"`, `"idleTimeoutSeconds": 90, "unknown": 1, "storage"`, 1)
	answer := post[struct {
		ConvertedObjects []json.RawMessage
		Result           metav1.Status
	}](t, "/convert", map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
		"request": map[string]any{"uid": "1", "desiredAPIVersion": "db.example.com/v1beta1", "objects": []any{json.RawMessage(object)}},
	})
	if answer.Result.Status != metav1.StatusSuccess || len(answer.ConvertedObjects) != 1 {
		t.Fatalf("%+v", answer)
	}
	// kindsmith's handler answers, not controller-runtime's: it keeps unknown fields.
	for _, want := range []string{`"idleTimeout":"1m30s"`, `"unknown":1`} {
		if got := strings.ReplaceAll(string(answer.ConvertedObjects[0]), ": ", ":"); !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}
