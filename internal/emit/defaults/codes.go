package defaults

// codes are the codes of the findings of this package, with what each means
// and what to do.
var codes = map[string]string{
	"defaults/generic":   "Fields of a generic type get no code that sets their defaults; the published schema has them. Set them in a `SetDefaults_` function of a type that uses the generic one.",
	"defaults/recursive": "A type that contains itself without a struct in between leaves nowhere to call a function that sets its defaults. Put a struct there.",
	"defaults/signature": "A function called `SetDefaults_<Type>` is called by generated code, as `func(in *<Type>)`. Give it that signature, or another name.",
}
