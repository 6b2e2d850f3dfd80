package validate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// Operations have a list of the enabled options before v0.37 of apimachinery. Every
// option is then defined.

// IfEnabled reports whether to check a rule that applies only if the option is
// enabled.
//
// Error: InternalError, no origin, when the operation does not define the
// option; the rule is then not to be checked.
func IfEnabled(r *Run, at *Path, option string) bool {
	on, defined := skew.Option(r.Operation.Options, option)
	return on || !defined && undefinedOption(r, at, option)
}

// IfDisabled reports whether to check a rule that applies only if the option is
// disabled.
//
// Error: InternalError, no origin, when the operation does not define the
// option; the rule is then not to be checked.
func IfDisabled(r *Run, at *Path, option string) bool {
	on, defined := skew.Option(r.Operation.Options, option)
	return !on && (defined || undefinedOption(r, at, option))
}

// Enabled is like IfEnabled, but does not report undefined options. It is for
// conditions that IfEnabled also evaluates.
func Enabled(r *Run, option string) bool {
	on, _ := skew.Option(r.Operation.Options, option)
	return on
}

// Disabled is like IfDisabled, but does not report undefined options. It is for
// conditions that IfDisabled also evaluates.
func Disabled(r *Run, option string) bool {
	on, defined := skew.Option(r.Operation.Options, option)
	return defined && !on
}

// Defined reports whether the operation defines the option.
func Defined(r *Run, option string) bool {
	_, defined := skew.Option(r.Operation.Options, option)
	return defined
}

// undefinedOption reports that option is not defined. It always returns false.
func undefinedOption(r *Run, at *Path, option string) bool {
	return r.report(field.InternalError(r.FieldPath(at), fmt.Errorf("undefined validation option %q", option)))
}
