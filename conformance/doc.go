// Package conformance tests the rules of validation with the conformance cases.
//
// Its tests load all cases of package corpus into one module, generate and build it
// once, and compare three results with the cases: the diagnostics of the packages, the
// errors of generated Go, and the errors of an API server with the published schema.
// expected_differences.yaml lists objects on which Go and schema intentionally differ,
// with the reason. literals_test.go derives cases from the definitions of tags.
package conformance
