package requests

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
)

// upstream is an API server of a test.
type upstream struct {
	*httptest.Server
	config *rest.Config
}

func newUpstream(t *testing.T, handler http.HandlerFunc) *upstream {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.EnableHTTP2 = true // as API servers
	s.StartTLS()
	t.Cleanup(s.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	return &upstream{s, &rest.Config{Host: s.URL, BearerToken: "admin", TLSClientConfig: rest.TLSClientConfig{CAData: authority}}}
}

// proxied is a proxy with a client.
type proxied struct {
	*testing.T
	*Proxy
	log    *Log
	client *http.Client
	tls    *tls.Config
}

func newProxy(t *testing.T, config *rest.Config) *proxied {
	t.Helper()
	l := &Log{}
	p, err := Listen("127.0.0.1:0", config, l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(p.Cert)
	c := &tls.Config{RootCAs: pool}
	return &proxied{t, p, l, &http.Client{Transport: &http.Transport{TLSClientConfig: c, ForceAttemptHTTP2: true}}, c}
}

// do sends a request with the proxy's token, unless the headers have another, and returns the answer and the record.
func (p *proxied) do(method, path, body string, headers ...string) (string, Request) {
	p.Helper()
	r, err := http.NewRequest(method, p.URL()+path, strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.Token)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := p.client.Do(r)
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.Fatal(err)
	}
	return string(text), p.done()
}

// done returns the last request when its answer is complete.
func (p *proxied) done() Request {
	p.Helper()
	for range 500 {
		if all := p.log.All(); len(all) > 0 && all[len(all)-1].Done {
			return all[len(all)-1]
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.Fatal("the request is not done")
	return Request{}
}

const orders = "/apis/shop.example.com/v1/namespaces/shop/orders"

// TestRecord checks what the log has of requests.
func TestRecord(t *testing.T) {
	up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Add("Warning", `299 - "unknown field \"spec.sise\""`)
		if strings.Contains(r.URL.RawQuery, "refuse") {
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
		_, _ = fmt.Fprintf(w, `{"query":%q,"got":%q}`, r.URL.RawQuery, body)
	})
	p := newProxy(t, up.config)
	text, r := p.do("POST", orders+"?fieldManager=a&refuse=1;2", `{"metadata":{"name":"first"}}`, "User-Agent", "kubectl/v1.37.2 (linux/amd64) kubernetes/abc")
	if want := `{"query":"fieldManager=a&refuse=1;2","got":"{\"metadata\":{\"name\":\"first\"}}"}`; text != want {
		t.Errorf("the client gets %s, want %s", text, want)
	}
	if r.Verb != "create" || r.Group != "shop.example.com" || r.Version != "v1" || r.Resource != "orders" || r.Namespace != "shop" || r.Name != "first" || r.Agent != "kubectl" {
		t.Errorf("%+v", r)
	}
	if r.Code != 422 || !r.Rejected || r.Took <= 0 || string(r.Sent.Content) != `{"metadata":{"name":"first"}}` || string(r.Answer.Content) != text || r.Answer.Type != "application/json" {
		t.Errorf("%+v", r)
	}
	if len(r.Warnings) != 1 || r.Warnings[0] != `unknown field "spec.sise"` {
		t.Errorf("warnings: %q", r.Warnings)
	}
	if _, r = p.do("GET", orders+"/x?refuse", ""); r.Rejected || r.Verb != "get" || r.Name != "x" {
		t.Errorf("only changes are rejected: %+v", r)
	}
	if _, r = p.do("DELETE", orders+"/x?dryRun=All", ""); !r.DryRun || r.Verb != "delete" {
		t.Errorf("%+v", r)
	}
	large := strings.Repeat("x", MostBody+10)
	if text, r = p.do("PUT", orders+"/large", large); !r.Sent.Cut || len(r.Sent.Content) != MostBody || !strings.Contains(text, large) {
		t.Errorf("a large body: cut %t, %d kept", r.Sent.Cut, len(r.Sent.Content))
	}
}

// TestSecrets looks for what must not be kept.
func TestSecrets(t *testing.T) {
	up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	p := newProxy(t, up.config)
	for _, path := range []string{
		"/api/v1/namespaces/shop/secrets", "/api/v1/namespaces/shop/secrets/a", "/api/v1/secrets", "/api/v1/namespaces/shop/serviceaccounts/a/token",
		"/apis/authentication.k8s.io/v1/tokenreviews",
	} {
		if text, r := p.do("POST", path, "hunter2", "Authorization", "Bearer hunter3"); text != "hunter2" || len(r.Sent.Content)+len(r.Answer.Content) > 0 || r.Withheld == "" {
			t.Errorf("%s is kept: %+v", path, r)
		}
	}
	p.do("POST", orders, "open", "Authorization", "Bearer hunter3", "Cookie", "hunter4")
	for _, r := range p.log.All() {
		if text := fmt.Sprintf("%+v", r); strings.Contains(text, "hunter") || strings.Contains(text, p.Token) {
			t.Errorf("the log has credentials: %s", text)
		}
	}
}

// TestCredentials checks who the API server sees.
func TestCredentials(t *testing.T) {
	up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		name := ""
		if len(r.TLS.PeerCertificates) > 0 {
			name = r.TLS.PeerCertificates[0].Subject.CommonName
		}
		_, _ = fmt.Fprintf(w, "%s|%s|%s", r.Header.Get("Authorization"), name, r.Header.Get("Impersonate-User"))
	})
	certificate, key, err := cert.GenerateSelfSignedCertKey("me", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	withCert := rest.CopyConfig(up.config)
	withCert.BearerToken, withCert.CertData, withCert.KeyData = "", certificate, key
	block, _ := pem.Decode(certificate)
	parsed, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	name := parsed.Subject.CommonName
	for _, test := range []struct {
		config      *rest.Config
		token, want string
	}{
		{up.config, "", "Bearer admin||ann"},
		{up.config, "account", "Bearer account||ann"},
		{withCert, "", "|" + name + "|ann"},
		{withCert, "account", "Bearer account||ann"},
		{withCert, rand.Text(), ""},
	} {
		p := newProxy(t, test.config)
		token := test.token
		if token == "" {
			token = p.Token
		} else if test.want == "" {
			test.want = "Bearer " + token + "||ann"
		}
		if got, _ := p.do("GET", "/api", "", "Authorization", "Bearer "+token, "Impersonate-User", "ann"); got != test.want {
			t.Errorf("the API server sees %q, want %q", got, test.want)
		}
	}
	p := newProxy(t, withCert)
	if got, _ := p.do("GET", "/api", "", "Authorization", ""); got != "||" {
		t.Errorf("without a token, the API server sees %q", got)
	}
}

// TestWatch reads an answer that does not end, as its parts arrive.
func TestWatch(t *testing.T) {
	next, gone := make(chan bool), make(chan bool)
	up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		for range next {
			_, _ = io.WriteString(w, "{\"type\":\"ADDED\"}\n")
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
		close(gone)
	})
	p := newProxy(t, up.config)
	r, _ := http.NewRequest(http.MethodGet, p.URL()+orders+"?watch=true", nil)
	go func() { next <- true }()
	answer, err := p.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(answer.Body)
	for i := range 3 {
		if i > 0 {
			next <- true
		}
		if line, err := lines.ReadString('\n'); err != nil || line != "{\"type\":\"ADDED\"}\n" {
			t.Fatalf("%q %v", line, err)
		}
	}
	close(next)
	if open := p.log.All()[0]; open.Done || open.Code != 200 || open.Verb != "watch" {
		t.Errorf("%+v", open)
	}
	_ = answer.Body.Close() // the client goes
	<-gone
	if r := p.done(); r.Withheld == "" || len(r.Answer.Content) > 0 {
		t.Errorf("a stream is kept: %+v", r)
	}
}

