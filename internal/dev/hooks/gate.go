package hooks

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"
)

// waitTime is how long a request waits for the program that answers it. API servers wait for 10 s.
const waitTime = 9 * time.Second

// gate sends requests to a program, and keeps them while there is none.
type gate struct {
	mu    sync.Mutex
	proxy *httputil.ReverseProxy
	// open is closed while there is a program.
	open chan struct{}
	shut bool
}

// Admission makes the program at a URL answer admission requests. "" is none for now: requests wait.
func (s *Server) Admission(target string) error {
	g := &s.admission
	g.mu.Lock()
	defer g.mu.Unlock()
	if target == "" {
		if g.proxy != nil {
			g.proxy, g.open = nil, make(chan struct{})
		}
		return nil
	}
	u, err := url.Parse(target)
	if err != nil {
		return err
	}
	if g.proxy == nil && !g.shut {
		close(g.open)
	}
	g.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(u) },
		// The program is on this machine, and its certificate may be its own.
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
		ErrorLog:  log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, "the program of kindsmith dev --run does not answer: "+err.Error(), http.StatusBadGateway)
		},
	}
	return nil
}

// Close ends waiting.
func (g *gate) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.shut && g.proxy == nil {
		close(g.open)
	}
	g.shut = true
}

func (g *gate) current() (*httputil.ReverseProxy, chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.proxy, g.open
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, open := g.current()
	select {
	case <-open:
	case <-r.Context().Done():
		return
	case <-time.After(waitTime):
	}
	proxy, _ := g.current()
	if proxy == nil {
		http.Error(w, "the program of kindsmith dev --run does not run", http.StatusServiceUnavailable)
		return
	}
	proxy.ServeHTTP(w, r)
}
