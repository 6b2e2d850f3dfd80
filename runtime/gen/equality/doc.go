// Package equality holds what generated equality functions call: typed
// comparisons that agree with equality.Semantic.DeepEqual of
// k8s.io/apimachinery/pkg/api/equality, without its reflection and, but where
// it says otherwise, without allocating. Only generated code uses it.
//
// Semantically equal are nil and empty slices and maps, quantities of the same
// value, and times of the same instant. Everything else compares as it does
// with ==, which is how generated code compares fields of comparable types
// (metav1.Duration and intstr.IntOrString among them) that hold no quantity,
// no time and no pointer.
//
// Functions that take pointers to values that are not in a list or map also
// compare nil: it equals nil only.
package equality
