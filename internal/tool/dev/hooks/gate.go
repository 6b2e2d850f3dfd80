package hooks

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"
)

// waitTime is how long a request waits for its program. API servers wait for 10 s.
const waitTime = 9 * time.Second

// gate sends requests to a handler, and keeps them while there is none.
type gate struct {
	mu      sync.Mutex
	handler http.Handler
	// open is closed while there is a handler.
	open chan struct{}
	shut bool
	// active is the number of requests that handlers answer; idle is closed when the last one is answered, nil if nobody waits
	// for this.
	active int
	idle   chan struct{}
}

// Admission makes a handler answer admission requests. nil is none for now: requests wait.
func (s *Server) Admission(h http.Handler) {
	g := &s.admission
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case h == nil && g.handler != nil && !g.shut:
		g.open = make(chan struct{})
	case h != nil && g.handler == nil && !g.shut:
		close(g.open)
	}
	g.handler = h
}

// Pause makes admission requests wait, and returns when the former handler has answered its requests and can be stopped. API
// servers give up after some seconds, and so does Pause.
func (s *Server) Pause(ctx context.Context) {
	s.Admission(nil)
	g := &s.admission
	g.mu.Lock()
	if g.active == 0 {
		g.mu.Unlock()
		return
	}
	if g.idle == nil {
		g.idle = make(chan struct{})
	}
	idle := g.idle
	g.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	case <-time.After(waitTime):
	}
}

// Proxy returns a handler that sends requests to a program on this machine, whose certificate may be any. Requests wait until
// the program listens.
func Proxy(address string) http.Handler {
	u := &url.URL{Scheme: "https", Host: address}
	return &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(u) },
		Transport: &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
		ErrorLog:  log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, "the program of kindsmith dev --run does not answer: "+err.Error(), http.StatusBadGateway)
		},
	}
}

// dial connects to a program that may not listen yet.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	limit := time.After(waitTime)
	for {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err == nil {
			return c, nil
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-limit:
			return nil, err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Close ends waiting.
func (g *gate) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.shut && g.handler == nil {
		close(g.open)
	}
	g.shut = true
}

// enter returns the handler for a request, which it waits for; nil after some seconds, or when the request or the server ends.
// Call leave when the request is answered.
func (g *gate) enter(ctx context.Context) http.Handler {
	limit := time.After(waitTime)
	for {
		g.mu.Lock()
		handler, open := g.handler, g.open
		if handler != nil {
			g.active++
		}
		isLast := handler != nil || g.shut
		g.mu.Unlock()
		if isLast {
			return handler
		}
		select {
		case <-open:
		case <-ctx.Done():
			return nil
		case <-limit:
			return nil
		}
	}
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.active--; g.active == 0 && g.idle != nil {
		close(g.idle)
		g.idle = nil
	}
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler := g.enter(r.Context())
	if handler == nil {
		http.Error(w, "kindsmith dev has no program that answers this webhook", http.StatusServiceUnavailable)
		return
	}
	defer g.leave()
	handler.ServeHTTP(w, r)
}
