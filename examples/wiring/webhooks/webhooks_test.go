package webhooks

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registration "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/yaml"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	dbv1alpha1 "github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	dbv1beta1 "github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/rollout"
)

const valid = `{"apiVersion": "db.example.com/v1", "kind": "Database", "metadata": {"name": "a", "namespace": "shop"},
  "spec": {"engine": "Postgres", "version": "17.2", "storage": {"type": "None"}}}`

// manager is a running manager.
type manager struct {
	url    string
	client *http.Client
	gates  rollout.Gates
}

// start starts a manager, which serves the webhooks with TLS.
func start(t *testing.T) *manager {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{dbv1alpha1.AddToScheme, dbv1beta1.AddToScheme, dbv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	// The certificate of test servers, and a client that trusts it.
	certified := httptest.NewTLSServer(nil)
	certified.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	mgr, err := ctrl.NewManager(&rest.Config{}, ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, TLSOpts: []func(*tls.Config){func(c *tls.Config) {
			c.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &certified.TLS.Certificates[0], nil }
		}}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	m := &manager{url: fmt.Sprintf("https://127.0.0.1:%d", port), client: certified.Client(), gates: rollout.DefaultGates()}
	if err := Setup(mgr); err != nil {
		t.Fatal(err)
	}
	if err := SetupClasses(mgr, func() rollout.Gates { return m.gates }); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() { stopped <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
	deadline := time.Now().Add(time.Minute)
	for mgr.GetWebhookServer().StartedChecker()(nil) != nil {
		if time.Now().After(deadline) {
			t.Fatal("the webhooks are not served a minute after the manager was started")
		}
		time.Sleep(10 * time.Millisecond)
	}
	return m
}

// post posts a review and returns the answer in it.
func post[R any](t *testing.T, m *manager, path string, review any) R {
	t.Helper()
	body, err := json.Marshal(review)
	if err != nil {
		t.Fatal(err)
	}
	response, err := m.client.Post(m.url+path, "application/json", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct{ Response R }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatalf("%s: %s, %v", path, response.Status, err)
	}
	return answer.Response
}

func (m *manager) admit(t *testing.T, path, object, old string) admissionv1.AdmissionResponse {
	t.Helper()
	request := &admissionv1.AdmissionRequest{UID: "1", Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: []byte(object)}}
	if err := json.Unmarshal([]byte(object), &request.Kind); err != nil {
		t.Fatal(err)
	}
	request.Kind.Group, request.Kind.Version = dbv1.GroupVersion.Group, dbv1.GroupVersion.Version
	if old != "" {
		request.Operation, request.OldObject.Raw = admissionv1.Update, []byte(old)
	}
	return post[admissionv1.AdmissionResponse](t, m, path, admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Request: request,
	})
}

// causes returns the fields of the errors.
func causes(answer admissionv1.AdmissionResponse) (fields []string) {
	if answer.Result != nil && answer.Result.Details != nil {
		for _, c := range answer.Result.Details.Causes {
			fields = append(fields, c.Field)
		}
	}
	return fields
}

