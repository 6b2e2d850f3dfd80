package register

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoVersion = codes.New("register/no-version", "Kinds are registered with a group and a version, and the version is the package's name. Rename the package to a version such as v1 or v1beta1, or register its kinds by hand.")
)
