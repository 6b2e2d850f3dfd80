package validate

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// On update, the caller skips the check of a union if no member was set or unset
// and the discriminator did not change.

// ExactlyOneOf checks that exactly one member of a union is set. fields are the
// names of the members, and set says for each member whether it is set.
//
// Error: Invalid at the struct, origin "union"; InternalError if fields and set
// differ in length.
func ExactlyOneOf(r *Run, at *Path, fields []string, set ...bool) bool {
	return count(set) == 1 && len(set) == len(fields) || notExactlyOne(r, at, fields, set)
}

// AtMostOneOf checks that at most one member of a union is set. fields are the
// names of the members, and set says for each member whether it is set.
//
// Error: Invalid at the struct, origin "zeroOrOneOf"; InternalError if fields and
// set differ in length.
func AtMostOneOf(r *Run, at *Path, fields []string, set ...bool) bool {
	return count(set) <= 1 && len(set) == len(fields) || moreThanOne(r, at, fields, set)
}

// UnionMember checks one member of a union that has a discriminator: the field is
// set if and only if the discriminator selects it, by having the value memberValue.
//
// Error: Invalid at the member's field, origin "union".
func UnionMember(r *Run, at *Path, set, selected bool, field, discriminator, memberValue string) bool {
	return set == selected || wrongMember(r, at, set, field, discriminator, memberValue)
}

func count(set []bool) int {
	n := 0
	for _, s := range set {
		if s {
			n++
		}
	}
	return n
}

func notExactlyOne(r *Run, at *Path, fields []string, set []bool) bool {
	if len(set) != len(fields) {
		return mismatched(r, at, fields, set, "union")
	}
	if count(set) == 0 {
		return r.report(field.Invalid(r.FieldPath(at), "", "must specify one of: "+members(fields)).WithOrigin("union"))
	}
	return r.report(field.Invalid(r.FieldPath(at), given(fields, set), "must specify exactly one of: "+members(fields)).WithOrigin("union"))
}

func moreThanOne(r *Run, at *Path, fields []string, set []bool) bool {
	if len(set) != len(fields) {
		return mismatched(r, at, fields, set, "")
	}
	return r.report(field.Invalid(r.FieldPath(at), given(fields, set), "must specify at most one of: "+members(fields)).WithOrigin("zeroOrOneOf"))
}

func mismatched(r *Run, at *Path, fields []string, set []bool, origin string) bool {
	return r.report(field.InternalError(r.FieldPath(at),
		fmt.Errorf("number of extractors (%d) does not match number of union members (%d)", len(set), len(fields))).WithOrigin(origin))
}

// members lists the members of a union.
func members(fields []string) string {
	quoted := make([]string, len(fields))
	for i, name := range fields {
		quoted[i] = "`" + name + "`"
	}
	return strings.Join(quoted, ", ")
}

// given lists the members that are set.
func given(fields []string, set []bool) string {
	var names []string
	for i, name := range fields {
		if set[i] {
			names = append(names, name)
		}
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// wrongMember reports a member that is set but not selected, or selected but not
// set.
func wrongMember(r *Run, at *Path, set bool, name, discriminator, memberValue string) bool {
	must := "must be"
	if set {
		must = "may only be"
	}
	return r.report(field.Invalid(r.FieldPath(at).Child(name), "",
		fmt.Sprintf("%s specified when `%s` is %q", must, discriminator, memberValue)).WithOrigin("union"))
}
