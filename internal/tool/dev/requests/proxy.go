package requests

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
)

// Proxy forwards requests to an API server, and adds them to a log.
type Proxy struct {
	// Cert is the PEM of the serving certificate, with its authority.
	Cert []byte
	// Token is what a client sends to act as the user of the proxy's configuration: with the client certificate, the token or
	// the program of a kubeconfig. Other credentials reach the API server as they are.
	Token string

	log      *Log
	listener net.Listener
	server   *http.Server
	forward  *httputil.ReverseProxy
}

// auditHeader is how a client names a request. API servers take the name over.
const auditHeader = "Audit-ID"

// Listen forwards requests to the API server of a configuration. The address is one of this machine only.
func Listen(address string, config *rest.Config, to *Log) (*Proxy, error) {
	target, err := url.Parse(config.Host)
	if err == nil && target.Host == "" {
		target, err = url.Parse("https://" + config.Host)
	}
	if err != nil {
		return nil, err
	}
	as, err := newTransports(config)
	if err != nil {
		return nil, err
	}
	p := &Proxy{log: to, Token: rand.Text()}
	as.token = p.Token
	p.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.URL.RawQuery = r.In.URL.RawQuery // as it is
			r.Out.Header["X-Forwarded-For"] = nil
		},
		Transport: as, FlushInterval: -1, ModifyResponse: answered, ErrorHandler: unreachable, ErrorLog: log.New(io.Discard, "", 0),
	}
	var key []byte
	if p.Cert, key, err = cert.GenerateSelfSignedCertKey("127.0.0.1", nil, []string{"localhost"}); err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(p.Cert, key)
	if err != nil {
		return nil, err
	}
	if p.listener, err = net.Listen("tcp", address); err != nil {
		return nil, fmt.Errorf("listen for clients of the API server, at the port of --port: %w", err)
	}
	p.server = &http.Server{
		Handler: p, TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() { _ = p.server.ServeTLS(p.listener, "", "") }() // until Close
	return p, nil
}

// URL is the address for clients.
func (p *Proxy) URL() string { return "https://" + p.listener.Addr().String() }

// Close ends all connections.
func (p *Proxy) Close() error { return p.server.Close() }

// transports connect to the API server: as the user of a configuration, or as who sends the request.
type transports struct {
	token           string
	user, anonymous http.RoundTripper
}

func newTransports(config *rest.Config) (t *transports, err error) {
	t = &transports{}
	config = rest.CopyConfig(config)
	// An upgrade, as for kubectl exec, needs HTTP/1.1. Answers pass as they are.
	config.NextProtos, config.DisableCompression, config.UserAgent, config.WarningHandler = []string{"http/1.1"}, true, "", nil
	if t.user, err = rest.TransportFor(config); err != nil {
		return nil, err
	}
	anonymous := rest.AnonymousClientConfig(config)
	anonymous.NextProtos, anonymous.DisableCompression = config.NextProtos, true
	t.anonymous, err = rest.TransportFor(anonymous)
	return t, err
}

// RoundTrip sends a request.
func (t *transports) RoundTrip(r *http.Request) (*http.Response, error) {
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+t.token)) == 0 {
		return t.anonymous.RoundTrip(r)
	}
	r.Header.Del("Authorization") // of the copy that ReverseProxy has made
	return t.user.RoundTrip(r)
}

// observed is the key of the exchange in the context of a request.
type observed struct{}

// exchange keeps what passes.
type exchange struct {
	log  *Log
	id   int64
	keep bool
	// sent and answer are nil if they are not kept.
	sent, answer *recorder
}

