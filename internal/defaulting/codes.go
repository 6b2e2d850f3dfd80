package defaulting

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/value"
)

// Diagnostic codes of defaults, wherever they are declared and found. The exported
// ones are reported by other packages.
var (
	codes diag.Codes

	codeNoValue  = codes.New("default/no-value", "The tag needs a value: `+default=<JSON>` or `+default=ref(<constant>)`.")
	CodeConflict = codes.New("default/conflict", "Two spellings of the tag on one item give different values. Keep one.")

	// ValueCodes are the codes of what is wrong with the value itself.
	ValueCodes = value.NewCodes(&codes, "default",
		"The value is neither JSON nor `ref(<constant>)`. Strings need double quotes.",
		"The type has JSON of its own, so its default cannot be written as Go and is in the schema only. Set it in a `SetDefaults_` function too.")
)

// Codes returns the codes of what is wrong with a declared default.
func Codes() []diag.Code { return codes.All() }
