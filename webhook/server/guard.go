package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"
)

// writeStall is how long a client may take for one write of an answer.
const writeStall = 20 * time.Second

// errAbandoned ends a conversion whose client is gone.
var errAbandoned = errors.New("the review took too long")

// guarded returns a handler that survives what next does: it counts requests, limits their time, and answers
// if next panics.
func (s *Server) guarded(path string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		if s.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		ctx, cancel := context.WithTimeoutCause(r.Context(), s.work, errAbandoned)
		defer cancel()
		a := &answer{ResponseWriter: w, controller: http.NewResponseController(w), end: begin.Add(writeTime)}
		defer func() {
			value := recover()
			if value != nil {
				s.recovered(a, r, path, value)
			}
			s.metrics.answered(path, a.code(), time.Since(begin))
			if value != nil && a.status == 0 {
				panic(http.ErrAbortHandler) // closes the connection
			}
		}()
		next.ServeHTTP(a, r.WithContext(ctx))
	})
}

// recovered answers a request whose handler panicked.
func (s *Server) recovered(a *answer, r *http.Request, path string, value any) {
	if err, ok := value.(error); ok && (errors.Is(err, errAbandoned) || errors.Is(err, http.ErrAbortHandler)) {
		if r.Context().Err() != nil || a.status != 0 {
			return // the client is gone
		}
		http.Error(a, err.Error(), http.StatusGatewayTimeout)
		return
	}
	s.log.Error("A webhook panicked", "path", path, "panic", fmt.Sprint(value), "stack", string(debug.Stack()))
	if a.status == 0 {
		http.Error(a, fmt.Sprintf("the webhook panicked: %v", value), http.StatusInternalServerError)
	}
}

// answer is the answer to a request. A client that does not read it loses the connection.
type answer struct {
	http.ResponseWriter
	controller *http.ResponseController
	end        time.Time
	status     int
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	deadline := time.Now().Add(writeStall)
	if deadline.After(a.end) {
		deadline = a.end
	}
	_ = a.controller.SetWriteDeadline(deadline) // only recorders of tests have none
	return a.ResponseWriter.Write(p)
}

// code returns the status as a label; "0" for a request without an answer.
func (a *answer) code() string { return strconv.Itoa(a.status) }
