package rollout

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// resolve returns the errors that reject the object. finished is whether
// declarative validation completed; only then does a missing error mean that the
// rule is satisfied.
func resolve(ctx context.Context, handWritten, declarative field.ErrorList, finished bool, config Config, gates Gates) field.ErrorList {
	if allEnforced(ctx) {
		if finished {
			handWritten = uncovered(handWritten)
		}
		return append(handWritten, declarative...)
	}
	if !config.authoritative(gates) {
		return handWritten
	}
	var enforced, shadowed field.ErrorList
	for _, d := range declarative {
		if enforces(d, gates) {
			enforced = append(enforced, d)
		} else {
			shadowed = append(shadowed, d)
		}
	}
	if slices.ContainsFunc(declarative, internal) {
		finished = false
	}

	matches := func(h *field.Error, list field.ErrorList) bool {
		return slices.ContainsFunc(list, func(d *field.Error) bool { return config.Matches(h, d) })
	}
	replaced := func(h *field.Error) bool {
		switch {
		case !h.CoveredByDeclarative:
			return false
		case matches(h, enforced):
			return true
		case matches(h, shadowed):
			return false
		default:
			// Declarative validation did not report this error. Under takeover it
			// decides, unless the error's rule is not enforced.
			return gates.takeover() && finished && enforces(h, gates)
		}
	}
	var errs field.ErrorList
	for _, h := range handWritten {
		if !replaced(h) {
			errs = append(errs, h)
		}
	}
	return append(errs, enforced...)
}

// enforces reports whether the error's rule rejects objects.
func enforces(err *field.Error, gates Gates) bool {
	switch {
	case internal(err):
		return true
	case skew.Has(err, skew.Alpha), ofUnion(err) && !gates.APIUnions:
		return false
	case skew.Has(err, skew.Beta):
		return gates.DeclarativeValidationBeta
	}
	return true
}

// ofUnion reports whether an error is about a union, with or without a discriminator.
func ofUnion(err *field.Error) bool { return err.Origin == "union" || err.Origin == "zeroOrOneOf" }

func internal(err *field.Error) bool { return err.Type == field.ErrorTypeInternal }

func uncovered(list field.ErrorList) field.ErrorList {
	return slices.DeleteFunc(slices.Clone(list), func(h *field.Error) bool { return h.CoveredByDeclarative })
}
