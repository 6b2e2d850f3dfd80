package defaulting

import (
	"encoding/json"
	"errors"
	"strings"
)

// ValueKind is a kind of JSON value.
type ValueKind int

// The kinds.
const (
	Null ValueKind = iota
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}

// String returns the kind in words, with its article.
func (k ValueKind) String() string { return kindNames[k] }

// Value is a parsed JSON value that knows where in the text it stands.
type Value struct {
	Kind ValueKind
	// Text is the decoded string, the number as written, or true or false.
	Text    string
	Items   []*Value
	Members []Member
	// Start and End are byte offsets in the parsed text.
	Start, End int
}

// Member is one key of an object, in order of appearance.
type Member struct {
	Key        string
	Start, End int // of the key
	Value      *Value
}

// Member returns the last value with the given key, as decoders do, or nil.
func (v *Value) Member(key string) *Value {
	for i := len(v.Members) - 1; i >= 0; i-- {
		if v.Members[i].Key == key {
			return v.Members[i].Value
		}
	}
	return nil
}

// Parse parses JSON text. The error is about its syntax.
func Parse(text string) (*Value, error) {
	if !json.Valid([]byte(text)) {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			return nil, err
		}
		return nil, errors.New("this is not JSON")
	}
	p := parser{text: text, dec: json.NewDecoder(strings.NewReader(text))}
	p.dec.UseNumber()
	return p.value(), nil
}

// parser reads text that is known to be valid.
type parser struct {
	text string
	dec  *json.Decoder
}

// next returns the next token and its place.
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
		v.Kind, v.Text = String, token
	case json.Delim:
		v.Kind = Array
		if token == '{' {
			v.Kind = Object
		}
		for p.dec.More() {
			if v.Kind == Array {
				v.Items = append(v.Items, p.value())
				continue
			}
			key, keyStart, keyEnd := p.next()
			name, _ := key.(string)
			v.Members = append(v.Members, Member{Key: name, Start: keyStart, End: keyEnd, Value: p.value()})
		}
		_, _, v.End = p.next()
	}
	return v
}

// IsZero reports whether the value is what Go leaves out of JSON as empty: null,
// false, 0, "", or an object of nothing. An empty list or map is not: Go can tell
// it from none.
func (v *Value) IsZero() bool {
	switch v.Kind {
	case Null:
		return true
	case Bool:
		return v.Text == "false"
	case Number:
		return strings.Trim(strings.SplitN(strings.ToLower(v.Text), "e", 2)[0], "-0.") == ""
	case String:
		return v.Text == ""
	case Object:
		return len(v.Members) == 0
	}
	return false
}
