package launch

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// testConversionWebhook checks that the server calls a conversion webhook that
// runs in the test process, which is how generated webhooks are tested.
func testConversionWebhook(t *testing.T, s *Server) {
	var calls atomic.Int64
	webhook := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if err := setAPIVersion(w, r); err != nil {
			t.Errorf("%s: %v", r.URL.Path, err)
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	}))
	defer webhook.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: webhook.Certificate().Raw})
	applyCRD(t, s, crd("Gadget", fmt.Sprintf(
		`{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: %q, caBundle: %q}}}`,
		webhook.URL+"/convert", base64.StdEncoding.EncodeToString(ca))))

	kubectl(t, s, object("Gadget", "v1", "one", 1), "apply", "--warnings-as-errors", "-f", "-")
	got := kubectl(t, s, "", "get", "gadgets.v2.test.example.com", "one", "-o", "jsonpath={.apiVersion} {.spec.size}")
	if want := "test.example.com/v2 1"; got != want {
		t.Errorf("in v2 it is %q, want %q", got, want)
	}
	if calls.Load() == 0 {
		t.Error("the webhook was not called")
	}
}

// setAPIVersion answers a ConversionReview with its objects, changing only their
// apiVersion.
func setAPIVersion(w http.ResponseWriter, r *http.Request) error {
	var review struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Request    struct {
			UID               string           `json:"uid"`
			DesiredAPIVersion string           `json:"desiredAPIVersion"`
			Objects           []map[string]any `json:"objects"`
		} `json:"request"`
	}
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		return err
	}
	for _, object := range review.Request.Objects {
		object["apiVersion"] = review.Request.DesiredAPIVersion
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(map[string]any{
		"apiVersion": review.APIVersion,
		"kind":       review.Kind,
		"response": map[string]any{
			"uid":              review.Request.UID,
			"convertedObjects": review.Request.Objects,
			"result":           map[string]any{"status": "Success"},
		},
	})
}
