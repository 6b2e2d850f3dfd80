// Package rollout runs declarative validation beside hand-written validation, so
// that rules can move from one to the other without anybody noticing, and back
// again when somebody does.
//
// Hand-written validation marks the errors that a declarative rule covers as well
// (field.Error.MarkCoveredByDeclarative). Marked errors are held against the
// declarative ones: those that only one side found are mismatches, which are
// logged and counted. Errors without the mark are returned whatever happens here.
//
// What is returned depends on the level of the rule and on the gates:
//
//	rule      Config.Migrating = false           Config.Migrating = true
//	alpha     compared, never enforced           compared, never enforced
//	beta      compared, enforced while           compared, enforced under
//	          DeclarativeValidationBeta is on    ...Takeover, while ...Beta is on
//	no level  enforced, always                   compared, enforced under ...Takeover
//
// A rule that is enforced rejects the object, and its error takes the place of
// the marked hand-written error that it matches. A rule that is not enforced
// leaves the hand-written errors as they are.
//
//   - DeclarativeValidation: compare. While it is off nothing is compared, and
//     ...Takeover has no effect; the declarative rules of a kind that is migrating
//     are not run at all.
//   - DeclarativeValidationTakeover: what is declared is decided by the declarative
//     rules alone. A marked hand-written error is returned only where its rule is
//     not enforced, or where the declarative validation could not finish.
//   - DeclarativeValidationBeta: enforce beta rules.
//
// A panic in declarative validation is recovered, logged and counted. It becomes
// an InternalError where declarative results are authoritative (the right column
// under ...Takeover; the left one always), next to all hand-written errors.
//
// There is a way in for each host: [Strategy] for API servers, [Pair] for
// webhooks and plain functions, and the module rollouttest for tests.
package rollout
