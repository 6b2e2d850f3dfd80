package register

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Register)

	codeNotCalled = codes.New("register/not-called", "The hand-written AddToScheme of a package does not call the functions RegisterDefaults, RegisterValidations and RegisterConversions that kindsmith generates. Call them in it by `localSchemeBuilder.AddToScheme(scheme)`, declare a scheme builder and use it in AddToScheme, or remove AddToScheme, so that it is generated. A scheme builder is a variable of type runtime.SchemeBuilder or controller-runtime's scheme.Builder, with any name.")
	codeNoVersion = codes.New("register/no-version", "Kinds are registered with a group and a version, and the version is the package's name. Rename the package to a version such as v1 or v1beta1, or register its kinds by hand.")
)
