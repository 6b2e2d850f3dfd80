package metrics_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/rollout"
	"github.com/kindsmith/kindsmith/runtime/rollout/metrics"
)

func TestCounters(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	counters, err := metrics.New(registry)
	if err != nil {
		t.Fatal(err)
	}
	r := rollout.Rollout{Metrics: counters, Log: slog.New(slog.DiscardHandler)}
	run := func(kind string, op operation.Type, declarative func(context.Context) field.ErrorList) {
		r.Run(context.Background(), rollout.Attempt{
			Kind:        schema.GroupVersionKind{Kind: kind},
			Operation:   operation.Operation{Type: op},
			Config:      rollout.Config{Migrating: true},
			HandWritten: field.ErrorList{field.Required(field.NewPath("a"), "").MarkCoveredByDeclarative()},
			Declarative: declarative,
		})
	}
	agree := func(context.Context) field.ErrorList { return field.ErrorList{field.Required(field.NewPath("a"), "")} }
	differ := func(context.Context) field.ErrorList { return field.ErrorList{field.Required(field.NewPath("b"), "")} }
	run("Database", operation.Create, agree)
	run("Database", operation.Create, differ)
	run("Database", operation.Update, differ)
	run("Database", operation.Update, differ)
	run("Backup", operation.Create, func(context.Context) field.ErrorList { panic("oh no") })

	want := `
# HELP declarative_validation_mismatch_total Number of errors that only one of declarative and hand-written validation reported.
# TYPE declarative_validation_mismatch_total counter
declarative_validation_mismatch_total{validation_identifier="database_create"} 2
declarative_validation_mismatch_total{validation_identifier="database_update"} 4
# HELP declarative_validation_panic_total Number of recovered panics in declarative validation.
# TYPE declarative_validation_panic_total counter
declarative_validation_panic_total{validation_identifier="backup_create"} 1
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
	if problems, err := testutil.GatherAndLint(registry); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}

func TestRegisteredTwice(t *testing.T) {
	registry := prometheus.NewRegistry()
	if _, err := metrics.New(registry); err != nil {
		t.Fatal(err)
	}
	if _, err := metrics.New(registry); err == nil {
		t.Error("the second registration was not refused")
	}
	if _, err := metrics.New(prometheus.NewRegistry()); err != nil {
		t.Errorf("another registry: %v", err)
	}

	// If the registry already has the second counter, New also unregisters the first.
	half := prometheus.NewRegistry()
	half.MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "declarative_validation_panic_total", Help: "Another."}))
	counters, err := metrics.New(half)
	if err == nil {
		t.Fatalf("a name that is taken was not refused: %v", counters)
	}
	families, err := half.Gather()
	if err != nil || len(families) != 1 {
		t.Errorf("%v, %v", families, err)
	}
	if err := half.Register(prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "declarative_validation_mismatch_total",
		Help: "Number of errors that only one of declarative and hand-written validation reported.",
	}, []string{"validation_identifier"})); err != nil {
		t.Errorf("the first counter stayed behind: %v", err)
	}
}
