package marker

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/source"
)

// Marker is one line of a comment that begins with '+', as written.
type Marker struct {
	// Name is the text after '+' up to the first '=', '(', '#' or white space,
	// without colons at its end: "k8s:maxLength". Where a family of markers splits
	// its names differently, as kubebuilder's do, Text has all that is needed.
	Name     string
	NameSpan source.Span
	// Text is the whole marker from after '+' to the end of the line, trailing
	// white space cut.
	Text string
	// Span is from '+' to the end of Text.
	Span source.Span
}

// Scan returns the markers in a comment, in order. The span is the raw source of
// one comment group: // lines, /* */ blocks, or both.
//
// A marker is a line whose first character is '+' with a letter or '_' behind it;
// "+1" and a bullet "+ text" are prose. White space after '+' is let pass where a
// name of several parts follows, as in "+ k8s:required": nobody writes that as
// prose, and Parse can then say what is wrong.
func Scan(s source.Span) []Marker {
	var list []Marker
	text := s.Text()
	for _, c := range comments(text) {
		for _, l := range c.lines {
			if m, ok := scanLine(s, text, l); ok {
				list = append(list, m)
			}
		}
	}
	return list
}

// scanLine returns the marker that a line is.
func scanLine(s source.Span, text string, l line) (Marker, bool) {
	end := l.start + len(strings.TrimRightFunc(text[l.start:l.end], unicode.IsSpace))
	plus := l.start + skipSpace(text[l.start:end], 0)
	if plus == end || text[plus] != '+' {
		return Marker{}, false
	}
	name := plus + 1 + skipSpace(text[plus+1:end], 0)
	nameEnd := name + nameLength(text[name:end])
	if first, _ := utf8.DecodeRuneInString(text[name:nameEnd]); !isLetter(first) {
		return Marker{}, false
	}
	if name > plus+1 && !hasParts(text[name:nameEnd]) {
		return Marker{}, false
	}
	return Marker{
		Name:     text[name:nameEnd],
		NameSpan: s.Sub(name, nameEnd),
		Text:     text[plus+1 : end],
		Span:     s.Sub(plus, end),
	}, true
}

// nameLength returns how much of the text is a marker's name.
func nameLength(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool {
		return r == '=' || r == '(' || r == '#' || unicode.IsSpace(r)
	})
	if end < 0 {
		end = len(text)
	}
	return len(strings.TrimRight(text[:end], ":"))
}

// hasParts reports whether a name is like "k8s:required": a colon with a letter
// behind it.
func hasParts(name string) bool {
	_, rest, found := strings.Cut(name, ":")
	first, _ := utf8.DecodeRuneInString(rest)
	return found && isLetter(first)
}
