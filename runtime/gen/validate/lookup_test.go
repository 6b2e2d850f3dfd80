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
		perm := rng.Perm(rng.IntN(12))
		old := ports(perm...)
		pointers := portPtrs(old)
		rng.Shuffle(len(perm), func(i, j int) { perm[i], perm[j] = perm[j], perm[i] })
		var a, b int
		for _, n := range perm {
			if rng.IntN(4) == 0 {
				n += 100 // one that was not there
			}
			want := -1
			for i := range old {
				if int(old[i].Number) == n {
					want = i
				}
			}
			item := &port{Number: number(n)}
			got := Lookup(old, &a, item, samePort)
			if (got != nil) != (want >= 0) || got != nil && (got != &old[want] || a != want+1) {
				t.Fatalf("%d in %v: got %v, cursor %d, want item %d", n, old, got, a, want)
			}
			if got != Lookup(old, nil, item, samePort) {
				t.Fatalf("%d in %v: another item without cursor", n, old)
			}
			if want >= 0 && pointers[want] == nil {
				want = -1
			}
			got = LookupPtr(pointers, &b, item, samePort)
			if (got != nil) != (want >= 0) || got != nil && (got != pointers[want] || b != want+1) {
				t.Fatalf("%d in pointers to %v: got %v, cursor %d, want item %d", n, old, got, b, want)
			}
			if got != LookupPtr(pointers, nil, item, samePort) {
				t.Fatalf("%d in pointers to %v: another item without cursor", n, old)
			}
		}
	}
}

// An invalid list looks up the same item twice.
func TestLookupAgain(t *testing.T) {
	old := ports(1, 2, 3)
	var a, b int
	for range 3 {
		item := &port{Number: 2}
		if Lookup(old, &a, item, samePort) != &old[1] || LookupPtr(allPtrs(old), &b, item, samePort) != &old[1] {
			t.Error("not found again")
		}
	}
}

func TestLookupDuplicates(t *testing.T) {
	old := ports(1, 2, 1)
	cursor := 2
	if got := Lookup(old, &cursor, &port{Number: 1}, samePort); got != &old[2] {
		t.Error("not the nearest")
	}
	if got := Lookup(old, nil, &port{Number: 1}, samePort); got != &old[0] {
		t.Error("not the first without cursor")
	}
}

// Only inserted items may be compared with all old items.
func TestLookupIsLinear(t *testing.T) {
	const n = 1000
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for name, tc := range map[string]struct {
		old, list []port
		most      int
	}{
		"unchanged": {ports(all...), ports(all...), n},
		"deleted":   {ports(all...), append(ports(all[:300]...), ports(all[310:]...)...), n + 20},
		"inserted":  {append(ports(all[:300]...), ports(all[302:]...)...), ports(all...), n + 2*n},
		"moved":     {ports(all...), append(append(ports(all[:300]...), ports(5)...), ports(all[300:]...)...), n + 4*300},
	} {
		calls, cursor := 0, 0
		for i := range tc.list {
			Lookup(tc.old, &cursor, &tc.list[i], func(a, b *port) bool { calls++; return samePort(a, b) })
		}
		if calls > tc.most {
			t.Errorf("%s: %d comparisons, want at most %d", name, calls, tc.most)
		}
	}
}
