package e2e

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	ctrlwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/runtime/admission"
	"github.com/kindsmith/kindsmith/webhook"
)

// served are the webhooks of a kind: what follows /mutate- and /validate- in their paths, and what they
// are called for.
type served struct {
	path, group string
	resources   []string
}

// serveWebhooks starts a manager with the webhooks that a function sets up, and registers them with the
// API server for the objects of a namespace. The test's cleanup removes them.
func serveWebhooks(t *testing.T, scheme *runtime.Scheme, setup func(ctrl.Manager) error, namespace string, kinds ...served) {
	t.Helper()
	// The certificate of test servers.
	certified := httptest.NewTLSServer(nil)
	certified.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	ctrl.SetLogger(logr.Discard())
	config := &rest.Config{Host: shared.URL, BearerToken: shared.Token, TLSClientConfig: rest.TLSClientConfig{CAData: shared.CA}}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: ctrlwebhook.NewServer(ctrlwebhook.Options{Host: "127.0.0.1", Port: port, TLSOpts: []func(*tls.Config){func(c *tls.Config) {
			c.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &certified.TLS.Certificates[0], nil }
		}}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := setup(mgr); err != nil {
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
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certified.Certificate().Raw})
	for prefix, kind := range map[string]string{"mutate": "Mutating", "validate": "Validating"} {
		var hooks []any
		for _, k := range kinds {
			hook := map[string]any{
				"name": prefix + "-" + k.path + "." + k.group, "sideEffects": "None", "admissionReviewVersions": []string{"v1"}, "failurePolicy": "Fail",
				"clientConfig": map[string]any{"url": fmt.Sprintf("https://127.0.0.1:%d/%s-%s", port, prefix, k.path), "caBundle": ca},
				"rules":        []any{map[string]any{"apiGroups": []string{k.group}, "apiVersions": []string{"v1"}, "resources": k.resources, "operations": []string{"CREATE", "UPDATE", "DELETE"}}},
				// The server may know the configuration for a moment after it is deleted.
				"namespaceSelector": map[string]any{"matchLabels": map[string]string{"kubernetes.io/metadata.name": namespace}},
			}
			if prefix == "mutate" {
				hook["reinvocationPolicy"] = "IfNeeded"
			}
			hooks = append(hooks, hook)
		}
		url := shared.URL + "/apis/admissionregistration.k8s.io/v1/" + strings.ToLower(kind) + "webhookconfigurations"
		configuration := map[string]any{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind + "WebhookConfiguration", "metadata": map[string]any{"name": namespace}, "webhooks": hooks,
		}
		if status, answer, err := shared.do(http.MethodPost, url, configuration); err != nil || status != http.StatusCreated {
			t.Fatal(status, answer, err)
		}
		t.Cleanup(func() {
			if status, answer, err := shared.do(http.MethodDelete, url+"/"+namespace, nil); err != nil || status != http.StatusOK {
				t.Error(status, answer, err)
			}
		})
	}
}

