package validate

// All returns whether every one of several checks passed. Its arguments are all
// evaluated, so that each check reports its own error.
func All(passed ...bool) bool {
	for _, p := range passed {
		if !p {
			return false
		}
	}
	return true
}
