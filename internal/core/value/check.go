package value

import (
	"go/token"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Written is a value in source: its JSON text and its position.
type Written struct {
	Text string
	// Span is the position of the text, or of a Go string with the text.
	Span source.Span
	// Const is the name of the constant whose value the text is, if Span is a
	// reference to it.
	Const string
}

// At converts offsets in the text to a span.
func (w Written) At(start, end int) source.Span {
	written := w.Span.Text()
	if w.Const != "" || w.Text == "" {
		return w.Span
	}
	if at := strings.LastIndex(written, w.Text); at >= 0 {
		return w.Span.Sub(at+start, at+end)
	}
	if from, to, ok := quotedOffsets(written, w.Text, start, end); ok {
		return w.Span.Sub(from, to)
	}
	return w.Span
}

// quotedOffsets converts offsets in a text to offsets in the double-quoted Go string
// with the text.
func quotedOffsets(written, text string, start, end int) (from, to int, ok bool) {
	if unquoted, err := strconv.Unquote(written); err != nil || unquoted != text {
		return 0, 0, false
	}
	rest, pos := written[1:], 0
	for pos <= end {
		if pos <= start {
			from = len(written) - len(rest)
		}
		to = len(written) - len(rest)
		if pos == end {
			break
		}
		r, _, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			return 0, 0, false
		}
		pos += len(string(r))
		rest = tail
	}
	return from, to, true
}

// NewCodes declares the codes of one owner for mistakes in values. The pages for values that are
// not JSON or have no Go literal are given.
func NewCodes(set *diag.Codes, owner, notJSON, noLiteral string) map[What]diag.Code {
	codes := map[What]diag.Code{}
	for _, c := range []struct {
		what What
		page string
	}{
		{NotJSON, notJSON},
		{DuplicateKey, "The value has a duplicate key."},
		{WrongType, "The value's JSON type does not fit the field's Go type."},
		{OutOfRange, "The number does not fit the field's Go type."},
		{UnknownField, "The struct has no field for a key of the value."},
		{BadValue, "The type cannot parse the value, such as a quantity, a time or base64 text."},
		{NoLiteral, noLiteral},
	} {
		of := set
		if c.what == NoLiteral {
			of = set.For(diag.Defaults | diag.Conversion) // which are the parts with Go literals
		}
		codes[c.what] = of.New(owner+"/"+string(c.what), c.page)
	}
	return codes
}

// Checker reports the problems of values that authors write.
type Checker struct {
	Model *model.Model
	Bag   *diag.Bag
	// Codes are the codes of the diagnostics.
	Codes map[What]diag.Code
	// Else is the alternative to JSON, such as "ref(<constant>)".
	Else string
	// NoLiteral is the advice for a type with custom JSON. Unless GoOnly is set, this is a warning:
	// the schema can have the value.
	NoLiteral string
	GoOnly    bool
}

// Check returns the value if it fits the type. Otherwise it reports all mistakes and returns nil.
func (c Checker) Check(r *model.Ref, w Written) *Value {
	v, problems := Parse(w.Text)
	if v != nil {
		problems = append(problems, Fit(c.Model, r, v)...)
	}
	for _, p := range problems {
		report, message := c.Bag.Errorf, p.Message
		switch p.What {
		case NotJSON:
			message = "the default is neither JSON nor " + c.Else + ": " + message
		case NoLiteral:
			message += "; " + c.NoLiteral
			if !c.GoOnly {
				report = c.Bag.Warnf
			}
		}
		if w.Const != "" {
			message = w.Const + " is " + w.Text + ": " + message
		}
		d := report(w.At(p.Start, p.End), c.Codes[p.What], "%s", message)
		if p.What == NotJSON && !strings.HasPrefix(w.Text, `"`) && isText(c.Model, r) {
			d.Note(w.Span, "a JSON string needs its own quotes: %q", strconv.Quote(w.Text))
		}
		if d.Severity == diag.Error {
			v = nil
		}
	}
	return v
}

// isText reports whether the JSON of a type is a string.
func isText(m *model.Model, r *model.Ref) bool {
	if r = Pointee(m, r); r == nil {
		return false
	}
	u := Underlying(m, r)
	return u.IsString() || u.IsBytes()
}

// NamesFunction reports whether the text of a default is the name of a function.
// Otherwise it is JSON.
func NamesFunction(text string) bool {
	return token.IsIdentifier(text) && text != "true" && text != "false" && text != "null"
}
