package workbench

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// guard refuses requests that do not come from the page. A page of another site may send requests to this machine, also under
// a name that its owner makes resolve to 127.0.0.1; such requests have another Host or Origin. The token keeps out other
// users and programs of this machine.
type guard struct {
	// port is the port that the page is served at.
	port  string
	token string
	next  http.Handler
}

// policy allows what the page has by itself, and no frames around it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	switch {
	case !g.isMe(r.Host):
		http.Error(w, "the Host header names another server; open the address that kindsmith dev has printed", http.StatusForbidden)
	case !g.sameOrigin(r):
		http.Error(w, "the request is from another site", http.StatusForbidden)
	case strings.HasPrefix(r.URL.Path, Prefix) && !g.hasToken(r):
		http.Error(w, "the token is missing or wrong; open the address that kindsmith dev has printed", http.StatusUnauthorized)
	default:
		g.next.ServeHTTP(w, r)
	}
}

// isMe reports whether a host is this server under a name of the loopback interface.
func (g *guard) isMe(hostport string) bool {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil || port != g.port {
		return false
	}
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

func (g *guard) sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); strings.HasPrefix(r.URL.Path, Prefix) && site != "" && site != "same-origin" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && u.Host == r.Host
}

func (g *guard) hasToken(r *http.Request) bool {
	return subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+g.token)) == 1
}
