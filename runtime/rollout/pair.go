package rollout

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// Pair is the hand-written and the declarative validation of a type. On a create,
// old is nil.
type Pair[T any] struct {
	// HandWritten marks the errors that Declarative also covers.
	HandWritten func(ctx context.Context, op operation.Operation, obj, old T) field.ErrorList
	// Declarative is the generated function Validate_<Type>.
	Declarative func(ctx context.Context, op operation.Operation, path *field.Path, obj, old T) field.ErrorList
}

// Object is a pointer to an API object.
type Object interface {
	runtime.Object
	metav1.Object
}

// Webhook validates the objects of a kind in a validating webhook, in the version
// of the request.
type Webhook[T Object] struct {
	Rollout *Rollout
	// Kind is the group, version and kind of T.
	Kind schema.GroupVersionKind
	// Pair.HandWritten may be nil. In that case no rule has a counterpart, whatever
	// Config.Migrating is.
	Pair   Pair[T]
	Config Config
	// Options are the options of +k8s:ifEnabled and +k8s:ifDisabled.
	Options map[string]bool
}

// ValidateCreate validates the creation of obj. It returns nil or an
// *apierrors.StatusError with the reason Invalid.
func (w *Webhook[T]) ValidateCreate(ctx context.Context, obj T) error {
	var none T
	return w.invalid(obj, w.Validate(ctx, w.operation(operation.Create), obj, none))
}

// ValidateUpdate validates the update from old to obj, like ValidateCreate. The
// order of arguments is controller-runtime's. The subresource is the request's, such
// as "status".
func (w *Webhook[T]) ValidateUpdate(ctx context.Context, old, obj T, subresource ...string) error {
	return w.invalid(obj, w.Validate(ctx, w.operation(operation.Update, subresource...), obj, old))
}

func (w *Webhook[T]) operation(verb operation.Type, subresource ...string) operation.Operation {
	op := operation.Operation{Type: verb, Request: operation.Request{Subresources: subresource}}
	skew.SetOptions(&op.Options, w.Options)
	return op
}

// Validate returns the errors that reject the object; see [Rollout.Run].
func (w *Webhook[T]) Validate(ctx context.Context, op operation.Operation, obj, old T) field.ErrorList {
	attempt := Attempt{Kind: w.Kind, Operation: op, Object: obj, Config: w.Config}
	if w.Pair.HandWritten != nil {
		attempt.HandWritten = w.Pair.HandWritten(ctx, op, obj, old)
	} else {
		attempt.Config.Migrating = false
	}
	attempt.Declarative = func(ctx context.Context) field.ErrorList { return w.Pair.Declarative(ctx, op, nil, obj, old) }
	return w.Rollout.Run(ctx, attempt)
}

func (w *Webhook[T]) invalid(obj T, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(w.Kind.GroupKind(), obj.GetName(), errs)
}
