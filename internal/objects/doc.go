// Package objects is the room where objects enter and verdicts leave: manifests are read (manifest), judged by definitions
// (crd) or Go types (gotypes), and reported (validate, ruletest). It also makes manifests of a kind (fieldtree, example).
//
// YAML, JSON and rules enter; validation errors with their positions leave. It may know core and rules.
package objects
