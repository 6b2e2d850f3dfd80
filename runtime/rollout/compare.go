package rollout

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Mismatch is an error that only one of the two validations found: one of
// HandWritten and Declarative is nil.
type Mismatch struct {
	// HandWritten is an error that is marked as covered by declarative validation,
	// which did not find it.
	HandWritten *field.Error
	// Declarative is an error that hand-written validation did not find, or did
	// not mark as covered.
	Declarative *field.Error
}

// Error returns the error that was found.
func (m Mismatch) Error() *field.Error {
	if m.HandWritten != nil {
		return m.HandWritten
	}
	return m.Declarative
}

// Compare matches errors by type, path and origin, and returns those that only
// one side found, hand-written ones first. One error may match several, and
// several of the same type, path and origin are one mismatch.
//
// Hand-written errors that are not marked as covered by declarative validation
// are not compared, nor are declarative errors of rules without a hand-written
// counterpart (see [Config.Migrating]).
func Compare(handWritten, declarative field.ErrorList, config Config) []Mismatch {
	if len(handWritten) == 0 && len(declarative) == 0 {
		return nil
	}
	same := config.matcher()
	below := same
	if config.ShortCircuits {
		below = same.MatchAncestorShortCircuit()
	}

	var found []Mismatch
	for _, h := range handWritten {
		known := slices.ContainsFunc(found, func(m Mismatch) bool { return identical(m.HandWritten, h) })
		if !known && h.CoveredByDeclarative && !explained(h, declarative, below, config) {
			found = append(found, Mismatch{HandWritten: h})
		}
	}
	unmatched := len(found)
	for _, d := range declarative {
		known := slices.ContainsFunc(found[unmatched:], func(m Mismatch) bool { return identical(m.Declarative, d) })
		if !known && config.compared(d) && !slices.ContainsFunc(handWritten, func(h *field.Error) bool {
			return h.CoveredByDeclarative && same.Matches(h, d)
		}) {
			found = append(found, Mismatch{Declarative: d})
		}
	}
	return found
}

// explained returns whether declarative validation says the same as h, or stopped
// before it could: above it, or, as hand-written validation may know itself,
// anywhere.
func explained(h *field.Error, declarative field.ErrorList, below field.ErrorMatcher, config Config) bool {
	if config.ShortCircuits && h.ShortCircuitedInDeclarative {
		return true
	}
	return slices.ContainsFunc(declarative, func(d *field.Error) bool { return below.Matches(h, d) })
}

// identical returns whether two errors are the same as far as this package cares.
func identical(a, b *field.Error) bool {
	return a.Type == b.Type && a.Field == b.Field && a.Origin == b.Origin
}