// ServeHTTP forwards a request.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.serve(w, r, 0) }

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request, replays int64) int64 {
	about := describe(r)
	about.Replays = replays
	if about.AuditID = r.Header.Get(auditHeader); about.AuditID == "" {
		about.AuditID = string(uuid.NewUUID())
		r.Header.Set(auditHeader, about.AuditID)
	}
	e := &exchange{log: p.log, keep: about.Withheld == ""}
	e.id = p.log.add(about)
	if e.keep && r.Body != nil {
		e.sent = &recorder{from: r.Body, body: body(r.Header)}
		r.Body = e.sent
	}
	begin := time.Now()
	defer func() { // also if the client is gone, which is a panic
		p.log.update(e.id, func(r *Request) {
			r.Done, r.Took = true, max(float64(time.Since(begin).Microseconds())/1000, 0.001)
			r.Sent, r.Answer = e.sent.kept(), e.answer.kept()
			r.named()
		})
	}()
	p.forward.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), observed{}, e)))
	return e.id
}

// answered notes the head of an answer.
func answered(answer *http.Response) error {
	e, ok := answer.Request.Context().Value(observed{}).(*exchange)
	if !ok {
		return nil
	}
	if e.keep && answer.StatusCode != http.StatusSwitchingProtocols {
		e.answer = &recorder{from: answer.Body, body: body(answer.Header)}
		answer.Body = e.answer
	}
	e.log.update(e.id, func(r *Request) {
		r.Code = answer.StatusCode
		r.Rejected = r.Changes() && r.Code >= http.StatusBadRequest
		r.Warnings = warnings(answer.Header)
	})
	return nil
}

// unreachable answers a request that the API server does not.
func unreachable(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return // the client is gone
	}
	status := metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Code: http.StatusBadGateway,
		Reason: metav1.StatusReasonInternalError, Message: "kindsmith dev does not reach the API server: " + err.Error(),
	}
	if e, ok := r.Context().Value(observed{}).(*exchange); ok {
		e.log.update(e.id, func(r *Request) { r.Code, r.Rejected = http.StatusBadGateway, r.Changes() })
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadGateway)
	_ = json.NewEncoder(w).Encode(status) // the client may be gone
}

func body(h http.Header) Body {
	b := Body{Encoding: h.Get("Content-Encoding")}
	if kind, _, err := mime.ParseMediaType(h.Get("Content-Type")); err == nil {
		b.Type = kind
	}
	return b
}

// warnings returns the texts of headers such as: 299 - "unknown field \"spec.size\"".
func warnings(h http.Header) (texts []string) {
	for _, value := range h.Values("Warning") {
		if _, text, ok := strings.Cut(value, ` "`); ok {
			texts = append(texts, strings.ReplaceAll(strings.TrimSuffix(text, `"`), `\"`, `"`))
		}
	}
	return texts
}

// recorder keeps the beginning of what is read.
type recorder struct {
	from io.ReadCloser
	mu   sync.Mutex // a transport may read a body after the answer
	body Body
}

// kept returns what was read.
func (r *recorder) kept() Body {
	if r == nil {
		return Body{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.body
}

// Read reads and keeps.
func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	room := min(n, MostBody-len(r.body.Content))
	r.body.Content = append(r.body.Content, p[:room]...)
	r.body.Cut = r.body.Cut || room < n
	return n, err
}

// Close closes the source.
func (r *recorder) Close() error { return r.from.Close() }

// Send sends a request of the proxy's user, and returns it with its answer. Replays is the request that it repeats; 0 for none.
func (p *Proxy) Send(ctx context.Context, method, path, contentType string, content []byte, replays int64) (Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, p.URL()+path, bytes.NewReader(content))
	if err != nil {
		return Request{}, err
	}
	r.RequestURI = path
	r.Header = http.Header{
		"Authorization": {"Bearer " + p.Token}, "Accept": {"application/json"}, "User-Agent": {"workbench"},
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	id := p.serve(&discard{header: http.Header{}}, r, replays)
	done, ok := p.log.Get(id)
	if !ok {
		return done, errors.New("the log does not have the request any more")
	}
	return done, nil
}

// discard is the client of a request whose answer only the log keeps.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Flush()                      {}
