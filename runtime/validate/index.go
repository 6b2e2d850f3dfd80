package validate

// Index returns the place of the first item that matches, or -1.
func Index[T any](items []T, match func(*T) bool) int {
	for i := range items {
		if match(&items[i]) {
			return i
		}
	}
	return -1
}

// IndexPtr is Index for a list of pointers; nil items match nothing.
func IndexPtr[T any](items []*T, match func(*T) bool) int {
	for i, item := range items {
		if item != nil && match(item) {
			return i
		}
	}
	return -1
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
