package upgrade

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Everything)

	codeGuess    = codes.New("plan/guess", "`kindsmith plan` guesses from two schemas what happened to a field. Check the guess: a wrong one gives objects another meaning. State what you know with `--rename spec.copies=spec.replicas`, or leave guesses out with `--no-guess`: the conversion then keeps the values of the field in an annotation.")
	codeFunction = codes.New("plan/function", "A field has another type, and no plan converts values of the former type to the new one. Serve the conversion from a manager with a Go function, or give the new field another name: the conversion then keeps both values.")
	codeRequired = codes.New("plan/required", "The newer version requires a field that the older one lacks, so converted objects are invalid in the newer version. Make the field optional, or give it a default, which API servers set.")
	codeChanged  = codes.New("plan/changed", "A version that both definitions have differs between them. Conversion starts from the new definition, and stored objects may not fit it. `kindsmith breaking --against` says what breaks.")
	codeFixed    = codes.New("plan/immutable", "API servers refuse to change the scope or the group of a definition. Define a new kind, and move the objects.")
	codeStrategy = codes.New("plan/strategy", "The versions differ, and the new definition has no conversion webhook. API servers then only change the apiVersion, and drop the fields that the other version does not have. Set `spec.conversion` with the strategy Webhook.")
	codeGone     = codes.New("plan/gone", "The new file lacks a kind. If you delete its definition, API servers delete all of its objects.")
	codeRename   = codes.New("plan/rename", "`--rename` names a field that neighbouring versions do not have at this place: the former path in the older version only, and the new path in the newer version only. A field below a list or a map stays in its object.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }
