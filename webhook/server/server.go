package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	conversionwebhook "github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
)

const (
	// ConvertPath is the path of conversions.
	ConvertPath = "/convert"

	// DefaultDrain is the default of Options.Drain.
	DefaultDrain = 15 * time.Second
	// ShutdownTimeout is how long a server takes at most to stop, with the default of Options.Drain. Use it
	// as a manager's GracefulShutdownTimeout, and give pods more time before they are killed:
	// terminationGracePeriodSeconds: 60.
	ShutdownTimeout = DefaultDrain + shutdownTime

	// maxConversion and maxAdmission limit the bodies of paths. A list is one conversion review.
	maxConversion, maxAdmission = 512 << 20, 16 << 20
	// workTime is how long a request may take; API servers wait 30 s.
	workTime = 29 * time.Second
	// shutdownTime is how long requests may take after draining.
	shutdownTime = 35 * time.Second

	readHeaderTime = 5 * time.Second
	readTime       = 30 * time.Second
	writeTime      = 60 * time.Second
	idleTime       = 120 * time.Second // longer than the 90 s of API servers
	maxHeaderBytes = 64 << 10
)

// Options configure a server. The zero value of a field is its default.
type Options struct {
	// Address is where the server listens; the default is ":9443".
	Address string
	// Listener replaces Address. The server closes it.
	Listener net.Listener
	// Certificates are the serving certificates: Files or SelfManaged. They are required.
	Certificates Certificates
	// Config is how to reach the API server, for readiness and for self-managed certificates. Without it, the
	// server is ready once it has a certificate.
	Config *rest.Config
	// Conversions are what ConvertPath converts. SetupWebhookWithManager adds others.
	Conversions []Conversion
	// MaxInFlightBytes limits the memory for reviews that are answered at once, in bytes; the default is 40 % of
	// GOMEMLIMIT, or 256 MiB without GOMEMLIMIT. A larger review runs alone.
	MaxInFlightBytes int64
	// Observer is told about conversion reviews, for traces: see the module runtime/jsonconvert/tracing.
	Observer conversionwebhook.Observer
	// Metrics is the registry of the server's metrics, which /metrics serves; the default is that of
	// controller-runtime, which managers serve too.
	Metrics Registry
	// Log is the default of slog if it is nil.
	Log *slog.Logger
	// TLSOpts change the TLS configuration. HTTP/2 is disabled.
	TLSOpts []func(*tls.Config)
	// Drain is how long the server answers requests after it was stopped, and is not ready; the default is
	// DefaultDrain. A negative time does not wait.
	Drain time.Duration
	// Interval is the time between two looks at the API server; the default is 10 s.
	Interval time.Duration
	// Now is the clock of certificates; the default is time.Now.
	Now func() time.Time
}

// Registry has metrics and serves them.
type Registry interface {
	prometheus.Registerer
	prometheus.Gatherer
}

// Server serves webhooks. It implements the webhook server of controller-runtime's managers.
type Server struct {
	options     Options
	mux         *http.ServeMux
	budget      *budget
	metrics     *metrics
	log         *slog.Logger
	conversions conversions
	readiness   readiness
	// mistake is what is wrong with the options. Start returns it.
	mistake error
	// serving is the current certificate.
	serving  atomic.Pointer[tls.Certificate]
	draining atomic.Bool
	started  atomic.Bool
	// work is how long a request may take.
	work time.Duration

	mu    sync.Mutex
	paths map[string]bool
}

var _ webhook.Server = (*Server)(nil)

