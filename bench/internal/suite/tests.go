package suite

import (
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/kindsmith/kindsmith/bench/internal/cases"
	"github.com/kindsmith/kindsmith/bench/internal/differ"
)

// TestAllocations checks that validating a valid object does not allocate.
func TestAllocations(t *testing.T, g Generated) {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-race" || s.Key == "-cover" {
			t.Skipf("%s makes the code allocate", s.Key)
		}
	}
	for _, c := range cases.All() {
		k, err := kindOf(g, c.Kind)
		if err != nil {
			t.Fatal(err)
		}
		in := input(g, c)
		if errs := differ.Validate(k.Ours, in); len(errs) > 0 {
			t.Errorf("%s, %s: the object is not valid: %v", c.Group, c.Request, errs.ToAggregate())
		}
		if n := testing.AllocsPerRun(20, call(k.Ours, in)); n != 0 {
			t.Errorf("%s, %s: %v allocations", c.Group, c.Request, n)
		}
	}
}

// TestSubresources checks that both tools register for the same requests.
func TestSubresources(t *testing.T, g Generated) {
	found, err := subresources(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

// TestDifferences fails with the smallest objects of unknown differences, and with
// stale entries of the list of known differences.
func TestDifferences(t *testing.T, g Generated) {
	if len(g.Options) == 0 || len(g.Words) == 0 {
		t.Error("found no options or no words in the generated code: the search does not reach rules that use them")
	}
	known := readKnown(t)
	for _, k := range known {
		if err := k.Stale(g.Kinds); err != nil {
			t.Error(err)
		}
	}
	rounds := uint64(searchRounds)
	if testing.Short() {
		rounds = searchRoundsShort
	}
	kinds := 0
	for _, s := range searches(g, known) {
		found := 0
		for seed := range rounds {
			d := s.Request(rand.NewPCG(1, seed))
			if d == nil {
				continue
			}
			t.Errorf("seed %d: %s", seed, d)
			if found++; found == maxShown {
				break
			}
		}
		if beyondMetadata(s) {
			kinds++
		}
	}
	if kinds < minKinds {
		t.Errorf("compared errors of %d kinds, want at least %d", kinds, minKinds)
	}
}

// minKinds is the minimum number of kinds with observed errors.
const minKinds = 30

// FuzzDifferences is like TestDifferences, with seeds chosen by the fuzzer.
func FuzzDifferences(f *testing.F, g Generated) {
	list := searches(g, readKnown(f))
	for i := range list {
		f.Add(uint16(i), uint64(1), uint64(i))
	}
	f.Fuzz(func(t *testing.T, kind uint16, a, b uint64) {
		s := *list[int(kind)%len(list)]
		if d := s.Request(rand.NewPCG(a, b)); d != nil {
			t.Error(d)
		}
	})
}

func readKnown(t testing.TB) []*differ.Known {
	t.Helper()
	known, err := differ.ReadKnown()
	if err != nil {
		t.Fatal(err)
	}
	return known
}
