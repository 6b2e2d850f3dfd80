package validate

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Rule is how an error of a rule reads that an author wrote in CEL. API servers
// report the same.
type Rule struct {
	// Type is the type of the error.
	Type field.ErrorType
	// Value is the type of the value in JSON, which the error has for a value.
	Value string
	// Message is what the error says unless the rule computes a message.
	Message string
	// Path leads from the place of the rule to where the error is; nil for there.
	Path func(at *field.Path) *field.Path
}

// The longest message that a rule may compute.
const maxMessage = 5 * 1024

// Authored checks that a rule in CEL holds.
//
// Error: that of the rule, without an origin.
func Authored(r *Run, at *Path, holds bool, rule *Rule) bool {
	return holds || rule.report(r, at, rule.Message)
}

// NotAuthored reports a rule in CEL that computes its message. One that API servers
// do not take, such as the empty string, is replaced by the rule's fixed message.
func NotAuthored(r *Run, at *Path, rule *Rule, message string) bool {
	if message = strings.TrimSpace(message); message == "" || len(message) > maxMessage || strings.ContainsAny(message, "\n\r") {
		message = rule.Message
	}
	return rule.report(r, at, message)
}

func (rule *Rule) report(r *Run, at *Path, message string) bool {
	path := r.FieldPath(at)
	if rule.Path != nil {
		path = rule.Path(path)
	}
	switch rule.Type {
	case field.ErrorTypeRequired:
		return r.report(field.Required(path, message))
	case field.ErrorTypeForbidden:
		return r.report(field.Forbidden(path, message))
	case field.ErrorTypeDuplicate:
		return r.report(field.Duplicate(path, rule.Value))
	}
	return r.report(field.Invalid(path, rule.Value, message))
}
