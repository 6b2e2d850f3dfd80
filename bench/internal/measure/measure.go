// Package measure runs benchmarks in turns and uses the best round of each, because
// other load on the machine only makes code slower.
package measure

import (
	"cmp"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"syscall"
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

// CPU measures functions in turns, by the CPU time of the process and not by the clock: the numbers hold on a machine with other
// load. It returns the median of the rounds.
func CPU(e Effort, functions ...func()) ([]Result, error) {
	all := make([][]Result, len(functions))
	for _, f := range functions {
		f() // caches fill
	}
	for range e.Rounds {
		for i, f := range functions {
			r, err := cpu(e.Time, f)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], r)
		}
	}
	results := make([]Result, len(functions))
	for i, list := range all {
		slices.SortFunc(list, func(a, b Result) int { return cmp.Compare(a.NsPerOp, b.NsPerOp) })
		results[i] = list[len(list)/2]
	}
	return results, nil
}

// cpu runs a function until it has taken an amount of CPU time.
func cpu(least time.Duration, f func()) (Result, error) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, err := cpuTime()
	if err != nil {
		return Result{}, err
	}
	for n := 1; ; n++ {
		f()
		now, err := cpuTime()
		if err != nil {
			return Result{}, err
		}
		if took := now - start; took >= least {
			runtime.ReadMemStats(&after)
			return Result{NsPerOp: float64(took.Nanoseconds()) / float64(n), Allocs: int64(after.Mallocs-before.Mallocs) / int64(n)}, nil
		}
	}
}

// cpuTime returns the CPU time of the process.
func cpuTime() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("read the CPU time of the process: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
