package marker

import (
	"go/ast"
	"strings"

	"github.com/kindsmith/kindsmith/internal/source"
)

// Prose returns the text of a comment without comment signs and without marker
// lines, as go/ast's CommentGroup.Text would give it for the comment that is left
// when the markers are taken out: directives such as //go:generate are gone,
// paragraphs are kept, and the text ends in a line feed unless it is empty.
func Prose(s source.Span) string {
	text := s.Text()
	group := &ast.CommentGroup{}
	for _, c := range comments(text) {
		var kept []string
		for _, l := range c.lines {
			if _, isMarker := scanLine(s, text, l); !isMarker {
				kept = append(kept, text[l.start:l.end])
			}
		}
		// Comments are rebuilt and left to go/ast, whose rules for blank lines and
		// directives are what readers of Go documentation are used to.
		switch {
		case c.block:
			group.List = append(group.List, &ast.Comment{Text: "/*" + strings.Join(undecorate(kept), "\n") + "*/"})
		case len(kept) > 0:
			group.List = append(group.List, &ast.Comment{Text: "//" + kept[0]})
		}
	}
	return group.Text()
}

// undecorate cuts the one space that all lines of a block have before their text,
// as it is left of " * text".
func undecorate(lines []string) []string {
	for _, l := range lines {
		if strings.TrimSpace(l) != "" && l[0] != ' ' {
			return lines
		}
	}
	cut := make([]string, len(lines))
	for i, l := range lines {
		cut[i] = strings.TrimPrefix(l, " ")
	}
	return cut
}
