package convert

import (
	"fmt"

	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
)

// Func is a conversion between two Go types, which a scheme can have.
type Func func(s *runtime.Scheme) error

// Of returns the Func of a function.
func Of[In, Out any](f func(in *In, out *Out, s conversion.Scope) error) Func {
	return func(s *runtime.Scheme) error {
		return s.AddGeneratedConversionFunc((*In)(nil), (*Out)(nil), func(a, b any, scope conversion.Scope) error {
			return f(a.(*In), b.(*Out), scope)
		})
	}
}

// Register adds conversions to a scheme.
func Register(s *runtime.Scheme, funcs ...Func) error {
	for _, add := range funcs {
		if err := add(s); err != nil {
			return err
		}
	}
	return nil
}

// To converts an object to the hub of controller-runtime.
func To[In, Out any](in *In, hub any, f func(in *In, out *Out, s conversion.Scope) error) error {
	out, ok := hub.(*Out)
	if !ok {
		return fmt.Errorf("%T is converted to and from %T, not %T", in, out, hub)
	}
	return f(in, out, nil)
}

// From converts an object from the hub of controller-runtime.
func From[In, Out any](hub any, out *Out, f func(in *In, out *Out, s conversion.Scope) error) error {
	in, ok := hub.(*In)
	if !ok {
		return fmt.Errorf("%T is converted to and from %T, not %T", out, in, hub)
	}
	return f(in, out, nil)
}
