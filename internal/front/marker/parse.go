package marker

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Parse parses a marker with the tag grammar. It reports mistakes to the bag and
// returns the readable part: unreadable arguments and payloads have Kind None. It
// returns nil only if the name is unreadable.
func Parse(m Marker, bag *diag.Bag) *Tag {
	p := &parser{marker: m, text: m.Text, bag: bag}
	if gap := skipSpace(p.text, 0); gap > 0 && startsLetter(p.text[gap:]) {
		p.errorf(0, gap, codeSpace, `a space after "+" hides the marker: write the name directly after "+"`).
			Suggest(p.span(0, gap), "", "remove the space")
		p.pos = gap
	}
	tag := p.tag()
	if tag != nil {
		p.leftover(tag)
	}
	return tag
}

// parser parses one marker. Offsets count from the start of the marker's text, after
// '+'. Between its methods, pos is after the last token and before white space.
type parser struct {
	marker Marker
	text   string
	pos    int
	bag    *diag.Bag
	// silent means that the rest of the marker is already reported.
	silent bool
}

// span returns the range [start, end) of the marker's text.
func (p *parser) span(start, end int) source.Span { return p.marker.Span.Sub(start+1, end+1) }

// rest returns the text that has not been read.
func (p *parser) rest() string { return p.text[p.pos:] }

func (p *parser) errorf(start, end int, code diag.Code, format string, args ...any) *diag.Diagnostic {
	return p.bag.Errorf(p.span(start, end), code, format, args...)
}

// skip skips white space.
func (p *parser) skip() { p.pos = skipSpace(p.text, p.pos) }

// at reports whether the next byte is c.
func (p *parser) at(c byte) bool { return p.pos < len(p.text) && p.text[p.pos] == c }

// atEnd reports whether only white space or a comment after white space follows.
func (p *parser) atEnd() bool {
	next := skipSpace(p.text, p.pos)
	if next == len(p.text) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(p.text[:next])
	return p.text[next] == '#' && unicode.IsSpace(before)
}

// tag parses a tag, after its '+'.
func (p *parser) tag() *Tag {
	start := p.pos
	name := p.name()
	if name == "" {
		p.noName()
		return nil
	}
	tag := &Tag{Name: name, NameSpan: p.span(start, p.pos)}
	colon := p.nameColon()
	p.spaceBeforeParen()
	if !p.silent && p.at('(') {
		tag.Args = p.args()
	}
	if !p.silent && (colon || p.equals()) {
		tag.Payload = p.payload()
	}
	tag.Span = p.span(start-1, p.pos)
	return tag
}

// name parses a tag name, without trailing colons.
func (p *parser) name() string {
	if !startsLetter(p.rest()) {
		return ""
	}
	name := strings.TrimRight(p.text[p.pos:p.pos+prefixLength(p.rest(), isNamePart)], ":")
	p.pos += len(name)
	return name
}

func (p *parser) noName() {
	end := min(p.pos+1, len(p.text))
	p.errorf(p.pos-1, end, codeNoName, `the name after "+" is missing: write one, such as "+k8s:required"`)
}

// nameColon reports colons after a name. It returns true if they are in the place of
// "=" before a payload.
func (p *parser) nameColon() bool {
	start := p.pos
	for p.at(':') {
		p.pos++
	}
	if p.pos == start {
		return false
	}
	end := p.pos
	value := skipSpace(p.text, end)
	if value == len(p.text) || strings.IndexByte("#=(", p.text[value]) >= 0 {
		p.errorf(start, end, codeNameColon, `a tag name does not end in ":"; remove it`).
			Suggest(p.span(start, end), "", `remove ":"`)
		return false
	}
	d := p.errorf(start, end, codeNameColon, `unexpected ":" after a tag: write a value after "=", and a comment after " # "`)
	if strings.IndexFunc(p.text[value:commentStart(p.text, value)], unicode.IsSpace) >= 0 {
		// Several words may be a value or a comment.
		p.silent = true
		return false
	}
	d.Suggest(p.span(start, value), "=", `write "=" for ":"`)
	p.pos = value
	return true
}

