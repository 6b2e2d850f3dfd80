package model

import "strings"

// DeprecatedParagraph begins the paragraph of a doc comment that deprecates the item, as Go's tools read it.
const DeprecatedParagraph = "Deprecated:"

// IsDeprecated reports whether a doc comment deprecates its item.
func IsDeprecated(doc string) bool {
	for paragraph := range strings.SplitSeq(doc, "\n\n") {
		if strings.HasPrefix(paragraph, DeprecatedParagraph) {
			return true
		}
	}
	return false
}
