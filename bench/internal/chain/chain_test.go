package chain

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// converted returns the objects of the answer of a handler, without what tracks values.
func converted(t *testing.T, h http.Handler, review []byte, shape string) []map[string]any {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(review)))
	var got struct {
		Response struct {
			Result           struct{ Status, Message string }
			ConvertedObjects []map[string]any
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s", err, w.Body)
	}
	if got.Response.Result.Status != "Success" || len(got.Response.ConvertedObjects) == 0 {
		t.Fatalf("the review failed: %+v", got.Response.Result)
	}
	for _, o := range got.Response.ConvertedObjects {
		if shape == "lossy" { // theirs keep nothing, and do not know what ours restore
			delete(o["metadata"].(map[string]any), "annotations")
			for _, key := range []string{"added2", "added3", "added4", "added5", "added6"} {
				delete(o["spec"].(map[string]any), key)
			}
		}
	}
	return got.Response.ConvertedObjects
}

// TestSameAnswers checks that the benchmark compares handlers that do the same.
func TestSameAnswers(t *testing.T) {
	cases, err := Cases(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if diff := cmp.Diff(converted(t, c.theirs, c.review, c.Shape.Name), converted(t, c.ours, c.review, c.Shape.Name)); diff != "" {
			t.Errorf("%s, %d versions, up %t: (-theirs +ours)\n%s", c.Shape.Name, c.Versions, c.Up, diff)
		}
	}
}

func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("measuring takes some seconds")
	}
	if err := Run(io.Discard, true); err != nil {
		t.Fatal(err)
	}
}
