package validate_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func ports(numbers ...int) []port {
	list := make([]port, len(numbers))
	for i, n := range numbers {
		list[i].Number = number(n)
	}
	return list
}

func TestLookup(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		perm := rng.Perm(rng.IntN(40))
		old := ports(perm...)
		pointers := portPtrs(old)
		rng.Shuffle(len(perm), func(i, j int) { perm[i], perm[j] = perm[j], perm[i] })
		var a, b Cursor
		for _, n := range perm {
			if rng.IntN(2) == 0 {
				n += 100 // one that was not there
			}
			want := -1
			for i := range old {
				if int(old[i].Number) == n {
					want = i
				}
			}
			item := &port{Number: number(n)}
			if got := Lookup(old, &a, item, hashPort, samePort); (got != nil) != (want >= 0) || got != nil && got != &old[want] {
				t.Fatalf("%d in %v: got %v, want item %d", n, old, got, want)
			}
			if want >= 0 && pointers[want] == nil {
				want = -1
			}
			if got := LookupPtr(pointers, &b, item, hashPort, samePort); (got != nil) != (want >= 0) || got != nil && got != pointers[want] {
				t.Fatalf("%d in pointers to %v: got %v, want item %d", n, old, got, want)
			}
		}
		a.Free()
		b.Free()
	}
}

// An invalid list looks up the same item twice.
func TestLookupAgain(t *testing.T) {
	old := ports(1, 2, 3)
	var a, b Cursor
	for range 30 {
		item := &port{Number: 2}
		if Lookup(old, &a, item, hashPort, samePort) != &old[1] || LookupPtr(allPtrs(old), &b, item, hashPort, samePort) != &old[1] {
			t.Error("not found again")
		}
	}
}

func TestLookupIsLinear(t *testing.T) {
	const n = 1000
	all, reverse, others := make([]int, n), make([]int, n), make([]int, n)
	for i := range all {
		all[i], reverse[n-1-i], others[i] = i, i, n+i
	}
	for name, tc := range map[string]struct {
		old, list []port
		most      int
	}{
		"unchanged": {ports(all...), ports(all...), n},
		"deleted":   {ports(all...), append(ports(all[:300]...), ports(all[310:]...)...), n + 30},
		"inserted":  {append(ports(all[:300]...), ports(all[302:]...)...), ports(all...), n + 3*n},
		"moved":     {ports(all...), append(append(ports(all[:300]...), ports(5)...), ports(all[300:]...)...), n + 5*300},
		"reversed":  {ports(all...), ports(reverse...), 6 * n},
		"shuffled":  {ports(all...), ports(rand.New(rand.NewPCG(1, 2)).Perm(n)...), 8 * n},
		"replaced":  {ports(all...), ports(others...), 8 * n},
	} {
		calls := 0
		same := func(a, b *port) bool { calls++; return samePort(a, b) }
		hash := func(p *port) uint64 { calls++; return hashPort(p) }
		for _, pointers := range []bool{false, true} {
			calls = 0
			var cursor Cursor
			for i := range tc.list {
				if pointers {
					LookupPtr(allPtrs(tc.old), &cursor, &tc.list[i], hash, same)
				} else {
					Lookup(tc.old, &cursor, &tc.list[i], hash, same)
				}
			}
			cursor.Free()
			if calls > tc.most {
				t.Errorf("%s: %d comparisons and hashes, want at most %d", name, calls, tc.most)
			}
		}
	}
}
