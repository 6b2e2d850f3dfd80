package model

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Tag is a use of a tag: its name, arguments and payload.
type Tag struct {
	Name string `json:"name"`
	// Role is the meaning of the tag for the shape of the API; "" for tags that are only rules.
	Role     Role        `json:"role,omitempty"`
	NameSpan source.Span `json:"-"`
	Span     source.Span `json:"span"`
	Args     []Arg       `json:"args,omitempty"`
	Payload  *Value      `json:"payload,omitempty"`
	// Inner is the tag that a nesting tag applies, as in eachVal=+maxLength=3.
	Inner *Tag `json:"inner,omitempty"`
	// At selects the node that the inner tag applies to.
	At At `json:"at,omitempty"`
	// Until is the last version in which the tag applies, "" for no limit.
	Until string `json:"until,omitempty"`
	// Comma is set on a tag whose arguments are written +name=value,flag.
	Comma bool `json:"comma,omitempty"`
}

// Arg is one argument; a positional one has no name.
type Arg struct {
	Name string `json:"name,omitempty"`
	// NameRef is the resolved reference of a name that authors choose; nil if it does not resolve.
	NameRef *Reference `json:"nameRef,omitempty"`
	Value   Value      `json:"value"`
	// Span is the name, or the value of an argument without a name.
	Span source.Span `json:"-"`
}

// ValueKind is the syntactic kind of a value.
type ValueKind string

// The kinds of values.
const (
	StringValue ValueKind = "string"
	IntValue    ValueKind = "int"
	BoolValue   ValueKind = "bool"
	IdentValue  ValueKind = "ident"
	JSONValue   ValueKind = "json"
	RawValue    ValueKind = "raw"
)

// Value is an argument's or a payload's value.
type Value struct {
	Kind ValueKind `json:"kind"`
	Text string    `json:"text"`
	// Ref is the resolved reference of the value; nil for plain values and if it does not resolve.
	Ref  *Reference  `json:"ref,omitempty"`
	Span source.Span `json:"-"`
}

// Arg returns the argument with the given name ("" for the positional one), or nil.
func (c *Tag) Arg(name string) *Value {
	for i := range c.Args {
		if c.Args[i].Name == name {
			return &c.Args[i].Value
		}
	}
	return nil
}

// ArgText returns the text of the argument with the given name, or "".
func (c *Tag) ArgText(name string) string {
	if v := c.Arg(name); v != nil {
		return v.Text
	}
	return ""
}

// SameArgs reports whether two tags have the same arguments, in any order.
func (c *Tag) SameArgs(other *Tag) bool {
	for _, a := range c.Args {
		if v := other.Arg(a.Name); v == nil || v.Text != a.Value.Text {
			return false
		}
	}
	return len(c.Args) == len(other.Args)
}

// Text returns the payload's text, or "".
func (c *Tag) Text() string {
	if c.Payload == nil {
		return ""
	}
	return c.Payload.Text
}

// ShortName returns the name without its prefix.
func (c *Tag) ShortName() string {
	_, name, ok := strings.Cut(c.Name, ":")
	if !ok {
		return c.Name
	}
	return name
}

// Describe returns a tag as written: "+k8s:maxLength=63".
func (c *Tag) Describe() string {
	s := "+" + c.Name
	if c.Comma {
		for _, a := range c.Args {
			if a.Value.Kind == BoolValue {
				s += "," + a.Name
			} else {
				s += "=" + a.Value.Text
			}
		}
		return s
	}
	if len(c.Args) > 0 {
		parts := make([]string, len(c.Args))
		for i, a := range c.Args {
			parts[i] = a.Value.spelled()
			if a.Name != "" {
				parts[i] = a.Name + ": " + parts[i]
			}
		}
		s += "(" + strings.Join(parts, ", ") + ")"
	}
	switch {
	case c.Inner != nil:
		s += "=" + c.Inner.Describe()
	case c.Payload != nil:
		s += "=" + c.Payload.spelled()
	}
	return s
}

func (v *Value) spelled() string {
	if v.Kind == StringValue {
		return strconv.Quote(v.Text)
	}
	return v.Text
}
