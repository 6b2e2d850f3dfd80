// Package verdict is the interface of engines, which validate API objects without a server.
//
// An [Engine] takes a [Request], and returns a [Result] with an [Error] for each broken rule.
//
// An engine has the rules of CustomResourceDefinitions or of Go types. It also performs the steps
// before validation, such as defaulting, so callers pass objects as written.
package verdict

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// The names of the engines.
const (
	// Schema is the engine of CustomResourceDefinitions.
	Schema = "schema"
	// Types is the engine of Go types.
	Types = "types"
	// Go is the engine of generated Go, which runs in go test.
	Go = "go"
)

// Engine validates objects of its kinds.
type Engine interface {
	// Name tells the engine from others: Schema, Types or Go.
	Name() string
	// Kinds are the kinds of the engine, by group, kind and version.
	Kinds() []schema.GroupVersionKind
	// Missing returns the reason why a kind of the source is not among Kinds. It is empty if the
	// source does not have the kind.
	Missing(kind schema.GroupVersionKind) string
	// Prepare prepares the engine for kinds, and reports mistakes in their rules. It is optional.
	Prepare(kinds []schema.GroupVersionKind, bag *diag.Bag)
	// Rules returns the rules of a kind.
	Rules(kind schema.GroupVersionKind) []*Rule
	// Validate validates an object. The request's kind is one of Kinds.
	Validate(ctx context.Context, request Request) Result
}

// KindText returns a kind for messages, such as "apps/v1 Deployment".
func KindText(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}

// Request is a request to validate one object.
type Request struct {
	// Kind is the type of the object.
	Kind schema.GroupVersionKind
	// Object is the object as written, with integers as int64 and other numbers as float64. The
	// engine does not change it.
	Object map[string]any
	// Old is the object before an update, nil on a create. It may have another version of the kind.
	Old map[string]any
	// Options are options of +k8s:ifEnabled and +k8s:ifDisabled: whether each is enabled. All others are disabled. They
	// are nil if the user names none. Schemas are published for fixed options, so their engine ignores these.
	Options map[string]bool
}

// Result is the verdict on one object.
type Result struct {
	// Errors are the validation errors.
	Errors []Error
	// Refused says why the object cannot be decoded, by engines that do not know what in
	// the object is wrong. No rules have run then.
	Refused string
	// Unknown are the paths of fields that the kind does not have. A server drops them, unless the
	// request is strict.
	Unknown []string
	// Beside are the names of the fields that the kind has in place of unknown ones, by the paths of these.
	Beside map[string][]string
	// NotRun are the rules that apply to the object but that the engine cannot run.
	NotRun []NotRun
	// Assumed are the options that rules depend on, and that were disabled because the request has none.
	Assumed []string
	// Blocked is set if some rules did not run because of the errors.
	Blocked bool
	// OldIgnored is the reason why the old object was not used. The verdict is then that of a
	// create.
	OldIgnored string
}

// Error is a validation error with the broken rule.
type Error struct {
	*field.Error
	// Rule is the broken rule. It is nil for rules without a declaration, such as the form of
	// names, and if the engine does not know it.
	Rule *Rule
}

// NotRun is a rule that an engine cannot run, such as a Go function.
type NotRun struct {
	// Text is the declaration of the rule.
	Text string
	// Reason is the reason why it cannot run.
	Reason string
	// InGo is set if generated code runs it.
	InGo bool
	// Span is the position of the declaration.
	Span source.Span
}

// String returns the rule, its position, and the reason.
func (n NotRun) String() string {
	text := n.Text
	if !n.Span.IsZero() {
		text += " (" + n.Span.String() + ")"
	}
	if n.Reason != "" {
		text += ": " + n.Reason
	}
	return text
}

// Rule is a rule as declared. Rules with the same text and position are equal.
type Rule struct {
	// Path is the path of the field, with [*] for items and keys, such as "spec.users[*].name". It
	// is empty for the object itself.
	Path string
	// Text is the declaration, such as "+k8s:maximum=9" or "maximum: 9".
	Text string
	// Span is the position of the declaration.
	Span source.Span
}
