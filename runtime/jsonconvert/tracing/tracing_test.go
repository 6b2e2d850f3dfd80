package tracing_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert/tracing"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
)

// spans returns the spans of a review, that of the review last, with attributes as text.
func spans(t *testing.T, objects string) []tracetest.SpanStub {
	t.Helper()
	step := func(older, newer string) jsonconvert.Step {
		fields := []jsonconvert.Field{{Older: jsonconvert.Key{Name: older}, Newer: jsonconvert.Key{Name: newer}}}
		return jsonconvert.Step{Older: older, Newer: newer, Types: map[string]*jsonconvert.Type{"A": {Fields: fields}}}
	}
	converter, err := jsonconvert.New(&jsonconvert.API{
		Group: "example.com", Versions: []jsonconvert.Version{{Name: "v1alpha1"}, {Name: "v1beta1"}, {Name: "v1"}}, Kinds: []jsonconvert.Kind{{Name: "A"}},
		Steps: []jsonconvert.Step{step("v1alpha1", "v1beta1"), step("v1beta1", "v1")},
	})
	if err != nil {
		t.Fatal(err)
	}
	exporter := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter))
	body := `{"request":{"uid":"u","desiredAPIVersion":"example.com/v1beta1","objects":[` + objects + `]}}`
	w := httptest.NewRecorder()
	webhook.Observed(converter, tracing.Observer(provider)).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)))
	if w.Code != http.StatusOK {
		t.Fatal(w)
	}
	return exporter.GetSpans()
}

func attributes(s tracetest.SpanStub) string {
	var list []string
	for _, a := range s.Attributes {
		list = append(list, strings.TrimPrefix(string(a.Key), "k8s.crd.conversion.")+"="+fmt.Sprint(a.Value.AsInterface()))
	}
	return strings.Join(list, " ")
}

func TestObserver(t *testing.T) {
	got := spans(t, `{"apiVersion":"example.com/v1","kind":"A"},{"apiVersion":"example.com/v1alpha1","kind":"A"},{"apiVersion":"example.com/v1beta1","kind":"A"}`)
	want := []string{
		"kind=A api_version=example.com/v1 desired_api_version=example.com/v1beta1 steps=1",
		"kind=A api_version=example.com/v1alpha1 desired_api_version=example.com/v1beta1 steps=1",
		"kind=A api_version=example.com/v1beta1 desired_api_version=example.com/v1beta1 steps=0",
		"converted_object_count=3",
	}
	if len(got) != len(want) {
		t.Fatalf("%d spans", len(got))
	}
	review := got[len(got)-1]
	for i, s := range got {
		if text := attributes(s); text != want[i] || s.Status.Code != codes.Unset {
			t.Errorf("span %d: %s, %v", i, text, s.Status)
		}
		if s.Name == "convert" && (s.Parent.SpanID() != review.SpanContext.SpanID() || s.EndTime.Before(s.StartTime)) {
			t.Errorf("span %d is not below that of the review", i)
		}
	}
}

func TestFailure(t *testing.T) {
	got := spans(t, `{"apiVersion":"example.com/v1","kind":"A"},{"apiVersion":"example.com/v7","kind":"A"},{"apiVersion":"example.com/v1","kind":"A"}`)
	if len(got) != 3 {
		t.Fatalf("%d spans", len(got))
	}
	failed, review := got[1], got[2]
	if failed.Status.Code != codes.Error || len(failed.Events) != 1 || failed.Events[0].Name != "exception" || !strings.Contains(failed.Status.Description, `unknown API version "example.com/v7"`) {
		t.Errorf("%+v", failed)
	}
	if review.Status.Code != codes.Error || attributes(review) != "converted_object_count=0" {
		t.Errorf("%+v", review)
	}
}
