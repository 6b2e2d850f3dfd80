package conversion

// codes are the codes of the findings of this package, with what each means
// and what to do.
var codes = map[string]string{
	"conversion/no-copy": "A field's type is not the same in both versions and is no data that can be copied from one to the other. Give it a DeepCopyInto method, or use another type.",
	"conversion/skipped": "`+versioned:skip` leaves a conversion to its author, and there is none. Write the function that the message names.",
}
