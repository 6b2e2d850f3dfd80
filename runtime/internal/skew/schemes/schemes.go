// Package schemes hides the differences between versions of apimachinery's scheme, like its parent. It is a package of its own because a
// scheme links an HTTP server, which evaluators in browsers do not have.
//
// [HasValidationFunc] is the one.
package schemes

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
)

// HasValidationFunc reports whether a validation function is registered for the type
// of obj.
func HasValidationFunc(scheme *runtime.Scheme, obj runtime.Object) bool {
	if s, ok := any(scheme).(interface{ HasValidationFunc(obj runtime.Object) bool }); ok {
		return s.HasValidationFunc(obj)
	}
	// Before v0.37 no method says that. These versions no longer change.
	registered := reflect.ValueOf(scheme).Elem().FieldByName("validationFuncs")
	return registered.MapIndex(reflect.ValueOf(reflect.TypeOf(obj))).IsValid()
}
