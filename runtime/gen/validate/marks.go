package validate

// Mark returns a position in the errors found so far. The functions below change
// the errors found since such a position, which they call from.
//
// The arguments of a call are evaluated in order, so that in
//
//	Alpha(r, r.Mark(), Minimum(r, at, value, 1))
//
// the position is the one before the check.
func (r *Run) Mark() int { return len(r.errs) }

// Alpha marks the errors as those of an alpha rule, which is compared with
// hand-written validation and never enforced. It returns passed, the result of
// the rule's check.
func Alpha(r *Run, from int, passed bool) bool {
	if !passed {
		r.errs[from:].MarkAlpha()
	}
	return passed
}

// Beta marks the errors as those of a beta rule, which is enforced unless its
// gate is off. It returns passed, the result of the rule's check.
func Beta(r *Run, from int, passed bool) bool {
	if !passed {
		r.errs[from:].MarkBeta()
	}
	return passed
}

// ShortCircuit marks the errors as those of a rule after which nothing later at
// the same place is checked, where the check does not mark them itself. It
// returns passed, the result of the rule's check.
func ShortCircuit(r *Run, from int, passed bool) bool {
	if !passed {
		r.errs[from:].MarkShortCircuit()
	}
	return passed
}

// UnmarkShortCircuit takes the mark of ShortCircuit from the errors: other rules
// at the same place were checked all the same.
func (r *Run) UnmarkShortCircuit(from int) {
	for _, err := range r.errs[from:] {
		err.ShortCircuit = false
	}
}

// Silently drops the errors. It returns passed, the result of the check that
// found them.
func Silently(r *Run, from int, passed bool) bool {
	r.errs = r.errs[:from]
	return passed
}
