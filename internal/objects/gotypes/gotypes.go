// Package gotypes is the engine of Go types: it validates objects against the rules of a model,
// without compiling code.
//
// [New] takes the programs of the types, and returns an [Engine] for package verdict.
package gotypes

import (
	"cmp"
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// Engine validates objects against the rules of Go types.
type Engine struct {
	set   *eval.Set
	kinds []schema.GroupVersionKind
	rules map[declaration]*verdict.Rule
	// sources are the files that rules are declared in.
	sources *sources
}

// declaration identifies a rule.
type declaration struct {
	text string
	span source.Span
}

// New returns the engine of the kinds in a set. It reads the Go sources with files if
// the set was loaded without them; nil reads none, and rules then have a position without text.
func New(set *eval.Set, files Reader) *Engine {
	return &Engine{
		set: set, kinds: set.Kinds(), rules: map[declaration]*verdict.Rule{},
		sources: &sources{files: files, read: map[string]*source.File{}},
	}
}

// Name returns the name of the engine.
func (e *Engine) Name() string { return verdict.Types }

// Kinds returns the kinds that the packages declare.
func (e *Engine) Kinds() []schema.GroupVersionKind { return e.kinds }

// Missing returns "": all declared kinds can be used.
func (e *Engine) Missing(schema.GroupVersionKind) string { return "" }

// Prepare does nothing: types are prepared on their first use.
func (e *Engine) Prepare([]schema.GroupVersionKind, *diag.Bag) {}

// Rules returns the rules of a kind and of the types below it, but for functions
// that only Go can run, and rules that no object breaks once it has its defaults.
func (e *Engine) Rules(kind schema.GroupVersionKind) []*verdict.Rule {
	name, ok := e.set.Kind(kind)
	if !ok {
		return nil
	}
	declared, err := e.set.Inventory(name)
	if err != nil {
		return nil // of a type that is not a kind
	}
	var rules []*verdict.Rule
	for _, d := range declared {
		if len(d.Errors) > 0 && d.Rule != "" && !d.Defaulted {
			rules = append(rules, e.rule(d.Path, d.Rule, d.Declared))
		}
	}
	return rules
}

// rule returns the rule with a declaration. Its path is first used here that is known: a
// rule of a type applies wherever the type is used.
func (e *Engine) rule(path, text string, span source.Span) *verdict.Rule {
	key := declaration{text, span}
	if e.rules[key] == nil {
		e.rules[key] = &verdict.Rule{Text: text, Span: e.sources.span(span, text)}
	}
	e.rules[key].Path = cmp.Or(e.rules[key].Path, path)
	return e.rules[key]
}

// Validate sets defaults, normalises unions, and runs the rules. It does not validate metadata,
// whose rules belong to the server.
func (e *Engine) Validate(_ context.Context, request verdict.Request) verdict.Result {
	_, result := e.Trace(request)
	return result
}

// Step is an object after one of the steps before its rules run.
type Step struct {
	// Name is one of Defaulted and Normalized.
	Name   string
	Object map[string]any
}

// The steps, in their order.
const (
	Defaulted  = "defaulted"
	Normalized = "normalized"
)

// Trace validates an object like Validate, and also returns the object after each step that it took.
func (e *Engine) Trace(request verdict.Request) (steps []Step, result verdict.Result) {
	name, ok := e.set.Kind(request.Kind)
	if !ok {
		return nil, failed(fmt.Errorf("the packages have no kind %s", verdict.KindText(request.Kind)))
	}
	old := request.Old
	if old != nil && old["apiVersion"] != request.Object["apiVersion"] {
		result.OldIgnored = fmt.Sprintf("it has version %v; Go types can only be compared within one version", old["apiVersion"])
		old = nil
	}
	unknown, err := e.set.Unknown(name, request.Object)
	if err != nil {
		return steps, failed(err)
	}
	result.Beside = map[string][]string{}
	for _, u := range unknown {
		result.Unknown = append(result.Unknown, u.Err.Field)
		result.Beside[u.Err.Field] = u.Beside
	}
	object, notRun, err := e.set.Default(name, request.Object)
	if err != nil {
		return steps, failed(err)
	}
	steps = append(steps, Step{Defaulted, object})
	if old != nil {
		if old, _, err = e.set.Default(name, old); err != nil {
			return steps, failed(err)
		}
	}
	if object, _, err = e.set.Normalize(name, union.Request{}, object, old); err != nil {
		return steps, failed(err)
	}
	steps = append(steps, Step{Normalized, object})
	judged, err := e.set.Validate(eval.Request{Type: name, Object: object, Old: old, Options: request.Options, Complete: true})
	if err != nil {
		return steps, failed(err)
	}
	for _, malformed := range judged.Malformed {
		result.Errors = append(result.Errors, verdict.Error{Error: malformed})
	}
	result.Blocked = len(judged.Malformed) > 0
	if request.Options == nil {
		result.Assumed = judged.Assumed
	}
	for _, found := range judged.Errors {
		if found.Level() == rule.Alpha {
			continue // not enforced
		}
		reported := verdict.Error{Error: found.Error}
		if found.Rule != "" {
			reported.Rule = e.rule("", found.Rule, found.Declared)
		}
		result.Errors = append(result.Errors, reported)
	}
	for _, n := range append(notRun, judged.NotRun...) {
		result.NotRun = append(result.NotRun, verdict.NotRun{Text: n.Name, Reason: n.Reason, InGo: n.InGo, Span: e.sources.span(n.Declared, n.Name)})
	}
	return steps, result
}

// failed is the verdict on an object that the evaluator cannot validate.
func failed(err error) verdict.Result {
	return verdict.Result{Errors: []verdict.Error{{Error: field.InternalError(nil, err)}}}
}