// TestUpgrade talks in another protocol, as kubectl exec does.
func TestUpgrade(t *testing.T) {
	up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 1 || r.Header.Get("Upgrade") != "SPDY/3.1" {
			t.Errorf("%s %v", r.Proto, r.Header)
		}
		c, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n")
		line, _ := rw.ReadString('\n')
		_, _ = io.WriteString(c, "echo "+line)
	})
	p := newProxy(t, up.config)
	c, err := tls.Dial("tcp", strings.TrimPrefix(p.URL(), "https://"), p.tls)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "POST /api/v1/namespaces/shop/pods/a/exec?command=sh HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nContent-Length: 0\r\n\r\n")
	in := bufio.NewReader(c)
	answer, err := http.ReadResponse(in, nil)
	if err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(answer, err)
	}
	_, _ = io.WriteString(c, "hello\n")
	if line, err := in.ReadString('\n'); err != nil || line != "echo hello\n" {
		t.Errorf("%q %v", line, err)
	}
	_ = c.Close()
	if r := p.done(); r.Code != 101 || r.Subresource != "exec" {
		t.Errorf("%+v", r)
	}
}

// TestUnharmed compares what passes with what is sent: compressed answers, and the path as it is written.
func TestUnharmed(t *testing.T) {
	up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		if r.RequestURI != "/api/v1/namespaces/a%2Fb/pods?x=%2F" {
			t.Errorf("the API server gets %s", r.RequestURI)
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, "text")
		_ = z.Close()
	})
	p := newProxy(t, up.config)
	text, r := p.do("GET", "/api/v1/namespaces/a%2Fb/pods?x=%2F", "", "Accept-Encoding", "gzip")
	z, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if plain, _ := io.ReadAll(z); string(plain) != "text" || r.Answer.Encoding != "gzip" || !bytes.Equal(r.Answer.Content, []byte(text)) {
		t.Errorf("%q %+v", plain, r)
	}
}

