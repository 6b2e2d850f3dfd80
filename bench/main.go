// Command bench compares kindsmith's generated validators with those of
// k8s.io/code-generator/cmd/validation-gen: the cost of generating them, their speed,
// and their results; and its conversion webhook with that of controller-runtime. One run
// generates, builds and measures everything.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/kindsmith/kindsmith/bench/internal/chain"
	"github.com/kindsmith/kindsmith/bench/internal/conversion"
	"github.com/kindsmith/kindsmith/bench/internal/trees"
)

func main() {
	short := flag.Bool("short", false, "measure and search less")
	only := flag.String("only", "", "run one part: generation, benchmarks, conversion, chain or differences")
	kinds := flag.String("kinds", "", "search only kinds that match a regular expression, such as core/v1.Pod")
	flag.Parse()
	if err := run(*short, *only, *kinds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(short bool, only, kinds string) error {
	w, err := generate(short, only)
	if err != nil || only == "generation" {
		return err
	}
	if only == "" || only == "conversion" {
		if err := conversion.Run(os.Stdout, short); err != nil || only != "" {
			return err
		}
	}
	if only == "" || only == "chain" {
		if err := chain.Run(os.Stdout, short); err != nil || only != "" {
			return err
		}
	}
	args := []string{"run", "./testdata/gen/run"}
	if short {
		args = append(args, "-short")
	}
	return w.Go(append(args, "-only", only, "-kinds", kinds)...)
}

// generate generates the packages that the parts compare, and measures it if that is a part. It comes before all that takes memory: Linux
// counts the memory of this process in the peak of those that it starts.
func generate(short bool, only string) (*trees.Workspace, error) {
	if only == "conversion" || only == "chain" {
		return nil, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	w, err := trees.Prepare(dir)
	if err != nil {
		return nil, err
	}
	if only != "" && only != "generation" {
		return w, w.Generate()
	}
	repetitions := 5
	if short {
		repetitions = 1
	}
	return w, w.Measure(os.Stdout, repetitions)
}
