package defaulting

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// Diagnostic codes of defaults, wherever they are declared and found. Other packages report the
// exported ones.
var (
	codes = diag.Protect(diag.Shapes)

	codeNoValue  = codes.New("default/no-value", "The tag needs a value: `+default=<JSON>` or `+default=ref(<constant>)`.")
	CodeConflict = codes.New("default/conflict", "Two spellings of the tag set different defaults. Remove one.")

	// ValueCodes are the codes of mistakes in the value itself.
	ValueCodes = value.NewCodes(&codes, "default",
		"The value is neither JSON nor `ref(<constant>)`. Strings need double quotes.",
		"The type has custom JSON, so its default cannot be written as Go; only the schema has it. Set it in a `SetDefaults_` function too.")
)

// Malformed returns the codes of defaults that cannot be read.
func Malformed() []diag.Code { return []diag.Code{codeNoValue, ValueCodes[value.NotJSON]} }

// Codes returns the codes of mistakes in declared defaults.
func Codes() []diag.Code { return codes.All() }
