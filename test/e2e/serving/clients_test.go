package serving

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// misbehaving is how long clients misbehave: less than the time after which the server closes their connections.
const misbehaving = 4 * time.Second

// TestBadClients has clients of a replica that do not do what they should, and a function that panics: what the API server
// sends meanwhile is converted.
func TestBadClients(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start([]string{"GOMEMLIMIT=256MiB"}).ready()
	w.converts("first")
	load := w.load(20)

	var clients sync.WaitGroup
	review := string(reviewOf(1, 100))
	large := string(reviewOf(4, 500_000))
	for range 50 {
		clients.Go(func() { r.trickle("POST /convert HTTP/1.1\r\nHost: a\r\nX-Slow: ") })
		clients.Go(func() { r.trickle(head("Content-Length: 400000000") + `{"kind":"`) }) // a length that is a lie
		clients.Go(func() { r.trickle(head("Content-Length: 1000000") + strings.Repeat(" ", 100_000)) })
		clients.Go(func() { r.trickle(head("Transfer-Encoding: chunked") + "100000\r\n") })
	}
	end := time.Now().Add(misbehaving)
	clients.Go(func() {
		for i := 0; time.Now().Before(end); i++ {
			r.bodies(review)
			r.gone(large)
			r.panics(fmt.Sprint("panics-", i))
		}
	})
	clients.Wait()
	load.stop()
	if load.failed() > 0 || load.all() < 20 {
		t.Errorf("%d of %d writes failed:\n%s", load.failed(), load.all(), load.reasons())
	}
	w.converts("after")
	w.eventually("all memory is given back", func() bool {
		_, text := r.get("/metrics")
		return strings.Contains(text, "\nkindsmith_webhook_in_flight_bytes 0\n")
	})
	select {
	case err := <-r.ended:
		r.ended <- err
		t.Errorf("the replica ended: %v", err)
	default:
	}
	t.Logf("%d writes; the peak of the memory is %d MiB", load.all(), r.peak()>>20)
}

func head(header string) string {
	return "POST /convert HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + header + "\r\n\r\n"
}

// dial opens a connection to a replica; nil after a mistake.
func (r *replica) dial(text string) *tls.Conn {
	c, err := tls.Dial("tcp", r.addr, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		r.world.t.Error(err)
		return nil
	}
	if _, err := c.Write([]byte(text)); err != nil {
		r.world.t.Error(err)
	}
	return c
}

// trickle begins a request, and sends a byte now and then.
func (r *replica) trickle(begin string) {
	c := r.dial(begin)
	if c == nil {
		return
	}
	defer c.Close()
	for end := time.Now().Add(misbehaving); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
		if _, err := c.Write([]byte("a")); err != nil {
			return
		}
	}
}

// gone sends a review, and closes the connection when the answer begins.
func (r *replica) gone(review string) {
	c := r.dial(head(fmt.Sprint("Content-Length: ", len(review))) + review)
	if c == nil {
		return
	}
	defer c.Close()
	if _, err := c.Read(make([]byte, 100)); err != nil {
		r.world.t.Errorf("a client that goes away: %v", err)
	}
}

// bodies sends a review in the ways that a body can be sent, and be broken.
func (r *replica) bodies(review string) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(review))
	_ = z.Close()
	length := func(text string) string { return fmt.Sprint("Content-Length: ", len(text)) }
	chunks := fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", 10, review[:10], len(review)-10, review[10:])
	for name, tc := range map[string]struct {
		text   string
		status int
		// ends says that the client sends nothing more.
		ends bool
	}{
		"whole":              {head(length(review)) + review, http.StatusOK, false},
		"chunked":            {head("Transfer-Encoding: chunked") + chunks, http.StatusOK, false},
		"broken chunks":      {head("Transfer-Encoding: chunked") + "x\r\n", http.StatusBadRequest, false},
		"gzipped":            {head("Content-Encoding: gzip\r\n"+length(zipped.String())) + zipped.String(), http.StatusUnsupportedMediaType, false},
		"truncated JSON":     {head(length(review[1:])) + review[:len(review)-1], http.StatusOK, false}, // the review fails
		"truncated body":     {head(length(review+"more")) + review, http.StatusBadRequest, true},
		"a length too small": {head(length(review[20:])) + review, http.StatusOK, false}, // the review fails
		"larger than any":    {head("Content-Length: 900000000") + review, http.StatusRequestEntityTooLarge, false},
	} {
		c := r.dial(tc.text)
		if c == nil {
			continue
		}
		if tc.ends {
			_ = c.CloseWrite()
		}
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || answer.StatusCode != tc.status {
			r.world.t.Errorf("%s: %v %v", name, answer, err)
		}
		if err == nil {
			answer.Body.Close()
		}
		c.Close()
	}
}

// panics writes an object whose conversion panics: the API server says so.
func (r *replica) panics(name string) {
	object := shop(name, "text")
	object["z"] = "oh no"
	status, answer, err := r.world.request(http.MethodPost, shops("v1beta1"), object)
	if err != nil || status != http.StatusInternalServerError || !strings.Contains(fmt.Sprint(answer["message"]), "panicked") {
		r.world.t.Errorf("an object whose conversion panics: %d %v %v", status, answer["message"], err)
	}
}
