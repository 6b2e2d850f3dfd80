package validate

import "github.com/kindsmith/kindsmith/runtime/internal/skew"

// Mark returns the current position in the list of errors. The functions below
// change the errors that were added after such a position.
//
// The arguments of a call are evaluated in order, so that in
//
//	Alpha(r, r.Mark(), Minimum(r, at, value, 1))
//
// the position is that before the check.
func (r *Run) Mark() int { return len(r.errs) }

// Alpha marks the errors as those of an alpha rule, which is compared with
// hand-written validation but never enforced. It returns passed, the result of the
// rule's check.
func Alpha(r *Run, from int, passed bool) bool {
	if !passed {
		r.mark(from, skew.Alpha)
	}
	return passed
}

// Beta marks the errors as those of a beta rule, which is enforced unless its gate
// is disabled. It returns passed, the result of the rule's check.
func Beta(r *Run, from int, passed bool) bool {
	if !passed {
		r.mark(from, skew.Beta)
	}
	return passed
}

// ShortCircuit marks the errors as those of a rule that stops later checks of the
// same value, if the check does not mark them itself. It returns passed, the
// result of the rule's check.
func ShortCircuit(r *Run, from int, passed bool) bool {
	if !passed {
		r.mark(from, skew.ShortCircuit)
	}
	return passed
}

// UnmarkShortCircuit removes the mark of ShortCircuit: other rules of the same
// value were checked.
func (r *Run) UnmarkShortCircuit(from int) {
	for _, err := range r.errs[from:] {
		skew.Clear(err, skew.ShortCircuit)
	}
}

func (r *Run) mark(from int, mark skew.Mark) {
	for _, err := range r.errs[from:] {
		skew.Set(err, mark)
	}
}

// Silently drops the errors. It returns passed, the result of the check that
// reported them.
func Silently(r *Run, from int, passed bool) bool {
	r.errs = r.errs[:from]
	return passed
}
