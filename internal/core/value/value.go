// Package value relates JSON values to Go types. It parses values, checks whether
// they fit a type, renames them for another version, compares them, and prints them
// as CEL. Package goliteral prints them as Go.
//
// [Parse] reads a text to a [Value], and [Fit] compares it with a type; both return the mistakes as [Problem] values.
// [Rename], [Zero], [Equal] and [Compare] work on values, [Expr] prints them.
//
// A value comes from source, with the offsets of each part for diagnostics, or from
// a type. Numbers keep the digits that the author wrote; they are rounded only to
// the precision of a type.
//
// One Checker checks defaults of all kinds. One table describes types with their
// own JSON encoding, such as quantities and times.
package value

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Kind is a kind of JSON value.
type Kind int

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}

// String returns the kind in words, with its article.
func (k Kind) String() string { return kindNames[k] }

// Value is a JSON value.
type Value struct {
	Kind Kind
	// Text is the decoded string, the number as written, or true or false.
	Text    string
	Items   []*Value
	Members []Member
	// Start and End are byte offsets in the parsed text.
	Start, End int

	// raw is a string as written, quotes and escapes included; empty if the
	// string was not parsed.
	raw string
}

// Member is one key of an object.
type Member struct {
	Key        string
	Start, End int // of the key
	Value      *Value

	raw string
}

// OfString returns a string.
func OfString(text string) *Value { return &Value{Kind: String, Text: text} }

// OfConst returns the value of a constant.
func OfConst(c *model.Const) *Value {
	switch {
	case c.IsString:
		return OfString(c.Value)
	case c.Value == "true" || c.Value == "false":
		return &Value{Kind: Bool, Text: c.Value}
	}
	text := c.Value
	if r, ok := new(big.Rat).SetString(text); ok && !r.IsInt() { // the model has exact fractions: 3/2
		f, _ := r.Float64()
		text = strconv.FormatFloat(f, 'g', -1, 64)
	}
	return &Value{Kind: Number, Text: text}
}

// Member returns the value of the last member with the given key, as decoders
// do, or nil.
func (v *Value) Member(key string) *Value {
	for i := len(v.Members) - 1; i >= 0; i-- {
		if v.Members[i].Key == key {
			return v.Members[i].Value
		}
	}
	return nil
}

// JSON returns the value as compact JSON. Numbers and strings that were parsed
// are spelled as they were written.
func (v *Value) JSON() string {
	var b strings.Builder
	v.print(&b)
	return b.String()
}

func (v *Value) print(b *strings.Builder) {
	switch v.Kind {
	case Null:
		b.WriteString("null")
	case Bool, Number:
		b.WriteString(v.Text)
	case String:
		b.WriteString(spelled(v.raw, v.Text))
	case Array:
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.print(b)
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		for i, m := range v.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(spelled(m.raw, m.Key))
			b.WriteByte(':')
			m.Value.print(b)
		}
		b.WriteByte('}')
	}
}

// spelled returns a string as written, or, if it was not parsed, as JSON.
func spelled(raw, text string) string {
	if raw != "" {
		return raw
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return `""` // a Go string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}
