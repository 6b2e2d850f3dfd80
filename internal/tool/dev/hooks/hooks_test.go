package hooks

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// renamer changes the version of objects, and refuses objects that say so.
type renamer struct {
	mark   string
	closed atomic.Bool
}

func (r *renamer) Object(text []byte, kind schema.GroupVersionKind, to string) (out []byte, needs, err error) {
	switch {
	case r.closed.Load():
		return nil, nil, errors.New("used after it was closed")
	case bytes.Contains(text, []byte(`"refuse"`)):
		return nil, nil, errors.New("size: too large")
	case bytes.Contains(text, []byte(`"function"`)):
		return nil, errors.New("only Go code converts this value"), nil
	}
	out = bytes.Replace(text, []byte(kind.Group+"/"+kind.Version), []byte(kind.Group+"/"+to), 1)
	return bytes.Replace(out, []byte("MARK"), []byte(r.mark), 1), nil, nil
}

func (r *renamer) Close() error {
	r.closed.Store(true)
	return nil
}

func start(t *testing.T) (*Server, func(path, body string) (int, string)) {
	t.Helper()
	s, err := Listen("127.0.0.1:0", "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.Cert)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	t.Cleanup(client.CloseIdleConnections)
	return s, func(path, body string) (int, string) {
		answer, err := client.Post(fmt.Sprintf("https://127.0.0.1:%d%s", s.Port(), path), "application/json", strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Error(err)
		}
		return answer.StatusCode, string(text)
	}
}

func body(objects string) string {
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u","desiredAPIVersion":"a.b/v2","objects":[` + objects + `]}}`
}

func TestConvert(t *testing.T) {
	s, post := start(t)
	object := `{"apiVersion":"a.b/v1","kind":"K","metadata":{"name":"x"},"n":12345678901234567890,"s":"MARK"}`
	if _, answer := post(ConvertPath, body(object)); !strings.Contains(answer, `"status":"Failure"`) || !strings.Contains(answer, "mistakes") {
		t.Errorf("without a converter: %s", answer)
	}
	first, second := &renamer{mark: "first"}, &renamer{mark: "second"}
	for _, c := range []*renamer{first, second} {
		if err := s.Use(c); err != nil {
			t.Fatal(err)
		}
		want := `"response":{"uid":"u","convertedObjects":[{"apiVersion":"a.b/v2","kind":"K","metadata":{"name":"x"},"n":12345678901234567890,"s":"` + c.mark + `"},{"apiVersion":"a.b/v2","kind":"K"}],"result":{"metadata":{},"status":"Success"}}`
		if code, answer := post(ConvertPath, body(object+`,{"apiVersion":"a.b/v2","kind":"K"}`)); code != http.StatusOK || !strings.Contains(answer, want) {
			t.Errorf("%d %s", code, answer)
		}
	}
	if !first.closed.Load() || second.closed.Load() {
		t.Error("the converter of before is closed when another is used")
	}
	for text, want := range map[string]string{"refuse": "K x: size: too large", "function": "K x: only Go code converts this value"} {
		_, answer := post(ConvertPath, body(object+`,{"apiVersion":"a.b/v1","kind":"K","metadata":{"name":"x"},"s":"`+text+`"}`))
		if !strings.Contains(answer, want) || !strings.Contains(answer, `"convertedObjects":[]`) || !strings.Contains(answer, `"status":"Failure"`) {
			t.Errorf("%s: %s", text, answer)
		}
	}
	for _, text := range []string{"", "{}", "[]"} {
		if code, _ := post(ConvertPath, text); code != http.StatusBadRequest {
			t.Errorf("%q gets %d", text, code)
		}
	}
	if err := s.Close(); err != nil || !second.closed.Load() {
		t.Errorf("closing: %v", err)
	}
}

// TestLate sends a request to a program before it listens.
func TestLate(t *testing.T) {
	s, post := start(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	s.Admission(Proxy(address))
	answers := make(chan string)
	go func() {
		_, answer := post("/validate-x", "{}")
		answers <- answer
	}()
	time.Sleep(100 * time.Millisecond)
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Skip("something else has the port: ", err)
	}
	program := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "late") }))
	program.Listener.Close()
	program.Listener = listener
	program.StartTLS()
	defer program.Close()
	if answer := <-answers; answer != "late" {
		t.Errorf("%q", answer)
	}
}

// TestAdmission sends requests while there is no program, which wait for the next one.
func TestAdmission(t *testing.T) {
	s, post := start(t)
	program := func(name string) http.Handler {
		p := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, name, " ", r.URL.Path) }))
		t.Cleanup(p.Close)
		return Proxy(p.Listener.Addr().String())
	}
	for _, name := range []string{"first", "second"} {
		answers := make(chan string)
		go func() {
			_, answer := post("/validate-x", "{}")
			answers <- answer
		}()
		select {
		case answer := <-answers:
			t.Fatalf("without a program: %s", answer)
		case <-time.After(100 * time.Millisecond):
		}
		s.Admission(program(name))
		if answer := <-answers; answer != name+" /validate-x" {
			t.Errorf("%q", answer)
		}
		s.Admission(nil)
	}
}

// TestPause replaces a program that answers requests again and again: none of them fails, and a program that was stopped has
// answered all of its requests.
func TestPause(t *testing.T) {
	s, post := start(t)
	type program struct {
		stopped atomic.Bool
		late    atomic.Int32
	}
	serve := func() *program {
		p := &program{}
		s.Admission(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(5 * time.Millisecond)
			if p.stopped.Load() {
				p.late.Add(1)
			}
			w.WriteHeader(http.StatusOK)
		}))
		return p
	}
	p := serve()
	stop, done := make(chan bool), make(chan int)
	const clients = 4
	for range clients {
		go func() {
			n := 0
			defer func() { done <- n }()
			for {
				select {
				case <-stop:
					return
				default:
				}
				if status, text := post("/validate-x", "{}"); status != http.StatusOK {
					t.Errorf("%d %s", status, text)
				}
				n++
			}
		}()
	}
	for range 10 {
		time.Sleep(15 * time.Millisecond)
		s.Pause(t.Context())
		p.stopped.Store(true)
		time.Sleep(15 * time.Millisecond)
		if n := p.late.Load(); n > 0 {
			t.Errorf("%d requests were not answered when the program was stopped", n)
		}
		p = serve()
	}
	close(stop)
	for range clients {
		if n := <-done; n < 10 {
			t.Errorf("a client got only %d answers", n)
		}
	}
}