// spaceBeforeParen reports white space between a name and "(", and skips it.
func (p *parser) spaceBeforeParen() {
	paren := skipSpace(p.text, p.pos)
	if paren == p.pos || paren == len(p.text) || p.text[paren] != '(' {
		return
	}
	p.errorf(p.pos, paren, codeSpace, `a space before "(" ends the tag before its arguments; remove the space`).
		Suggest(p.span(p.pos, paren), "", "remove the space")
	p.pos = paren
}

// equals skips "=", including surrounding white space and repeats, and reports these.
// It returns whether "=" was found.
func (p *parser) equals() bool {
	start, next, count := p.pos, skipSpace(p.text, p.pos), 0
	for next < len(p.text) && p.text[next] == '=' {
		count++
		p.pos = next + 1
		next = skipSpace(p.text, p.pos)
	}
	if count == 0 {
		return false
	}
	if p.atEnd() {
		return true // payload reports the missing value
	}
	p.pos = next
	written := p.text[start:next]
	switch {
	case count > 1:
		p.errorf(start, next, codeDoubleEquals, `"=" is repeated %d times; write it once`, count).
			Suggest(p.span(start, next), "=", `write one "="`)
	case written != "=":
		p.errorf(start, next, codeSpace, `a space next to "=" splits the tag; write the value directly after "="`).
			Suggest(p.span(start, next), "=", "remove the space")
	}
	return true
}

// leftover reports the text between the end of the tag and the trailing comment.
func (p *parser) leftover(tag *Tag) {
	end := p.pos
	p.skip()
	if p.silent || p.pos == len(p.text) || p.at('#') {
		return
	}
	stop := commentStart(p.text, p.pos)
	text := p.text[p.pos:stop]
	last := tag
	for last.Chained() != nil {
		last = last.Chained()
	}
	switch {
	case strings.HasPrefix(text, "//"):
		// A warning, because nothing is lost: published Kubernetes types have such comments.
		p.bag.Warnf(p.span(p.pos, p.pos+2), codeSlashComment, `a comment after a tag begins with "#", not "//"`).
			Suggest(p.span(p.pos, p.pos+2), "#", `write "#" for "//"`)
	case startsChain(text) && end == p.pos && last.Payload == nil:
		last.Payload = &Value{Span: p.span(p.pos, stop)} // which was reported
		p.errorf(p.pos, p.pos+1, codeMissingEquals, `a chained tag follows "=+", not "+"`).
			Suggest(p.span(p.pos, p.pos), "=", `insert "="`)
	case startsBareTag(text) && end < p.pos && last.Payload == nil:
		last.Payload = &Value{Span: p.span(p.pos, stop)} // which was reported
		p.errorf(p.pos, stop, codeMissingEquals, `a chained tag follows "=+"`).
			Suggest(p.span(end, p.pos), "=+", `write "=+" before the tag`)
	case startsChain(text):
		if last.Payload == nil {
			last.Payload = &Value{Span: p.span(p.pos, stop)} // which may be the value that the tag needs
		}
		p.errorf(p.pos, stop, codeLeftover, `a line has only one tag: write %s on a separate line, or chain it with "=+"`, shown(text))
	case last.Payload == nil && end < p.pos && isPlainValue(text):
		last.Payload = &Value{Span: p.span(p.pos, stop)} // which was reported
		p.errorf(p.pos, stop, codeMissingEquals, `%s is not the value of the tag: write a value after "="`, shown(text)).
			Suggest(p.span(end, p.pos), "=", `write "=" before the value`)
	case last.Payload != nil && (last.Payload.Kind == Ident || last.Payload.Kind == Int) && end < p.pos:
		p.errorf(p.pos, stop, codeLeftover, `unexpected %s after %s: quote a value of several words, or begin a comment with " # "`, shown(text), shown(last.Payload.Text))
	default:
		p.errorf(p.pos, stop, codeLeftover, `unexpected %s after the tag: remove it, or begin a comment with " # "`, shown(text))
	}
}

// shown quotes text for messages, in backquotes if it contains double quotes.
func shown(text string) string {
	if strings.Contains(text, `"`) && strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// isPlainValue reports whether a text is clearly one value, so that it was probably
// meant as the payload.
func isPlainValue(text string) bool {
	_, isInt := integer(text)
	return isInt || text == "true" || text == "false" || isQuoted(text)
}

// isQuoted reports whether the text is one string in double quotes or backquotes.
func isQuoted(text string) bool {
	return text != "" && (text[0] == '"' || text[0] == '`') && stringEnd(text) == len(text)
}
