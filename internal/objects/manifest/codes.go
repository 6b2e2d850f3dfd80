package manifest

import "github.com/kindsmith/kindsmith/internal/core/diag"

var (
	codes = diag.Firm(diag.Everything)

	codeSyntax   = codes.New("manifest/syntax", "The document is neither YAML nor JSON. The other documents of the file are read. An error about a mapping often means that the previous line is indented wrongly.")
	codeIgnored  = codes.New("manifest/ignored", "A line `...` ends a YAML document. kubectl silently ignores the text between it and the next `---`.")
	codeNoObject = codes.New("manifest/no-object", "A document, or an item of a list, is not an object. Name only folders with manifests with -f.")
	codeNoKind   = codes.New("manifest/no-kind", "The object has no kind: `apiVersion` or `kind` is missing, empty or not a string.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }
