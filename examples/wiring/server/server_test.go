package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
)

func TestHandler(t *testing.T) {
	handler, err := Handler()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"/mutate-db-example-com-v1-database": true, "/validate-db-example-com-v1-database": false} {
		// The engine is missing.
		body := `{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "1", "operation": "CREATE",
		  "kind": {"group": "db.example.com", "version": "v1", "kind": "Database"},
		  "object": {"apiVersion": "db.example.com/v1", "kind": "Database", "metadata": {"name": "a"}, "spec": {"version": "17.2", "storage": {"type": "None"}}}}}`
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
		var review admissionv1.AdmissionReview
		if err := json.Unmarshal(answer.Body.Bytes(), &review); err != nil || review.Response == nil {
			t.Fatalf("%s: %d %s, %v", path, answer.Code, answer.Body, err)
		}
		if review.Response.Allowed != want {
			t.Errorf("%s: %+v", path, review.Response)
		}
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader("{}")))
	if answer.Code == 404 {
		t.Error("nothing serves /convert")
	}
}
