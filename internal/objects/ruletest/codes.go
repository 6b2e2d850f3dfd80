package ruletest

import "github.com/kindsmith/kindsmith/internal/core/diag"

var (
	codes = diag.Firm(diag.Everything)

	codeMalformed     = codes.New("ruletest/malformed", "The test file does not have the form that docs/guides/test-rules.md describes. The case did not run.")
	codeNoCases       = codes.New("ruletest/no-cases", "The test file has no list `cases`.")
	codeUnknownKind   = codes.New("ruletest/unknown-kind", "No engine has the kind of the object. Add the folder with its CustomResourceDefinition with --crd.")
	codeMissing       = codes.New("ruletest/missing", "An expected validation error was not reported. Either the rule is missing, or the object does not break it.")
	codeDifferent     = codes.New("ruletest/different", "The error at the expected path has another type or message.")
	codeUnexpected    = codes.New("ruletest/unexpected", "The object has a validation error that the case does not expect.")
	codeUnknown       = codes.New("ruletest/unknown-field", "The kind of the object has no such field. An API server would drop the field, so the case would not test it.")
	codeOldIgnored    = codes.New("ruletest/old-ignored", "The old object could not be used, so rules on updates did not run.")
	codeUnbroken      = codes.New("ruletest/unbroken", "No case breaks this rule, so the tests would still pass without it. Add a case that breaks it.")
	codeEnginesDiffer = codes.New("ruletest/engines-differ", "All engines report the expected errors, but with different types. Clients can see the type of an error. Add the type to the case, or write one entry for each engine.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }
