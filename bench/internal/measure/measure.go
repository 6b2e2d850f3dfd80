// Package measure runs benchmarks in turns and uses the best round of each, because
// other load on the machine only makes code slower.
package measure

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"
)

// Result is the cost of one operation.
type Result struct {
	NsPerOp float64
	Allocs  int64
}

// Effort is how long to measure.
type Effort struct {
	// Rounds is the number of rounds; the fastest counts.
	Rounds int
	// Time is the time for each function in a round.
	Time time.Duration
}

// InTurns measures functions in turns.
func InTurns(e Effort, functions ...func()) ([]Result, error) {
	testing.Init()
	if err := flag.Set("test.benchtime", e.Time.String()); err != nil {
		return nil, fmt.Errorf("set the time of a benchmark: %w", err)
	}
	all := make([][]Result, len(functions))
	for range e.Rounds {
		for i, f := range functions {
			r := testing.Benchmark(func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
			if r.N == 0 {
				return nil, fmt.Errorf("function %d was not run", i)
			}
			all[i] = append(all[i], Result{NsPerOp: float64(r.T.Nanoseconds()) / float64(r.N), Allocs: r.AllocsPerOp()})
		}
	}
	results := make([]Result, len(functions))
	for i, list := range all {
		results[i] = slices.MinFunc(list, func(a, b Result) int { return cmp.Compare(a.NsPerOp, b.NsPerOp) })
	}
	return results, nil
}
