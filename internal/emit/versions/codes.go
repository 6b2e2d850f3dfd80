package versions

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeDeclaredTwice = codes.New("versions/declared-twice", "A hand-written file in an older version's folder declares a name that one of the version's constants has. Rename it there.")
	codeNotGenerated  = codes.New("versions/not-generated", "The file that an older version's types go to was written by hand, by the lack of a line `// Code generated … DO NOT EDIT.` in it. Rename or remove it.")
)