func TestValidation(t *testing.T) {
	const path = "/validate-db-example-com-v1-database"
	m := start(t)
	mysql := strings.Replace(valid, "Postgres", "MySQL", 1)
	for name, test := range map[string]struct{ object, old, cause string }{
		"a valid object":    {object: valid},
		"an invalid object": {object: strings.Replace(valid, "17.2", "", 1), cause: "spec.version"},
		"a valid update":    {object: valid, old: valid},
		"an invalid update": {object: mysql, old: valid, cause: "spec.engine"},
	} {
		answer := m.admit(t, path, test.object, test.old)
		if answer.Allowed != (test.cause == "") || test.cause != "" && !slices.Contains(causes(answer), test.cause) {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestDefaultsAndUnions(t *testing.T) {
	const path = "/mutate-db-example-com-v1-database"
	m := start(t)
	answer := m.admit(t, path, valid, "")
	if !answer.Allowed || !strings.Contains(string(answer.Patch), `{"op":"add","path":"/spec/replicas","value":`) {
		t.Errorf("no default in %s", answer.Patch)
	}
	// The update changes the discriminator of a union: the member that it deselects goes.
	bucket := strings.Replace(valid, `{"type": "None"}`, `{"type": "ObjectStorage", "objectStorage": {"bucket": "b", "endpoint": "e.example.com", "credentialsSecretName": "c"}}`, 1)
	none := strings.Replace(bucket, `"ObjectStorage"`, `"None"`, 1)
	const removal = `{"op":"remove","path":"/spec/storage/objectStorage"}`
	if answer = m.admit(t, path, none, bucket); !answer.Allowed || !strings.Contains(string(answer.Patch), removal) || len(answer.Warnings) > 0 {
		t.Errorf("%v %s", answer.Warnings, answer.Patch)
	}
	// The client had changed it, and is warned.
	answer = m.admit(t, path, strings.Replace(none, `"bucket": "b"`, `"bucket": "c"`, 1), bucket)
	if want := `spec.storage.objectStorage was removed: type is set to "None"`; !strings.Contains(string(answer.Patch), removal) || !slices.Equal(answer.Warnings, []string{want}) {
		t.Errorf("%v %s", answer.Warnings, answer.Patch)
	}
}

// TestManifests checks that the manager serves the webhooks of the generated manifests, and accepts the requests that
// they describe.
func TestManifests(t *testing.T) {
	content, err := os.ReadFile("../../database/config/webhook/manifests.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type config struct {
		Webhooks []struct {
			Name         string
			ClientConfig registration.WebhookClientConfig
			Rules        []registration.RuleWithOperations
		}
	}
	m := start(t)
	found := 0
	for _, doc := range strings.Split(string(content), "\n---\n") {
		var c config
		if err := yaml.Unmarshal([]byte(doc), &c); err != nil {
			t.Fatal(err)
		}
		for _, w := range c.Webhooks {
			found++
			if strings.Contains(w.Name, "class") {
				if answer := m.admit(t, *w.ClientConfig.Service.Path, class, ""); answer.Result != nil && answer.Result.Reason != metav1.StatusReasonInvalid {
					t.Errorf("%s: %+v", w.Name, answer)
				}
			} else if answer := m.admit(t, *w.ClientConfig.Service.Path, valid, ""); !answer.Allowed {
				t.Errorf("%s: %+v", w.Name, answer)
			}
			if got := w.Rules[0].APIVersions; !slices.Equal(got, []string{dbv1.GroupVersion.Version}) {
				t.Errorf("%s is called with the versions %v", w.Name, got)
			}
		}
	}
	if found != 4 {
		t.Errorf("%d webhooks", found)
	}
}

const class = `{"apiVersion": "db.example.com/v1", "kind": "DatabaseClass", "metadata": {"name": "default"}, "spec": {}}`

func TestClasses(t *testing.T) {
	const path = "/validate-db-example-com-v1-databaseclass"
	m := start(t)
	if got, want := causes(m.admit(t, path, class, "")), []string{"metadata.name", "spec.controllerName"}; !slices.Equal(got, want) {
		t.Errorf("the causes are %v, want %v", got, want)
	}
	if answer := m.admit(t, "/mutate-db-example-com-v1-databaseclass", class, ""); !answer.Allowed {
		t.Errorf("%+v", answer)
	}
}

func TestConversion(t *testing.T) {
	object := strings.Replace(valid, `"storage"`, `"idleTimeoutSeconds": 90, "unknown": 1, "storage"`, 1)
	answer := post[struct {
		ConvertedObjects []json.RawMessage
		Result           metav1.Status
	}](t, start(t), "/convert", map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
		"request": map[string]any{"uid": "1", "desiredAPIVersion": "db.example.com/v1beta1", "objects": []any{json.RawMessage(object)}},
	})
	if answer.Result.Status != metav1.StatusSuccess || len(answer.ConvertedObjects) != 1 {
		t.Fatalf("%+v", answer)
	}
	for _, want := range []string{`"idleTimeout":"1m30s"`, `"unknown":1`} {
		if got := strings.ReplaceAll(string(answer.ConvertedObjects[0]), ": ", ":"); !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}
