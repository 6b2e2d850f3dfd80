package marker

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Outline is where the parts of a tag are in a text, for editors: also of a tag that is half-written. It says nothing of
// mistakes. Offsets are those of bytes in the text that ReadOutline got.
type Outline struct {
	// Name is the name after '+', which may be empty.
	Name Token
	// Args are the arguments in source order; the last one may be empty.
	Args []OutlineArg
	// Open and Close are the offsets of the parentheses, -1 for one that is not there.
	Open, Close int
	// Payload is what follows '=', unless it is a tag; nil if there is no '='.
	Payload *Token
	// Inner is the tag after "=+"; nil if there is none.
	Inner *Outline
}

// OutlineArg is an argument. One without a colon has no name.
type OutlineArg struct {
	Name  *Token
	Value Token
}

// Token is a word or a string.
type Token struct {
	// Start and End include quotes.
	Start, End int
	// Text is the decoded text, or what is written if it cannot be decoded.
	Text string
	// Quote is the quote before the text, 0 for a word. Open is set if the quote at the end is missing.
	Quote byte
	Open  bool
}

// Has reports whether a cursor at an offset is in the token or at one of its ends.
func (t Token) Has(offset int) bool { return t.Start <= offset && offset <= t.End }

// ReadOutline returns the parts of the tag whose name begins at an offset of a text, after the '+'. The text ends where the
// line ends.
func ReadOutline(text string, start int) *Outline {
	return (&outliner{text: text, pos: start}).tag()
}

type outliner struct {
	text string
	pos  int
}

func (o *outliner) at(c byte) bool { return o.pos < len(o.text) && o.text[o.pos] == c }

func (o *outliner) skip() { o.pos = skipSpace(o.text, o.pos) }

func (o *outliner) tag() *Outline {
	start := o.pos
	o.pos += prefixLength(o.text[start:], isNamePart)
	out := &Outline{Name: Token{Start: start, End: o.pos, Text: o.text[start:o.pos]}, Open: -1, Close: -1}
	if o.at('(') {
		o.args(out)
	}
	if !o.at('=') {
		return out
	}
	o.pos++
	if o.at('+') && !startsDigit(o.text[o.pos:]) {
		o.pos++
		out.Inner = o.tag()
		return out
	}
	payload := o.payload()
	out.Payload = &payload
	return out
}

// args reads arguments up to ")" or the end of the text.
func (o *outliner) args(out *Outline) {
	out.Open = o.pos
	o.pos++
	for {
		o.skip()
		arg := OutlineArg{Value: o.word()}
		next := skipSpace(o.text, o.pos)
		if next < len(o.text) && o.text[next] == ':' {
			name := arg.Value
			arg.Name = &name
			o.pos = next + 1
			if after := skipSpace(o.text, o.pos); after < len(o.text) && !strings.ContainsRune(",)", rune(o.text[after])) {
				o.pos = after
			}
			arg.Value = o.word()
		}
		out.Args = append(out.Args, arg)
		o.junk()
		switch {
		case o.at(','):
			o.pos++
		case o.at(')'):
			out.Close = o.pos
			o.pos++
			return
		default:
			return
		}
	}
}

// junk skips up to the next "," or ")". If there is none, the list ends before "=".
func (o *outliner) junk() {
	for o.pos < len(o.text) && !o.at(',') && !o.at(')') {
		if o.at('=') && !strings.Contains(o.text[o.pos:], ")") {
			return
		}
		_, size := utf8.DecodeRuneInString(o.text[o.pos:])
		o.pos += size
	}
}

// word reads a string, or what ends before white space or a sign. It may be empty.
func (o *outliner) word() Token {
	if o.at('"') || o.at('`') {
		return o.quoted(",)")
	}
	start := o.pos
	o.pos += prefixLength(o.text[start:], func(r rune) bool { return !unicode.IsSpace(r) && !strings.ContainsRune(argStops, r) })
	return Token{Start: start, End: o.pos, Text: o.text[start:o.pos]}
}

// payload reads the value after '='.
func (o *outliner) payload() Token {
	if o.at('"') || o.at('`') {
		return o.quoted("")
	}
	start := o.pos
	o.pos = commentStart(o.text, start)
	return Token{Start: start, End: o.pos, Text: o.text[start:o.pos]}
}

// quoted reads a string. Without a quote at its end, it ends before one of the given characters, or with the text.
func (o *outliner) quoted(stops string) Token {
	start := o.pos
	t := Token{Start: start, Quote: o.text[start]}
	if length := stringEnd(o.text[start:]); length > 0 {
		o.pos += length
		t.End, t.Text = o.pos, o.text[start+1:o.pos-1]
		if text, err := strconv.Unquote(o.text[start:o.pos]); err == nil {
			t.Text = text
		}
		return t
	}
	length := strings.IndexAny(o.text[start+1:], stops)
	if length < 0 || stops == "" {
		length = len(o.text) - start - 1
	}
	o.pos += 1 + length
	t.End, t.Text, t.Open = o.pos, o.text[start+1:o.pos], true
	return t
}

// LineAt returns the text after '+' of the line of a comment that has an offset of the file, if the line begins like a
// marker. The span is the raw source of one comment group.
func LineAt(s source.Span, offset int) (source.Span, bool) {
	text := s.Text()
	offset -= s.Start
	for _, c := range comments(text) {
		for _, l := range c.lines {
			plus := l.start + skipSpace(text[l.start:l.end], 0)
			if offset <= plus || l.end < offset || text[plus] != '+' {
				continue
			}
			end := plus + len(strings.TrimRight(text[plus:l.end], "\r"))
			if plus+1 < end && !startsLetter(text[plus+1:end]) {
				return source.Span{}, false // a number or a bullet
			}
			return s.Sub(plus+1, end), true
		}
	}
	return source.Span{}, false
}
