package workbench

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestEvents reads events as they are sent, by two pages of which one ends.
func TestEvents(t *testing.T) {
	var h hub
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.serve(w, r, func() []byte { return event("state", "first") })
	}))
	t.Cleanup(s.Close) // after the pages are closed
	open := func(ctx context.Context) *bufio.Reader {
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = answer.Body.Close() })
		return bufio.NewReader(answer.Body)
	}
	next := func(r *bufio.Reader) string {
		t.Helper()
		var lines strings.Builder
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if line == "\n" {
				return lines.String()
			}
			lines.WriteString(line)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	one, two := open(ctx), open(t.Context())
	for _, page := range []*bufio.Reader{one, two} {
		if got := next(page); got != "event: state\ndata: \"first\"\n" {
			t.Errorf("%q", got)
		}
	}
	h.send("request", map[string]string{"text": "two\nlines"})
	for _, page := range []*bufio.Reader{one, two} {
		if got := next(page); got != "event: request\ndata: {\"text\":\"two\\nlines\"}\n" {
			t.Errorf("%q", got)
		}
	}
	stop()
	for range 500 {
		h.mu.Lock()
		n := len(h.clients)
		h.mu.Unlock()
		if n == 1 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("a page that is closed gets events still")
}

// TestSlow sends more than a page reads. The others must not wait.
func TestSlow(t *testing.T) {
	var h hub
	slow, fast := h.open(), h.open()
	for i := range 2 * waiting {
		h.send("n", i)
		<-fast
	}
	n := 0
	for range slow { // until it is closed
		n++
	}
	if n != waiting {
		t.Errorf("a page that does not read gets %d events, want %d", n, waiting)
	}
	h.close(slow) // its request ends later
	h.close(fast)
	h.send("n", 0)
}
