package validate

import upstream "k8s.io/apimachinery/pkg/api/validate"

// IfEnabled returns whether a rule that holds only while the option is on is to
// be checked.
//
// Error: InternalError, no origin, when the operation does not define the
// option; the rule is then not to be checked.
func IfEnabled(r *Run, at *Path, option string) bool {
	on, defined := r.Operation.Options[option]
	return on || !defined && undefinedOption(r, at, option)
}

// IfDisabled returns whether a rule that holds only while the option is off is
// to be checked.
//
// Error: InternalError, no origin, when the operation does not define the
// option; the rule is then not to be checked.
func IfDisabled(r *Run, at *Path, option string) bool {
	on, defined := r.Operation.Options[option]
	return !on && (defined || undefinedOption(r, at, option))
}

// Enabled is IfEnabled without the report, for conditions that were or will be
// asked about with it.
func Enabled(r *Run, option string) bool { return r.Operation.Options[option] }

// Disabled is IfDisabled without the report, for conditions that were or will
// be asked about with it.
func Disabled(r *Run, option string) bool {
	on, defined := r.Operation.Options[option]
	return defined && !on
}

// Defined returns whether the operation defines the option.
func Defined(r *Run, option string) bool {
	_, defined := r.Operation.Options[option]
	return defined
}

// undefinedOption reports that option is not defined. It always returns false.
func undefinedOption(r *Run, at *Path, option string) bool {
	return r.Report(upstream.IfOption(r.Context, r.Operation, r.FieldPath(at), 0, 0, option, true, nil))
}
