// Package rollout runs declarative validation next to hand-written validation, so
// that rules can move from one to the other, and back, without a change for users.
//
// Hand-written validation marks the errors that a declarative rule also covers
// (field.Error.MarkCoveredByDeclarative). Marked errors are compared with the
// declarative ones. Errors that only one side reports are mismatches, which are
// logged and counted. Errors without the mark are always returned.
//
// The returned errors depend on the level of the rule and on the gates:
//
//	rule      Config.Migrating = false           Config.Migrating = true
//	alpha     compared, never enforced           compared, never enforced
//	beta      compared, enforced while           compared, enforced under
//	          DeclarativeValidationBeta is on    ...Takeover, while ...Beta is on
//	no level  enforced, always                   compared, enforced under ...Takeover
//
// An enforced rule rejects the object, and its error replaces the marked
// hand-written error that it matches. A rule that is not enforced does not change
// the hand-written errors.
//
//   - DeclarativeValidation: compare. If disabled, nothing is compared and
//     ...Takeover has no effect; the declarative rules of a migrating kind are not
//     run.
//   - DeclarativeValidationTakeover: only the declarative rules decide what they
//     cover. A marked hand-written error is returned only if its rule is not
//     enforced or declarative validation did not finish.
//   - DeclarativeValidationBeta: enforce beta rules.
//   - APIUnions: enforce the rules of unions, whatever their levels are.
//
// A panic in declarative validation is recovered, logged and counted. If
// declarative results are authoritative (right column: under ...Takeover; left
// column: always), the panic becomes an InternalError next to all hand-written
// errors.
//
// Use [Strategy] in API servers, [Pair] in webhooks and plain functions, and the
// module rollouttest in tests.
package rollout
