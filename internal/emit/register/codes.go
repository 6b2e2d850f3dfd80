package register

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoVersion = codes.New("register/no-version", "Kinds are registered under a group and a version, and the version is the package's name. Call the package v1, v1beta1 or the like, or register its kinds by hand.")
)
