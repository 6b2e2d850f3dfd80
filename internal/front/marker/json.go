package marker

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// json reads a JSON array or object.
func (p *parser) json() Value {
	start := p.pos
	extent := jsonExtentOf(p.rest())
	if !extent.closed {
		extent.length = commentStart(p.text, start) - start
	}
	text := p.rest()[:extent.length]
	p.pos += extent.length
	value := Value{Span: p.span(start, p.pos)}
	var parsed any
	if err := json.Unmarshal([]byte(text), &parsed); err != nil {
		p.badJSON(start, text, extent, err)
		return value
	}
	value.Kind, value.Text = JSON, text
	return value
}

// jsonExtent is the extent of an array or object.
type jsonExtent struct {
	length int
	// closed is whether it ends within the text. If not, either the string at offset
	// unclosed does not end, or the brackets in closing are missing at the end.
	closed   bool
	unclosed int
	closing  string
}

// jsonExtentOf finds the end of the array or object at the beginning of the text. It
// counts brackets without matching them; encoding/json reports mismatches better.
func jsonExtentOf(text string) jsonExtent {
	var closing []byte // the closing brackets of open ones, outermost first
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			end := stringEnd(text[i:])
			if end == 0 {
				return jsonExtent{length: len(text), unclosed: i}
			}
			i += end - 1
		case '[':
			closing = append(closing, ']')
		case '{':
			closing = append(closing, '}')
		case ']', '}':
			closing = closing[:len(closing)-1]
			if len(closing) == 0 {
				return jsonExtent{length: i + 1, closed: true}
			}
		}
	}
	slices.Reverse(closing)
	return jsonExtent{length: len(text), closing: string(closing)}
}

// jsonRepairs are repairs of common mistakes in JSON. A repair is offered as a fix if
// its result is valid JSON.
var jsonRepairs = [...]struct {
	wrong string
	fix   string
	mend  func(text string) string
}{
	{"it is not closed", "close the brackets", func(text string) string { return text }},
	{"its strings are not in double quotes", "write double quotes", straighten},
	{"a comma precedes a closing bracket", "remove the comma", cutTrailingCommas},
}

// badJSON reports the error of encoding/json for the text at start.
func (p *parser) badJSON(start int, text string, extent jsonExtent, err error) {
	for _, repair := range jsonRepairs {
		mended := repair.mend(text) + extent.closing
		if json.Valid([]byte(mended)) {
			from, to := start, start+1
			if extent.closed {
				from, to = p.jsonErrorAt(start, err)
			}
			p.errorf(from, to, codeBadJSON, "invalid JSON: %s; %s", repair.wrong, repair.fix).
				Suggest(p.span(start, start+len(text)), mended, "%s", repair.fix)
			return
		}
	}
	from, to := p.jsonErrorAt(start, err)
	switch {
	case extent.closed:
		p.errorf(from, to, codeBadJSON, "invalid JSON: %v", err)
	case extent.closing == "":
		from = start + extent.unclosed
		p.errorf(from, from+1, codeBadJSON, `invalid JSON: a string is not closed; write " at its end`)
	default:
		p.errorf(start, start+1, codeBadJSON, "invalid JSON: it is not closed; write %s at its end", extent.closing)
	}
}

// jsonErrorAt returns the range of the character at which encoding/json stopped. For a
// closing bracket after a comma, it is that of the comma.
func (p *parser) jsonErrorAt(start int, err error) (from, to int) {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return start, start + 1
	}
	from = start + max(int(syntax.Offset)-1, 0)
	if before := strings.TrimSpace(p.text[start:from]); strings.HasSuffix(before, ",") && strings.IndexByte("]}", p.text[from]) >= 0 {
		from = start + strings.LastIndexByte(p.text[start:from], ',')
	}
	_, size := utf8.DecodeRuneInString(p.text[from:])
	return from, from + size
}

// straighten replaces all other quotes by '"'.
func straighten(text string) string {
	return strings.Map(func(r rune) rune {
		if isForeignQuote(r) {
			return '"'
		}
		return r
	}, text)
}

// cutTrailingCommas removes each comma before a closing bracket. It does not skip
// strings: the result is used only if no smaller repair is valid JSON, and a fix is
// shown before it is applied.
func cutTrailingCommas(text string) string {
	var b strings.Builder
	for i, c := range text {
		next := skipSpace(text, i+1)
		if c == ',' && next < len(text) && (text[next] == ']' || text[next] == '}') {
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}
