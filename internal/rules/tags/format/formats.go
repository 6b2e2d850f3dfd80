package format

import (
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// errors are the errors of a value that does not have the format.
func errors(name string) []rule.Error {
	all := []rule.Error{{Type: "Invalid", Origin: "format=" + name}}
	if rule.Formats[name].TooLong {
		all = append(all, rule.Error{Type: "TooLong", Origin: "format=" + name})
	}
	return all
}
