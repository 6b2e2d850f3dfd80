package admission

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
	"github.com/kindsmith/kindsmith/runtime/internal/skew/schemes"
	"github.com/kindsmith/kindsmith/runtime/rollout"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// DefaultMaxBytes is the default of Handler.MaxBytes.
const DefaultMaxBytes = 128 << 20

// Handler answers the webhooks of one kind, in one version. API servers convert the objects of
// requests to a version that the webhook's rules match (matchPolicy: Equivalent).
//
// The fields may be changed until Mutating or Validating is called.
type Handler[T rollout.Object] struct {
	// Kind is the group, version and kind of T.
	Kind schema.GroupVersionKind
	// Declarative has the scheme, and with Rollout the gates: a step whose gate is disabled is skipped.
	Declarative rollout.Strategy
	// HandWritten is hand-written validation, for which rollout.Config applies; nil for none. On a
	// create, old is nil.
	HandWritten func(ctx context.Context, op operation.Operation, obj, old T) field.ErrorList
	// Options are the options of +k8s:ifEnabled and +k8s:ifDisabled.
	Options map[string]bool
	// MaxBytes limits the size of reviews; 0 is DefaultMaxBytes.
	MaxBytes int64
}

// New returns a handler of the kind of obj. The scheme has the kind and its generated code. An error
// means that it does not have it.
func New[T rollout.Object](scheme *runtime.Scheme, obj T) (*Handler[T], error) {
	kinds, _, err := scheme.ObjectKinds(obj)
	if err != nil {
		return nil, fmt.Errorf("%w; call AddToScheme of its package", err)
	}
	return &Handler[T]{Kind: kinds[0], Declarative: rollout.Strategy{Scheme: scheme}}, nil
}

// Paths returns the paths that kubebuilder's markers and scaffolds use for the kind, such as
// /mutate-db-example-com-v1-database and /validate-db-example-com-v1-database.
func (h *Handler[T]) Paths() (mutating, validating string) {
	name := "-" + strings.ReplaceAll(h.Kind.Group, ".", "-") + "-" + h.Kind.Version + "-" + strings.ToLower(h.Kind.Kind)
	return "/mutate" + name, "/validate" + name
}

// Mutating returns the handler of the mutating webhook. It sets defaults, and normalises the unions of
// updated objects. It warns of members that the request had set or changed, and that normalisation
// removed.
//
// The patch contains only what defaults and normalisation changed. Fields that T does not have are
// kept. Requests for the status get a patch of the status only.
func (h *Handler[T]) Mutating() http.Handler { return serve(h.limit(), h.log, h.mutate) }

// Validating returns the handler of the validating webhook. It sets defaults, because the mutating
// webhook may be missing, and validates creates and updates. Other operations are allowed.
//
// It refuses invalid objects with the reason Invalid and a cause for each error.
func (h *Handler[T]) Validating() http.Handler { return serve(h.limit(), h.log, h.validate) }

func (h *Handler[T]) limit() int64 { return cmp.Or(h.MaxBytes, DefaultMaxBytes) }

func (h *Handler[T]) log() *slog.Logger {
	if r := h.Declarative.Rollout; r != nil && r.Log != nil {
		return r.Log
	}
	return slog.Default()
}

func (h *Handler[T]) mutate(_ context.Context, r *request) (*response, error) {
	if ok, err := handled(r); !ok {
		return &response{Allowed: true}, err
	}
	obj, err := h.decode("object", r, r.Object)
	if err != nil {
		return nil, err
	}
	var old runtime.Object // nil on a create
	if _, unions := any(obj).(union.Normalizer); unions && r.Operation == update {
		before, err := h.decode("oldObject", r, r.OldObject)
		if err != nil {
			return nil, err
		}
		h.Declarative.Default(before)
		old = before
	}
	// The JSON shows all changes, and takes less memory than a copy of the object.
	before, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	h.Declarative.Default(obj)
	cleared := h.Declarative.Normalize(h.request(r), obj, old)
	after, err := json.Marshal(obj)
	if err != nil || bytes.Equal(before, after) {
		return &response{Allowed: true}, err
	}
	only := ""
	if r.SubResource == "status" {
		only = "status" // servers ignore changes of other fields
		cleared = slices.DeleteFunc(cleared, func(c union.Cleared) bool { return !strings.HasPrefix(c.Path, "status.") })
	}
	patch, err := diff(r.Object, before, after, only)
	if err != nil || patch == nil {
		return &response{Allowed: true}, err
	}
	return &response{Allowed: true, Patch: patch, PatchType: "JSONPatch", Warnings: union.Warnings(cleared)}, nil
}

func (h *Handler[T]) validate(ctx context.Context, r *request) (*response, error) {
	if ok, err := handled(r); !ok {
		return &response{Allowed: true}, err
	}
	obj, err := h.decode("object", r, r.Object)
	if err != nil {
		return nil, err
	}
	h.Declarative.Default(obj)
	var old T
	op := operation.Operation{Type: operation.Create, Request: operation.Request{Subresources: r.subresource()}}
	skew.SetOptions(&op.Options, h.Options)
	if r.Operation == update {
		if old, err = h.decode("oldObject", r, r.OldObject); err != nil {
			return nil, err
		}
		h.Declarative.Default(old)
		op.Type = operation.Update
	}
	if errs := h.errors(ctx, op, obj, old); len(errs) > 0 {
		status := apierrors.NewInvalid(h.Kind.GroupKind(), obj.GetName(), errs).Status()
		return &response{Status: &status}, nil
	}
	return &response{Allowed: true}, nil
}

// errors returns the errors that reject an object.
func (h *Handler[T]) errors(ctx context.Context, op operation.Operation, obj, old T) field.ErrorList {
	declarative, request := h.Declarative, rollout.Request{Subresources: op.Request.Subresources, Options: h.Options}
	var handWritten field.ErrorList
	if h.HandWritten != nil {
		handWritten = h.HandWritten(ctx, op, obj, old)
	} else {
		declarative.Config.Migrating = false // no rule has a counterpart
	}
	switch {
	case !schemes.HasValidationFunc(declarative.Scheme, obj):
		return handWritten // the kind has no rules
	case op.Type == operation.Update:
		return declarative.ValidateUpdate(ctx, request, obj, old, handWritten)
	}
	return declarative.Validate(ctx, request, obj, handWritten)
}

// handled reports whether a request has an object to change or to validate.
func handled(r *request) (bool, error) {
	switch r.Operation {
	case create, update:
		return true, nil
	case "DELETE", "CONNECT":
		return false, nil
	}
	return false, badRequest("unknown operation %q", r.Operation)
}

func (h *Handler[T]) request(r *request) rollout.Request {
	return rollout.Request{Subresources: r.subresource(), Options: h.Options}
}

// decode decodes an object of a request.
func (h *Handler[T]) decode(name string, r *request, raw json.RawMessage) (T, error) {
	var none T
	if r.kind() != h.Kind {
		return none, badRequest("the webhook handles %s, not %s: its rules may match only the resource of this kind and its status, in this version", h.Kind, r.kind())
	}
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return none, badRequest("the request has the operation %s and no %s", r.Operation, name)
	}
	empty, err := h.Declarative.Scheme.New(h.Kind)
	if err != nil {
		return none, err
	}
	obj, ok := empty.(T)
	if !ok {
		return none, fmt.Errorf("the scheme has the type %T for %s, not %T", empty, h.Kind, none)
	}
	if err := utiljson.Unmarshal(raw, obj); err != nil {
		return none, badRequest("%s: %w", name, err)
	}
	return obj, nil
}