// New returns a server. Start reports mistakes in the options.
func New(o Options) *Server {
	if o.Metrics == nil {
		o.Metrics = ctrlmetrics.Registry
	}
	o.Address = cmp.Or(o.Address, ":9443")
	o.Drain = cmp.Or(o.Drain, DefaultDrain)
	o.Interval = cmp.Or(o.Interval, 10*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{options: o, mux: http.NewServeMux(), budget: newBudget(o.MaxInFlightBytes), log: o.Log, work: workTime, paths: map[string]bool{}}
	if s.log == nil {
		s.log = slog.Default()
	}
	s.readiness.log = &throttled{log: s.log}
	var err error
	if s.metrics, err = newMetrics(o.Metrics, s.budget); err != nil {
		s.mistake = err
		s.metrics, _ = newMetrics(nil, s.budget)
	}
	if o.Certificates == nil {
		s.mistake = errors.Join(s.mistake, errors.New("Options.Certificates is not set: use server.Files or server.SelfManaged"))
	} else {
		s.mistake = errors.Join(s.mistake, o.Certificates.check(s))
	}
	s.mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	s.mux.HandleFunc("/readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := s.ready(r); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	})
	s.mux.Handle("/metrics", promhttp.HandlerFor(o.Metrics, promhttp.HandlerOpts{}))
	s.register(ConvertPath, maxConversion, http.HandlerFunc(s.convert))
	for _, c := range o.Conversions {
		s.mistake = errors.Join(s.mistake, s.conversions.add(c))
	}
	return s
}

// Run serves conversions until the context is done and all requests are answered.
func Run(ctx context.Context, o Options) error { return New(o).Start(ctx) }

// NeedLeaderElection returns false: all replicas serve.
func (s *Server) NeedLeaderElection() bool { return false }

// Register adds a handler. It panics if the path has one, like http.ServeMux.
func (s *Server) Register(path string, hook http.Handler) { s.register(path, maxAdmission, hook) }

func (s *Server) register(path string, limit int64, hook http.Handler) {
	s.mux.Handle(path, s.guarded(path, s.limited(limit, hook)))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paths[path] = true
}

// WebhookMux returns what the server serves.
func (s *Server) WebhookMux() *http.ServeMux { return s.mux }

// StartedChecker returns the check of /readyz.
func (s *Server) StartedChecker() healthz.Checker { return s.ready }

// Start serves until the context is done and all requests are answered. An error means that the options have
// a mistake, or that the server cannot listen.
func (s *Server) Start(ctx context.Context) error {
	if s.mistake != nil {
		return s.mistake
	}
	if s.started.Swap(true) {
		return errors.New("the webhook server was started before")
	}
	listener := s.options.Listener
	if listener == nil {
		var err error
		if listener, err = net.Listen("tcp", s.options.Address); err != nil {
			return fmt.Errorf("the webhook server cannot listen: %w", err)
		}
	}
	// The certificates are kept until the last request is answered.
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	defer func() {
		stop()
		running.Wait()
	}()
	running.Add(1)
	go func() {
		defer running.Done()
		s.watch(background)
	}()
	server := &http.Server{
		Handler: s.mux, TLSConfig: s.tlsConfig(), ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		ReadHeaderTimeout: readHeaderTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaderBytes,
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){}, // without HTTP/2, each review has a connection
	}
	failed := make(chan error, 1)
	go func() { failed <- server.ServeTLS(listener, "", "") }()
	s.log.Info("The webhook server listens", "address", listener.Addr().String())
	select {
	case err := <-failed:
		return fmt.Errorf("the webhook server stopped: %w", err)
	case <-ctx.Done():
	}
	return s.stop(server)
}

// stop answers what comes until API servers have moved to other replicas, and what has come by then.
func (s *Server) stop(server *http.Server) error {
	s.draining.Store(true)
	s.log.Info("The webhook server drains", "time", s.options.Drain)
	time.Sleep(s.options.Drain)
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return fmt.Errorf("the webhook server stopped with requests in flight: %w", err)
	}
	return nil
}

func (s *Server) tlsConfig() *tls.Config {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	for _, f := range s.options.TLSOpts {
		f(c)
	}
	c.NextProtos = []string{"http/1.1"}
	if c.GetCertificate == nil {
		c.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			if cert := s.serving.Load(); cert != nil {
				return cert, nil
			}
			return nil, errors.New("there is no certificate yet")
		}
	}
	return c
}

// serve makes a certificate the serving one.
func (s *Server) serve(cert *tls.Certificate) {
	s.serving.Store(cert)
	s.metrics.certificate.WithLabelValues("serving").Set(float64(cert.Leaf.NotAfter.Unix()))
}
