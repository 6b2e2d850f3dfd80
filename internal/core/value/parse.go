package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// What is the kind of a problem: the second half of a diagnostic's code.
type What string

// The kinds of problems.
const (
	NotJSON      What = "not-json"
	DuplicateKey What = "duplicate-key"
	WrongType    What = "wrong-type"
	OutOfRange   What = "out-of-range"
	UnknownField What = "unknown-field"
	BadValue     What = "bad-value"
	NoLiteral    What = "no-literal"
)

// Problem is a mistake in a part of a value.
type Problem struct {
	// Start and End are byte offsets in the value's text.
	Start, End int
	What       What
	// Message describes the mistake and what to write instead.
	Message string
}

// Parse parses JSON text. If the text is not JSON, the value is nil and this is the
// only problem. The other problems are repeated keys of objects.
func Parse(text string) (*Value, []Problem) {
	if !json.Valid([]byte(text)) {
		return nil, []Problem{syntaxProblem(text)}
	}
	p := parser{text: text, dec: json.NewDecoder(strings.NewReader(text))}
	p.dec.UseNumber()
	v := p.value()
	return v, p.problems
}

func syntaxProblem(text string) Problem {
	p := Problem{End: len(text), What: NotJSON, Message: "unexpected end of JSON input"}
	var v any
	err := json.Unmarshal([]byte(text), &v)
	if err != nil {
		p.Message = err.Error()
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 && int(syntax.Offset) <= len(text) && !strings.HasPrefix(p.Message, "unexpected end") {
		p.Start, p.End = int(syntax.Offset)-1, int(syntax.Offset)
	}
	return p
}

// parser reads valid JSON.
type parser struct {
	text     string
	dec      *json.Decoder
	problems []Problem
}

// next returns the next token and its offsets.
func (p *parser) next() (token json.Token, start, end int) {
	start = int(p.dec.InputOffset())
	for start < len(p.text) && strings.IndexByte(" \t\r\n,:", p.text[start]) >= 0 {
		start++
	}
	token, _ = p.dec.Token()
	return token, start, int(p.dec.InputOffset())
}

func (p *parser) value() *Value {
	token, start, end := p.next()
	v := &Value{Start: start, End: end}
	switch token := token.(type) {
	case bool:
		v.Kind, v.Text = Bool, p.text[start:end]
	case json.Number:
		v.Kind, v.Text = Number, token.String()
	case string:
		v.Kind, v.Text, v.raw = String, token, p.text[start:end]
	case json.Delim:
		if token == '{' {
			p.object(v)
		} else {
			p.array(v)
		}
		_, _, v.End = p.next()
	}
	return v
}

func (p *parser) array(v *Value) {
	v.Kind = Array
	for p.dec.More() {
		v.Items = append(v.Items, p.value())
	}
}

func (p *parser) object(v *Value) {
	v.Kind = Object
	seen := map[string]bool{}
	for p.dec.More() {
		token, start, end := p.next()
		key, _ := token.(string)
		if seen[key] {
			p.problems = append(p.problems, duplicateKey(start, end, key))
		}
		seen[key] = true
		v.Members = append(v.Members, Member{Key: key, Start: start, End: end, Value: p.value(), raw: p.text[start:end]})
	}
}

func duplicateKey(start, end int, key string) Problem {
	return Problem{start, end, DuplicateKey, fmt.Sprintf("the key %q is repeated; remove one", key)}
}
