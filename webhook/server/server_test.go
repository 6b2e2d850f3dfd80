package server_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/webhook/server"
)

// TestBodies sends bodies of every form.
func TestBodies(t *testing.T) {
	r := start(t, server.Options{Conversions: ofA(t)})
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(review("a.example.com", "A", 3)))
	_ = z.Close()
	chunked := func(s string) io.Reader { return struct{ io.Reader }{strings.NewReader(s)} }
	small, large := review("a.example.com", "A", 3), review("a.example.com", "A", 1<<20)
	for name, tc := range map[string]struct {
		body   io.Reader
		header []string
		code   int
		want   string
	}{
		"small":           {body: strings.NewReader(small), code: 200, want: `"y":"aaa"`},
		"large":           {body: strings.NewReader(large), code: 200, want: `"y":"aaa`},
		"chunked":         {body: chunked(small), code: 200, want: `"y":"aaa"`},
		"large, chunked":  {body: chunked(large), code: 200, want: `"y":"aaa`},
		"empty":           {body: strings.NewReader(""), code: 200, want: `"code":400`},
		"no JSON":         {body: strings.NewReader("apiVersion: v1"), code: 200, want: `"code":400`},
		"cut":             {body: strings.NewReader(small[:len(small)-9]), code: 200, want: `"code":400`},
		"zipped":          {body: &zipped, header: []string{"Content-Encoding", "gzip"}, code: 415, want: `"gzip"`},
		"identity":        {body: strings.NewReader(small), header: []string{"Content-Encoding", "identity"}, code: 200, want: `"y":"aaa"`},
		"unknown kind":    {body: strings.NewReader(review("a.example.com", "B", 3)), code: 200, want: `unknown kind`},
		"unknown version": {body: strings.NewReader(strings.Replace(small, "v1beta1", "v7", 1)), code: 200, want: `unknown API version`},
	} {
		if answer, text := r.post("/convert", tc.body, tc.header...); answer.StatusCode != tc.code || !strings.Contains(text, tc.want) {
			t.Errorf("%s: %d %.300s", name, answer.StatusCode, text)
		}
	}
	if answer, err := r.client.Get("https://" + r.addr + "/convert"); err != nil || answer.StatusCode != http.StatusMethodNotAllowed {
		t.Error(answer, err)
	}
	for label, want := range map[[5]string]float64{
		{"a.example.com", "A", "v1beta1", "v1", "success"}:   5,
		{"a.example.com", "other", "v1beta1", "v1", "error"}: 1,
		{"a.example.com", "A", "other", "v1", "error"}:       1,
	} {
		r.eventually(fmt.Sprint(label, want), func() bool { return r.metric("kindsmith_conversion_objects_total", label[:]...) == want })
	}
	r.works()
	if problems, err := testutil.GatherAndLint(r.registry); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	if n := server.Used(r.Server); n != 0 {
		t.Errorf("%d bytes are in use at the end", n)
	}
}

// metric returns a metric by the values of its labels, in the order of their names in the metric.
func (r *running) metric(name string, labels ...string) float64 {
	families, err := r.registry.Gather()
	if err != nil {
		r.t.Fatal(err)
	}
	want := map[string]bool{}
	for _, l := range labels {
		want[l] = true
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			match := f.GetName() == name && len(m.GetLabel()) == len(labels)
			for _, l := range m.GetLabel() {
				match = match && want[l.GetValue()]
			}
			if match && m.GetGauge() != nil {
				return m.GetGauge().GetValue()
			} else if match {
				return m.GetCounter().GetValue()
			}
		}
	}
	return -1
}

