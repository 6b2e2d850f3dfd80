package defaults

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeGeneric   = codes.New("defaults/generic", "Fields of a generic type get no code that sets their defaults; the published schema has them. Set them in a `SetDefaults_` function of a type that uses the generic one.")
	codeRecursive = codes.New("defaults/recursive", "A type that contains itself without a struct in between leaves nowhere to call a function that sets its defaults. Put a struct there.")
	codeSignature = codes.New("defaults/signature", "A function called `SetDefaults_<Type>` is called by generated code, as `func(in *<Type>)`. Give it that signature, or another name.")
)
