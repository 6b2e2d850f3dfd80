package main

import (
	"os"
	"testing"

	_ "k8s.io/code-generator/cmd/validation-gen/testscheme" // upstream's tests use it

	"github.com/kindsmith/kindsmith/bench/internal/defaulters"
	"github.com/kindsmith/kindsmith/bench/internal/outputs"
	"github.com/kindsmith/kindsmith/bench/internal/trees"
)

// TestOutputs runs upstream's tests of generated code on kindsmith's output for the same
// packages.
func TestOutputs(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling some 150 packages takes half a minute")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, suite := range outputs.Suites() {
		t.Run(suite.Tool, func(t *testing.T) {
			if err := suite.Run(dir); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestGenerated generates everything, like the command, and runs the generated tests: no
// allocations, no differences. They search less than the command;
// `go test ./testdata/gen/run` searches as much.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("generating and compiling for all of k8s.io/api takes a minute")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	w, err := trees.Prepare(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Generate(); err != nil {
		t.Fatal(err)
	}
	if err := w.Go("test", "-short", "./testdata/gen/run"); err != nil {
		t.Errorf("the generated tests fail: %v", err)
	}
}

// TestDefaulters generates the defaulting functions of k8s.io/api with both tools and runs the
// generated tests: no allocations, no differences.
func TestDefaulters(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling defaulting functions for all of k8s.io/api takes a minute")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := defaulters.Generate(dir); err != nil {
		t.Fatal(err)
	}
	w := trees.Workspace{Dir: dir}
	if err := w.Go("test", "-v", "-run", "Test", "./testdata/gen/defaults/run"); err != nil {
		t.Errorf("the generated tests fail: %v", err)
	}
}
