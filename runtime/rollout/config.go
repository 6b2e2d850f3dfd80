package rollout

import "k8s.io/apimachinery/pkg/util/validation/field"

// Config is what a kind says about its two validations.
type Config struct {
	// Migrating says that hand-written validation has a counterpart of every
	// declarative rule, not only of the alpha and beta ones. Rules without a level
	// are then compared too, and decide only under DeclarativeValidationTakeover.
	//
	// Otherwise a rule without a level is taken to have no counterpart: it is
	// enforced whatever the gates are, since nothing else would hold it.
	Migrating bool

	// Paths rewrite the paths of declarative errors, which are those of the version
	// of the request, to those that hand-written validation reports. The first
	// that matches is applied.
	Paths []field.NormalizationRule

	// ShortCircuits lets a declarative error after which nothing below the same
	// place was checked stand for all hand-written errors below it.
	ShortCircuits bool
}

// matcher says when a hand-written and a declarative error are about the same:
// type, path and origin. Invalid says so little that an origin is required of it.
func (c Config) matcher() field.ErrorMatcher {
	return field.ErrorMatcher{}.ByType().ByOrigin().RequireOriginWhenInvalid().ByFieldNormalized(c.Paths)
}

// compared returns whether an error's rule has a hand-written counterpart.
func (c Config) compared(declarative *field.Error) bool {
	return c.Migrating || declarative.IsAlpha() || declarative.IsBeta()
}

// runs returns whether declarative validation is to be run at all.
func (c Config) runs(gates Gates) bool { return gates.DeclarativeValidation || !c.Migrating }

// authoritative returns whether declarative errors are returned at all.
func (c Config) authoritative(gates Gates) bool { return !c.Migrating || gates.takeover() }

func (g Gates) takeover() bool { return g.DeclarativeValidation && g.DeclarativeValidationTakeover }
