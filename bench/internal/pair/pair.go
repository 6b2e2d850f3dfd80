// Package pair pairs the two validators of a kind.
package pair

import (
	"context"
	"reflect"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validator validates an object; old is nil on create. Both are pointers to the
// kind's type.
type Validator func(ctx context.Context, op operation.Operation, obj, old any) field.ErrorList

// Kind is an API type with the generated validators of both tools.
type Kind struct {
	// Package is the folder of the validators, such as core/v1; Name is the type.
	Package, Name string
	// Type is the type itself, not a pointer.
	Type reflect.Type
	// Ours and Theirs are the validators. One is nil if its tool found nothing to
	// validate, which is equivalent to no errors.
	Ours, Theirs Validator
}

// String returns core/v1.Pod.
func (k Kind) String() string { return k.Package + "." + k.Name }

// New returns a pointer to an empty object.
func (k Kind) New() any { return reflect.New(k.Type).Interface() }

// Generated is the signature of generated validators.
type Generated[T any] = func(ctx context.Context, op operation.Operation, at *field.Path, obj, old *T) field.ErrorList

// Of returns a Kind with two generated functions; one of them may be nil.
func Of[T any](pkg, name string, ours, theirs Generated[T]) Kind {
	return Kind{Package: pkg, Name: name, Type: reflect.TypeFor[T](), Ours: untyped(ours), Theirs: untyped(theirs)}
}

func untyped[T any](f Generated[T]) Validator {
	if f == nil {
		return func(context.Context, operation.Operation, any, any) field.ErrorList { return nil }
	}
	return func(ctx context.Context, op operation.Operation, obj, old any) field.ErrorList {
		before, _ := old.(*T)
		return f(ctx, op, nil, obj.(*T), before)
	}
}
