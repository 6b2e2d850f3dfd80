package versions

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Versions)

	codeDeclaredTwice = codes.New("versions/declared-twice", "A hand-written file of an older version declares the name of a generated constant. Rename the hand-written declaration.")
)
