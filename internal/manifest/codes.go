package manifest

import "github.com/kindsmith/kindsmith/internal/diag"

var (
	codes diag.Codes

	codeSyntax   = codes.New("manifest/syntax", "The document is neither YAML nor JSON. Other documents of the file are read all the same. A message about a mapping often means a wrong indentation in the line before.")
	codeIgnored  = codes.New("manifest/ignored", "A line `...` ends a YAML document, and kubectl reads one document up to each `---`. It ignores the rest without saying so.")
	codeNoObject = codes.New("manifest/no-object", "A document, or an item of a list, is a list, a string or a number. Files that are no manifests do not belong into the folders that are named with -f.")
	codeNoKind   = codes.New("manifest/no-kind", "The object does not say what it is: `apiVersion` and `kind` are missing, empty or no strings.")
)

// Codes returns the codes of what this package reports.
func Codes() []diag.Code { return codes.All() }
