package marker

import (
	"math/big"
	"strconv"
	"strings"
)

// word parses the given text, which comes next, as an integer, a boolean or an
// identifier. It does nothing and returns false if the text is none of these.
func (p *parser) word(text string) (Value, bool) {
	value := Value{Text: text}
	digits, isInt := integer(text)
	switch {
	case isInt:
		value.Kind, value.Text = Int, digits
	case text == "true" || text == "false":
		value.Kind = Bool
	case isIdent(text):
		value.Kind = Ident
	default:
		return Value{}, false
	}
	start := p.pos
	p.pos += len(text)
	value.Span = p.span(start, p.pos)
	if unsigned := strings.TrimLeft(text, "+-"); isInt && isDigits(text) && len(unsigned) > 1 && unsigned[0] == '0' {
		p.bag.Warnf(value.Span, codeOctal, "%s is octal, that is %s: write %s, or %s", text, digits, digits, decimal(text))
	}
	return value, true
}

// integer returns an integer literal of Go, with an optional sign and without
// underscores, in decimal.
func integer(text string) (string, bool) {
	if !startsDigit(text) || strings.Contains(text, "_") {
		return "", false
	}
	n, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return "", false
	}
	return n.String(), true
}

// isDigits reports whether the text is decimal digits after an optional sign.
func isDigits(text string) bool {
	return startsDigit(text) && strings.Trim(text[1:], "0123456789") == ""
}

// decimal removes leading zeros.
func decimal(text string) string {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return text
	}
	return n.String()
}

// badInteger reports text that begins like an integer but is not one.
func (p *parser) badInteger(start, end int) {
	text := p.text[start:end]
	if isDigits(text) {
		p.errorf(start, end, codeBadInteger, "%s is not an integer: a leading 0 makes it octal; write %s", text, decimal(text)).
			Suggest(p.span(start, end), decimal(text), "remove the leading 0")
		return
	}
	if number := strings.ReplaceAll(text, "_", ""); isDigits(number) {
		p.errorf(start, end, codeBadInteger, "%s is not an integer; write it without separators", text).
			Suggest(p.span(start, end), decimal(number), "write %s", decimal(number))
		return
	}
	p.errorf(start, end, codeBadInteger, "%s is not an integer; put text in double quotes", text).
		Suggest(p.span(start, end), strconv.Quote(text), "put it in quotes")
}
