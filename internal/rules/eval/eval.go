// Package eval runs rule programs on JSON objects, without compiling anything.
//
// [New] takes the programs, [Set] validates: a [Request] has the object, and the [Result] the errors.
//
// It reports the same errors as generated Go validators, in the same order. The runtime's functions
// that generated code calls build the errors.
//
// A value is that of a Go variable: an absent field has its zero value, quantities and times compare
// semantically, integers are exact. A value the Go type cannot represent is reported as a decode error, and
// no rule runs. The result lists what only Go can run: hand-written functions, and rules on types with a
// hand-written MarshalJSON.
//
// Save writes types and programs to a file, from which Load runs without Go sources. The package links no API
// server, no etcd and no Go loader; a test lists its dependencies. Package conformance compares its complete
// output with generated Go and with published schemas, on all cases and on random objects.
package eval

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// TypeName identifies a declared type.
type TypeName = model.Name

// Set has the types of a model with their programs. It prepares types on first use, so it is not
// safe for concurrent use.
type Set struct {
	model    *model.Model
	programs *rule.Programs
	// subjects are the packages whose rules are enforced at every level.
	subjects map[string]bool
	// paths returns the request paths of a type: see model.Type.Subresources.
	paths    func(t *model.Type) []string
	order    *order.Set
	types    map[string]*goType
	operands map[*order.Check]*operand
	// shapes say where types have unions; nil for types without.
	shapes map[model.Name]*union.Shape
	// tables are the unions that are checked by their tables.
	tables map[*rule.Union]*union.Union
	// elsewhere are the rules of types that are not in programs.
	elsewhere map[TypeName]NotRun
}

// New returns the set of a model's types.
func New(programs *rule.Programs) *Set {
	return newSet(programs, subjects(programs.Model), (*model.Type).Subresources)
}

func newSet(programs *rule.Programs, subjects map[string]bool, paths func(t *model.Type) []string) *Set {
	s := &Set{
		model: programs.Model, programs: programs, subjects: subjects, paths: paths,
		types: map[string]*goType{}, operands: map[*order.Check]*operand{}, shapes: map[model.Name]*union.Shape{}, tables: map[*rule.Union]*union.Union{},
		elsewhere: map[TypeName]NotRun{},
	}
	subject := func(pkg string) bool { return subjects[pkg] }
	s.order = order.New(programs, order.Scope{Subject: subject, Own: subject})
	return s
}

// Request is one object to validate.
type Request struct {
	Type TypeName
	// Object is the object as decoded JSON; numbers are json.Number or Go numbers. Old is the
	// object before an update, nil on a create.
	Object, Old map[string]any
	// Options are the options of the API server that the request defines.
	Options map[string]bool
	// Complete is set if all other options are disabled. Otherwise a rule that depends on one reports an error, as in Go.
	Complete bool
	// Subresource is the path of the request, such as "/status"; "/" is the object itself. Without
	// a path, the type is validated for any request.
	Subresource string
}

// Result is the verdict on an object.
type Result struct {
	// Malformed are the values that do not fit the object's type. If there are any, no rule has
	// run.
	Malformed field.ErrorList
	// Errors are the errors of rules, in the order of Go validators.
	Errors []Error
	// NotRun are rules that apply but that only Go can run.
	NotRun []NotRun
	// Assumed are the options that rules depend on and that the request does not have, sorted: they were disabled.
	Assumed []string
}

// Error is an error with its rule.
type Error struct {
	*field.Error
	// Rule is the rule as written; "" for rules without a tag, such as that lists of pointers have
	// no nil items.
	Rule string
	// Declared is the position of the rule, or of its field.
	Declared source.Span
}

// Level returns the level of the rule: alpha, beta, or "" for a stable one.
func (e *Error) Level() rule.Level {
	switch {
	case e.IsAlpha():
		return rule.Alpha
	case e.IsBeta():
		return rule.Beta
	}
	return ""
}

// NotRun is a rule that the evaluator cannot run.
type NotRun struct {
	// Name is the Go function, the rule, or the type.
	Name string `json:"name"`
	// Reason is the reason why it did not run.
	Reason string `json:"reason"`
	// InGo is set if generated code runs it.
	InGo     bool        `json:"inGo,omitzero"`
	Declared source.Span `json:"declared,omitzero"`
}

// Elsewhere records rules of a type that are not in its program. The verdict on each object of the type says that they
// did not run.
func (s *Set) Elsewhere(t TypeName, rules NotRun) { s.elsewhere[t] = rules }

// Validate validates an object. It returns an error for an invalid request.
func (s *Set) Validate(r Request) (*Result, error) {
	out, err := s.run(r)
	if rules, ok := s.elsewhere[r.Type]; ok && err == nil {
		out.NotRun = append(out.NotRun, rules)
	}
	return out, err
}

// run runs the rules of programs on an object.
func (s *Set) run(r Request) (*Result, error) {
	t, err := s.goType(r.Type)
	if err != nil {
		return nil, err
	}
	decl := s.model.Type(r.Type)
	op := operation.Operation{Type: operation.Create, Options: maps.Clone(r.Options)}
	if op.Options == nil {
		op.Options = map[string]bool{}
	}
	if r.Old != nil {
		op.Type = operation.Update
	}
	if r.Subresource != "" {
		op.Request.Subresources = strings.FieldsFunc(r.Subresource, func(r rune) bool { return r == '/' })
	}
	e := &evaluation{set: s, run: validate.NewRun(context.Background(), op, nil), rules: map[*field.Error]*rule.Rule{}, skipped: map[string]bool{}}
	if r.Complete {
		e.options = op.Options
	}
	d := &decoder{run: &e.run}
	object, old := d.decode(t, nil, r.Object), (*value)(nil)
	if r.Old != nil {
		old = d.decode(t, nil, r.Old)
	}
	if len(d.malformed) > 0 {
		return &Result{Malformed: d.malformed}, nil
	}
	if !s.order.Needed(decl) {
		return &Result{}, nil
	}
	if r.Subresource != "" && !s.takes(decl, op.Request.SubresourcePath()) {
		e.run.Report(field.ErrorList{field.InternalError(nil, fmt.Errorf("no validation found for %s, subresource: %v", s.spelled(decl), op.Request.SubresourcePath()))})
	} else {
		e.typ(s.order.Of(decl), nil, object, old)
	}
	return e.result(), nil
}

// goType returns a type of objects.
func (s *Set) goType(name TypeName) (*goType, error) {
	switch t := s.model.Type(name); {
	case t == nil:
		return nil, fmt.Errorf("the model has no type %s", name)
	case t.Generic:
		return nil, errors.New(name.Name + " is generic; name a type that is an instance of it")
	}
	return s.typeOf(model.Named(name.Package, name.Name)), nil
}

// spelled returns the pointer to a type as Go prints it.
func (s *Set) spelled(t *model.Type) string {
	name := t.Package
	if p := s.model.Package(t.Package); p != nil {
		name = p.Name
	}
	return "*" + name + "." + t.Name
}
