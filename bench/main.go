// Command bench puts this project's generated validators beside those of the
// upstream tool of the same purpose, k8s.io/code-generator/cmd/validation-gen:
// what it takes to generate them, how fast they are, and whether they agree.
// Everything is generated, built and measured in one run.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/kindsmith/kindsmith/bench/internal/trees"
)

func main() {
	short := flag.Bool("short", false, "measure and search less")
	only := flag.String("only", "", "do one part: generation, benchmarks or differences")
	kinds := flag.String("kinds", "", "search only kinds such as core/v1.Pod that match a regular expression")
	flag.Parse()
	if err := run(*short, *only, *kinds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(short bool, only, kinds string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	w, err := trees.Prepare(dir)
	if err != nil {
		return err
	}
	if only == "" || only == "generation" {
		repetitions := 5
		if short {
			repetitions = 1
		}
		err = w.Measure(os.Stdout, repetitions)
	} else {
		err = w.Generate()
	}
	if err != nil {
		return err
	}
	if only == "generation" {
		return nil
	}
	args := []string{"run", "./testdata/gen/run"}
	if short {
		args = append(args, "-short")
	}
	return w.Go(append(args, "-only", only, "-kinds", kinds)...)
}
