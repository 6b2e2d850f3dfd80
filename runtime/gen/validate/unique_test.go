package validate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// port is an item of a keyed list.
type port struct {
	Protocol text
	Number   number
	Notes    []string // not comparable, and not a key
}

// duplicates returns an error for each item that equals an earlier one.
func duplicates[T any](at *field.Path, items []T, same func(a, b *T) bool) (errs field.ErrorList) {
	for j := range items {
		if slices.ContainsFunc(items[:j], func(other T) bool { return same(&other, &items[j]) }) {
			errs = append(errs, field.Duplicate(at.Index(j), items[j]))
		}
	}
	return errs
}

// duplicatePtrs is like duplicates; it skips nil items.
func duplicatePtrs[T any](at *field.Path, items []*T, same func(a, b *T) bool) field.ErrorList {
	return duplicates(at, items, func(a, b **T) bool { return *a != nil && *b != nil && same(*a, *b) })
}

func equal[T comparable](a, b *T) bool { return *a == *b }

func hashPort(p *port) uint64   { return HashInt(HashString(0, p.Protocol), p.Number) }
func samePort(a, b *port) bool  { return a.Protocol == b.Protocol && a.Number == b.Number }
func collide(*port) uint64      { return 42 }
func weak(p *port) uint64       { return uint64(p.Number) } // no bits where the table looks first
func sameText(a, b *text) bool  { return *a == *b }
func hashText(s *text) uint64   { return HashString(0, *s) }
func portPtrs(s []port) []*port { return ptrs(s, func(i int) bool { return i%7 == 3 }) }
func allPtrs(s []port) []*port  { return ptrs(s, func(int) bool { return false }) }
func ptrs(s []port, skip func(int) bool) []*port {
	var all []*port
	for i := range s {
		if skip(i) {
			all = append(all, nil)
			continue
		}
		all = append(all, &s[i])
	}
	return all
}

// uniqueness compares all functions with upstream's on lists of n items, of
// which about one in rare is a duplicate.
func uniqueness(t *testing.T, rng *rand.Rand, n int, rare float64) {
	t.Helper()
	words, numbers, ports := make([]text, n), make([]float64, n), make([]port, n)
	for i := range n {
		k := i
		if i > 0 && rng.Float64() < 1/rare {
			k = rng.IntN(i)
		}
		words[i], numbers[i] = text(fmt.Sprintf("item-%d", k)), float64(k)
		ports[i] = port{text(fmt.Sprint(k % 5)), number(k / 5), []string{fmt.Sprint(i)}}
		if i%9 == 4 {
			numbers[i] = math.NaN()
		}
	}
	same(t, create, duplicates(where, words, equal),
		func(r *Run, at *Path) bool { return UniqueValues(r, at, words) })
	same(t, create, duplicates(where, words, equal),
		func(r *Run, at *Path) bool { return UniqueFunc(r, at, words, hashText, sameText) })
	byNumber := make([]number, n)
	for i := range ports {
		byNumber[i] = ports[i].Number
	}
	same(t, create, duplicates(where, byNumber, equal),
		func(r *Run, at *Path) bool { return UniqueValues(r, at, byNumber) })
	for _, hash := range []func(*port) uint64{hashPort, collide, weak} {
		same(t, create, duplicates(where, ports, samePort),
			func(r *Run, at *Path) bool { return UniqueFunc(r, at, ports, hash, samePort) })
		same(t, create, duplicatePtrs(where, allPtrs(ports), samePort),
			func(r *Run, at *Path) bool { return UniquePtrFunc(r, at, allPtrs(ports), hash, samePort) })
		withNils := portPtrs(ports)
		same(t, create, duplicatePtrs(where, withNils, samePort),
			func(r *Run, at *Path) bool { return UniquePtrFunc(r, at, withNils, hash, samePort) })
	}
	// NaN does not equal any value, including itself. Errors with NaN cannot be compared.
	r := NewRun(ctx, create, where)
	UniqueValues(&r, nil, numbers)
	if got, want := r.Mark(), len(duplicates(where, numbers, equal)); got != want {
		t.Errorf("%d numbers: %d duplicates, want %d", n, got, want)
	}
}

func TestUnique(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		uniqueness(t, rng, n, math.Inf(1))
		uniqueness(t, rng, n, 8)
		uniqueness(t, rng, n, 2)
		uniqueness(t, rng, n, 1)
	}
	for _, n := range []int{127, 128, 129, 300, 1000} {
		uniqueness(t, rng, n, 10)
	}
	// Small lists reuse the table of large lists.
	uniqueness(t, rng, 20, 4)
}

func FuzzUnique(f *testing.F) {
	f.Add([]byte("abcabc"), uint8(10))
	f.Add([]byte("a long list in which letters come more often than once"), uint8(255))
	f.Fuzz(func(t *testing.T, data []byte, mod uint8) {
		items := make([]port, len(data))
		for i, b := range data {
			items[i].Number = number(b % max(mod, 1))
			items[i].Protocol = text(data[i/2 : i/2+1])
		}
		same(t, create, duplicates(where, items, samePort),
			func(r *Run, at *Path) bool { return UniqueFunc(r, at, items, hashPort, samePort) })
		same(t, create, duplicates(where, data, equal),
			func(r *Run, at *Path) bool { return UniqueValues(r, at, data) })
	})
}

func TestHashes(t *testing.T) {
	seen := map[uint64]string{}
	add := func(name string, h uint64) {
		if other, found := seen[h]; found {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		seen[h] = name
	}
	for i := range 300 {
		s := fmt.Sprint(i)
		add("int "+s, HashInt(0, i))
		add("string "+s, HashString(0, s))
		add("pair ints "+s, HashInt(HashInt(0, i), 7))
		add("pair, swapped "+s, HashInt(HashInt(0, 7), i+1000))
		add("pair strings "+s, HashString(HashString(0, s), "x"))
		add("pair, split elsewhere "+s, HashString(HashString(0, s+"x"), ""))
		add("pair, in the other order "+s, HashString(HashString(0, "x"), s))
		add("number "+s, HashComparable(0, [2]int{i, 0}))
	}
	if HashBool(0, false) == HashBool(0, true) || HashBool(0, true) == HashBool(1, true) {
		t.Error("bools")
	}
	if HashString(3, text("x")) != HashString(3, "x") {
		t.Error("the type of a string counts")
	}
	if HashInt(5, int8(-1)) != HashInt(5, int64(-1)) {
		t.Error("the type of an integer counts")
	}
	if HashComparable(1, 0.) != HashComparable(1, math.Copysign(0, -1)) {
		t.Error("zeros that are equal hash differently")
	}
}
