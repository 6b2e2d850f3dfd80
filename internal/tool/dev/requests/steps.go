package requests

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// The phases of admission.
const (
	Mutate   = "mutate"
	Validate = "validate"
)

// Step is what a plugin of the API server has done with the object of a request. Package steps of module apiserver writes it.
type Step struct {
	// Request is the Audit-ID of the request.
	Request string `json:"request"`
	// Plugin is the name of the plugin, and Phase is Mutate or Validate.
	Plugin string `json:"plugin"`
	Phase  string `json:"phase"`
	// First is set for the first plugin of a phase, and Again if the plugin is called again because a later one has changed the
	// object.
	First bool `json:"first"`
	Again bool `json:"again"`
	// Before is the object before the first plugin of a phase, and After is the object after a plugin that has changed it. Old is
	// the stored object that the request changes; only the first step has it.
	Old    json.RawMessage `json:"old"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
	// Error is why the plugin refuses the request.
	Error string `json:"error"`
	// Webhooks are the mutating webhooks that the plugin has called.
	Webhooks []Webhook `json:"webhooks"`
}

// Webhook is a call of a mutating webhook.
type Webhook struct {
	Name          string `json:"webhook"`
	Configuration string `json:"configuration"`
	Changed       bool   `json:"mutated"`
}

func (s *Step) size() int { return len(s.Old) + len(s.Before) + len(s.After) + len(s.Error) }

// Report adds steps to the requests that the log has still, and that are about one object.
func (l *Log) Report(steps []Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var changed []*Request
	for _, s := range steps {
		i := slices.IndexFunc(l.list, func(r *Request) bool { return r.AuditID == s.Request })
		if i < 0 || l.list[i].Withheld != "" || l.list[i].Verb == "deletecollection" {
			continue
		}
		r := l.list[i]
		before := r.size()
		if s.First && s.Phase == Mutate { // after a conflict, the server begins again
			r.Steps = nil
		}
		r.Steps = append(r.Steps, s)
		r.Reported = len(r.Steps)
		l.bytes += r.size() - before
		if !slices.Contains(changed, r) {
			changed = append(changed, r)
		}
	}
	for _, r := range changed {
		l.shrink(r)
		if r.Done && l.Changed != nil { // that the request is done is told later
			l.Changed(*r)
		}
	}
}

// Receiver gets the steps that kindsmith-apiserver reports. Only this machine reaches it, with its token.
type Receiver struct {
	token    string
	listener net.Listener
	server   *http.Server

	mu    sync.Mutex // for all below
	log   *Log
	heard bool
}

// mostBatch is the size of what a server sends at once. kindsmith-apiserver sends 8 MiB, and one step more.
const mostBatch = 32 << 20

// Receive returns a receiver that listens.
func Receive() (*Receiver, error) {
	r := &Receiver{token: rand.Text()}
	var err error
	if r.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = r.server.Serve(r.listener) }() // until Close
	return r, nil
}

// Env are the variables that make kindsmith-apiserver report to the receiver. Others ignore them.
func (r *Receiver) Env() []string {
	return []string{"KINDSMITH_STEPS_URL=http://" + r.listener.Addr().String(), "KINDSMITH_STEPS_TOKEN=" + r.token}
}

// Into makes the receiver add steps to a log.
func (r *Receiver) Into(l *Log) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = l
}

// Heard reports whether the server reports steps. A nil receiver hears nothing.
func (r *Receiver) Heard() bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.heard
}

// Close ends all connections.
func (r *Receiver) Close() error { return r.server.Close() }

// ServeHTTP receives an array of steps.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if subtle.ConstantTimeCompare([]byte(q.Header.Get("Authorization")), []byte("Bearer "+r.token)) == 0 {
		http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
		return
	}
	var steps []Step
	if err := json.NewDecoder(http.MaxBytesReader(w, q.Body, mostBatch)).Decode(&steps); err != nil {
		code := http.StatusBadRequest
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			code = http.StatusRequestEntityTooLarge
		}
		http.Error(w, err.Error(), code)
		return
	}
	r.mu.Lock()
	r.heard = true
	to := r.log
	r.mu.Unlock()
	if to != nil {
		to.Report(steps)
	}
	w.WriteHeader(http.StatusNoContent)
}
