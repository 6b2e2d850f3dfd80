package policy

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Policies)

	codeUnion = codes.New("policy/union", "A MutatingAdmissionPolicy cannot normalise the union, so `generate` writes no policy for the kind. Normalise it in a webhook, as docs/concepts/unions.md describes; `policyDir: \"\"` in kindsmith.yaml writes no policies.")
)
