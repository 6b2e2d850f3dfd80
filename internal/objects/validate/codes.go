package validate

import "github.com/kindsmith/kindsmith/internal/core/diag"

var (
	codes = diag.Firm(diag.Everything)

	codeUnknownKind  = codes.New("validate/unknown-kind", "The kind of the object, or this version of it, is not defined. Add the folder with its CustomResourceDefinition with --crd, or skip such objects with --skip-unknown.")
	codeUnknownField = codes.New("validate/unknown-field", "The kind has no such field. API servers drop it unless a request asks for strict validation. The name is often misspelt, or the indentation is wrong.")
	codeDuplicateKey = codes.New("validate/duplicate-key", "A mapping has a duplicate key. kubectl and API servers use the last one.")
	codeOldTwice     = codes.New("validate/old-twice", "Two objects of --old have the same group, kind, namespace and name. Objects are paired with old objects by these.")
	codeOldIgnored   = codes.New("validate/old-ignored", "The old object has another version than the new one, and the engine cannot convert it. Write both in the same version, so that rules on updates run.")
	codeInvalid      = codes.New("validate/invalid", "The value breaks a rule.")
	codeRequired     = codes.New("validate/required", "The field must be set.")
	codeDuplicate    = codes.New("validate/duplicate", "The list has a duplicate value, or two items with the same keys.")
	codeNotSupported = codes.New("validate/not-supported", "The value is not one of the supported values.")
	codeForbidden    = codes.New("validate/forbidden", "The field must not be set or must not change.")
	codeTooLong      = codes.New("validate/too-long", "The value is too long.")
	codeTooMany      = codes.New("validate/too-many", "The list or the map has too many items.")
	codeTooShort     = codes.New("validate/too-short", "The value is too short.")
	codeTooFew       = codes.New("validate/too-few", "The list or the map has too few items.")
	codeType         = codes.New("validate/type", "The value does not have the type or format of the field.")
	codeInternal     = codes.New("validate/internal", "A rule could not be evaluated.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }
