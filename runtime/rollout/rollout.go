package rollout

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// Metrics counts mismatches and panics. The module metrics implements it for
// Prometheus. Implementations must be safe for concurrent use.
type Metrics interface {
	// Mismatch counts one [Mismatch]. The identifier is the kind, the subresource
	// and the operation, such as "database_status_update".
	Mismatch(identifier string)
	// Panic counts one panic in declarative validation.
	Panic(identifier string)
}

// Rollout is the configuration that all kinds of a process share. The zero value
// and nil use the default gates, count nothing, and log to slog's default logger.
type Rollout struct {
	// Gates returns the gates. It is called for each step of a request and must be safe
	// for concurrent use. If nil, the gates are DefaultGates.
	Gates func() Gates
	// Metrics counts mismatches and panics; nil counts nothing.
	Metrics Metrics
	// Log receives mismatches and panics at level error. Mismatches are logged with
	// types, paths and origins, without values of the object. For klog or logr, use
	// logr.ToSlogHandler.
	Log *slog.Logger
}

type allEnforcedKey struct{}

// WithAllEnforcedForTest returns a context in which [Rollout.Run] returns all
// declarative errors, and does not return the hand-written errors that are marked as
// covered. It is like WithAllDeclarativeEnforcedForTest, which apimachinery has since
// v0.37.
func WithAllEnforcedForTest(ctx context.Context) context.Context {
	return context.WithValue(ctx, allEnforcedKey{}, true)
}

func allEnforced(ctx context.Context) bool { return ctx.Value(allEnforcedKey{}) != nil }

// Fixed returns a function that always returns the same gates.
func Fixed(gates Gates) func() Gates { return func() Gates { return gates } }

// Attempt is one validation of one object.
type Attempt struct {
	// Kind and Operation identify the validation in logs and metrics.
	Kind      schema.GroupVersionKind
	Operation operation.Operation
	// Object provides the namespace and name, if it has them.
	Object any
	// Config is the configuration of the kind.
	Config Config
	// HandWritten are the errors of hand-written validation.
	HandWritten field.ErrorList
	// Declarative runs declarative validation. It may panic.
	Declarative func(context.Context) field.ErrorList
}

// Run runs declarative validation, compares the errors, and returns the errors that
// reject the object under the current gates; the package documentation describes
// the rules. It marks the hand-written errors (field.Error.FromImperative, which
// apimachinery has since v0.36).
func (r *Rollout) Run(ctx context.Context, a Attempt) field.ErrorList {
	if r == nil {
		r = &Rollout{}
	}
	gates := r.gates()
	handWritten := a.HandWritten
	for _, err := range handWritten {
		skew.Set(err, skew.FromImperative)
	}
	if !a.Config.runs(gates) && !allEnforced(ctx) {
		return handWritten
	}
	declarative, panicked := recovered(ctx, a.Declarative)
	if panicked != nil {
		r.panicked(ctx, a, gates, panicked)
		declarative = field.ErrorList{field.InternalError(nil, fmt.Errorf("panic during declarative validation: %v", panicked.value))}
	} else if gates.DeclarativeValidation {
		for _, m := range Compare(handWritten, declarative, a.Config) {
			r.mismatched(ctx, a, gates, m, declarative)
		}
	}
	return resolve(ctx, handWritten, declarative, panicked == nil, a.Config, gates)
}

// gates returns the current gates.
func (r *Rollout) gates() Gates {
	if r == nil || r.Gates == nil {
		return DefaultGates()
	}
	return r.Gates()
}

type panicValue struct {
	value any
	stack []byte
}

func recovered(ctx context.Context, run func(context.Context) field.ErrorList) (errs field.ErrorList, panicked *panicValue) {
	defer func() {
		if value := recover(); value != nil {
			errs, panicked = nil, &panicValue{value: value, stack: debug.Stack()}
		}
	}()
	return run(ctx), nil
}

func (r *Rollout) panicked(ctx context.Context, a Attempt, gates Gates, p *panicValue) {
	if r.Metrics != nil {
		r.Metrics.Panic(a.identifier())
	}
	consequence := unaffected
	if a.Config.authoritative(gates) {
		consequence = "the request fails with an internal error"
	}
	r.log(ctx, "Declarative validation panicked", a,
		slog.String("panic", fmt.Sprint(p.value)), slog.String("consequence", consequence), slog.String("stack", string(p.stack)))
}

func (r *Rollout) mismatched(ctx context.Context, a Attempt, gates Gates, m Mismatch, declarative field.ErrorList) {
	if r.Metrics != nil {
		r.Metrics.Mismatch(a.identifier())
	}
	message := "Declarative validation reported an error that hand-written validation did not"
	if m.HandWritten != nil {
		message = "Hand-written validation reported an error that declarative validation did not"
	}
	consequence := unaffected
	if a.Config.authoritative(gates) && enforces(m.Error(), gates) {
		consequence = "declarative validation is authoritative: the request may be affected"
	}
	r.log(ctx, message, a,
		slog.String("path", m.Error().Field),
		slog.String("error", a.Config.render(m.Error())),
		slog.Any("handWritten", a.Config.at(m.Error(), a.HandWritten)),
		slog.Any("declarative", a.Config.at(m.Error(), declarative)),
		slog.String("consequence", consequence))
}

const unaffected = "hand-written validation decides: the request is not affected"

func (r *Rollout) log(ctx context.Context, message string, a Attempt, attrs ...slog.Attr) {
	log := r.Log
	if log == nil {
		log = slog.Default()
	}
	log.LogAttrs(ctx, slog.LevelError, message, append(a.attrs(), attrs...)...)
}