// TestLimits sends bodies that are larger than the limits of their paths.
func TestLimits(t *testing.T) {
	r := start(t, server.Options{Conversions: ofA(t)}, func(s *server.Server) {
		s.Register("/validate-a", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err != nil {
				http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			}
		}))
	})
	for path, size := range map[string]int64{"/validate-a": 16<<20 + 1, "/convert": 512<<20 + 1} {
		c := r.dial(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n", path, size))
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %v %v", path, answer, err)
		}
	}
	zeros := struct{ io.Reader }{io.LimitReader(zero{}, 16<<20+1)} // without a length
	if answer, _ := r.post("/validate-a", zeros); answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Error(answer.StatusCode)
	}
	r.works()
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestBadClients opens many connections of clients that do not do what they should. Others are answered
// meanwhile.
func TestBadClients(t *testing.T) {
	r := start(t, server.Options{Conversions: ofA(t), MaxInFlightBytes: 4 << 20})
	header := "POST /convert HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
	for range 50 {
		r.dial("POST /conv")                                                   // slow headers
		r.dial(fmt.Sprintf(header, 400<<20) + `{"kind":`)                      // a length that is a lie
		r.dial(fmt.Sprintf(header, 1<<20) + strings.Repeat(" ", 1000))         // a slow body
		r.dial(fmt.Sprintf(header, len(review("a.example.com", "A", 1<<19))) + // gone while it is answered
			review("a.example.com", "A", 1<<19)).Close()
	}
	for range 20 {
		r.works()
	}
	// Clients that sent enough to get memory, and then stop, lose it.
	for range 2 {
		r.dial(fmt.Sprintf(header, 3<<19) + strings.Repeat(" ", 100<<10))
	}
	begin := time.Now()
	r.works()
	if answer, text := r.post("/convert", strings.NewReader(review("a.example.com", "A", 1<<20))); answer.StatusCode != http.StatusOK {
		t.Errorf("a review beside clients that stopped: %d %s", answer.StatusCode, text)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	r.eventually("all memory is given back", func() bool { return server.Used(r.Server) == 0 })
	// A lying length in the other direction is the next request.
	c := r.dial(fmt.Sprintf(header, 2) + "{}{}{}")
	if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || answer.StatusCode != http.StatusOK {
		t.Error(answer, err)
	}
	r.works()
}

// slow is a converter that waits until it is told to go on with a review, if that has more than a number of bytes.
type slow struct {
	server.Converter
	begun, goOn chan bool
	above       int
}

func (s *slow) ObserveReview(w io.Writer, review []byte, observe func(jsonconvert.Observation), kinds ...string) error {
	if len(review) > s.above {
		s.begun <- true
		<-s.goOn
	}
	return s.Converter.ObserveReview(w, review, observe, kinds...)
}

// TestOverload sends reviews that do not fit into the budget: they are told to try again, and succeed then.
func TestOverload(t *testing.T) {
	size := len(review("a.example.com", "A", 1<<19))
	s := &slow{shops(t, "a.example.com", "A"), make(chan bool, 100), make(chan bool), 64 << 10}
	r := start(t, server.Options{Conversions: []server.Conversion{{Group: "a.example.com", Converter: s}}, MaxInFlightBytes: int64(2.2*2*float64(size)) + 2},
		func(s *server.Server) { server.SetTimes(s, 50*time.Millisecond, time.Minute) })
	var group sync.WaitGroup
	var shed, ok int
	var mu sync.Mutex
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				answer, text := r.post("/convert", strings.NewReader(review("a.example.com", "A", 1<<19)))
				mu.Lock()
				switch {
				case answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") == "1":
					shed++
				case answer.StatusCode == http.StatusOK && strings.Contains(text, `"y":`):
					ok++
					mu.Unlock()
					return
				default:
					t.Errorf("%d %v %.200s", answer.StatusCode, answer.Header, text)
					mu.Unlock()
					return
				}
				mu.Unlock()
			}
		}()
	}
	<-s.begun
	<-s.begun
	time.Sleep(200 * time.Millisecond)
	if len(s.begun) > 0 {
		t.Error("more than two reviews are in flight")
	}
	mu.Lock()
	if shed == 0 {
		t.Error("nothing is shed")
	}
	mu.Unlock()
	r.works() // a small review does not wait for large ones
	// A client that is slow, like all of a busy machine, is told so too: the memory that others wait for is not its own.
	body := review("a.example.com", "A", 1<<19)
	client := r.dial(fmt.Sprintf("POST /convert HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(body)))
	for part := range slices.Chunk([]byte(body), len(body)/6) {
		time.Sleep(500 * time.Millisecond)
		if _, err := client.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if answer, err := http.ReadResponse(bufio.NewReader(client), nil); err != nil || answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a slow client: %v %v", answer, err)
	}
	mu.Lock()
	shed++ // that client
	mu.Unlock()
	close(s.goOn)
	group.Wait()
	if n := r.metric("kindsmith_webhook_shed_total"); n != float64(shed) || ok != 8 {
		t.Errorf("%v shed of %d, %d succeeded", n, shed, ok)
	}
	if answer, _ := r.post("/convert", strings.NewReader(review("a.example.com", "A", 1<<22))); answer.StatusCode != http.StatusOK {
		t.Errorf("a review that is larger than the budget: %d", answer.StatusCode)
	}
}

// panics is a converter that panics.
type panics struct{ server.Converter }

func (panics) ObserveReview(io.Writer, []byte, func(jsonconvert.Observation), ...string) error {
	panic(errors.New("oh no"))
}

// TestPanic posts to handlers that panic, before and after they have answered.
func TestPanic(t *testing.T) {
	var log bytes.Buffer
	r := start(t, server.Options{
		Log:         slog.New(slog.NewTextHandler(&log, nil)),
		Conversions: append(ofA(t), server.Conversion{Group: "b.example.com", Kinds: []string{"B"}, Converter: panics{shops(t, "b.example.com", "B")}}),
	}, func(s *server.Server) {
		s.Register("/late", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "text")
			panic("late")
		}))
		s.Register("/abort", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	})
	for range 3 {
		if answer, text := r.post("/convert", strings.NewReader(review("b.example.com", "B", 3))); answer.StatusCode != http.StatusInternalServerError || !strings.Contains(text, "oh no") {
			t.Error(answer.StatusCode, text)
		}
		_, _ = r.post("/late", strings.NewReader("{}"))
		if answer, err := r.client.Post("https://"+r.addr+"/abort", "", strings.NewReader("{}")); err == nil && answer.StatusCode < 500 {
			t.Error(answer)
		}
		r.works()
	}
	if text := log.String(); !strings.Contains(text, "oh no") || !strings.Contains(text, "panics.ObserveReview") {
		t.Errorf("the log has no stack:\n%s", text)
	}
	if n := server.Used(r.Server); n != 0 {
		t.Errorf("%d bytes are in use at the end", n)
	}
}

