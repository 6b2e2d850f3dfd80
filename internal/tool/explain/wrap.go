package explain

import (
	"strings"
	"unicode/utf8"
)

// wrap wraps Markdown at the page's width and indents it. It keeps paragraphs, list
// items and code blocks, and converts rows of tables to list items.
func wrap(text, indent string) string {
	var b strings.Builder
	fenced, inTable := false, false
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			fill(&b, strings.Fields(strings.Join(paragraph, " ")), indent, width)
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		header := !inTable
		inTable = !fenced && strings.HasPrefix(trimmed, "|")
		switch {
		case strings.HasPrefix(trimmed, "```"):
			flush()
			fenced = !fenced
		case fenced:
			b.WriteString(strings.TrimRight(indent+"    "+line, " ") + "\n")
		case trimmed == "":
			flush()
			b.WriteByte('\n')
		case inTable:
			flush()
			if !header && !strings.HasPrefix(trimmed, "|-") && !strings.HasPrefix(trimmed, "|:") {
				paragraph = []string{row(trimmed)}
			}
		case isItem(trimmed):
			flush()
			paragraph = []string{trimmed}
		default:
			paragraph = append(paragraph, trimmed)
		}
	}
	flush()
	return b.String()
}

// row returns a row of a table as an item of a list.
func row(line string) string {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return "* " + strings.Join(cells, " — ")
}

func isItem(line string) bool { return strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "- ") }

// fill writes words on lines. It indents continuation lines of list items.
func fill(b *strings.Builder, words []string, indent string, width int) {
	hang := ""
	if words[0] == "*" || words[0] == "-" {
		hang = "  "
	}
	column := 0
	for i, word := range words {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+1+n > width:
			b.WriteString("\n" + indent + hang)
			column = len(indent) + len(hang)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteByte('\n')
}
