package marker

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// smartDouble and smartSingle are the typographic forms of " and '.
	smartDouble = "“”„‟″"
	smartSingle = "‘’‚‛′"
	// argStops are the characters, besides white space, that end a bare word in an
	// argument list.
	argStops = ",():=\"'`#[]{}" + smartDouble + smartSingle
	// closers are closing characters without an opening one, and punctuation of
	// sentences; no value ends in them.
	closers = ")]}\"'`,;" + smartDouble + smartSingle
)

func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// isNamePart reports whether r may be part of a tag name.
func isNamePart(r rune) bool { return r == ':' || r != '/' && isIdentPart(r) }

// isIdentPart reports whether r may be part of an identifier.
func isIdentPart(r rune) bool {
	return isLetter(r) || unicode.IsDigit(r) || r == '-' || r == '.' || r == '/'
}

// isIdent reports whether the whole text is an identifier.
func isIdent(text string) bool {
	return startsLetter(text) && prefixLength(text, isIdentPart) == len(text)
}

// startsLetter reports whether the text begins with a letter.
func startsLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isLetter(r)
}

// startsDigit reports whether the text begins with an ASCII digit, after an optional
// sign.
func startsDigit(text string) bool {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	return text != "" && '0' <= text[0] && text[0] <= '9'
}

// startsChain reports whether the text begins a chained tag: '+' and a letter.
func startsChain(text string) bool {
	return strings.HasPrefix(text, "+") && startsLetter(text[1:])
}

// prefixLength returns the length of the text's longest prefix of accepted
// characters, in bytes.
func prefixLength(text string, ok func(rune) bool) int {
	for i, r := range text {
		if !ok(r) {
			return i
		}
	}
	return len(text)
}

// skipSpace returns the offset of the first character from pos on that is not white
// space.
func skipSpace(text string, pos int) int {
	return pos + prefixLength(text[pos:], unicode.IsSpace)
}

// commentStart returns the offset of the white space before a trailing comment,
// from pos on, or the length of the text. It does not look into strings.
func commentStart(text string, pos int) int {
	space := -1
	for i, r := range text[pos:] {
		switch {
		case r == '#' && space >= 0:
			return pos + space
		case !unicode.IsSpace(r):
			space = -1
		case space < 0:
			space = i
		}
	}
	return len(text)
}
