package rollouttest

import (
	"math/rand/v2"
	"testing"
)

// FuzzWidget is an example of a user's fuzz test.
func FuzzWidget(f *testing.F) { equivalence(nil).Fuzz(f) }

// TestDecisions does the same as the fuzzer: it finds the planted difference with random
// bytes, and the same bytes find it again in another process.
func TestDecisions(t *testing.T) {
	plant := func(r *rules) { r.maxSize = 16 }
	s := equivalence(plant).session(t)
	s.learn()
	rng := rand.New(rand.NewPCG(3, 4))
	var found []byte
	var report string
	for range 20000 {
		decisions := make([]byte, rng.IntN(24))
		for i := range decisions {
			decisions[i] = byte(rng.IntN(256))
		}
		var r recorder
		if s.decide(&r, decisions); len(r.errors) > 0 {
			found, report = decisions, r.String()
			break
		}
	}
	if found == nil {
		t.Fatal("20000 inputs did not find what was planted")
	}
	again := equivalence(plant).session(t)
	again.learn()
	var r recorder
	if again.decide(&r, found); r.String() != report {
		t.Errorf("another process finds\n%s\nnot\n%s", &r, report)
	}
}
