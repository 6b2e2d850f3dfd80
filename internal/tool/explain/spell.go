package explain

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// usage returns the syntax of a tag: +k8s:unionMember(union: <string>).
func usage(d *tag.Definition) string {
	s := "+" + d.Name
	var args []string
	for _, a := range d.Args {
		text := placeholder(a.Kinds)
		if a.Name != "" {
			text = a.Name + ": " + text
		}
		args = append(args, text)
	}
	if len(args) > 0 {
		s += "(" + strings.Join(args, ", ") + ")"
	}
	switch p := d.Payload; {
	case p.Tag:
		s += "=+<tag>"
	case len(p.Values) > 0 && len(p.Values) <= 4:
		s += "=" + strings.Join(p.Values, "|")
	case len(p.Kinds) > 0:
		s += "=" + placeholder(p.Kinds)
	}
	return s
}

// kindNames are the kinds of values in words and in angle brackets.
var kindNames = []struct {
	kind        model.ValueKind
	words, hole string
}{
	{model.StringValue, "a string", "string"},
	{model.IntValue, "an integer", "integer"},
	{model.BoolValue, "true or false", "bool"},
	{model.IdentValue, "a word", "word"},
	{model.JSONValue, "JSON", "JSON"},
	{model.RawValue, "text", "text"},
}

func placeholder(kinds []model.ValueKind) string {
	if len(kinds) > 2 {
		return "<value>"
	}
	var holes []string
	for _, n := range kindNames {
		for _, k := range kinds {
			if k == n.kind {
				holes = append(holes, n.hole)
			}
		}
	}
	return "<" + strings.Join(holes, "|") + ">"
}

func inWords(kinds []model.ValueKind) string {
	var words []string
	for _, n := range kindNames {
		for _, k := range kinds {
			if k == n.kind {
				words = append(words, n.words)
			}
		}
	}
	return english.Or(words)
}

// argument describes one argument.
func argument(a tag.Arg) string {
	s := inWords(a.Kinds)
	if a.Name != "" {
		s = a.Name + ": " + s
	}
	if a.Required {
		s += ", required"
	}
	return s + " — " + a.Doc + oneOf(a.Values)
}

// oneOf lists the values that are allowed, if there are only a few.
func oneOf(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return " (one of " + strings.Join(values, ", ") + ")"
}

// payload describes the value after '='; "" if the tag has none.
func payload(p tag.Payload) string {
	var s string
	switch {
	case p.Tag:
		s = "a tag"
	case len(p.Kinds) > 0:
		s = inWords(p.Kinds)
	default:
		return ""
	}
	if p.Optional {
		s += ", optional"
	}
	if p.Doc != "" {
		s += " — " + p.Doc
	}
	return s + oneOf(p.Values)
}

// reports names the tag's validation error; "" if it has none.
func reports(d *tag.Definition) string {
	if d.ErrorType == "" {
		return ""
	}
	if d.Origin == "" {
		return d.ErrorType
	}
	return d.ErrorType + ", origin `" + d.Origin + "`"
}

// answer is the support of a tag in a back-end.
type answer struct {
	// Answer is output, elsewhere or unsupported.
	Answer string `json:"answer"`
	// Note says where the effect is, or why the tag is not supported.
	Note string `json:"note,omitempty"`
}

// The answers.
const (
	output      = "output"
	elsewhere   = "elsewhere"
	unsupported = "unsupported"
)

// String returns the answer in words.
func (a answer) String() string {
	switch a.Answer {
	case output:
		return "yes"
	case elsewhere:
		return "elsewhere: " + a.Note
	default:
		return "no: " + a.Note
	}
}

// answerOf returns a tag's support in a back-end: nil means that the rules determine it.
func answerOf(d *tag.Definition, a tag.Answer) answer {
	switch a := a.(type) {
	case tag.Elsewhere:
		return answer{elsewhere, string(a)}
	case tag.Unsupported:
		return answer{unsupported, string(a)}
	}
	if d.Lower != nil {
		return answer{Answer: output}
	}
	return answer{unsupported, "not answered"}
}
