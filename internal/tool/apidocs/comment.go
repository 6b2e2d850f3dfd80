package apidocs

import (
	"go/doc/comment"
	"strings"
)

// Comment returns a comment of Go for a printer, with headings as paragraphs, since a page has its own.
func Comment(text string) *comment.Doc {
	parsed := new(comment.Parser).Parse(text)
	for i, block := range parsed.Content {
		if h, ok := block.(*comment.Heading); ok {
			parsed.Content[i] = &comment.Paragraph{Text: h.Text}
		}
	}
	return parsed
}

// Span is a part of a phrase.
type Span struct {
	Text string
	// Code means that the text is code.
	Code bool
}

// Spans returns the parts of a phrase, whose code is in one or two backquotes.
func Spans(phrase string) []Span {
	var spans []Span
	for phrase != "" {
		before, rest, ok := strings.Cut(phrase, "`")
		quote := "`"
		if strings.HasPrefix(rest, "`") {
			quote, rest = "``", rest[1:]
		}
		text, after, closed := strings.Cut(rest, quote)
		if !ok || !closed {
			return append(spans, Span{Text: phrase})
		}
		if before != "" {
			spans = append(spans, Span{Text: before})
		}
		if quote == "``" {
			text = strings.TrimSuffix(strings.TrimPrefix(text, " "), " ")
		}
		spans, phrase = append(spans, Span{Text: text, Code: true}), after
	}
	return spans
}
