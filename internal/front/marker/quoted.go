package marker

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// stringEnd returns the length of the string in double quotes or backquotes at the
// beginning of the text, or 0 if it does not end.
func stringEnd(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return i + 1
		case text[i] == '\\' && quote == '"':
			i++
		}
	}
	return 0
}

// quoted reads a string in double quotes or backquotes.
func (p *parser) quoted(inArgs bool) Value {
	start := p.pos
	if end := stringEnd(p.rest()); end > 0 {
		p.pos += end
		return p.stringValue(start, start+1, p.pos-1, p.text[start] == '"')
	}
	return p.unclosedString(inArgs)
}

// stringValue returns the String that is written from start to pos and has its
// content at [from, to).
func (p *parser) stringValue(start, from, to int, escapes bool) Value {
	text := p.text[from:to]
	if escapes {
		text = p.unescape(from, to)
	}
	return Value{Kind: String, Text: text, Span: p.span(start, p.pos)}
}

// unclosedString reports a string without an end. If the end is certain, it reads the
// string and offers the fix; else it skips the rest of the marker.
func (p *parser) unclosedString(inArgs bool) Value {
	start := p.pos
	quote := p.text[start : start+1]
	rest := p.text[start+1:]
	length := len(rest)
	certain := commentStart(rest, 0) == len(rest)
	if inArgs {
		// The quote is missing after the first word if the argument also ends there.
		length = prefixLength(rest, isIdentPart)
		after := start + 1 + length
		certain = length > 0 && after < len(p.text) && strings.IndexByte(",)", p.text[after]) >= 0
	}
	if smart := strings.IndexAny(rest, smartDouble); smart >= 0 && quote == `"` {
		_, size := utf8.DecodeRuneInString(rest[smart:])
		p.pos = start + 1 + smart + size
		p.errorf(p.pos-size, p.pos, codeQuotes, "a string ends in a straight quote; write \" for %s", rest[smart:smart+size]).
			Suggest(p.span(p.pos-size, p.pos), quote, "write a straight quote")
		return p.stringValue(start, start+1, p.pos-size, true)
	}
	d := p.errorf(start, start+1, codeUnclosedString, "this string is not closed; write %s at its end", quote)
	if !certain {
		p.pos = len(p.text)
		p.silent = true
		return Value{Span: p.span(start, p.pos)}
	}
	p.pos = start + 1 + length
	d.Suggest(p.span(p.pos, p.pos), quote, "close the string")
	return p.stringValue(start, start+1, p.pos, quote == `"`)
}

// isForeignQuote reports whether r is a quote that Go strings do not use: a single or
// a typographic quote.
func isForeignQuote(r rune) bool {
	return r == '\'' || strings.ContainsRune(smartDouble+smartSingle, r)
}

// foreignQuoteEnd returns the offsets at which the content and the string end, for a
// string that begins with a foreign quote. The latter is 0 if it does not end.
func foreignQuoteEnd(text string) (content, end int) {
	open, size := utf8.DecodeRuneInString(text)
	closing := "'" + smartSingle
	if strings.ContainsRune(smartDouble, open) {
		closing = `"` + smartDouble
	}
	i := strings.IndexAny(text[size:], closing)
	if i < 0 {
		return 0, 0
	}
	_, closeSize := utf8.DecodeRuneInString(text[size+i:])
	return size + i, size + i + closeSize
}

// closesQuote reports whether a payload that begins with a foreign quote is a string:
// a single quote without an end is an apostrophe.
func (p *parser) closesQuote(first rune) bool {
	_, end := foreignQuoteEnd(p.rest())
	return end > 0 || strings.ContainsRune(smartDouble, first)
}

// foreignQuoted parses and reports a string in single or typographic quotes.
func (p *parser) foreignQuoted() Value {
	start := p.pos
	first, size := utf8.DecodeRuneInString(p.rest())
	content, end := foreignQuoteEnd(p.rest())
	if end == 0 {
		p.errorf(start, start+size, codeQuotes, "write strings in double quotes; this one is also not closed: write \"…\"")
		p.pos = len(p.text)
		p.silent = true
		return Value{Span: p.span(start, p.pos)}
	}
	p.pos += end
	text := p.text[start+size : start+content]
	what := "typographic"
	if first == '\'' {
		what = "single"
	}
	d := p.errorf(start, p.pos, codeQuotes, "write strings in double quotes, not in %s quotes", what)
	if !strings.Contains(text, `\`) { // the meaning of backslashes is not certain
		d.Suggest(p.span(start, p.pos), strconv.Quote(text), "write double quotes")
	}
	return Value{Kind: String, Text: text, Span: p.span(start, p.pos)}
}
