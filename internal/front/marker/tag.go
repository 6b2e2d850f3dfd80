package marker

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Tag is a marker parsed with the tag grammar.
type Tag struct {
	// Name is the tag's name with all its parts: "k8s:maxLength".
	Name     string
	NameSpan source.Span
	// Span is the whole tag with its chained tags, from '+', without a trailing
	// comment.
	Span source.Span
	// Args are the arguments in source order. If Parse reported nothing, they are all
	// named with different names, or a single positional one.
	Args []Arg
	// Payload is what follows '='; nil when there is no '='.
	Payload *Value
}

// Arg is one argument of a tag.
type Arg struct {
	// Name is empty for a positional argument.
	Name     string
	NameSpan source.Span
	Value    Value
}

// Kind is the syntax of a value.
type Kind int

const (
	// None is an unreadable value. Parse has reported it; do not report it again.
	None Kind = iota
	// String is text in quotes.
	String
	// Int is an integer, of any size.
	Int
	// Bool is true or false.
	Bool
	// Ident is a bare word: NoSet, k8s-short-name.
	Ident
	// JSON is an array, an object, null, or a number that is not an integer.
	JSON
	// Raw is any other text after '='.
	Raw
	// Chain is a tag after "=+".
	Chain
)

// kindNames are the names of kinds in messages.
var kindNames = [...]string{
	None: "nothing", String: "string", Int: "integer", Bool: "boolean",
	Ident: "identifier", JSON: "JSON", Raw: "text", Chain: "tag",
}

// String returns the name of the kind in messages: "string", "integer", "boolean",
// "identifier", "JSON", "text", "tag"; "nothing" for None.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
	return kindNames[k]
}

// Value is the value of an argument, or a payload.
type Value struct {
	Kind Kind
	// Text is the decoded string, the integer in decimal, "true" or "false", the
	// identifier, the JSON text, or the raw text; empty for None and Chain.
	Text string
	// Tag is the tag after "=+" of a Chain.
	Tag *Tag
	// Span is the value as written, with its quotes; of a Chain, that of its tag.
	Span source.Span
}

// Chained returns the tag after "=+", or nil.
func (t *Tag) Chained() *Tag {
	if t.Payload == nil {
		return nil
	}
	return t.Payload.Tag
}

// unreadable represents an unreadable argument in String.
const unreadable = "?"

// String returns the tag in its canonical spelling, without '+': strings in
// double quotes, integers in decimal, one space after each colon and comma. It
// parses to the same tag.
func (t *Tag) String() string {
	var b strings.Builder
	t.print(&b)
	return b.String()
}

func (t *Tag) print(b *strings.Builder) {
	b.WriteString(t.Name)
	for i, arg := range t.Args {
		if i == 0 {
			b.WriteByte('(')
		} else {
			b.WriteString(", ")
		}
		if arg.Name != "" {
			b.WriteString(arg.Name + ": ")
		}
		if arg.Value.Kind == None {
			b.WriteString(unreadable)
		}
		arg.Value.print(b)
	}
	if len(t.Args) > 0 {
		b.WriteByte(')')
	}
	if t.Payload != nil {
		b.WriteByte('=')
		t.Payload.print(b)
	}
}

func (v *Value) print(b *strings.Builder) {
	switch v.Kind {
	case String:
		b.WriteString(strconv.Quote(v.Text))
	case Chain:
		b.WriteByte('+')
		v.Tag.print(b)
	default:
		b.WriteString(v.Text)
	}
}
