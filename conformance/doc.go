// Package conformance holds the rules of validation to their cases.
//
// Its tests load every case of package corpus into one module, generate it,
// build it once, and compare what kindsmith says of the packages, what the
// generated Go says of the objects, and what an API server says of them by the
// published schema. Where Go and schema differ on purpose, the object is listed
// in expected_differences.yaml with the reason.
package conformance
