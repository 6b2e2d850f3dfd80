// Package suite measures and compares pairs of generated validators. A generated
// program that imports all validators calls it.
package suite

import (
	"flag"
	"fmt"
	"os"
	"regexp"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kindsmith/kindsmith/bench/internal/pair"
)

// Generated is the output of both tools.
type Generated struct {
	Kinds   []pair.Kind
	Schemes []Scheme
	// Options are the names of options in rules of any kind.
	Options []string
	// Words are the strings in comparisons of validators, by package.
	Words map[string][]string
}

// Scheme is the registration of one package's validators.
type Scheme struct {
	// Tool is ours or theirs, Package the folder.
	Tool, Package string
	AddToScheme   func(*runtime.Scheme) error
}

// Main is the program's main.
func Main(g Generated) {
	short := flag.Bool("short", false, "measure and search less")
	only := flag.String("only", "", "run one part: benchmarks or differences")
	kinds := flag.String("kinds", "", "search only kinds that match a regular expression, such as core/v1.Pod")
	flag.Parse()
	if err := run(g, *short, *only, *kinds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(g Generated, short bool, only, kinds string) error {
	if only == "" || only == "benchmarks" {
		if err := benchmarks(os.Stdout, g, short); err != nil {
			return err
		}
	}
	if only == "" || only == "differences" {
		n := searchRounds
		if short {
			n = searchRoundsShort
		}
		pattern, err := regexp.Compile(kinds)
		if err != nil {
			return err
		}
		return differences(os.Stdout, g, pattern, n)
	}
	return nil
}
