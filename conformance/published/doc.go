// Package published compares generated Go, the evaluator and an API server's schema on the types of projects that many
// people use, as these publish them.
//
// The module test/published pins the projects. The test generates validators, defaults and CustomResourceDefinitions for their
// packages, builds the Go code in copies of the packages, and makes objects at random from the schemas. Each request goes
// through all three, from its JSON to the errors; each sets defaults itself.
//
// The projects write rules as markers of controller-gen. Generated Go enforces those in CEL, so these are what is compared, and
// which objects can be decoded. differences.yaml lists the differences with their reasons.
//
// go test skips the package unless it has a number of requests:
//
//	go test ./conformance/published -rounds 20
package published
