// Package metrics implements rollout.Metrics with Prometheus. It is a separate module, so that APIs that import the runtime do
// not require Prometheus.
//
//	counters, err := metrics.New(prometheus.DefaultRegisterer)
//	…
//	strategy := rollout.Strategy{Scheme: scheme, Rollout: &rollout.Rollout{Metrics: counters}}
//
// [New] fails if the registry has counters of the same names.
package metrics

import "github.com/prometheus/client_golang/prometheus"

// Counters are declarative_validation_mismatch_total and
// declarative_validation_panic_total, by validation_identifier. They implement
// rollout.Metrics.
type Counters struct {
	mismatches *prometheus.CounterVec
	panics     *prometheus.CounterVec
}

// New registers the counters. It returns the registry's error if they are already
// registered.
func New(registry prometheus.Registerer) (*Counters, error) {
	label := []string{"validation_identifier"}
	c := &Counters{
		mismatches: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "declarative_validation_mismatch_total",
			Help: "Number of errors that only one of declarative and hand-written validation reported.",
		}, label),
		panics: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "declarative_validation_panic_total",
			Help: "Number of recovered panics in declarative validation.",
		}, label),
	}
	if err := registry.Register(c.mismatches); err != nil {
		return nil, err
	}
	if err := registry.Register(c.panics); err != nil {
		registry.Unregister(c.mismatches)
		return nil, err
	}
	return c, nil
}

// Mismatch counts an error that only one side reported.
func (c *Counters) Mismatch(identifier string) { c.mismatches.WithLabelValues(identifier).Inc() }

// Panic counts a panic in declarative validation.
func (c *Counters) Panic(identifier string) { c.panics.WithLabelValues(identifier).Inc() }
