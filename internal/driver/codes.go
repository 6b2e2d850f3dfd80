package driver

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeHandWritten = codes.New("driver/hand-written", "A hand-written file has the name of a generated file: it has no line `// Code generated … DO NOT EDIT.`. kindsmith does not overwrite it. Rename the file.")
	codeHeader      = codes.New("driver/header", "kindsmith copies the file of --header-file to the top of generated Go files, so it must have only Go comments.")
	codeNoSource    = codes.New("driver/no-source", "All files of the package are generated, and the package of the newest version is not part of the run. Name that package too, or use `./...`.")
	codeOnePlace    = codes.New("driver/one-place", "Two packages write the same file, because their kinds have the same group and plural. Change one of them, or generate for one package only.")
)
