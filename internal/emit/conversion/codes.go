package conversion

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoCopy  = codes.New("conversion/no-copy", "A field's type is not the same in both versions and is no data that can be copied from one to the other. Give it a DeepCopyInto method, or use another type.")
	codeSkipped = codes.New("conversion/skipped", "`+versioned:skip` leaves a conversion to its author, and there is none. Write the function that the message names.")
)