// TestWebhook sends databases to a server that calls the webhooks of a manager.
func TestWebhook(t *testing.T) {
	const namespace = "webhooks"
	if _, err := shared.kubectl("create", "namespace", namespace); err != nil {
		t.Fatal(err)
	}
	reserved := func(_ context.Context, _ operation.Operation, db, _ *dbv1.Database) field.ErrorList {
		if db.Name == "reserved" {
			return field.ErrorList{field.Forbidden(field.NewPath("metadata", "name"), "is reserved")}
		}
		return nil
	}
	serveWebhooks(t, shared.scheme, func(mgr ctrl.Manager) error {
		return webhook.SetupWithManager(mgr, &dbv1.Database{}, func(h *admission.Handler[*dbv1.Database]) { h.HandWritten = reserved })
	}, namespace, served{"db-example-com-v1-database", group, []string{"databases", "databases/status"}})

	storage := func(text string) map[string]any { return flow(t, text) }
	database := func(version, name string, storage map[string]any) map[string]any {
		db := flow(t, `{"kind":"Database","spec":{"engine":"Postgres","version":"17.2"}}`)
		db["apiVersion"], db["metadata"] = group+"/"+version, map[string]any{"name": name, "namespace": namespace}
		db["spec"].(map[string]any)["storage"] = storage
		return db
	}
	send := func(method, version, name string, object any) (status int, answer map[string]any, warnings []string) {
		t.Helper()
		url := shared.URL + "/apis/" + group + "/" + version + "/namespaces/" + namespace + "/databases"
		if name != "" {
			url += "/" + name
		}
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		response, err := shared.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, answer, response.Header.Values("Warning")
	}

	// The server calls the webhooks some time after their configuration was created.
	none := storage(`{"type":"None"}`)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		status, answer, _ := send(http.MethodPost, "v1", "?dryRun=All", database("v1", "reserved", none))
		if status == http.StatusUnprocessableEntity {
			details, _ := json.Marshal(answer["details"])
			if want := `{"field":"metadata.name","message":"Forbidden: is reserved","reason":"FieldValueForbidden"}`; !strings.Contains(string(details), want) {
				t.Errorf("%s lacks %s", details, want)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the webhooks are not called: %d %v", status, answer)
		}
	}

	bucket := `{"type":"ObjectStorage","objectStorage":{"bucket":"bucket","endpoint":"e.example.com","credentialsSecretName":"c"}}`
	deselected := strings.Replace(bucket, `"ObjectStorage"`, `"None"`, 1)
	for name, tc := range map[string]struct {
		version, update string
		status          int
		want            string
		warnings        []string
	}{
		"echo":       {version: "v1", update: bucket, status: 200, want: bucket},
		"deselected": {version: "v1", update: deselected, status: 200, want: `{"type":"None"}`},
		// The server converts the request to the version of the webhook, and its patch back.
		"older": {version: "v1beta1", update: deselected, status: 200, want: `{"type":"None"}`},
		"changed": {
			version: "v1", update: strings.Replace(deselected, `"bucket":"bucket"`, `"bucket":"other"`, 1), status: 200, want: `{"type":"None"}`,
			warnings: []string{`299 - "spec.storage.objectStorage was removed: type is set to \"None\""`},
		},
		"unknown": {version: "v1", update: strings.Replace(bucket, `"ObjectStorage"`, `"Tape"`, 1), status: 422},
	} {
		t.Run(name, func(t *testing.T) {
			status, created, _ := send(http.MethodPost, "v1", "", database("v1", name, storage(bucket)))
			if status != http.StatusCreated {
				t.Fatal(status, created["message"])
			}
			db := database(tc.version, name, storage(tc.update))
			db["metadata"] = created["metadata"]
			status, answer, warnings := send(http.MethodPut, tc.version, name, db)
			// v1beta1 is deprecated.
			warnings = slices.DeleteFunc(warnings, func(w string) bool { return strings.Contains(w, "deprecated") })
			if status != tc.status || !slices.Equal(warnings, tc.warnings) {
				t.Fatalf("%d %v, %q", status, answer["message"], warnings)
			}
			if status == http.StatusOK {
				if diff := cmp.Diff(storage(tc.want), answer["spec"].(map[string]any)["storage"]); diff != "" {
					t.Errorf("the storage (-want +got):\n%s", diff)
				}
				answer["status"] = map[string]any{"replicas": 3}
				if status, answer, _ := send(http.MethodPut, tc.version, name+"/status", answer); status != http.StatusOK {
					t.Errorf("the status: %d %v", status, answer["message"])
				}
			}
			if status, answer, _ := send(http.MethodDelete, "v1", name, nil); status != http.StatusOK {
				t.Errorf("delete: %d %v", status, answer["message"])
			}
		})
	}
}

func flow(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	return object
}
