package marker

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
)

// payload parses what follows "=".
func (p *parser) payload() *Value {
	start := p.pos
	first, _ := utf8.DecodeRuneInString(p.rest())
	switch {
	case p.atEnd():
		p.errorf(start-1, start, codeNoValue, `the value after "=" is missing; write a value, or remove "="`)
		return &Value{Span: p.span(start, start)}
	case first == '+' && !startsDigit(p.rest()):
		return p.chain()
	case startsBareTag(p.rest()):
		// No value of a tag looks like this. As text, the rule of the chained tag would
		// be lost.
		p.errorf(start, start+len("k8s:"), codeMissingPlus, `a chained tag begins with "+"`).
			Suggest(p.span(start, start), "+", `insert "+"`)
		return p.chained()
	case first == '"' || first == '`':
		value := p.quoted(false)
		return &value
	case isForeignQuote(first) && p.closesQuote(first):
		value := p.foreignQuoted()
		return &value
	case first == '[' || first == '{':
		value := p.json()
		return &value
	}
	value := p.bare()
	return &value
}

// chain reads a chained tag from its '+'.
func (p *parser) chain() *Value {
	p.pos++
	if name := skipSpace(p.text, p.pos); name > p.pos && startsLetter(p.text[name:]) {
		p.errorf(p.pos, name, codeSpace, `a space after "+" splits the chained tag; write the name directly after "+"`).
			Suggest(p.span(p.pos, name), "", "remove the space")
		p.pos = name
	}
	return p.chained()
}

// chained reads a chained tag from its name.
func (p *parser) chained() *Value {
	start := p.pos
	if strings.HasPrefix(p.rest(), foreign.KubebuilderPrefix) {
		return p.foreign()
	}
	tag := p.tag()
	if tag == nil {
		p.silent = true // the rest is not a tag
		return &Value{Span: p.span(start, start)}
	}
	return &Value{Kind: Chain, Tag: tag, Span: tag.Span}
}

// foreign reads a chained marker of controller-gen, whose text stays as it is.
func (p *parser) foreign() *Value {
	start := p.pos
	name := p.name()
	tag := &Tag{Name: name, NameSpan: p.span(start, p.pos)}
	end := start + len(foreign.WithoutComment(p.rest())) + len(name)
	if p.at('=') && p.pos+1 < end {
		tag.Payload = &Value{Kind: Raw, Text: p.text[p.pos+1 : end], Span: p.span(p.pos+1, end)}
	}
	p.pos = end
	tag.Span = p.span(start-1, end)
	return &Value{Kind: Chain, Tag: tag, Span: tag.Span}
}

// bare parses a payload without quotes or brackets: a word, or raw text.
func (p *parser) bare() Value {
	start := p.pos
	length := prefixLength(p.rest(), func(r rune) bool { return !unicode.IsSpace(r) })
	word := p.rest()[:length]
	simple := word
	if hash := strings.IndexByte(word, '#'); hash > 0 {
		simple = word[:hash]
	}
	// The text after a word distinguishes a mistake from raw text: "5)" is an integer
	// and a superfluous parenthesis, "5,6" is text.
	for _, candidate := range []string{simple, strings.TrimRight(simple, closers)} {
		if value, ok := p.word(candidate); ok {
			if value.Kind == Ident && value.Text == "null" {
				value.Kind = JSON
			}
			return value
		}
		if isJSONNumber(candidate) {
			p.pos += len(candidate)
			return Value{Kind: JSON, Text: candidate, Span: p.span(start, p.pos)}
		}
	}
	if isDigits(simple) { // such as 09: an integer except for its leading zero
		p.pos += len(simple)
		p.badInteger(start, p.pos)
		return Value{Span: p.span(start, p.pos)}
	}
	p.pos = commentStart(p.text, start)
	return Value{Kind: Raw, Text: p.text[start:p.pos], Span: p.span(start, p.pos)}
}

// isJSONNumber reports whether the text is a number as JSON writes it.
func isJSONNumber(text string) bool {
	return startsDigit(text) && json.Valid([]byte(text))
}

// startsBareTag reports whether a text begins with the name of a tag, without its '+'.
func startsBareTag(text string) bool {
	name, ok := strings.CutPrefix(text, "k8s:")
	return ok && startsLetter(name)
}
