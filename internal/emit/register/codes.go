package register

// codes are the codes of the findings of this package, with what each means
// and what to do.
var codes = map[string]string{
	"register/no-version": "Kinds are registered under a group and a version, and the version is the package's name. Call the package v1, v1beta1 or the like, or register its kinds by hand.",
}
