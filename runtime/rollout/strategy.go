package rollout

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
	"github.com/kindsmith/kindsmith/runtime/internal/skew/schemes"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// Strategy runs generated code in an API server's strategy: the validators that are
// registered with a scheme, and the normalisation of unions.
//
//	func (s strategy) PrepareForUpdate(ctx context.Context, obj, old runtime.Object) {
//		s.Declarative.Normalize(request(ctx), obj, old)
//	}
//
//	func (s strategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
//		return s.Declarative.Validate(ctx, request(ctx), obj, ValidateDatabase(obj.(*api.Database)))
//	}
type Strategy struct {
	Rollout *Rollout
	// Scheme has the validators and converts objects to the version of the request.
	Scheme *runtime.Scheme
	Config Config
	// RetainSelected restores members that clients do not know; see [union.Request].
	RetainSelected bool
}

// Request describes a request to an API server.
type Request struct {
	// Version is the group and version of the request. Rules belong to a version, so
	// the object is converted to it. The zero value means no conversion.
	Version schema.GroupVersion
	// Subresources is the path of the subresource, such as ["status"]; empty for the
	// resource itself.
	Subresources []string
	// Options are the options of +k8s:ifEnabled and +k8s:ifDisabled.
	Options map[string]bool
}

// Default sets the defaults of objects, if the gate DeclarativeDefaults is enabled. Decoders of
// API servers set defaults without it.
func (s *Strategy) Default(objects ...runtime.Object) {
	if !s.Rollout.gates().DeclarativeDefaults {
		return
	}
	for _, obj := range objects {
		s.Scheme.Default(obj)
	}
}

// Normalize clears the members of unions that the update from old to obj deselects, if the gate
// APIUnions is enabled, and returns them; union.Warnings returns the warnings for the client. On a
// create, old is nil. Both objects have defaults and the same type. Normalize does nothing to
// objects that are no [union.Normalizer].
func (s *Strategy) Normalize(request Request, obj, old runtime.Object) []union.Cleared {
	unions, ok := obj.(union.Normalizer)
	gates := s.Rollout.gates()
	if !ok || !gates.APIUnions {
		return nil
	}
	r := union.Request{Options: request.Options, Level: union.Beta, RetainSelected: s.RetainSelected}
	if !gates.DeclarativeValidationBeta {
		r.Level = union.Stable
	}
	return unions.NormalizeUnions(r, old)
}

// Validate returns the errors that reject the creation of an object. handWritten
// are the errors of hand-written validation; see [Rollout.Run].
//
// A kind without a validator, and an object that cannot be converted to the version
// of the request, are InternalErrors of declarative validation.
func (s *Strategy) Validate(ctx context.Context, request Request, obj runtime.Object, handWritten field.ErrorList) field.ErrorList {
	return s.run(ctx, operation.Create, request, obj, nil, handWritten)
}

// ValidateUpdate is like Validate, for the update from old to obj.
func (s *Strategy) ValidateUpdate(ctx context.Context, request Request, obj, old runtime.Object, handWritten field.ErrorList) field.ErrorList {
	return s.run(ctx, operation.Update, request, obj, old, handWritten)
}

func (s *Strategy) run(ctx context.Context, verb operation.Type, request Request, obj, old runtime.Object, handWritten field.ErrorList) field.ErrorList {
	op := operation.Operation{Type: verb, Request: operation.Request{Subresources: request.Subresources}}
	skew.SetOptions(&op.Options, request.Options)
	return s.Rollout.Run(ctx, Attempt{
		Kind:        s.kind(request, obj),
		Operation:   op,
		Object:      obj,
		Config:      s.Config,
		HandWritten: handWritten,
		Declarative: func(ctx context.Context) field.ErrorList { return s.declarative(ctx, op, request.Version, obj, old) },
	})
}

func (s *Strategy) declarative(ctx context.Context, op operation.Operation, version schema.GroupVersion, obj, old runtime.Object) field.ErrorList {
	if s.Scheme == nil {
		return failed(errors.New("the strategy has no scheme for declarative validation"))
	}
	obj, err := s.in(version, obj)
	if err != nil {
		return failed(err)
	}
	if !schemes.HasValidationFunc(s.Scheme, obj) {
		return failed(fmt.Errorf("no declarative validation is registered for %T", obj))
	}
	if op.Type == operation.Create {
		return s.Scheme.Validate(ctx, op.Options, obj, op.Request.Subresources...)
	}
	if old, err = s.in(version, old); err != nil {
		return failed(err)
	}
	return s.Scheme.ValidateUpdate(ctx, op.Options, obj, old, op.Request.Subresources...)
}

// in returns the object in a version. It does not copy an object that already has
// the version, because validators do not modify objects.
func (s *Strategy) in(version schema.GroupVersion, obj runtime.Object) (runtime.Object, error) {
	if version.Empty() {
		return obj, nil
	}
	kinds, _, err := s.Scheme.ObjectKinds(obj)
	if err != nil {
		return nil, fmt.Errorf("the kind of the object is unknown: %w", err)
	}
	for _, kind := range kinds {
		if kind.GroupVersion() == version {
			return obj, nil
		}
	}
	converted, err := s.Scheme.ConvertToVersion(obj, version)
	if err != nil {
		return nil, fmt.Errorf("the object cannot be converted to %s: %w", version, err)
	}
	return converted, nil
}

// kind returns the object's kind, as far as it is known.
func (s *Strategy) kind(request Request, obj runtime.Object) schema.GroupVersionKind {
	if s.Scheme != nil {
		if kinds, _, err := s.Scheme.ObjectKinds(obj); err == nil {
			if request.Version.Empty() {
				return kinds[0]
			}
			return request.Version.WithKind(kinds[0].Kind)
		}
	}
	return request.Version.WithKind("")
}

func failed(err error) field.ErrorList { return field.ErrorList{field.InternalError(nil, err)} }
