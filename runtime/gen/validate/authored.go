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
	// Message is what the error says unless the rule computes a message.
	Message string
	// Path leads from the place of the rule to where the error is; nil for there.
	Path func(at *field.Path) *field.Path
}

// The longest message that a rule may compute.
const maxMessage = 5 * 1024

// Authored checks that a rule in CEL about an object or a list holds.
//
// Error: that of the rule, without an origin and a value.
func Authored(r *Run, at *Path, holds bool, rule *Rule) bool {
	return holds || NotAuthored(r, at, field.OmitValueType{}, rule, rule.Message)
}

// AuthoredOf checks that a rule in CEL about a scalar holds.
//
// Error: that of the rule, without an origin.
func AuthoredOf[T any](r *Run, at *Path, value T, holds bool, rule *Rule) bool {
	return holds || notAuthoredOf(r, at, value, rule)
}

func notAuthoredOf[T any](r *Run, at *Path, value T, rule *Rule) bool {
	return NotAuthored(r, at, value, rule, rule.Message)
}

// Omitted is the value of errors about objects and lists.
func Omitted() any { return field.OmitValueType{} }

// NotAuthored reports a rule in CEL with the message that it computes. One that API
// servers do not take, such as the empty string, is replaced by the fixed message.
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
