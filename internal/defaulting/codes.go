package defaulting

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes of defaults, wherever they are declared and found. The stages
// that read the tag report the exported ones.
var (
	codes diag.Codes

	CodeNoValue   = codes.New("default/no-value", "The tag needs a value: `+default=<JSON>` or `+default=ref(<constant>)`.")
	CodeNotJSON   = codes.New("default/not-json", "The value is neither JSON nor `ref(<constant>)`. Strings need double quotes.")
	CodeConflict  = codes.New("default/conflict", "Two spellings of the tag on one item give different values. Keep one.")
	CodeNoLiteral = codes.New("default/no-literal", "The type has JSON of its own, so its default cannot be written as Go and is in the schema only. Set it in a `SetDefaults_` function too.")

	codeWrongType    = codes.New("default/wrong-type", "The value is of another JSON type than the field's Go type takes.")
	codeOutOfRange   = codes.New("default/out-of-range", "The number does not fit the field's Go type.")
	codeUnknownField = codes.New("default/unknown-field", "The value has a key that the struct has no field for.")
	codeDuplicateKey = codes.New("default/duplicate-key", "The value has a key twice.")
	codeBadValue     = codes.New("default/bad-value", "The value is not one that the type can parse, such as a quantity, a time or base64 text.")
)

// Codes returns the codes of what is wrong with the values of defaults.
func Codes() []diag.Code { return codes.All() }
