// Package testing is the room of what only tests use: goldens (goldentest), emitters run on packages (emittest), API servers'
// own validation (crdtest, policytest), workspaces (workspacetest), counted English (prose), and the test of who may know whom
// (layout).
//
// Files of testdata enter, and failures leave. It may know every room; no other room knows it outside of tests.
package testing