// lasting converts the object of a review again and again.
type lasting struct {
	server.Converter
	ended chan bool
}

func (l *lasting) ObserveReview(_ io.Writer, review []byte, observe func(jsonconvert.Observation), _ ...string) error {
	defer func() { l.ended <- true }()
	for {
		_ = l.Converter.ObserveReview(io.Discard, review, observe)
		time.Sleep(time.Millisecond)
	}
}

// TestAbandoned has reviews that would take forever: they end when their time is over, or when the client is gone.
func TestAbandoned(t *testing.T) {
	l := &lasting{shops(t, "a.example.com", "A"), make(chan bool, 2)}
	r := start(t, server.Options{Conversions: []server.Conversion{{Group: "a.example.com", Converter: l}}}, func(s *server.Server) { server.SetTimes(s, time.Second, 100*time.Millisecond) })
	if answer, text := r.post("/convert", strings.NewReader(review("a.example.com", "A", 3))); answer.StatusCode != http.StatusGatewayTimeout || !strings.Contains(text, "took too long") {
		t.Error(answer.StatusCode, text)
	}
	<-l.ended
	server.SetTimes(r.Server, time.Second, time.Minute)
	body := review("a.example.com", "A", 3)
	c := r.dial(fmt.Sprintf("POST /convert HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
	r.eventually("the review is converted", func() bool { return server.Used(r.Server) > 0 })
	c.Close()
	<-l.ended
	r.eventually("all memory is given back", func() bool { return server.Used(r.Server) == 0 })
}

// TestGroups has converters of several groups and kinds, some with the same group.
func TestGroups(t *testing.T) {
	r := start(t, server.Options{Conversions: append(ofA(t),
		server.Conversion{Group: "b.example.com", Kinds: []string{"B"}, Converter: shops(t, "b.example.com", "B")},
		server.Conversion{Group: "b.example.com", Kinds: []string{"C"}, Converter: shops(t, "b.example.com", "C")},
	)})
	for _, of := range [][2]string{{"a.example.com", "A"}, {"b.example.com", "B"}, {"b.example.com", "C"}} {
		body := review(of[0], of[1], 3)
		last := strings.Replace(body, `"objects":[{"apiVersion"`, `"objects":[{"metadata":{"kind":"no"},"apiVersion"`, 1)
		for _, text := range []string{body, last, strings.Replace(body, `"request":{`, `"x":{"request":{"desiredAPIVersion":"no"}},"request":{"x":[{"y":null}],`, 1)} {
			if answer, got := r.post("/convert", strings.NewReader(text)); answer.StatusCode != http.StatusOK || !strings.Contains(got, `"y":"aaa"`) {
				t.Errorf("%s: %d %s", text, answer.StatusCode, got)
			}
		}
	}
	for text, want := range map[string]string{
		review("c.example.com", "A", 3): `does not convert to \"c.example.com/v1\"`,
		review("b.example.com", "A", 3): `unknown kind`,
		"{}":                            "does not convert",
		"[":                             "does not convert",
	} {
		answer, got := r.post("/convert", strings.NewReader(text))
		var reply struct {
			Response struct {
				UID    string
				Result struct{ Status, Message string }
			}
		}
		if err := json.Unmarshal([]byte(got), &reply); err != nil || answer.StatusCode != http.StatusOK || reply.Response.Result.Status == "Success" || !strings.Contains(got, want) {
			t.Errorf("%s: %d %s", text, answer.StatusCode, got)
		}
	}
}

// TestDrain stops a server while it answers: it goes on for a while, and is not ready.
func TestDrain(t *testing.T) {
	s := &slow{shops(t, "a.example.com", "A"), make(chan bool, 100), make(chan bool, 100), 0}
	r := start(t, server.Options{Conversions: append(ofA(t), server.Conversion{Group: "b.example.com", Converter: s}), Drain: 300 * time.Millisecond})
	answers := make(chan int, 1)
	go func() {
		answer, _ := r.post("/convert", strings.NewReader(review("b.example.com", "A", 3)))
		answers <- answer.StatusCode
	}()
	<-s.begun
	r.stop()
	r.eventually("not ready", func() bool { return r.StartedChecker()(nil) != nil })
	if answer, text := r.post("/readyz", nil); answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "stopping") {
		t.Error(answer.StatusCode, text)
	}
	if answer, _ := r.post("/healthz", nil); answer.StatusCode != http.StatusOK {
		t.Error(answer.StatusCode)
	}
	answer, text := r.post("/convert", strings.NewReader(review("a.example.com", "A", 3)))
	if answer.StatusCode != http.StatusOK || !answer.Close || !strings.Contains(text, `"y":"aaa"`) {
		t.Errorf("a review while the server drains: %d, close %v: %s", answer.StatusCode, answer.Close, text)
	}
	time.Sleep(300 * time.Millisecond) // the first review is longer than the drain
	s.goOn <- true
	if code := <-answers; code != 200 {
		t.Errorf("the review in flight: %d", code)
	}
	err := <-r.stopped
	r.stopped <- err
	if _, err := net.Dial("tcp", r.addr); err == nil {
		t.Error("the server listens after it stopped")
	}
}

// TestFiles replaces the files of a certificate.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Listener: listener, Certificates: server.Files{Dir: dir}, Metrics: prometheus.NewRegistry(), Drain: -1, Log: slog.New(slog.DiscardHandler)})
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() { stopped <- s.Start(ctx) }()
	r := &running{t: t, Server: s, addr: listener.Addr().String()}
	serves := func(bundle []byte) func() bool {
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(bundle)
		return func() bool {
			c, err := tls.Dial("tcp", r.addr, &tls.Config{RootCAs: roots})
			if err == nil {
				c.Close()
			}
			return err == nil
		}
	}
	if err := s.StartedChecker()(nil); err == nil || !strings.Contains(err.Error(), "no certificate") {
		t.Errorf("without files: %v", err)
	}
	first := files(t, dir)
	r.eventually("the files are read", serves(first))
	second := files(t, dir)
	r.eventually("the files are read again", serves(second))
	stop()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// TestMistakes has options with mistakes, all of which are reported.
func TestMistakes(t *testing.T) {
	registry := prometheus.NewRegistry()
	server.New(server.Options{Metrics: registry})
	a := ofA(t)[0]
	for name, tc := range map[string]struct {
		options server.Options
		want    []string
	}{
		"nothing":      {server.Options{}, []string{"Options.Certificates is not set"}},
		"files":        {server.Options{Certificates: server.Files{}}, []string{"Dir is not set"}},
		"self-managed": {server.Options{Certificates: &server.SelfManaged{}}, []string{"Namespace, Secret, Service is not set"}},
		"no cluster":   {server.Options{Certificates: &server.SelfManaged{Namespace: "a", Secret: "b", Service: "c"}}, []string{"Options.Config is not set"}},
		"metrics": {server.Options{Certificates: server.Files{}, Metrics: registry, Conversions: []server.Conversion{a, a, {Group: "b"}, {Converter: a.Converter}}},
			[]string{"the metrics of another", "Dir is not set", "converts the kind A of a.example.com already", `group "b" has no converter`, "no group"}},
	} {
		if tc.options.Metrics == nil {
			tc.options.Metrics = prometheus.NewRegistry()
		}
		err := server.New(tc.options).Start(t.Context())
		for _, want := range tc.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v lacks %q", name, err, want)
			}
		}
	}
}
