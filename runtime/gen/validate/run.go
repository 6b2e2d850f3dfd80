// Package validate holds what generated validators call: paths that cost nothing
// until something is wrong, and one check for each rule. Only generated code uses
// it.
//
// A check compares first and reports afterwards. It returns whether the value
// satisfies the rule; when it does not, the error is in the Run. The error's
// type, path, origin and wording are those of k8s.io/apimachinery/pkg/api/validate,
// which is called only to word the error. A check whose scanner were stricter
// than the library would therefore still give the library's verdict.
//
// Required, Forbidden, NoNilItems, MaxItems, MaxProperties, Immutable and the
// checks named Update stop what comes after them at their place. Their errors
// have the short-circuit mark, which generated code of upstream's sets.
//
// Nothing here allocates for a valid object. That is why the half of a check
// that reports is a function of its own: a variable whose address goes to
// upstream is on the heap from the moment at which it is declared.
package validate

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Run is one validation of one object.
//
// The zero Run validates a create without options, at no path.
type Run struct {
	// Context is the caller's, handed on to validators of other packages.
	Context context.Context
	// Operation says whether the object is created or updated, with which
	// options, and through which subresource.
	Operation operation.Operation

	base *field.Path
	errs field.ErrorList
	keys []string // keys[i] is the map key below which errs[i] was found; see Entries
}

// NewRun returns a run whose errors are reported below base; a nil base is the
// object itself.
func NewRun(ctx context.Context, op operation.Operation, base *field.Path) Run {
	return Run{Context: ctx, Operation: op, base: base}
}

// IsUpdate reports whether the run validates an update, so that an unchanged
// value need not satisfy the rules again.
func (r *Run) IsUpdate() bool { return r.Operation.Type == operation.Update }

// Errors returns what the run has found so far, in the order in which it was found.
func (r *Run) Errors() field.ErrorList { return r.errs }

// FieldPath renders a path for code that works with field.Path. It allocates.
func (r *Run) FieldPath(at *Path) *field.Path { return at.under(r.base) }

// Report adds errors that other validators found. It returns whether there were none.
func (r *Run) Report(errs field.ErrorList) bool {
	r.errs = append(r.errs, errs...)
	return len(errs) == 0
}

// stop is Report for the errors of a rule after which nothing later at the same
// place is checked. They say so, for whoever compares them with those of code
// that goes on.
func (r *Run) stop(errs field.ErrorList) bool { return r.Report(errs.MarkShortCircuit()) }

// report adds one error and returns false, which is what the check returns.
func (r *Run) report(err *field.Error) bool {
	r.errs = append(r.errs, err)
	return false
}
