package marker

import "strings"

// comment is one // line or one /* */ block of a comment group.
type comment struct {
	block bool
	lines []line
	// whole has the comment markers, too.
	whole line
}

// line is a byte range [start, end) of the group's text without comment markers.
type line struct{ start, end int }

// comments splits the raw text of a comment group into its comments. It skips text
// outside of comments, which is only white space.
func comments(text string) []comment {
	var list []comment
	for pos := 0; pos < len(text); {
		rest := text[pos:]
		switch {
		case strings.HasPrefix(rest, "//"):
			end := lineEnd(text, pos)
			list = append(list, comment{lines: []line{{pos + 2, end}}, whole: line{pos, end}})
			pos = end
		case strings.HasPrefix(rest, "/*"):
			body := line{pos + 2, len(text)}
			start := pos
			pos = len(text)
			if i := strings.Index(text[body.start:], "*/"); i >= 0 {
				body.end = body.start + i
				pos = body.end + 2
			}
			list = append(list, comment{block: true, lines: blockLines(text, body), whole: line{start, pos}})
		default:
			pos++
		}
	}
	return list
}

// blockLines splits the inside of a /* */ block into lines. A leading '*' is
// decoration if every line has one, else it is text, such as a bullet.
func blockLines(text string, body line) []line {
	var lines []line
	for start := body.start; ; {
		end := min(lineEnd(text, start), body.end)
		lines = append(lines, line{start, end})
		if end == body.end {
			break
		}
		start = end + 1
	}
	// The first line directly follows the opening marker: its star is that of "/**".
	if text[lines[0].start:lines[0].end] != "" && text[lines[0].start] == '*' {
		lines[0].start++
	}
	for _, l := range lines[1:] {
		trimmed := strings.TrimSpace(text[l.start:l.end])
		if trimmed != "" && trimmed[0] != '*' {
			return lines
		}
	}
	for i, l := range lines[1:] {
		if star := strings.IndexByte(text[l.start:l.end], '*'); star >= 0 {
			lines[i+1].start = l.start + star + 1
		}
	}
	return lines
}

// lineEnd returns the offset of the newline that ends the line at pos, or the length
// of the text.
func lineEnd(text string, pos int) int {
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(text)
}
