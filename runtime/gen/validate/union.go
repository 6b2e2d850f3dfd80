package validate

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"
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
	given := slices.Clone(set) // so that the caller's stays on the stack
	members, isSet := undiscriminated(fields, given)
	return r.Report(upstream.Union(r.Context, operation.Operation{}, r.FieldPath(at), given, nil, members, isSet...))
}

func moreThanOne(r *Run, at *Path, fields []string, set []bool) bool {
	given := slices.Clone(set) // so that the caller's stays on the stack
	members, isSet := undiscriminated(fields, given)
	return r.Report(upstream.ZeroOrOneOfUnion(r.Context, operation.Operation{}, r.FieldPath(at), given, nil, members, isSet...))
}

// undiscriminated converts a union to upstream's types.
func undiscriminated(fields []string, set []bool) (*upstream.UnionMembership, []upstream.ExtractorFn[[]bool, bool]) {
	members := make([]upstream.UnionMember, len(fields))
	for i, name := range fields {
		members[i] = upstream.NewUnionMember(name)
	}
	isSet := make([]upstream.ExtractorFn[[]bool, bool], len(set))
	for i := range set {
		isSet[i] = func(set []bool) bool { return set[i] }
	}
	return upstream.NewUnionMembership(members...), isSet
}

// wrongMember reports a member that is set but not selected, or selected but not
// set.
func wrongMember(r *Run, at *Path, set bool, field, discriminator, memberValue string) bool {
	value := memberValue
	if set {
		value += " not" // any other value: the error does not contain it
	}
	members := upstream.NewDiscriminatedUnionMembership(discriminator, upstream.NewDiscriminatedUnionMember(field, memberValue))
	return r.Report(upstream.DiscriminatedUnion(r.Context, operation.Operation{}, r.FieldPath(at), set, false, members,
		func(bool) string { return value },
		func(set bool) bool { return set }))
}
