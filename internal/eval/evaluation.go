package eval

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/rule/order"
	"github.com/kindsmith/kindsmith/internal/source"
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
}

// attribute notes the rule that reported the errors since a mark. Some rules, such
// as that a field is forbidden in all other modes, are part of another's.
func (e *evaluation) attribute(mark int, r *rule.Rule) {
	if r.Span.IsZero() {
		return
	}
	for _, err := range e.run.Errors()[mark:] {
		if e.rules[err] == nil {
			e.rules[err] = r
		}
	}
}

// spell has the errors since a mark spell a value of a declared type as Go does.
func (e *evaluation) spell(mark int, v *value) {
	if v = v.deref(); v == nil || v.typ.form != stringForm || !v.typ.declared {
		return
	}
	for _, err := range e.run.Errors()[mark:] {
		if text, ok := err.BadValue.(string); ok && text == v.text {
			err.BadValue = word(text)
		}
	}
}

func (e *evaluation) result() *Result {
	out := &Result{NotRun: e.notRun}
	for _, err := range e.run.Errors() {
		found := Error{Error: err}
		if r := e.rules[err]; r != nil {
			found.Rule, found.Declared = r.Text, r.Span
		}
		out.Errors = append(out.Errors, found)
	}
	return out
}

// skipCall notes a function that only Go can run.
func (e *evaluation) skipCall(r *rule.Rule, call *rule.Call) {
	name := call.Name
	if call.Package != "" {
		name = call.Package + "." + name
	}
	e.note(name, "it is a Go function", r.Span)
}

// skip notes a rule about a value that only Go can decode.
func (e *evaluation) skip(r *rule.Rule) {
	e.note(r.Text, "the value's type writes its own JSON", r.Span)
}

// skipType notes a type whose rules are about what only Go can decode.
func (e *evaluation) skipType(t *order.Type) {
	e.note("rules of "+t.Name, "the type writes its own JSON", t.Span)
}

// skipLoop notes rules about values and keys that only Go can decode.
func (e *evaluation) skipLoop(l *order.Loop) {
	for _, b := range []*order.Body{l.Keys, l.Values} {
		if b != nil {
			e.note("rules of the values of "+b.Place.Owner.Name+"."+b.Place.Field, "the type writes its own JSON", source.Span{})
		}
	}
}

// note keeps what was not run, once.
func (e *evaluation) note(name, reason string, declared source.Span) {
	key := name + " " + declared.String()
	if !e.skipped[key] {
		e.skipped[key] = true
		e.notRun = append(e.notRun, NotRun{Name: name, Reason: reason, Declared: declared})
	}
}
