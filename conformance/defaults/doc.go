// Package defaults tests that a default has one meaning: in generated Go, in the evaluator, in
// published schemas on the API server's code, and in package structural.
package defaults
