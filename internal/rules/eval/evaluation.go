package eval

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// evaluation is one run of programs on one object.
type evaluation struct {
	set *Set
	run validate.Run
	// rules are those that reported the errors.
	rules   map[*field.Error]*rule.Rule
	notRun  []NotRun
	skipped map[string]bool
	// options are those of the run if all others are disabled, assumed the others that rules depend on.
	options map[string]bool
	assumed []string
}

// attribute records the rule of the errors since a mark. Some rules are part of another, such as
// that a field is forbidden in all other modes.
func (e *evaluation) attribute(mark int, r *rule.Rule) {
	if r.Span.IsZero() {
		return
	}
	for _, err := range e.run.Since(mark) {
		if e.rules[err] == nil {
			e.rules[err] = r
		}
	}
}

// spell formats the value of a declared type in the errors since a mark like Go.
func (e *evaluation) spell(mark int, v *value) {
	if v = v.deref(); v == nil || v.typ.form != stringForm || !v.typ.declared {
		return
	}
	for _, err := range e.run.Since(mark) {
		if text, ok := err.BadValue.(string); ok && text == v.text {
			err.BadValue = word(text)
		}
	}
}

func (e *evaluation) result() *Result {
	slices.Sort(e.assumed)
	out := &Result{NotRun: e.notRun, Assumed: e.assumed}
	for _, err := range e.run.Errors() {
		found := Error{Error: err}
		if r := e.rules[err]; r != nil {
			found.Rule, found.Declared = r.Text, r.Span
		}
		out.Errors = append(out.Errors, found)
	}
	return out
}

// skipCall records a function that only Go can run.
func (e *evaluation) skipCall(r *rule.Rule, call *rule.Call) {
	name := call.Name
	if call.Package != "" {
		name = call.Package + "." + name
	}
	e.needsGo(name, "it is a Go function", r.Span)
}

// skip records a rule on a value that only Go can decode.
func (e *evaluation) skip(r *rule.Rule) {
	e.needsGo(r.Text, "the value's type writes its own JSON", r.Span)
}

// skipType records a type with rules that only Go can decode.
func (e *evaluation) skipType(t *order.Type) {
	e.needsGo("rules of "+t.Name, "the type writes its own JSON", t.Span)
}

// skipLoop records rules on values and keys that only Go can decode.
func (e *evaluation) skipLoop(l *order.Loop) {
	for _, b := range []*order.Body{l.Keys, l.Values} {
		if b != nil {
			e.needsGo("rules of the values of "+b.Place.Owner.Name+"."+b.Place.Field, "the type writes its own JSON", source.Span{})
		}
	}
}

// needsGo records a rule that only Go can run.
func (e *evaluation) needsGo(name, reason string, declared source.Span) {
	e.note(NotRun{Name: name, Reason: reason, InGo: true, Declared: declared})
}

// note records a rule that did not run, once.
func (e *evaluation) note(n NotRun) {
	key := n.Name + " " + n.Declared.String()
	if !e.skipped[key] {
		e.skipped[key] = true
		e.notRun = append(e.notRun, n)
	}
}
