package conversion

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answer returns the response of a handler to a review.
func answer(t *testing.T, h http.Handler, review []byte) any {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(review)))
	var got struct {
		Response struct {
			UID              string
			Result           struct{ Status, Message string }
			ConvertedObjects []any
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s", err, w.Body)
	}
	if got.Response.Result.Status != "Success" || len(got.Response.ConvertedObjects) == 0 {
		t.Fatalf("the review failed: %+v", got.Response.Result)
	}
	return got.Response
}

// TestSameAnswers checks that the benchmark compares handlers that do the same.
func TestSameAnswers(t *testing.T) {
	kinds, err := Kinds()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		for _, direction := range k.Directions() {
			for _, size := range []int{2 << 10, 50 << 10} {
				review, err := k.Review(direction[0], direction[1], 3, size)
				if err != nil {
					t.Fatal(err)
				}
				if n := len(review) / 3; n < size || n > size+size/2+300 {
					t.Errorf("objects have %d bytes, want %d", n, size)
				}
				if diff := cmp.Diff(answer(t, k.Theirs, review), answer(t, k.Ours, review)); diff != "" {
					t.Errorf("%s %v: (-theirs +ours)\n%s", k.Name, direction, diff)
				}
			}
		}
	}
}

func TestRun(t *testing.T) {
	if err := Run(io.Discard, true); err != nil {
		t.Fatal(err)
	}
}

// TestTyped compares the results of conversion-gen's conversions of Go objects with those of kindsmith.
func TestTyped(t *testing.T) {
	conversions, err := TypedConversions(2 << 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range conversions {
		theirs, err := c.Theirs()
		if err != nil {
			t.Fatal(err)
		}
		ours, err := c.Ours()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(theirs, ours); diff != "" {
			t.Errorf("%s differs (-theirs +ours):\n%s", c.Name, diff)
		}
	}
}
