package validate

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Rule is the error of the author's CEL rule. API servers report the same error.
type Rule struct {
	// Type is the type of the error.
	Type field.ErrorType
	// Message is the message, unless the rule computes one.
	Message string
	// Path returns the path of the error from the path of the rule; nil if they are equal.
	Path func(at *field.Path) *field.Path
}

// The maximum length of a computed message.
const maxMessage = 5 * 1024

// Authored checks a CEL rule on an object or a list.
//
// Error: that of the rule, without an origin and a value.
func Authored(r *Run, at *Path, holds bool, rule *Rule) bool {
	return holds || NotAuthored(r, at, field.OmitValueType{}, rule, rule.Message)
}

// AuthoredOf checks a CEL rule on a scalar.
//
// Error: that of the rule, without an origin.
func AuthoredOf[T any](r *Run, at *Path, value T, holds bool, rule *Rule) bool {
	return holds || notAuthoredOf(r, at, value, rule)
}

func notAuthoredOf[T any](r *Run, at *Path, value T, rule *Rule) bool {
	return NotAuthored(r, at, value, rule, rule.Message)
}

// Omitted is the value in errors of objects and lists.
func Omitted() any { return field.OmitValueType{} }

// NotAuthored reports a broken CEL rule with a computed message. It uses the fixed message instead
// of messages that API servers reject, such as the empty string.
func NotAuthored(r *Run, at *Path, value any, rule *Rule, message string) bool {
	if message = strings.TrimSpace(message); message == "" || len(message) > maxMessage || strings.ContainsAny(message, "\n\r") {
		message = rule.Message
	}
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
		return r.report(field.Duplicate(path, value))
	}
	return r.report(field.Invalid(path, value, message))
}
