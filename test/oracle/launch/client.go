package launch

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
)

// Client returns an HTTP client that trusts the server and acts as its
// administrator. It is for this server only: it sends the token with every
// request. The caller may close its idle connections; a stopped server closes
// them too.
func (s *Server) Client() *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.CA)
	return &http.Client{Transport: &bearer{
		token: s.Token,
		base: &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: roots},
			ForceAttemptHTTP2: true,
		},
	}}
}

// bearer is a transport that adds a bearer token to requests.
type bearer struct {
	token string
	base  *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.base.RoundTrip(r)
}

// CloseIdleConnections implements http.Client's CloseIdleConnections.
func (b *bearer) CloseIdleConnections() { b.base.CloseIdleConnections() }
