package main

import (
	"os"
	"testing"

	"github.com/kindsmith/kindsmith/bench/internal/trees"
)

// TestGenerated generates everything, as the command does, and runs the tests
// that are generated with it: no allocations, no differences. They search less
// than the command; `go test ./testdata/gen/run` searches as much.
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
