package server_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	ctrlwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/kindsmith/kindsmith/runtime/admission"
	"github.com/kindsmith/kindsmith/webhook/server"
)

type shop struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Y                 string `json:"y"`
}

func (s *shop) DeepCopyObject() runtime.Object { out := *s; return &out }

func manager(t *testing.T, s ctrlwebhook.Server) ctrl.Manager {
	t.Helper()
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "a.example.com", Version: "v1", Kind: "A"}, &shop{})
	scheme.AddTypeDefaultingFunc(&shop{}, func(obj any) { obj.(*shop).Y += "!" })
	mgr, err := ctrl.NewManager(&rest.Config{}, ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}, WebhookServer: s})
	if err != nil {
		t.Fatal(err)
	}
	return mgr
}

// TestSetup wires all webhooks of a kind in one call, before the server has started.
func TestSetup(t *testing.T) {
	r := start(t, server.Options{}, func(s *server.Server) {
		configured := false
		mgr := manager(t, s)
		if err := server.SetupWebhookWithManager(mgr, &shop{}, shops(t, "a.example.com", "A"), func(*admission.Handler[*shop]) { configured = true }); err != nil || !configured {
			t.Fatal(err, configured)
		}
		if err := server.SetupWebhookWithManager(mgr, &shop{}, shops(t, "a.example.com", "A")); err == nil || !strings.Contains(err.Error(), "set up each kind once") {
			t.Errorf("again: %v", err)
		}
		if err := server.SetupWebhookWithManager(mgr, &metav1.PartialObjectMetadata{}, shops(t, "a.example.com", "A")); err == nil || !strings.Contains(err.Error(), "AddToScheme") {
			t.Errorf("a kind that the scheme does not have: %v", err)
		}
	})
	r.works()
	object := `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"CREATE","kind":{"group":"a.example.com","version":"v1","kind":"A"},"object":{"y":"a"}}}`
	for path, want := range map[string]string{"/mutate-a-example-com-v1-a": `"patch"`, "/validate-a-example-com-v1-a": `"allowed":true`} {
		if answer, text := r.post(path, strings.NewReader(object)); answer.StatusCode != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, answer.StatusCode, text)
		}
	}
	if answer, err := r.client.Get("https://" + r.addr + "/metrics"); err != nil || answer.StatusCode != http.StatusOK {
		t.Error(answer, err)
	}
	if n := r.metric("kindsmith_webhook_requests_total", "/convert", "200"); n != 1 {
		t.Errorf("%v conversions are counted", n)
	}
}

// TestOtherServer sets up a kind with a manager that has another webhook server.
func TestOtherServer(t *testing.T) {
	err := server.SetupWebhookWithManager(manager(t, ctrlwebhook.NewServer(ctrlwebhook.Options{})), &shop{}, nil)
	if err == nil || !strings.Contains(err.Error(), "set ctrl.Options.WebhookServer to server.New") {
		t.Error(err)
	}
}

// TestThrottled logs the same reason once.
func TestThrottled(t *testing.T) {
	a := newAPI(t)
	a.served = nil
	var log bytes.Buffer
	s := server.New(server.Options{Certificates: server.Files{Dir: "x"}, Config: a.config(), Conversions: ofA(t), Metrics: prometheus.NewRegistry(), Log: slog.New(slog.NewTextHandler(&log, nil))})
	for range 5 {
		_ = server.Look(t.Context(), s)
	}
	if n := strings.Count(log.String(), "does not serve the kind A"); n != 1 {
		t.Errorf("it is logged %d times:\n%s", n, log.String())
	}
}
