package manifest

import (
	"fmt"
	"regexp"
	"strings"

	kyaml "sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// furthest is the number of lines above the parser's report in which a mistake is looked for.
const furthest = 200

// mistakeLine returns the line with the mistake that the YAML parser reports at another one, and what is wrong there. The
// parser reports where it cannot continue, such as at the end of a string that is not closed. Lines count from 1.
func mistakeLine(lines []string, reported int, message string) (line int, explained string) {
	line = reported
	for k := min(reported, len(lines)); k >= 1 && reported-k < furthest; k-- {
		// The line after the longest text without a mistake has it.
		if _, err := kyaml.YAMLToJSON([]byte(strings.Join(lines[:k-1], "\n") + "\n")); err == nil {
			line = k
			break
		}
	}
	if line > len(lines) || line < 1 {
		return reported, message
	}
	text := lines[line-1]
	above := lineAbove(lines, line)
	switch {
	case strings.HasPrefix(strings.TrimLeft(text, " "), "\t"):
		return line, "this line is indented with a tab; YAML takes only spaces"
	case strings.HasPrefix(message, "did not find expected key"):
		return otherIndentation(lines, line, message)
	case strings.HasPrefix(message, "mapping values are not allowed"):
		if indentation(text) > indentation(above) && !strings.HasSuffix(strings.TrimSpace(above), ":") {
			return line, fmt.Sprintf("this line is indented by %d, but the key above, indented by %d, has a value; indent both equally", indentation(text), indentation(above))
		}
		return line, "a value with \": \" must be in quotes, and a line has one key"
	case strings.HasPrefix(message, "did not find expected '-' indicator"):
		return line, "this line is in a list, and begins no item; indent it like the item that it belongs to, or less than the list"
	case strings.HasPrefix(message, "could not find expected ':'"):
		return line, "this line is not a key with a value; write a colon and a space after the key"
	case strings.HasPrefix(message, "found unexpected end of stream"):
		return line, "the string in quotes, or the list or mapping in brackets, that begins here is not closed"
	}
	return line, message
}

// unrendered explains a template in a manifest.
const unrendered = "this is a template, which kindsmith does not render; validate what it renders to, as in: helm template . | kindsmith validate -f -"

// unknownAnchor matches the message about an alias without its anchor.
var unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)

// misplaced returns the mistake in a document that the YAML parser reports without a line, and what is wrong there.
func misplaced(chunk source.Span, message string) (at source.Span, explained string) {
	if m := unknownAnchor.FindStringSubmatch(message); m != nil {
		alias := regexp.MustCompile(`(?m)(?:^|[\s\[{,:-])(\*` + regexp.QuoteMeta(m[1]) + `)(?:$|[\s\]},])`)
		if found := alias.FindStringSubmatchIndex(chunk.Text()); found != nil {
			return chunk.Sub(found[2], found[3]), "there is no anchor &" + m[1] + " above this alias"
		}
	}
	if strings.HasPrefix(message, "invalid map key: ") { // {{ begins a mapping whose key is a mapping
		return template(chunk), unrendered
	}
	return source.Span{}, ""
}

// template returns the first template in a text, the zero span if there is none.
func template(in source.Span) source.Span {
	text := in.Text()
	start := strings.Index(text, "{{")
	if start < 0 {
		return source.Span{}
	}
	end := strings.Index(text[start:], "}}")
	if line := strings.IndexByte(text[start:], '\n'); end < 0 || line >= 0 && line < end {
		return in.Sub(start, start+2)
	}
	return in.Sub(start, start+end+2)
}

// otherIndentation explains a line that is indented less than the one above, and more than the mapping around: the smaller of
// the two groups of lines has the mistake.
func otherIndentation(lines []string, line int, message string) (int, string) {
	own := indentation(lines[line-1])
	first, above := line, 0
	for k := line - 1; k >= 1 && (blank(lines[k-1]) || indentation(lines[k-1]) > own); k-- {
		if !blank(lines[k-1]) {
			first, above = k, above+1
		}
	}
	if above == 0 {
		return line, message
	}
	other, below := indentation(lines[first-1]), 0
	for k := line; k <= len(lines) && (blank(lines[k-1]) || indentation(lines[k-1]) >= own); k++ {
		switch {
		case blank(lines[k-1]):
		case indentation(lines[k-1]) == own:
			below++
		case indentation(lines[k-1]) == other:
			above++
		}
	}
	if above <= below {
		return first, fmt.Sprintf("this line is indented by %d, and those below by %d; indent the keys of one mapping equally", other, own)
	}
	return line, fmt.Sprintf("this line is indented by %d, and those above by %d; indent the keys of one mapping equally", own, other)
}

// lineAbove returns the nearest line above one that is not blank.
func lineAbove(lines []string, line int) string {
	for k := line - 1; k >= 1; k-- {
		if !blank(lines[k-1]) {
			return lines[k-1]
		}
	}
	return ""
}

func blank(line string) bool {
	text := strings.TrimSpace(line)
	return text == "" || text[0] == '#'
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
