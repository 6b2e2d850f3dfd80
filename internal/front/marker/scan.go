package marker

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Marker is one line of a comment that begins with '+', as written.
type Marker struct {
	// Name is the text after '+' up to the first '=', '(', '#' or white space, without
	// trailing colons: "k8s:maxLength". Markers of other families, such as
	// kubebuilder's, may split names differently: use Text for these.
	Name     string
	NameSpan source.Span
	// Text is the whole marker from after '+' to the end of the line, without
	// trailing white space.
	Text string
	// Span is from '+' to the end of Text.
	Span source.Span
	// Block is set in a /* */ comment. controller-gen reads no markers there, and gengo does.
	Block bool
}

// Scan returns the markers in a comment, in order. The span is the raw source of
// one comment group: // lines, /* */ blocks, or both.
//
// A marker is a line that begins with '+' and a letter or '_'; "+1" and a bullet
// "+ text" are prose. White space after '+' is accepted before a name with several
// parts, as in "+ k8s:required", which is never prose; Parse reports the mistake.
func Scan(s source.Span) []Marker {
	var list []Marker
	text := s.Text()
	for _, c := range comments(text) {
		for _, l := range c.lines {
			if m, ok := scanLine(s, text, l); ok {
				m.Block = c.block
				list = append(list, m)
			}
		}
	}
	return list
}

// scanLine returns the marker of a line.
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

// nameLength returns the length of the marker's name.
func nameLength(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool {
		return r == '=' || r == '(' || r == '#' || unicode.IsSpace(r)
	})
	if end < 0 {
		end = len(text)
	}
	return len(strings.TrimRight(text[:end], ":"))
}

// hasParts reports whether a name contains a colon and a letter after it, like
// "k8s:required".
func hasParts(name string) bool {
	_, rest, found := strings.Cut(name, ":")
	first, _ := utf8.DecodeRuneInString(rest)
	return found && isLetter(first)
}

// WithoutPlus returns the lines of a comment that have the form of a marker with several parts,
// "k8s:maximum=5", except for its plus sign: it is missing, doubled or another character, or an
// invisible character is before it. It leaves out indented lines, which are examples.
func WithoutPlus(s source.Span) []Marker {
	var list []Marker
	text := s.Text()
	for _, c := range comments(text) {
		for _, l := range c.lines {
			line := strings.TrimRightFunc(text[l.start:l.end], unicode.IsSpace)
			sign := strings.TrimPrefix(line, " ")
			name := strings.TrimLeftFunc(sign, func(r rune) bool { return strings.ContainsRune(plusSigns, r) })
			end := nameLength(name)
			if sign == name && !startsLetter(name) || strings.HasPrefix(sign, "+") && !strings.HasPrefix(sign, "++") ||
				!hasParts(name[:end]) || end < len(name) && name[end] != '=' && name[end] != '(' {
				continue
			}
			start := l.start + len(line) - len(sign)
			list = append(list, Marker{Name: name[:end], Text: name, Span: s.Sub(start, l.start+len(line))})
		}
	}
	return list
}

// plusSigns are characters that are mistaken for '+', and invisible ones.
const plusSigns = "+@#\uff0b\ufe62\u207a\u2795\u200b\u200c\u200d\u2060\ufeff"

// AfterText returns the markers with several parts that follow a sentence on its line, and end the
// line.
func AfterText(s source.Span) []Marker {
	var list []Marker
	text := s.Text()
	for _, c := range comments(text) {
		for _, l := range c.lines {
			written := strings.TrimRightFunc(text[l.start:l.end], unicode.IsSpace)
			plus := strings.LastIndex(written, " +") + 1
			if plus < 2 || !strings.ContainsRune(".;:!?", rune(written[plus-2])) || strings.HasPrefix(written, "\t") || strings.HasPrefix(written, "  ") {
				continue
			}
			if m, ok := scanLine(s, text, line{l.start + plus, l.start + len(written)}); ok && hasParts(m.Name) && !strings.ContainsFunc(m.Text, unicode.IsSpace) {
				list = append(list, m)
			}
		}
	}
	return list
}
