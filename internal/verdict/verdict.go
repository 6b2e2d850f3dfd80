// Package verdict is the interface between those who have API objects and the
// engines that validate them without a server.
//
// An engine is made of what declares the rules: CustomResourceDefinitions, or Go
// types. It applies defaults and whatever else happens to an object before it is
// validated, so callers hand over objects as they are written.
package verdict

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/source"
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

// Engine validates objects of the kinds that it knows.
type Engine interface {
	// Name tells the engine from others: Schema, Types or Go.
	Name() string
	// Kinds are the kinds that the engine knows, in order of group, kind, version.
	Kinds() []schema.GroupVersionKind
	// Missing says why a kind is not among Kinds, although what the engine is made
	// of mentions it. It is empty when nothing does.
	Missing(kind schema.GroupVersionKind) string
	// Prepare gets the engine ready for kinds, and reports what is wrong with their
	// rules. Engines also work without, and then report nothing.
	Prepare(kinds []schema.GroupVersionKind, bag *diag.Bag)
	// Rules are the rules that objects of a kind can break.
	Rules(kind schema.GroupVersionKind) []*Rule
	// Validate judges an object. The request's kind is one of Kinds.
	Validate(ctx context.Context, request Request) Result
}

// KindText names a kind as messages have it, such as "apps/v1 Deployment".
func KindText(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}

// Request asks for the verdict on one object.
type Request struct {
	// Kind is the type of the object.
	Kind schema.GroupVersionKind
	// Object is the object as written, with integers as int64 and other numbers as
	// float64. The engine does not change it.
	Object map[string]any
	// Old is the object before an update, nil on a create. Its version can be
	// another one of the same kind.
	Old map[string]any
}

// Result is the verdict on one object.
type Result struct {
	// Errors are the validation errors.
	Errors []Error
	// Refused says why the object cannot be decoded, by engines that do not know what in
	// the object is wrong. No rules have run then.
	Refused string
	// Unknown are the paths of fields that the kind does not have. A server drops
	// them without an error, unless it is asked to be strict.
	Unknown []string
	// NotRun are the rules that apply to the object, and that the engine cannot run.
	NotRun []NotRun
	// Blocked is set when some rules did not run because of the errors: they rely
	// on what these are about.
	Blocked bool
	// OldIgnored says why the old object could not be used, if it could not. The
	// verdict is then that on a create.
	OldIgnored string
}

// Error is a validation error with the rule that the object breaks.
type Error struct {
	*field.Error
	// Rule is the broken rule. It is nil for what no author declares, such as the
	// form of names, and where the engine does not know.
	Rule *Rule
}

// NotRun is a rule that an engine cannot run, such as a Go function.
type NotRun struct {
	// Text names the rule.
	Text string
	// Reason says why it cannot be run.
	Reason string
	// Span is where the rule is declared.
	Span source.Span
}

// String names the rule, where it is declared, and why it cannot be run.
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

// Rule is a rule as its author declares it. Two with the same text at the same
// place are the same rule.
type Rule struct {
	// Path is the field that the rule is about, with [*] for items and keys, such
	// as "spec.users[*].name". It is empty for the object itself.
	Path string
	// Text is the declaration, such as "+k8s:maximum=9" or "maximum: 9".
	Text string
	// Span is where the declaration is.
	Span source.Span
}
