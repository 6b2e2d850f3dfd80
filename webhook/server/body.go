package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// freeBytes of each body are read before memory is taken from the budget. Most reviews are smaller,
	// so slow clients hold memory of the budget only after they have sent that much.
	freeBytes = 64 << 10
	// rate is how many bytes a second a client has to send while other reviews wait for its memory. The time in which the server
	// does not read is not the client's.
	rate = 1 << 20
	// stall is how long a read may get nothing.
	stall = 5 * time.Second
	// pace is how often clients are looked at.
	pace = 250 * time.Millisecond
	// patience is how long a client may stay behind the rate.
	patience = time.Second
)

// beginnings has the memory for the first bytes of bodies.
var beginnings = sync.Pool{New: func() any { b := make([]byte, freeBytes); return &b }}

// limited returns a handler with limits: the bodies of next have at most limit bytes, and next runs only
// if there is memory for them.
func (s *Server) limited(limit int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if coding := r.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
			http.Error(w, fmt.Sprintf("the body has the Content-Encoding %q; send it without", coding), http.StatusUnsupportedMediaType)
			return
		}
		if r.ContentLength > limit {
			refuseSize(w, limit)
			return
		}
		buffer := beginnings.Get().(*[]byte)
		defer beginnings.Put(buffer)
		n, complete, err := readBeginning(*buffer, r)
		if err != nil {
			http.Error(w, "the body cannot be read: "+err.Error(), http.StatusBadRequest)
			return
		}
		if complete {
			r.ContentLength = int64(n)
		}
		body := &pacedBody{Reader: io.MultiReader(bytes.NewReader((*buffer)[:n]), r.Body), Closer: r.Body, limit: limit}
		body.arrived.Store(int64(n))
		if !complete {
			stop := s.watchBody(http.NewResponseController(w), body)
			defer stop()
		}
		give, err := s.budget.take(r.Context(), r.ContentLength)
		if err != nil {
			if r.Context().Err() == nil { // else the client is gone
				s.shed(w, body)
			}
			return
		}
		defer give()
		body.holds.Store(true)
		r.Body = body
		next.ServeHTTP(w, r)
	})
}

func refuseSize(w http.ResponseWriter, limit int64) {
	w.Header().Set("Connection", "close") // the body is not read
	http.Error(w, fmt.Sprintf("the body has more than %d bytes, which is the limit of this path", limit), http.StatusRequestEntityTooLarge)
}

// readBeginning reads the first bytes of a body, and reports whether these are all.
func readBeginning(buffer []byte, r *http.Request) (n int, complete bool, err error) {
	if r.ContentLength >= 0 && r.ContentLength < int64(len(buffer)) {
		buffer = buffer[:r.ContentLength]
	}
	n, err = io.ReadFull(r.Body, buffer)
	if r.ContentLength >= 0 {
		return n, int64(n) == r.ContentLength, err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return n, true, nil // a body without a length ends somewhere
	}
	return n, false, err
}

// shed tells the API server to repeat a review. It answers at once, so clients stop sending: to read all that they send would take
// the time that reviews need. Then it reads until the client has closed the connection: API servers that still write would see a
// broken connection instead of the answer, and not repeat the review.
func (s *Server) shed(w http.ResponseWriter, body *pacedBody) {
	s.metrics.shed.Inc()
	connection := http.NewResponseController(w)
	_ = connection.EnableFullDuplex() // an error means HTTP/2, which always is
	text := errOverload.Error() + "; repeat it\n"
	h := w.Header()
	h.Set("Connection", "close")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	h.Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	if _, err := io.WriteString(w, text); err == nil && connection.Flush() == nil {
		_, _ = io.Copy(io.Discard, body)
	}
}

// pacedBody counts the bytes of a body, and the time in which it waits for them.
type pacedBody struct {
	io.Reader
	io.Closer
	// read counts bytes up to limit. arrived counts also those that were read before the budget was asked.
	read, limit int64
	arrived     atomic.Int64
	// waited is how long reads have taken, in nanoseconds, reading when the present one began; 0 for none.
	waited, reading atomic.Int64
	// holds is set while the body has memory of the budget, done at its end.
	holds, done atomic.Bool
}

func (b *pacedBody) Read(p []byte) (int, error) {
	begin := time.Now()
	b.reading.Store(begin.UnixNano())
	n, err := b.Reader.Read(p)
	b.reading.Store(0)
	b.waited.Add(int64(time.Since(begin)))
	b.read += int64(n)
	b.arrived.Store(max(b.read, b.arrived.Load()))
	if b.read > b.limit {
		return n, &http.MaxBytesError{Limit: b.limit}
	}
	if err != nil {
		b.done.Store(true)
	}
	return n, err
}

// waits returns how long the present read has taken.
func (b *pacedBody) waits(now time.Time) time.Duration {
	if begin := b.reading.Load(); begin > 0 {
		return time.Duration(now.UnixNano() - begin)
	}
	return 0
}

// watchBody ends the body of a client that sends nothing, or that is slow while reviews wait for the memory
// that it holds. The returned function stops it.
func (s *Server) watchBody(connection *http.ResponseController, body *pacedBody) (stop func()) {
	granted, before := int64(-1), time.Duration(0) // what has arrived without memory of the budget, and how long that took
	var mu sync.Mutex
	stopped := false
	var timer *time.Timer
	check := func() {
		mu.Lock()
		defer mu.Unlock()
		if stopped || body.done.Load() {
			return
		}
		present := body.waits(time.Now())
		waited := time.Duration(body.waited.Load()) + present
		if body.holds.Load() && granted < 0 {
			granted, before = body.arrived.Load(), waited
		}
		late := waited - before - patience
		slow := granted >= 0 && s.budget.waiting.Load() > 0 && late > 0 && float64(body.arrived.Load()-granted) < rate*late.Seconds()
		if present > stall || slow {
			_ = connection.SetReadDeadline(time.Now()) // the connection may be closed
			return
		}
		timer.Reset(pace)
	}
	mu.Lock()
	timer = time.AfterFunc(pace, check)
	mu.Unlock()
	return func() {
		mu.Lock()
		defer mu.Unlock()
		stopped = true
		timer.Stop()
	}
}
