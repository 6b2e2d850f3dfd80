package server_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/webhook/internal/authority"
	"github.com/kindsmith/kindsmith/webhook/server"
)

// shops converts the kind Shop of a group, whose field x is y in v1.
func shops(t *testing.T, group, kind string) *jsonconvert.Converter {
	t.Helper()
	fields := []jsonconvert.Field{{Older: jsonconvert.Key{Name: "x"}, Newer: jsonconvert.Key{Name: "y"}}}
	c, err := jsonconvert.New(&jsonconvert.API{
		Group: group, Versions: []jsonconvert.Version{{Name: "v1beta1"}, {Name: "v1"}}, Kinds: []jsonconvert.Kind{{Name: kind}},
		Steps: []jsonconvert.Step{{Older: "v1beta1", Newer: "v1", Types: map[string]*jsonconvert.Type{kind: {Fields: fields}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// review returns a review of an object whose field x has a size.
func review(group, kind string, size int) string {
	return fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u","desiredAPIVersion":"%s/v1","objects":[{"apiVersion":"%[1]s/v1beta1","kind":"%s","metadata":{},"x":"%s"}]}}`,
		group, kind, strings.Repeat("a", size))
}

// running is a server that serves.
type running struct {
	*server.Server
	t        *testing.T
	addr     string
	client   *http.Client
	tls      *tls.Config
	registry *prometheus.Registry
	stop     context.CancelFunc
	stopped  chan error
}

// files writes a serving certificate, and returns the bundle that verifies it.
func files(t *testing.T, dir string) []byte {
	t.Helper()
	state, err := authority.New("test", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := state.Current.Leaf([]string{"127.0.0.1"}, time.Now(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(leaf.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"tls.crt": {Type: "CERTIFICATE", Bytes: leaf.Certificate[0]}, "tls.key": {Type: "PRIVATE KEY", Bytes: key}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return state.Bundle()
}

// start starts a server with a certificate of files.
func start(t *testing.T, o server.Options, prepare ...func(*server.Server)) *running {
	t.Helper()
	dir := t.TempDir()
	bundle := files(t, dir)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	r := &running{t: t, addr: listener.Addr().String(), tls: &tls.Config{RootCAs: roots}, registry: prometheus.NewRegistry(), stopped: make(chan error, 1)}
	o.Listener, o.Certificates, o.Metrics = listener, server.Files{Dir: dir}, r.registry
	if o.Drain == 0 {
		o.Drain = -1
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r.Server = server.New(o)
	for _, f := range prepare {
		f(r.Server)
	}
	r.client = &http.Client{Transport: &http.Transport{TLSClientConfig: r.tls}, Timeout: 20 * time.Second}
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	go func() { r.stopped <- r.Start(ctx) }()
	t.Cleanup(func() {
		r.client.CloseIdleConnections()
		stop()
		if err := <-r.stopped; err != nil {
			t.Error(err)
		}
	})
	r.eventually("a certificate", func() bool { return r.StartedChecker()(nil) == nil })
	return r
}

func (r *running) eventually(what string, is func() bool) {
	r.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.t.Fatalf("%s: not within 10 s", what)
		}
	}
}

// post sends a body and returns the answer with its text.
func (r *running) post(path string, body io.Reader, header ...string) (*http.Response, string) {
	r.t.Helper()
	req, err := http.NewRequest(http.MethodPost, "https://"+r.addr+path, body)
	if err != nil {
		r.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	answer, err := r.client.Do(req)
	if err != nil {
		r.t.Errorf("%s: %v", path, err)
		return &http.Response{}, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Errorf("%s: %v", path, err)
	}
	return answer, string(text)
}

// works fails the test unless a small review is answered.
func (r *running) works() {
	r.t.Helper()
	answer, text := r.post("/convert", strings.NewReader(review("a.example.com", "A", 3)))
	if answer.StatusCode != http.StatusOK || !strings.Contains(text, `"y":"aaa"`) {
		r.t.Errorf("a small review: %d %s", answer.StatusCode, text)
	}
}

// dial opens a connection and sends a text.
func (r *running) dial(text string) net.Conn {
	r.t.Helper()
	c, err := tls.Dial("tcp", r.addr, r.tls)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, text); err != nil {
		r.t.Fatal(err)
	}
	return c
}

func ofA(t *testing.T) []server.Conversion {
	return []server.Conversion{{Group: "a.example.com", Kinds: []string{"A"}, Converter: shops(t, "a.example.com", "A")}}
}
