package defaults

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Defaults)

	codeGeneric   = codes.New("defaults/generic", "kindsmith generates no defaulting code for generic types; only the published schema has the defaults. Set them in a `SetDefaults_` function of a type that uses the generic one.")
	codeRecursive = codes.New("defaults/recursive", "The type contains itself without a struct in between, so kindsmith cannot generate a defaulting function. Add a struct.")
	codeSignature = codes.New("defaults/signature", "Generated code calls functions named `SetDefaults_<Type>` as `func(in *<Type>)`. Change the signature or the name.")
)