// TestUnreachable sends a request to a server that is gone.
func TestUnreachable(t *testing.T) {
	up := newUpstream(t, func(http.ResponseWriter, *http.Request) {})
	p := newProxy(t, up.config)
	up.Close()
	text, r := p.do("POST", orders, "{}")
	var status struct {
		Kind    string
		Message string
	}
	if err := json.Unmarshal([]byte(text), &status); err != nil || status.Kind != "Status" || !strings.Contains(status.Message, "does not reach the API server") || r.Code != 502 || !r.Rejected {
		t.Errorf("%s %+v", text, r)
	}
}

// TestSend sends a request of the page.
func TestSend(t *testing.T) {
	up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, r.Header.Get("Authorization"))
		_, _ = io.Copy(w, r.Body)
	})
	p := newProxy(t, up.config)
	r, err := p.Send(t.Context(), "POST", orders+"?dryRun=All", "application/json", []byte(`{"a":1}`), 7)
	if err != nil || r.Code != 201 || r.Replays != 7 || string(r.Answer.Content) != `Bearer admin{"a":1}` || string(r.Sent.Content) != `{"a":1}` || !r.DryRun {
		t.Errorf("%+v %v", r, err)
	}
}

// TestLimits fills the log.
func TestLimits(t *testing.T) {
	l := &Log{}
	for i := range Most + 10 {
		l.add(Request{Rejected: i == 0})
	}
	all := l.All()
	if len(all) != Most || all[0].ID != 1 || all[1].ID != 12 || all[Most-1].ID != Most+10 {
		t.Errorf("%d requests, the first is %d, the next %d", len(all), all[0].ID, all[1].ID)
	}
	if _, ok := l.Get(5); ok {
		t.Error("an old request is there still")
	}
	id := l.add(Request{})
	for range 3 { // a body may change
		l.update(id, func(r *Request) { r.Sent.Content = make([]byte, MostBytes/2) })
	}
	other := l.add(Request{})
	l.update(other, func(r *Request) { r.Answer.Content = make([]byte, MostBytes/2+1) })
	if all = l.All(); len(all) != 2 || all[0].ID != 1 || all[1].ID != other {
		t.Errorf("too many bytes are kept: %d requests", len(all))
	}
	l.update(other, func(r *Request) { r.Answer.Content = make([]byte, 2*MostBytes) })
	if all = l.All(); len(all) != 1 || all[0].ID != other {
		t.Errorf("the newest is dropped: %d requests", len(all))
	}
	for range 2 * Most {
		l.add(Request{Rejected: true})
	}
	if all = l.All(); len(all) != Most || all[0].ID != other+Most+1 {
		t.Errorf("rejected ones: %d, from %d", len(all), all[0].ID)
	}
}
