package rollout

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// Mismatch is an error that only one of the two validations reported. Exactly one
// of HandWritten and Declarative is set.
type Mismatch struct {
	// HandWritten is an error that is marked as covered by declarative validation
	// but that declarative validation did not report.
	HandWritten *field.Error
	// Declarative is an error that hand-written validation did not report, or did
	// not mark as covered.
	Declarative *field.Error
}

// Error returns the error of the mismatch.
func (m Mismatch) Error() *field.Error {
	if m.HandWritten != nil {
		return m.HandWritten
	}
	return m.Declarative
}

// Compare matches errors by type, path and origin, and returns those that only one
// side reported, hand-written ones first. An error may match several errors.
// Several errors of the same type, path and origin are one mismatch.
//
// It does not compare hand-written errors that are not marked as covered, and
// declarative errors of rules without a hand-written counterpart (see
// [Config.Migrating]).
func Compare(handWritten, declarative field.ErrorList, config Config) []Mismatch {
	if len(handWritten) == 0 && len(declarative) == 0 {
		return nil
	}
	var found []Mismatch
	for _, h := range handWritten {
		known := slices.ContainsFunc(found, func(m Mismatch) bool { return identical(m.HandWritten, h) })
		if !known && h.CoveredByDeclarative && !explained(h, declarative, config) {
			found = append(found, Mismatch{HandWritten: h})
		}
	}
	unmatched := len(found)
	for _, d := range declarative {
		known := slices.ContainsFunc(found[unmatched:], func(m Mismatch) bool { return identical(m.Declarative, d) })
		if !known && config.compared(d) && !slices.ContainsFunc(handWritten, func(h *field.Error) bool {
			return h.CoveredByDeclarative && config.Matches(h, d)
		}) {
			found = append(found, Mismatch{Declarative: d})
		}
	}
	return found
}

// explained reports whether declarative validation reported h or stopped before it
// could: at a parent of the path, or anywhere if hand-written validation marked h as
// short-circuited in declarative validation.
func explained(h *field.Error, declarative field.ErrorList, config Config) bool {
	if config.ShortCircuits && skew.Has(h, skew.ShortCircuitedInDeclarative) {
		return true
	}
	return slices.ContainsFunc(declarative, func(d *field.Error) bool {
		return config.Matches(h, d) || config.ShortCircuits && skew.Has(d, skew.ShortCircuit) && config.below(d, h.Field)
	})
}

// identical reports whether two errors are equal for the purposes of this package.
func identical(a, b *field.Error) bool {
	return a.Type == b.Type && a.Field == b.Field && a.Origin == b.Origin
}
