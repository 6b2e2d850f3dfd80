package server

import (
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// metrics are those of one server.
type metrics struct {
	requests    *prometheus.CounterVec
	duration    *prometheus.HistogramVec
	shed        prometheus.Counter
	objects     *prometheus.CounterVec
	certificate *prometheus.GaugeVec
}

// newMetrics returns the metrics that a registry has, and registers them if it has none.
func newMetrics(registry prometheus.Registerer, b *budget) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kindsmith_webhook_requests_total", Help: "Number of requests of webhooks, by the status of the answer.",
		}, []string{"path", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "kindsmith_webhook_request_duration_seconds", Help: "Time from the headers of a request to the end of its answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"path"}),
		shed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "kindsmith_webhook_shed_total", Help: "Number of requests that were refused because the memory for reviews was in use.",
		}),
		objects: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kindsmith_conversion_objects_total", Help: "Number of objects in reviews that were converted, or failed to.",
		}, []string{"group", "kind", "from", "to", "result"}),
		certificate: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "kindsmith_certificate_not_after_seconds", Help: "End of the life of a certificate, in seconds since 1970.",
		}, []string{"role"}),
	}
	inFlight := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "kindsmith_webhook_in_flight_bytes", Help: "Memory that is taken from the budget for reviews.",
	}, func() float64 { return float64(b.used.Load()) })
	if registry == nil {
		return m, nil
	}
	var done []prometheus.Collector
	for _, c := range []prometheus.Collector{m.requests, m.duration, m.shed, m.objects, m.certificate, inFlight} {
		if err := registry.Register(c); err != nil {
			for _, c := range done {
				registry.Unregister(c)
			}
			if registered := (prometheus.AlreadyRegisteredError{}); errors.As(err, &registered) {
				err = errors.New("the registry has the metrics of another webhook server; set Options.Metrics to a registry of its own")
			}
			return nil, err
		}
		done = append(done, c)
	}
	return m, nil
}

// observer counts the objects of one review. Objects of a review are much alike, so it counts those in a
// row at once.
type observer struct {
	metrics *metrics
	group   string
	last    outcome
	n       int
}

type outcome struct{ kind, from, to, result string }

// kinds are those whose objects were converted. The labels of metrics have only these: others are what
// clients send.
type kinds struct{ known sync.Map }

func (k *kinds) label(o jsonconvert.Observation) string {
	if o.Err == nil {
		if o.Steps > 0 {
			k.known.Store(o.Kind, true)
		}
	}
	if _, ok := k.known.Load(o.Kind); ok {
		return o.Kind
	}
	return "other"
}

func (o *observer) add(next outcome) {
	if next != o.last {
		o.flush()
		o.last = next
	}
	o.n++
}

func (o *observer) flush() {
	if o.n > 0 {
		o.metrics.objects.WithLabelValues(o.group, o.last.kind, o.last.from, o.last.to, o.last.result).Add(float64(o.n))
	}
	o.n = 0
}

// answered counts a request.
func (m *metrics) answered(path, code string, took time.Duration) {
	m.requests.WithLabelValues(path, code).Inc()
	m.duration.WithLabelValues(path).Observe(took.Seconds())
}
