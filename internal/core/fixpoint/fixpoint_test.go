package fixpoint_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/fixpoint"
)

// TestAsk compares answers with those of a plain search, on random graphs: a node is a yes if it leads to a marked one.
func TestAsk(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(12)
		edges, marked := make([][]int, n), make([]bool, n)
		for i := range edges {
			for range r.IntN(4) {
				edges[i] = append(edges[i], r.IntN(n))
			}
			marked[i] = r.IntN(6) == 0
		}
		var search func(i int, seen map[int]bool) bool
		search = func(i int, seen map[int]bool) bool {
			if marked[i] {
				return true
			}
			seen[i] = true
			for _, j := range edges[i] {
				if !seen[j] && search(j, seen) {
					return true
				}
			}
			return false
		}
		var q fixpoint.Question[int]
		var ask func(i int) bool
		ask = func(i int) bool {
			return q.Ask(i, func() bool {
				if marked[i] {
					return true
				}
				for _, j := range edges[i] {
					if ask(j) {
						return true
					}
				}
				return false
			})
		}
		for range 2 * n {
			i := r.IntN(n)
			if got, want := ask(i), search(i, map[int]bool{}); got != want {
				t.Fatalf("seed %d: node %d is %v, want %v; edges %v, marked %v", seed, i, got, want, edges, marked)
			}
		}
	}
}

// TestOnce counts examinations of graphs in which the number of paths doubles with each node, also if all nodes are in
// one cycle.
func TestOnce(t *testing.T) {
	const n = 1000
	for _, cyclic := range []bool{false, true} {
		for _, yes := range []bool{false, true} {
			var q fixpoint.Question[int]
			examined := 0
			var ask func(i int) bool
			ask = func(i int) bool {
				return q.Ask(i, func() bool {
					examined++
					if i == n-1 {
						return yes || cyclic && ask(0)
					}
					return slices.ContainsFunc([]int{i + 1, i + 1}, ask)
				})
			}
			if got := ask(0); got != yes || examined != n {
				t.Errorf("cyclic %v: %v after %d examinations, want %v after %d", cyclic, got, examined, yes, n)
			}
		}
	}
}
