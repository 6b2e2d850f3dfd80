// Package workbench is the page of `kindsmith dev`: the requests of clients, why the API server refused them, and the objects.
//
// It serves JSON below [Prefix], events there, and the page of package web. Only this machine reaches it, with the token of
// its address.
package workbench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kindsmith/kindsmith/internal/tool/dev"
	"github.com/kindsmith/kindsmith/internal/tool/dev/inspect"
	"github.com/kindsmith/kindsmith/internal/tool/dev/live"
	"github.com/kindsmith/kindsmith/internal/tool/dev/requests"
	"github.com/kindsmith/kindsmith/web"
)

// Prefix is the path of the JSON API.
const Prefix = "/-/api/"

// Options configure a workbench.
type Options struct {
	// Address is where the page is: an address of the loopback interface, with a port or 0.
	Address string
	// Clients is where clients of the API server connect: an address of the loopback interface with a port, or 0.
	Clients string
	// Config connects to the API server.
	Config *rest.Config
	// About says which server it is, Kubeconfig is the file for its clients.
	About, Kubeconfig string
	// Steps gets what the API server reports of admission; nil if nothing does.
	Steps *requests.Receiver
}

// Workbench serves the page.
type Workbench struct {
	// Proxy is where clients connect to the API server.
	Proxy *requests.Proxy

	options Options
	token   string
	port    string
	log     requests.Log
	objects *live.Objects
	server  *server
	events  hub
	http    *http.Server
	url     string
	// ctx ends with the workbench.
	ctx  context.Context
	stop context.CancelFunc

	mu     sync.Mutex // for all below
	reload dev.Reload
	api    *inspect.API
}

// Loopback returns an error if an address is not of the loopback interface.
func Loopback(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is not host:port, such as 127.0.0.1:8080", address)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q is not a port between 0 and 65535", strconv.Itoa(int(n)))
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return fmt.Errorf("%s is not an address of this machine alone; name 127.0.0.1, [::1] or localhost", host)
	}
	return nil
}

// Start starts a workbench.
func Start(o Options) (w *Workbench, err error) {
	w = &Workbench{options: o, token: rand.Text()}
	w.ctx, w.stop = context.WithCancel(context.Background())
	w.log.Changed = func(r requests.Request) { w.events.send("request", r) }
	if w.server, err = newServer(o.Config); err != nil {
		return nil, err
	}
	if w.objects, err = live.New(o.Config); err != nil {
		return nil, err
	}
	w.objects.Changed = func(k live.Key) { w.events.send("object", k) }
	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("listen for the page: %w", err)
	}
	if w.Proxy, err = requests.Listen(o.Clients, o.Config, &w.log); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	if o.Steps != nil {
		o.Steps.Into(&w.log)
	}
	_, w.port, _ = net.SplitHostPort(listener.Addr().String())
	w.url = "http://" + listener.Addr().String() + "/#token=" + w.token
	w.http = &http.Server{
		Handler: &guard{port: w.port, token: w.token, next: w.routes()}, ReadHeaderTimeout: 10 * time.Second,
		ErrorLog: log.New(io.Discard, "", 0), BaseContext: func(net.Listener) context.Context { return w.ctx },
	}
	go func() { _ = w.http.Serve(listener) }() // until Close
	return w, nil
}

// URL is the address of the page, with its token.
func (w *Workbench) URL() string { return w.url }

// Close ends all connections.
func (w *Workbench) Close() error {
	w.stop()
	return errors.Join(w.http.Close(), w.Proxy.Close())
}

// Reload shows what has happened after a save. The API of a build that is served becomes that of the page.
func (w *Workbench) Reload(r dev.Reload) {
	w.mu.Lock()
	w.reload = r
	if r.API != nil {
		w.api = r.API
		var watched []schema.GroupVersionResource
		for _, k := range r.API.Kinds {
			watched = append(watched, k.Resource(k.Stored()))
		}
		w.objects.Watch(w.ctx, watched)
	}
	w.mu.Unlock()
	w.events.send("reload", w.status())
}

// API returns the API that is served; nil before the first.
func (w *Workbench) API() *inspect.API {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.api
}

func (w *Workbench) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", web.Workbench())
	handle := func(pattern string, answer func(r *http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(out http.ResponseWriter, r *http.Request) {
			value, err := answer(r)
			code := http.StatusOK
			if err != nil {
				code, value = codeOf(err), map[string]string{"error": err.Error()}
			}
			out.Header().Set("Content-Type", "application/json")
			out.WriteHeader(code)
			_ = json.NewEncoder(out).Encode(value) // the page may be gone
		})
	}
	mux.HandleFunc("GET "+Prefix+"events", func(out http.ResponseWriter, r *http.Request) {
		w.events.serve(out, r, func() []byte { return event("state", w.state()) })
	})
	handle("GET "+Prefix+"state", func(*http.Request) (any, error) { return w.state(), nil })
	handle("GET "+Prefix+"requests/{id}", w.request)
	handle("POST "+Prefix+"requests/{id}/judge", w.judgeRequest)
	handle("POST "+Prefix+"requests/{id}/replay", w.replay)
	handle("POST "+Prefix+"judge", w.judge)
	handle("POST "+Prefix+"dryrun", func(r *http.Request) (any, error) { return w.write(r, true) })
	handle("POST "+Prefix+"save", func(r *http.Request) (any, error) { return w.write(r, false) })
	handle("GET "+Prefix+"table/{group}/{resource}/{version}", w.table)
	handle("GET "+Prefix+"objects/{group}/{resource}/{namespace}/{name}", w.object)
	mux.HandleFunc("GET "+Prefix, func(out http.ResponseWriter, r *http.Request) { http.NotFound(out, r) })
	return mux
}

// State is everything that a page shows first.
type State struct {
	Status
	Requests []requests.Request `json:"requests"`
}

// Status is the status strip, with the kinds that are served.
type Status struct {
	About      string `json:"about"`
	Kubeconfig string `json:"kubeconfig"`
	// Reports is set if the API server reports the steps of admission.
	Reports bool            `json:"reports"`
	Reload  dev.Reload      `json:"reload"`
	Kinds   []*inspect.Kind `json:"kinds"`
}

func (w *Workbench) status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := Status{About: w.options.About, Kubeconfig: w.options.Kubeconfig, Reports: w.options.Steps.Heard(), Reload: w.reload, Kinds: []*inspect.Kind{}}
	if w.api != nil {
		s.Kinds = w.api.Kinds
	}
	return s
}

func (w *Workbench) state() State { return State{w.status(), w.log.All()} }

// failure is an error with a code of HTTP.
type failure struct {
	code int
	text string
}

func (f *failure) Error() string { return f.text }

func codeOf(err error) int {
	if f := (*failure)(nil); errors.As(err, &f) {
		return f.code
	}
	return http.StatusBadGateway
}

func fail(code int, format string, args ...any) error {
	return &failure{code, fmt.Sprintf(format, args...)}
}

// mostSent is the size of the body of a request of the page.
const mostSent = requests.MostBody

// read decodes the body of a request of the page.
func read(r *http.Request, into any) error {
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, mostSent)).Decode(into); err != nil {
		return fail(http.StatusBadRequest, "the request is not JSON: %v", err)
	}
	return nil
}
