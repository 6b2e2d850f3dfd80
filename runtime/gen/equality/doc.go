// Package equality has the functions that generated equality functions call: typed
// comparisons that agree with equality.Semantic.DeepEqual of
// k8s.io/apimachinery/pkg/api/equality. They use no reflection and do not allocate,
// unless documented otherwise. Only generated code uses this package.
//
// [Ptr], [Slice] and [Map] take the comparison of elements.
//
// Nil and empty slices and maps, quantities of the same value, and times of the
// same instant are semantically equal. Everything else is compared with ==.
// Generated code compares fields of comparable types that contain no quantity, no
// time and no pointer the same way (metav1.Duration and intstr.IntOrString among
// them).
//
// Functions that take pointers to values outside of lists and maps also accept
// nil, which equals only nil.
package equality
