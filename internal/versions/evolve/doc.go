package evolve

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// docAt returns an item's doc comment in a version: with the item's name there, and with its
// deprecation.
func docAt(doc string, hs *history, v, newest int) string {
	deprecated := hs.deprecatedBy(v)
	if deprecated == nil && hs.deprecatedBy(newest) != nil {
		return withoutDeprecation(doc)
	}
	if deprecated != nil {
		return withDeprecation(doc, deprecated)
	}
	return doc
}

func withDeprecation(doc string, c *model.Deprecated) string {
	if model.IsDeprecated(doc) {
		return doc
	}
	note := c.Note.Or("")
	if note == "" {
		note = "no longer used."
	}
	return addParagraph(doc, model.DeprecatedParagraph+" "+note)
}

// addParagraph appends a paragraph, as one line, to a doc comment, which ends in a newline unless it is empty. A line break
// could begin a marker.
func addParagraph(doc, paragraph string) string {
	paragraph = strings.Join(strings.Fields(paragraph), " ")
	if doc != "" {
		doc = strings.TrimRight(doc, "\n") + "\n\n"
	}
	return doc + paragraph + "\n"
}

func withoutDeprecation(doc string) string {
	var kept []string
	for paragraph := range strings.SplitSeq(doc, "\n\n") {
		if !strings.HasPrefix(paragraph, model.DeprecatedParagraph) {
			kept = append(kept, paragraph)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return strings.TrimRight(strings.Join(kept, "\n\n"), "\n") + "\n"
}

// renameDoc replaces an item's name at the beginning of its doc comment.
func renameDoc(doc, from, to string) string {
	rest, ok := strings.CutPrefix(doc, from)
	if !ok || from == to || from == "" || rest != "" && rest[0] != ' ' && rest[0] != '\n' && rest[0] != ':' && rest[0] != ',' {
		return doc
	}
	return to + rest
}
