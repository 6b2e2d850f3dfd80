package upstream_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestUnions(t *testing.T) {
	for size := range 4 {
		var names []string
		var members []upstream.UnionMember
		var isSet []upstream.ExtractorFn[[]bool, bool]
		for i := range size {
			names = append(names, fmt.Sprintf("m%d", i))
			members = append(members, upstream.NewUnionMember(names[i]))
			isSet = append(isSet, func(set []bool) bool { return set[i] })
		}
		union := upstream.NewUnionMembership(members...)
		for bits := range 1 << size {
			set := make([]bool, size)
			for i := range set {
				set[i] = bits>>i&1 == 1
			}
			for _, op := range []operation.Operation{create, update} {
				same(t, op, upstream.Union(ctx, create, where, set, nil, union, isSet...),
					func(r *Run, at *Path) bool { return ExactlyOneOf(r, at, names, set...) })
				same(t, op, upstream.ZeroOrOneOfUnion(ctx, create, where, set, nil, union, isSet...),
					func(r *Run, at *Path) bool { return AtMostOneOf(r, at, names, set...) })
			}
		}
		// The numbers of fields and members differ.
		same(t, create, upstream.Union[[]bool](ctx, create, where, nil, nil, union, append(isSet, nil)...),
			func(r *Run, at *Path) bool { return ExactlyOneOf(r, at, names, make([]bool, size+1)...) })
		same(t, create, upstream.ZeroOrOneOfUnion[[]bool](ctx, create, where, nil, nil, union, append(isSet, nil)...),
			func(r *Run, at *Path) bool { return AtMostOneOf(r, at, names, make([]bool, size+1)...) })
	}
}

func TestDiscriminatedUnion(t *testing.T) {
	type object struct {
		kind text
		a, b bool
	}
	union := upstream.NewDiscriminatedUnionMembership("type",
		upstream.NewDiscriminatedUnionMember("a", `A"`), upstream.NewDiscriminatedUnionMember("b", ""))
	for _, kind := range []text{"", `A"`, "other", "a"} {
		for bits := range 4 {
			o := object{kind, bits&1 == 1, bits&2 == 2}
			want := upstream.DiscriminatedUnion(ctx, create, where, o, object{}, union,
				func(o object) text { return o.kind }, func(o object) bool { return o.a }, func(o object) bool { return o.b })
			for _, op := range []operation.Operation{create, update} {
				same(t, op, want, func(r *Run, at *Path) bool {
					a := UnionMember(r, at, o.a, o.kind == `A"`, "a", "type", `A"`)
					b := UnionMember(r, at, o.b, o.kind == "", "b", "type", "")
					return a && b
				})
			}
		}
	}
}
