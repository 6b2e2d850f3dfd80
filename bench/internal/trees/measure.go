package trees

import (
	"fmt"
	"io"
	"time"

	"github.com/kindsmith/kindsmith/bench/internal/usage"
)

// Measure is like Generate and prints the cost: medians of the repetitions, in turns.
// Ours runs a second time with nothing changed.
func (w *Workspace) Measure(out io.Writer, repetitions int) error {
	runs := map[string][]usage.Usage{}
	for range repetitions {
		for _, t := range w.Tools {
			if err := w.remove(t); err != nil {
				return err
			}
			time.Sleep(pause)
			u, err := w.run(t)
			if err != nil {
				return err
			}
			runs[t.Name] = append(runs[t.Name], u)
			if t.Name != Ours {
				continue
			}
			if u, err = w.run(t); err != nil {
				return err
			}
			runs[again] = append(runs[again], u)
		}
	}
	fmt.Fprintf(out, "Generation for the %d packages of k8s.io/api and the samples, median of %d\n\n", len(w.Packages), repetitions)
	fmt.Fprintf(out, "%-28s %10s %10s %10s\n", "", "wall", "CPU", "peak")
	base := usage.Median(runs[Theirs])
	for _, name := range []string{Theirs, Ours, again} {
		u := usage.Median(runs[name])
		fmt.Fprintf(out, "%-28s %10s %10s %7d MB", name, u.Wall.Round(time.Millisecond), u.CPU.Round(time.Millisecond), u.Peak>>20)
		if name != Theirs {
			fmt.Fprintf(out, "   %.1f× %.1f× %.1f× less", ratio(base.Wall, u.Wall), ratio(base.CPU, u.CPU), ratio(base.Peak, u.Peak))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out)
	return w.complete()
}

const again = "ours, nothing changed"

// pause is the minimum time between a change and a run. The cache does not record runs
// that may have missed a change: clocks of file systems may lag by two seconds.
const pause = 2100 * time.Millisecond

func ratio[T ~int64](a, b T) float64 { return float64(a) / float64(max(b, 1)) }
