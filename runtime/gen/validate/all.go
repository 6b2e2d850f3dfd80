package validate

// All reports whether all checks passed. All arguments are evaluated, so that each
// check reports its own error.
func All(passed ...bool) bool {
	for _, p := range passed {
		if !p {
			return false
		}
	}
	return true
}
