package rules

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.RulePolicies)

	codeActions = codes.New("rules/actions", "API servers refuse a policy that both warns and denies: a denied request has no need for a warning. Set `generate.policyActions` to `[Warn]`, `[Warn, Audit]`, `[Deny]` or `[Deny, Audit]`.")
	codeNoCEL   = codes.New("rules/not-in-policy", "With `generate.policyActions`, rules are in a ValidatingAdmissionPolicy instead of the CustomResourceDefinition. A policy sees JSON without types, and cannot enforce this rule: it compares items of a list without keys with their old values, compares lists of type set or map, reads times, durations or bytes, or needs a keyword without a counterpart in CEL. Until `policyActions` is removed, only a webhook enforces it.")
)
