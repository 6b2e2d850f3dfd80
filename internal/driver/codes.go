package driver

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeHandWritten = codes.New("driver/hand-written", "A generated file would take the place of one that was written by hand, by the lack of a line `// Code generated … DO NOT EDIT.` in it. Nothing is overwritten: rename the file.")
	codeHeader      = codes.New("driver/header", "The file of --header-file goes above generated Go files as it is, so it can hold nothing but Go comments.")
	codeNoSource    = codes.New("driver/no-source", "All files of the package are generated, and the newest version that they are made from is not part of the run, so nothing can be said about them. Name that package too, or use ./... .")
	codeOnePlace    = codes.New("driver/one-place", "Two packages of the run write one file: their kinds have the same group and plural. Give one of them another, or generate for one package only.")
)
