// Package validate has the functions that generated validators call: one check per
// rule, and paths that cost nothing until an error is reported. Only generated code
// uses it.
//
// A [Run] collects the errors of one call, and a [Path] is a stack of places. The checks take both: [Maximum], [Required]
// and so on.
//
// A check compares first and reports afterwards. It returns whether the value
// satisfies the rule; if not, it adds the error to the Run. Errors have the type,
// path, origin and message that k8s.io/apimachinery/pkg/api/validate has in its newest
// version, whichever version the program is built with. A test compares them.
//
// Required, Forbidden, NoNilItems, MaxItems, MaxProperties, Immutable and the
// checks named Update stop later checks of the same value. Their errors have the
// short-circuit mark, like those of upstream's generated code.
//
// Nothing in this package allocates for a valid object. For that reason, reporting
// is a separate function in each check: a value that an error contains is allocated
// on the heap, and large functions are not inlined.
package validate

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// Run is the validation of one object.
//
// The zero Run validates a create without options; its base path is empty.
type Run struct {
	// Context is the caller's context, passed to validators of other packages.
	Context context.Context
	// Operation is the type of the operation, its options, and its subresource.
	Operation operation.Operation

	base *field.Path
	errs field.ErrorList
	keys []string // keys[i] is the map key below which errs[i] was found; see Entries
}

// NewRun returns a run that reports errors below base. A nil base is the object
// itself.
func NewRun(ctx context.Context, op operation.Operation, base *field.Path) Run {
	return Run{Context: ctx, Operation: op, base: base}
}

// IsUpdate reports whether the run validates an update, in which unchanged values
// are not checked.
func (r *Run) IsUpdate() bool { return r.Operation.Type == operation.Update }

// MaxErrors is the number of errors that Errors returns. A request of a few hundred
// kilobytes may cause more errors than fit into a response.
const MaxErrors = 1000

// Errors returns the errors so far, in the order in which they were reported. After
// the first MaxErrors, one error says how many more there are.
func (r *Run) Errors() field.ErrorList {
	if len(r.errs) <= MaxErrors {
		return r.errs
	}
	rest := field.Invalid(r.base, field.OmitValueType{}, fmt.Sprintf("%d more errors are not listed", len(r.errs)-MaxErrors))
	return append(r.errs[:MaxErrors:MaxErrors], rest)
}

// Since returns all errors since a mark.
func (r *Run) Since(mark int) field.ErrorList { return r.errs[mark:] }

// FieldPath converts a path to a field.Path. It allocates.
func (r *Run) FieldPath(at *Path) *field.Path { return at.under(r.base) }

// Report adds errors of other validators. It returns whether errs is empty.
func (r *Run) Report(errs field.ErrorList) bool {
	r.errs = append(r.errs, errs...)
	return len(errs) == 0
}

// stop is like report, for the error of a rule that stops later checks of the same
// value. It marks the error, for comparisons with hand-written validation that
// continues.
func (r *Run) stop(err *field.Error) bool {
	skew.Set(err, skew.ShortCircuit)
	return r.report(err)
}

// report adds an error and returns false, the result of the check.
func (r *Run) report(err *field.Error) bool {
	r.errs = append(r.errs, err)
	return false
}
