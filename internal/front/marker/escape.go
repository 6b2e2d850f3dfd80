package marker

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape decodes the content [from, to) of a string in double quotes. It reports
// and keeps a backslash that begins no escape.
func (p *parser) unescape(from, to int) string {
	var b strings.Builder
	for from < to {
		if p.text[from] != '\\' {
			b.WriteByte(p.text[from])
			from++
			continue
		}
		decoded, size := unescape(p.text[from:to])
		if size == 0 {
			_, next := utf8.DecodeRuneInString(p.text[from+1 : to])
			p.errorf(from, from+1+next, codeBadEscape, `%s is not an escape; write "\\" for a backslash, or put the string in backquotes`, p.text[from:from+1+next]).
				Suggest(p.span(from, from+1), `\\`, "double the backslash")
			decoded, size = `\`, 1
		}
		b.WriteString(decoded)
		from += size
	}
	return b.String()
}

// simpleEscapes are the one-letter escapes of Go and JSON; simpleDecoded has their
// values, in the same order.
const (
	simpleEscapes = `abfnrtv\'"/`
	simpleDecoded = "\a\b\f\n\r\t\v\\'\"/"
)

// unescape decodes the escape at the beginning of the text. The size is 0 if it is
// not an escape.
func unescape(text string) (decoded string, size int) {
	if len(text) < 2 {
		return "", 0
	}
	if i := strings.IndexByte(simpleEscapes, text[1]); i >= 0 {
		return simpleDecoded[i : i+1], 2
	}
	switch text[1] {
	case 'x':
		if n, ok := digits(text, 2, 2, 16); ok && n <= 0xff {
			return string([]byte{byte(n)}), 4
		}
	case 'u':
		n, ok := digits(text, 2, 4, 16)
		if !ok {
			return "", 0
		}
		r := rune(n)
		if utf8.ValidRune(r) {
			return string(r), 6
		}
		// JSON encodes characters beyond U+FFFF as two escapes.
		if low, ok := digits(text, 8, 4, 16); ok && text[6:8] == `\u` {
			if r := utf16.DecodeRune(r, rune(low)); r != unicode.ReplacementChar {
				return string(r), 12
			}
		}
	case 'U':
		if n, ok := digits(text, 2, 8, 16); ok && n <= unicode.MaxRune && utf8.ValidRune(rune(n)) {
			return string(rune(n)), 10
		}
	default:
		if n, ok := digits(text, 1, 3, 8); ok && n <= 0xff {
			return string([]byte{byte(n)}), 4
		}
	}
	return "", 0
}

// digits reads count digits of the text from start on.
func digits(text string, start, count, base int) (uint64, bool) {
	if len(text) < start+count {
		return 0, false
	}
	n, err := strconv.ParseUint(text[start:start+count], base, 32)
	return n, err == nil
}
