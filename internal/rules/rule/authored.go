package rule

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// CEL is an author's CEL rule, with its meaning in a published schema.
type CEL struct {
	// Rule is the source of the expression, Tree the parsed expression, nil if it does not parse.
	Rule string    `json:"rule"`
	Tree expr.Tree `json:"tree"`
	// Message is the text of the error. MessageExpression computes it.
	Message           string    `json:"message,omitempty"`
	MessageExpression string    `json:"messageExpression,omitempty"`
	MessageTree       expr.Tree `json:"messageTree,omitzero"`
	// Reason is one of the reasons of API servers; "" means that the value is invalid.
	Reason string `json:"reason,omitempty"`
	// FieldPath is the path of the error below that of the rule.
	FieldPath string `json:"fieldPath,omitempty"`
	// OptionalOldSelf makes oldSelf an optional value, so that the rule applies to new values too.
	OptionalOldSelf bool `json:"optionalOldSelf,omitempty"`

	// RuleSpan and MessageSpan are the spans of the expressions' sources; zero if the sources have
	// escapes.
	RuleSpan    source.Span `json:"-"`
	MessageSpan source.Span `json:"-"`
}

func (*CEL) predicate() {}

// The reasons of errors.
const (
	ReasonInvalid   = "FieldValueInvalid"
	ReasonRequired  = "FieldValueRequired"
	ReasonForbidden = "FieldValueForbidden"
	ReasonDuplicate = "FieldValueDuplicate"
)

// errorTypes are the types of errors by reason.
var errorTypes = map[string]string{
	ReasonInvalid: "Invalid", ReasonRequired: "Required", ReasonForbidden: "Forbidden", ReasonDuplicate: "Duplicate",
}

// UsesOld reports whether the expression refers to the old value.
func (c *CEL) UsesOld() bool {
	return c.Tree.Expr != nil && expr.Uses(c.Tree.Expr, expr.OldSelfName)
}

// ErrorType returns the type of the error that the rule reports.
func (c *CEL) ErrorType() string {
	if t := errorTypes[c.Reason]; t != "" {
		return t
	}
	return errorTypes[ReasonInvalid]
}

// Text returns the message of the error if no expression computes it.
func (c *CEL) Text() string {
	if c.Message != "" {
		return strings.TrimSpace(c.Message)
	}
	return "failed rule: " + strings.TrimSpace(c.Rule)
}

// Path returns the properties and keys of FieldPath: .name, or ['name'] for a
// name with other characters and for the key of a map.
func (c *CEL) Path() []string {
	var names []string
	for rest := c.FieldPath; rest != ""; {
		if quoted, ok := strings.CutPrefix(rest, "['"); ok {
			end := strings.Index(quoted, "']")
			if end < 0 {
				return names
			}
			names = append(names, strings.ReplaceAll(quoted[:end], `\'`, "'"))
			rest = quoted[end+2:]
			continue
		}
		rest = strings.TrimPrefix(rest, ".")
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		if end == 0 {
			return names
		}
		names = append(names, rest[:end])
		rest = rest[end:]
	}
	return names
}

// Authored returns the rule of a CEL predicate.
func Authored(tag string, c *CEL) Rule {
	r := Rule{Tag: tag, Must: c, Errors: []Error{{Type: c.ErrorType(), At: strings.Join(c.Path(), ".")}}}
	if c.UsesOld() && !c.OptionalOldSelf {
		r.Moment = OnUpdateOfValue
	}
	return r
}
