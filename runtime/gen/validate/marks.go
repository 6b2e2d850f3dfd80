package validate

// Mark returns a position in the errors found so far, for what marks those found
// since.
func (r *Run) Mark() int { return len(r.errs) }

// MarkAlpha makes the errors found since from those of an alpha rule, which is
// compared with hand-written validation and never enforced.
func (r *Run) MarkAlpha(from int) {
	if len(r.errs) > from {
		r.errs[from:].MarkAlpha()
	}
}

// MarkBeta makes the errors found since from those of a beta rule, which is
// enforced unless its gate is off.
func (r *Run) MarkBeta(from int) {
	if len(r.errs) > from {
		r.errs[from:].MarkBeta()
	}
}

// Alpha marks the errors since from as those of an alpha rule, and returns
// whether the rule's check passed. Its arguments are evaluated in order, so
// that Alpha(r, r.Mark(), check) marks what the check reports.
func Alpha(r *Run, from int, passed bool) bool {
	if !passed {
		r.MarkAlpha(from)
	}
	return passed
}

// Beta is Alpha for a beta rule.
func Beta(r *Run, from int, passed bool) bool {
	if !passed {
		r.MarkBeta(from)
	}
	return passed
}

// MarkNative makes the errors found since from those of a rule that has no
// hand-written counterpart and is always enforced. Upstream has had no mark of
// its own for this since 0.37: an error that is neither alpha nor beta is
// enforced, so the level is what is taken away.
func (r *Run) MarkNative(from int) {
	for _, err := range r.errs[from:] {
		err.ValidationStabilityLevel = 0
	}
}

// MarkShortCircuit makes the errors found since from those of a rule after
// which nothing later at the same place was checked.
func (r *Run) MarkShortCircuit(from int) {
	if len(r.errs) > from {
		r.errs[from:].MarkShortCircuit()
	}
}

// ShortCircuit is Alpha for a rule after which nothing later at the same place
// is checked, where the check does not mark its errors itself.
func ShortCircuit(r *Run, from int, passed bool) bool {
	if !passed {
		r.MarkShortCircuit(from)
	}
	return passed
}

// UnmarkShortCircuit makes the errors found since from those of rules after
// which others at the same place were checked all the same.
func (r *Run) UnmarkShortCircuit(from int) {
	for _, err := range r.errs[from:] {
		err.ShortCircuit = false
	}
}

// Silently drops the errors found since from, and returns whether the check that
// found them passed. Its arguments are evaluated in order, so that
// Silently(r, r.Mark(), check) drops what the check reports.
func Silently(r *Run, from int, passed bool) bool {
	r.errs = r.errs[:from]
	return passed
}
