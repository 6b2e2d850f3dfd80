package cel

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

type pair struct{ key, value int }

func hashPair(p *pair) uint64   { return uint64(p.key) << 61 }
func sameKey(a, b *pair) bool   { return a.key == b.key }
func equalPair(a, b *pair) bool { return *a == *b }
func byKey(list []pair) map[int]pair {
	return collected(list, func(p pair) (int, pair) { return p.key, p })
}
func distinct(list []int) map[int]bool {
	return collected(list, func(i int) (int, bool) { return i, true })
}

func collected[T any, K comparable, V any](list []T, entry func(T) (K, V)) map[K]V {
	out := map[K]V{}
	for _, x := range list {
		k, v := entry(x)
		out[k] = v
	}
	return out
}

// TestEqualLists compares lists that repeat items and change their order with maps of the items.
func TestEqualLists(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	equalSets, equalMaps := 0, 0
	for i := range 20_000 {
		size := []int{0, 1, 3, shortList, shortList + 1, 20}[i%6]
		var a, b []int
		var m, n []pair
		for range size {
			x := r.IntN(size + 2)
			a, m = append(a, x), append(m, pair{x, r.IntN(2)})
		}
		b, n = slices.Clone(a), slices.Clone(m)
		for range r.IntN(3) {
			if size > 0 {
				j := r.IntN(size)
				b[j], n[j] = a[r.IntN(size)], m[r.IntN(size)]
			}
		}
		if r.IntN(8) == 0 {
			b, n = append(b, 1), append(n, pair{1, 1})
		}
		r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		r.Shuffle(len(n), func(i, j int) { n[i], n[j] = n[j], n[i] })
		wantSets := len(a) == len(b) && maps.Equal(distinct(a), distinct(b))
		wantMaps := len(m) == len(n) && len(byKey(m)) == len(byKey(n))
		for _, p := range n {
			wantMaps = wantMaps && byKey(m)[p.key] == p && slices.ContainsFunc(m, func(q pair) bool { return q.key == p.key })
		}
		if got := EqualSets(a, b); got != wantSets {
			t.Fatalf("%v and %v as sets: %v", a, b, got)
		}
		if got := EqualMaps(m, n, hashPair, sameKey, equalPair); got != wantMaps {
			t.Fatalf("%v and %v as maps: %v", m, n, got)
		}
		if wantSets {
			equalSets++
		}
		if wantMaps {
			equalMaps++
		}
	}
	if equalSets < 5_000 || equalSets > 15_000 || equalMaps < 3_000 || equalMaps > 15_000 {
		t.Errorf("%d sets and %d maps are equal", equalSets, equalMaps)
	}
}

func TestComparingListsDoesNotAllocate(t *testing.T) {
	var names, reversed []string
	var pairs, shuffled []pair
	for i := range 200 {
		names, pairs = append(names, string(rune('a'+i))), append(pairs, pair{i, i})
	}
	reversed, shuffled = slices.Clone(names), slices.Clone(pairs)
	slices.Reverse(reversed)
	slices.Reverse(shuffled)
	for _, n := range []int{3, 200} {
		run := func() {
			if !EqualSets(names[:n], reversed[len(reversed)-n:]) || !EqualMaps(pairs[:n], shuffled[len(shuffled)-n:], hashPair, sameKey, equalPair) {
				t.Fatal("the lists are equal")
			}
		}
		run() // makes the tables
		if allocs := testing.AllocsPerRun(100, run); allocs >= 1 {
			t.Errorf("%d items: %v allocations", n, allocs)
		}
	}
}
