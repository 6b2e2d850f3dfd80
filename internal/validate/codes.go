package validate

import "github.com/kindsmith/kindsmith/internal/diag"

var (
	codes diag.Codes

	codeUnknownKind  = codes.New("validate/unknown-kind", "No definition has the kind of the object, or none has it in this version. Name the folder with its CustomResourceDefinition too, or leave such objects out with --skip-unknown.")
	codeUnknownField = codes.New("validate/unknown-field", "The kind has no such field. API servers drop it, with a warning at most, unless a request asks for strict validation. It is often a misspelt name or a wrong indentation.")
	codeDuplicateKey = codes.New("validate/duplicate-key", "A mapping has the same key twice. kubectl and API servers take the last one.")
	codeOldTwice     = codes.New("validate/old-twice", "Objects are paired with those of --old by group, kind, namespace and name, and two of those are the same.")
	codeOldIgnored   = codes.New("validate/old-ignored", "The old object is in another version than the new one, and the engine cannot convert it. Write both in the same version to have rules on updates checked.")
	codeInvalid      = codes.New("validate/invalid", "The value breaks a rule.")
	codeRequired     = codes.New("validate/required", "The field must be set.")
	codeDuplicate    = codes.New("validate/duplicate", "The value is in the list twice, or two items have the same keys.")
	codeNotSupported = codes.New("validate/not-supported", "The value is none of those that the field can have.")
	codeForbidden    = codes.New("validate/forbidden", "The field must not be set, or not be changed.")
	codeTooLong      = codes.New("validate/too-long", "The value is too long.")
	codeTooMany      = codes.New("validate/too-many", "The list or the map has too many items.")
	codeTooShort     = codes.New("validate/too-short", "The value is too short.")
	codeTooFew       = codes.New("validate/too-few", "The list or the map has too few items.")
	codeType         = codes.New("validate/type", "The value is of another type or format than the field.")
	codeNotFound     = codes.New("validate/not-found", "The value refers to something that does not exist.")
	codeInternal     = codes.New("validate/internal", "A rule could not be evaluated.")
)

// Codes returns the codes of what this package reports.
func Codes() []diag.Code { return codes.All() }
