package marker

import (
	"go/ast"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Prose returns the text of a comment without comment markers and without marker
// lines, like go/ast's CommentGroup.Text for the comment without its marker lines: it
// has no directives such as //go:generate, keeps paragraphs, and ends in a newline
// unless it is empty.
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
		// Rebuild the comments and pass them to go/ast, whose rules for blank lines and
		// directives are those of Go documentation.
		switch {
		case c.block:
			group.List = append(group.List, &ast.Comment{Text: "/*" + strings.Join(undecorate(kept), "\n") + "*/"})
		case len(kept) > 0:
			group.List = append(group.List, &ast.Comment{Text: "//" + kept[0]})
		}
	}
	return group.Text()
}

// Description returns the text of a comment that controller-gen publishes: it takes every // line that begins with "+" for a
// marker, and no line of a /* */ block.
func Description(s source.Span) string {
	text, block := s.Text(), false
	group := &ast.CommentGroup{}
	for _, c := range comments(text) {
		if c.block || !strings.HasPrefix(strings.TrimSpace(text[c.lines[0].start:c.lines[0].end]), "+") {
			group.List = append(group.List, &ast.Comment{Text: text[c.whole.start:c.whole.end]})
		}
		block = block || c.block
	}
	if !block {
		return group.Text()
	}
	lines := strings.Split(group.Text(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "\n")
}

// undecorate removes the one space that all lines of a block begin with after " *"
// is removed.
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
