package skew

import "slices"

// Options is the type of operation.Operation.Options: up to v0.36 the options that
// are enabled, since v0.37 for each option whether it is enabled.
type Options interface{ []string | map[string]bool }

// Option returns whether an option is enabled, and whether it is defined. A list
// defines all options.
func Option[T Options](options T, name string) (enabled, defined bool) {
	switch options := any(options).(type) {
	case map[string]bool:
		enabled, defined = options[name]
	case []string:
		enabled, defined = slices.Contains(options, name), true
	}
	return enabled, defined
}

// SetOptions sets the options of an operation.
func SetOptions[T Options](to *T, options map[string]bool) {
	switch to := any(to).(type) {
	case *map[string]bool:
		*to = options
	case *[]string:
		*to = nil
		for name, enabled := range options {
			if enabled {
				*to = append(*to, name)
			}
		}
		slices.Sort(*to)
	}
}

// Map returns the options as a map, which lacks the options that a list lacks.
func Map[T Options](options T) map[string]bool {
	switch options := any(options).(type) {
	case map[string]bool:
		return options
	case []string:
		enabled := make(map[string]bool, len(options))
		for _, name := range options {
			enabled[name] = true
		}
		return enabled
	}
	return nil
}
