package policy

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Policies)

	codeUnion = codes.New("policy/union", "A MutatingAdmissionPolicy cannot normalise the union. The policy of the kind normalises the other unions. Normalise this one in a webhook, as docs/concepts/unions.md describes; `policyDir: \"\"` in kindsmith.yaml writes no policies.")
)
