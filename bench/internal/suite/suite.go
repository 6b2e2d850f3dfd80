// Package suite is what is done with pairs of generated validators. The program
// that has them all, which is generated too, calls it.
package suite

import (
	"flag"
	"fmt"
	"os"
	"regexp"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kindsmith/kindsmith/bench/internal/pair"
)

// Generated is everything that the two tools have generated.
type Generated struct {
	Kinds   []pair.Kind
	Schemes []Scheme
	// Options are the names that rules of any kind ask for.
	Options []string
	// Words are the strings that validators compare values with, by package.
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
	only := flag.String("only", "", "do one part: benchmarks or differences")
	kinds := flag.String("kinds", "", "search only kinds such as core/v1.Pod that match a regular expression")
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
