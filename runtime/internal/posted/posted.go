// Package posted reads the reviews that API servers post to webhooks.
//
// [Handler] reads a body within a limit, and calls a function with it.
package posted

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
)

// Handler returns a handler that calls a function with the body of each POST, which it must not keep. A
// body of more than limit bytes gets the status 413; there is no limit if it is 0. review is the name of
// what to send.
func Handler(review string, limit int64, answer func(w http.ResponseWriter, r *http.Request, body []byte)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "send a "+review+" with POST", http.StatusMethodNotAllowed)
			return
		}
		if limit > 0 {
			r.Body = http.MaxBytesReader(w, r.Body, limit)
		}
		buffer := bodies.Get().(*[]byte)
		body, err := read((*buffer)[:0], r, limit)
		if err != nil {
			refuse(w, review, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer(w, r, body)
		if cap(body) <= maxGrow {
			*buffer = body
			bodies.Put(buffer)
		}
	})
}

// bodies has the memory of earlier bodies. The garbage collector takes it if there are no more.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// refuse answers that a body cannot be read.
func refuse(w http.ResponseWriter, review string, err error) {
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		http.Error(w, fmt.Sprintf("the %s has more than %d bytes, which is the limit of this webhook", review, tooLarge.Limit), http.StatusRequestEntityTooLarge)
		return
	}
	http.Error(w, "the body cannot be read: "+err.Error(), http.StatusBadRequest)
}

// read appends the body of a request to body. It takes little more memory than the body has, and at most
// maxGrow before the bytes arrive.
func read(body []byte, r *http.Request, limit int64) ([]byte, error) {
	if limit > 0 && r.ContentLength > limit {
		return nil, &http.MaxBytesError{Limit: limit}
	}
	if r.ContentLength <= 0 {
		return io.ReadAll(r.Body)
	}
	if size := int(min(r.ContentLength, maxGrow)) + bytes.MinRead; cap(body) < size {
		body = make([]byte, 0, size)
	}
	for {
		if len(body) == cap(body) {
			body = slices.Grow(body, int(max(min(r.ContentLength-int64(len(body)), 3*int64(len(body))), 0))+bytes.MinRead)
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		if body = body[:len(body)+n]; err == io.EOF {
			return body, nil
		} else if err != nil {
			return nil, err
		}
	}
}

// maxGrow is how much memory a Content-Length can claim before the bytes arrive.
const maxGrow = 16 << 20
