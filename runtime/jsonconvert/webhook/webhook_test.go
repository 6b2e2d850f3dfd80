package webhook_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
)

func TestHandler(t *testing.T) {
	converter, err := jsonconvert.New(&jsonconvert.API{
		Group: "example.com", Versions: []jsonconvert.Version{{Name: "v1beta1"}, {Name: "v1"}}, Kinds: []jsonconvert.Kind{{Name: "A"}},
		Steps: []jsonconvert.Step{{Older: "v1beta1", Newer: "v1", Types: map[string]*jsonconvert.Type{"A": {Fields: []jsonconvert.Field{
			{Older: jsonconvert.Key{Name: "x"}, Newer: jsonconvert.Key{Name: "y"}},
		}}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(webhook.Handler(converter, "A"))
	defer server.Close()
	post := func(body string) (int, string) {
		t.Helper()
		answer, err := http.Post(server.URL, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(text)
	}
	code, text := post(`{"apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u","desiredAPIVersion":"example.com/v1","objects":[{"apiVersion":"example.com/v1beta1","kind":"A","metadata":{},"x":1}]}}`)
	if want := `"convertedObjects":[{"apiVersion":"example.com/v1","kind":"A","metadata":{},"y":1}]`; code != 200 || !strings.Contains(text, want) {
		t.Errorf("%d: %s", code, text)
	}
	if code, text = post(`{}`); code != 200 || !strings.Contains(text, `"code":400`) {
		t.Errorf("%d: %s", code, text)
	}
	answer, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET gives %d", answer.StatusCode)
	}
	w := httptest.NewRecorder()
	webhook.Handler(converter).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", broken{}))
	if w.Code != http.StatusBadRequest {
		t.Errorf("a body that cannot be read gives %d", w.Code)
	}
}

// broken is a body that ends early.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

// TestMemory converts a list of 100,000 objects. All memory that the handler takes, not only at its
// peak, is less than three times the size of the review.
func TestMemory(t *testing.T) {
	converter, err := jsonconvert.New(&jsonconvert.API{
		Group: "example.com", Versions: []jsonconvert.Version{{Name: "v1beta1"}, {Name: "v1"}}, Kinds: []jsonconvert.Kind{{Name: "A"}},
		Steps: []jsonconvert.Step{{Older: "v1beta1", Newer: "v1", Types: map[string]*jsonconvert.Type{"A": {Fields: []jsonconvert.Field{
			{Older: jsonconvert.Key{Name: "old"}, Newer: jsonconvert.Key{Name: "newer"}},
		}}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const objects = 100_000
	object := `{"apiVersion":"example.com/v1beta1","kind":"A","metadata":{},"old":"` + strings.Repeat("text ", 100) + `"},`
	review := `{"request":{"uid":"u","desiredAPIVersion":"example.com/v1","objects":[` + strings.TrimSuffix(strings.Repeat(object, objects), ",") + `]}}`
	for name, length := range map[string]int64{"a length": int64(len(review)), "a length that is too small": 1} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(review))
		r.ContentLength = length
		w := &counter{header: http.Header{}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		webhook.Handler(converter).ServeHTTP(w, r)
		runtime.ReadMemStats(&after)
		want := len(review) - objects*len("v1beta1"+"old") + objects*len("v1"+"newer")
		if w.bytes < want || w.bytes > want+200 {
			t.Fatalf("%s: the answer has %d bytes, want %d", name, w.bytes, want)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; length > 1 && taken > 3*uint64(len(review)) {
			t.Errorf("%s: the handler takes %d bytes for a review of %d bytes", name, taken, len(review))
		}
	}
}

// counter is a response that counts its bytes.
type counter struct {
	header http.Header
	bytes  int
}

func (c *counter) Header() http.Header { return c.header }
func (c *counter) WriteHeader(int)     {}
func (c *counter) Write(text []byte) (int, error) {
	c.bytes += len(text)
	return len(text), nil
}
