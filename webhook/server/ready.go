package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// readiness is what the last look at the API server found.
type readiness struct {
	log *throttled

	mu sync.Mutex
	// looked is set after the first look.
	looked bool
	// problems are why API servers cannot use this server.
	problems []error
	// complete is set once all kinds were served, and all of their versions known. What is missing later is only
	// logged: the other versions are converted still.
	complete bool
}

var (
	errDraining      = errors.New("the webhook server is stopping")
	errNoCertificate = errors.New("there is no certificate yet")
	errNoLook        = errors.New("the API server has not answered yet")
)

// ready returns why the server is not ready.
func (s *Server) ready(*http.Request) error {
	switch {
	case s.draining.Load():
		return errDraining
	case s.serving.Load() == nil:
		return errNoCertificate
	case s.options.Config == nil:
		return nil
	}
	r := &s.readiness
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.looked {
		return errors.Join(append([]error{errNoLook}, r.problems...)...)
	}
	return errors.Join(r.problems...)
}

// watch keeps the certificate, and looks at the API server until the context is done.
func (s *Server) watch(ctx context.Context) {
	if s.options.Config == nil {
		s.options.Certificates.run(ctx, s)
		return
	}
	var running sync.WaitGroup
	defer running.Wait()
	running.Add(1)
	go func() {
		defer running.Done()
		s.options.Certificates.run(ctx, s)
	}()
	api, err := newCluster(s.options.Config)
	if err != nil {
		s.readiness.failed(err)
		return
	}
	for {
		again := s.look(ctx, api)
		wait := s.options.Interval
		if again {
			wait = min(wait, time.Second)
		}
		if !sleep(ctx, wait) {
			return
		}
	}
}

// look looks at the API server once. It reports whether something is in motion, so that it is worth to look
// again soon.
func (s *Server) look(ctx context.Context, api *cluster) (again bool) {
	found := &findings{api: api}
	var errs []error
	for _, c := range s.conversions.list() {
		errs = append(errs, found.add(ctx, c)...)
	}
	err := s.options.Certificates.look(ctx, s, found)
	if ctx.Err() != nil {
		return false
	}
	if err = errors.Join(append(errs, err)...); err != nil {
		s.readiness.failed(err)
		return true
	}
	return s.judge(found)
}

// judge decides by what was found whether API servers can use this server.
func (s *Server) judge(found *findings) (again bool) {
	r := &s.readiness
	var problems []error
	if cert := s.serving.Load(); cert != nil {
		for _, t := range found.targets {
			for _, client := range t.clients {
				if err := verified(cert.Leaf, client.bundle, client.host, s.options.Now()); err != nil {
					problems = append(problems, &problem{t.String(), err})
				}
			}
		}
	} else {
		again = true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(found.missing) > 0 && !r.complete {
		problems = append(problems, found.missing...)
	} else if s.serving.Load() != nil {
		r.complete = true
	}
	for _, p := range slices.Concat(problems, found.missing) {
		r.log.warn("API servers cannot use this webhook server", p)
	}
	r.looked, r.problems = true, problems
	return again || len(problems) > 0 || found.changing
}

// failed keeps what an earlier look found: an API server that does not answer uses no webhook either.
func (r *readiness) failed(err error) {
	r.log.warn("The webhook server cannot read the API server", err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.looked {
		r.problems = []error{err}
	}
}

// problem is what is wrong with an object.
type problem struct {
	object string
	err    error
}

func (p *problem) Error() string { return p.object + ": " + p.err.Error() }
func (p *problem) Unwrap() error { return p.err }

// throttled logs each text once a minute.
type throttled struct {
	log  *slog.Logger
	mu   sync.Mutex
	last map[string]time.Time
}

func (t *throttled) warn(message string, err error) {
	if err == nil {
		return
	}
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if last, ok := t.last[text]; ok && now.Sub(last) < time.Minute {
		return
	}
	if t.last == nil || len(t.last) > 1000 {
		t.last = map[string]time.Time{}
	}
	t.last[text] = now
	t.log.Warn(message, "reason", text)
}
