package rollout

import "k8s.io/apimachinery/pkg/util/validation/field"

// Config configures the comparison of a kind's two validations.
type Config struct {
	// Migrating means that every declarative rule has a hand-written counterpart,
	// not only alpha and beta rules. Rules without a level are then compared too,
	// and are enforced only under DeclarativeValidationTakeover.
	//
	// Otherwise, rules without a level have no counterpart and are always enforced,
	// whatever the gates are.
	Migrating bool

	// Paths rewrite the paths of declarative errors, which are those of the
	// request's version, to the paths of hand-written validation. The first match
	// is applied.
	Paths []field.NormalizationRule

	// ShortCircuits makes a declarative error that stopped further checks match all
	// hand-written errors at or below its path.
	ShortCircuits bool
}

// matcher matches hand-written and declarative errors by type, path and origin. It
// requires an origin for Invalid, because that type is too general.
func (c Config) matcher() field.ErrorMatcher {
	return field.ErrorMatcher{}.ByType().ByOrigin().RequireOriginWhenInvalid().ByFieldNormalized(c.Paths)
}

// compared reports whether an error's rule has a hand-written counterpart.
func (c Config) compared(declarative *field.Error) bool {
	return c.Migrating || declarative.IsAlpha() || declarative.IsBeta()
}

// runs reports whether to run declarative validation.
func (c Config) runs(gates Gates) bool { return gates.DeclarativeValidation || !c.Migrating }

// authoritative reports whether declarative errors are returned.
func (c Config) authoritative(gates Gates) bool { return !c.Migrating || gates.takeover() }

func (g Gates) takeover() bool { return g.DeclarativeValidation && g.DeclarativeValidationTakeover }
