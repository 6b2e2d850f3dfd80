package rollouttest

import "testing"

// counterexamples keeps the smallest subject of each difference.
type counterexamples struct {
	session *session
	list    []*counterexample
	shrunk  map[string]int
	further map[string]bool // keys beyond mostCounterexamples
}

func newCounterexamples(s *session) *counterexamples {
	return &counterexamples{session: s, shrunk: map[string]int{}, further: map[string]bool{}}
}

// attempts is the number of subjects to shrink for one difference: the result of
// shrinking depends on the subject.
const attempts = 3

func (f *counterexamples) add(one subject, o outcome) {
	for _, d := range o.differences {
		key := d.key()
		if f.shrunk[key] == attempts {
			continue
		}
		if f.shrunk[key] == 0 && len(f.list) == mostCounterexamples {
			f.further[key] = true
			continue
		}
		f.shrunk[key]++
		small := shrink(one, shrinkTries, func(candidate subject) bool {
			if f.session.onlyUpdates && !candidate.update {
				return false
			}
			o, ok := f.session.try(candidate)
			return ok && o.has(key)
		})
		o, _ := f.session.try(small)
		f.keep(counterexample{key, small, o})
	}
}

func (f *counterexamples) keep(new counterexample) {
	for _, known := range f.list {
		if known.key == new.key {
			if new.subject.weight() < known.subject.weight() {
				*known = new
			}
			return
		}
	}
	f.list = append(f.list, &new)
}

// report fails the test with all counterexamples.
func (f *counterexamples) report(t testing.TB) {
	t.Helper()
	for _, counterexample := range f.list {
		t.Errorf("hand-written and declarative validation differ: %s", counterexample)
	}
	if len(f.further) > 0 {
		t.Errorf("%d further differences", len(f.further))
	}
}
