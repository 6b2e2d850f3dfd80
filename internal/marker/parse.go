package marker

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Parse reads a marker by the tag grammar. What is wrong goes to the bag, with
// codes marker/<what>, and the part that could be read is returned: arguments and
// payloads that could not be are there with Kind None. It returns nil only when
// not even a name could be read.
func Parse(m Marker, bag *diag.Bag) *Tag {
	p := &parser{marker: m, text: m.Text, bag: bag}
	if gap := skipSpace(p.text, 0); gap > 0 && startsLetter(p.text[gap:]) {
		p.errorf(0, gap, codeSpace, `a space after "+" hides the marker: write the name right after it`).
			Suggest(p.span(0, gap), "", "remove the space")
		p.pos = gap
	}
	tag := p.tag()
	if tag != nil {
		p.leftover(tag)
	}
	return tag
}

// parser reads one marker. Its offsets count from the start of the marker's text,
// that is, from after '+'. Between its methods pos is at the end of what was read
// last, with white space before the next thing still to be passed.
type parser struct {
	marker Marker
	text   string
	pos    int
	bag    *diag.Bag
	// silent says that the rest of the marker was reported already, as a whole.
	silent bool
}

// span returns the range [start, end) of the marker's text.
func (p *parser) span(start, end int) source.Span { return p.marker.Span.Sub(start+1, end+1) }

// rest returns the text that has not been read.
func (p *parser) rest() string { return p.text[p.pos:] }

func (p *parser) errorf(start, end int, code diag.Code, format string, args ...any) *diag.Diagnostic {
	return p.bag.Errorf(p.span(start, end), code, format, args...)
}

// skip passes white space.
func (p *parser) skip() { p.pos = skipSpace(p.text, p.pos) }

// at reports whether the next byte is c.
func (p *parser) at(c byte) bool { return p.pos < len(p.text) && p.text[p.pos] == c }

// atEnd reports whether nothing follows but a comment that is set off by white space.
func (p *parser) atEnd() bool {
	next := skipSpace(p.text, p.pos)
	if next == len(p.text) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(p.text[:next])
	return p.text[next] == '#' && unicode.IsSpace(before)
}

// tag reads a tag, whose '+' has just been passed.
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

// name reads a tag name. Colons at its end are left.
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
	p.errorf(p.pos-1, end, codeNoName, `"+" begins a tag, and no name follows it: write one, such as "+k8s:required"`)
}

// nameColon reports colons after a name. It returns true when they stood where
// "=" belongs and a payload follows.
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
	d := p.errorf(start, end, codeNameColon, `":" does not join a tag and its value: a value follows "=", a comment follows " # "`)
	if strings.IndexFunc(p.text[value:commentStart(p.text, value)], unicode.IsSpace) >= 0 {
		// Several words are as likely an explanation as a value.
		p.silent = true
		return false
	}
	d.Suggest(p.span(start, value), "=", `write "=" for ":"`)
	p.pos = value
	return true
}

// spaceBeforeParen reports white space between a name and "(", and passes it.
func (p *parser) spaceBeforeParen() {
	paren := skipSpace(p.text, p.pos)
	if paren == p.pos || paren == len(p.text) || p.text[paren] != '(' {
		return
	}
	p.errorf(p.pos, paren, codeSpace, `a space before "(" ends the tag, so its arguments would not be read; remove the space`).
		Suggest(p.span(p.pos, paren), "", "remove the space")
	p.pos = paren
}

// equals passes "=" with the white space and the repeats that it was written
// with, reports these, and returns whether there was one.
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
		return true // payload says that nothing follows
	}
	p.pos = next
	written := p.text[start:next]
	switch {
	case count > 1:
		p.errorf(start, next, codeDoubleEquals, `"=" is written %d times; write it once`, count).
			Suggest(p.span(start, next), "=", `write one "="`)
	case written != "=":
		p.errorf(start, next, codeSpace, `a space beside "=" cuts the tag in two; write the value right after "="`).
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
		// A warning, for nothing is lost: published Kubernetes types have such comments.
		p.bag.Warnf(p.span(p.pos, p.pos+2), codeSlashComment, `a comment after a tag begins with "#", not "//"`).
			Suggest(p.span(p.pos, p.pos+2), "#", `write "#" for "//"`)
	case startsChain(text) && end == p.pos && last.Payload == nil:
		p.errorf(p.pos, p.pos+1, codeMissingEquals, `a chained tag follows "=+", not "+"`).
			Suggest(p.span(p.pos, p.pos), "=", `insert "="`)
	case startsChain(text):
		p.errorf(p.pos, stop, codeLeftover, `only one tag can stand on a line: put %s on a line of its own, or chain it with "=+"`, shown(text))
	case last.Payload == nil && end < p.pos && isPlainValue(text):
		p.errorf(p.pos, stop, codeMissingEquals, `%s is not read as the value of the tag: a value follows "="`, shown(text)).
			Suggest(p.span(end, p.pos), "=", `write "=" before the value`)
	case last.Payload != nil && (last.Payload.Kind == Ident || last.Payload.Kind == Int) && end < p.pos:
		p.errorf(p.pos, stop, codeLeftover, `unexpected %s after %s: put a value of several words in quotes, or begin a comment with " # "`, shown(text), shown(last.Payload.Text))
	default:
		p.errorf(p.pos, stop, codeLeftover, `unexpected %s after the tag: remove it, or begin a comment with " # "`, shown(text))
	}
}

// shown returns text as messages quote it: in backquotes if it has double quotes itself.
func shown(text string) string {
	if strings.Contains(text, `"`) && strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// isPlainValue reports whether a text is so clearly one value that it can only
// have been meant as the payload.
func isPlainValue(text string) bool {
	_, isInt := integer(text)
	return isInt || text == "true" || text == "false" || isQuoted(text)
}

// isQuoted reports whether the text is one string in double quotes or backquotes.
func isQuoted(text string) bool {
	return text != "" && (text[0] == '"' || text[0] == '`') && stringEnd(text) == len(text)
}
