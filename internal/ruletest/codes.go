package ruletest

import "github.com/kindsmith/kindsmith/internal/diag"

var (
	codes diag.Codes

	codeMalformed     = codes.New("ruletest/malformed", "The test file is not of the form that docs/testing-rules.md describes, so the case was not run.")
	codeNoCases       = codes.New("ruletest/no-cases", "A test file has a list `cases`.")
	codeUnknownKind   = codes.New("ruletest/unknown-kind", "No engine knows the kind of the object. Name the folder with its CustomResourceDefinition with --crd.")
	codeMissing       = codes.New("ruletest/missing", "The case expects a validation error that was not reported. Either a rule is missing, or the object does not break it.")
	codeDifferent     = codes.New("ruletest/different", "There is an error at the expected path, of another type or with another message.")
	codeUnexpected    = codes.New("ruletest/unexpected", "The object has a validation error that the case does not expect.")
	codeUnknown       = codes.New("ruletest/unknown-field", "The object has a field that its kind does not have. It would be dropped, so the case tests less than it says.")
	codeOldIgnored    = codes.New("ruletest/old-ignored", "The old object could not be used, so rules on updates did not run.")
	codeUnbroken      = codes.New("ruletest/unbroken", "No case expects an error of this rule, so the tests would not notice if it were gone. Add a case that breaks it.")
	codeEnginesDiffer = codes.New("ruletest/engines-differ", "All engines report errors as the case expects them, of different types. Clients that look at the type of an error see which engine is in use. Name the type in the case, or write one entry an engine.")
)

// Codes returns the codes of what this package reports.
func Codes() []diag.Code { return codes.All() }
