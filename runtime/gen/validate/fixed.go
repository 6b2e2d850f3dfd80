package validate

import "k8s.io/apimachinery/pkg/util/validation/field"

// FixedResult passes or fails as given by result. Tests of generated code use it.
//
// Error: Invalid with the given text, origin "validateFalse".
func FixedResult[T any](r *Run, at *Path, value T, result bool, text string) bool {
	return result || forcedFailure(r, at, value, text)
}

func forcedFailure[T any](r *Run, at *Path, value T, text string) bool {
	return r.report(field.Invalid(r.FieldPath(at), value, "forced failure: "+text).WithOrigin("validateFalse"))
}
