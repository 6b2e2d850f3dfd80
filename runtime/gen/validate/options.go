package validate

import upstream "k8s.io/apimachinery/pkg/api/validate"

// IfEnabled reports whether to check a rule that applies only if the option is
// enabled.
//
// Error: InternalError, no origin, when the operation does not define the
// option; the rule is then not to be checked.
func IfEnabled(r *Run, at *Path, option string) bool {
	on, defined := r.Operation.Options[option]
	return on || !defined && undefinedOption(r, at, option)
}

// IfDisabled reports whether to check a rule that applies only if the option is
// disabled.
//
// Error: InternalError, no origin, when the operation does not define the
// option; the rule is then not to be checked.
func IfDisabled(r *Run, at *Path, option string) bool {
	on, defined := r.Operation.Options[option]
	return !on && (defined || undefinedOption(r, at, option))
}

// Enabled is like IfEnabled, but does not report undefined options. It is for
// conditions that IfEnabled also evaluates.
func Enabled(r *Run, option string) bool { return r.Operation.Options[option] }

// Disabled is like IfDisabled, but does not report undefined options. It is for
// conditions that IfDisabled also evaluates.
func Disabled(r *Run, option string) bool {
	on, defined := r.Operation.Options[option]
	return defined && !on
}

// Defined reports whether the operation defines the option.
func Defined(r *Run, option string) bool {
	_, defined := r.Operation.Options[option]
	return defined
}

// undefinedOption reports that option is not defined. It always returns false.
func undefinedOption(r *Run, at *Path, option string) bool {
	return r.Report(upstream.IfOption(r.Context, r.Operation, r.FieldPath(at), 0, 0, option, true, nil))
}
