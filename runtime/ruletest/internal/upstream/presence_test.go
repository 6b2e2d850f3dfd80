package upstream_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestPresence(t *testing.T) {
	for _, set := range []bool{false, true} {
		var value *int
		if set {
			value = new(int)
		}
		stops(t, create, upstream.RequiredPointer(ctx, create, where, value, nil),
			func(r *Run, at *Path) bool { return Required(r, at, set) })
		stops(t, update, upstream.ForbiddenPointer(ctx, update, where, value, nil),
			func(r *Run, at *Path) bool { return Forbidden(r, at, set) })
	}
	stops(t, create, upstream.RequiredSlice[int](ctx, create, where, nil, nil),
		func(r *Run, at *Path) bool { return Required(r, at, false) })
	stops(t, create, upstream.ForbiddenMap(ctx, create, where, map[string]int{"": 0}, nil),
		func(r *Run, at *Path) bool { return Forbidden(r, at, true) })
}

func TestDependent(t *testing.T) {
	type sets struct{ trigger, dependent bool }
	trigger := func(s *sets) bool { return s.trigger }
	dependent := func(s *sets) bool { return s.dependent }
	for _, s := range []sets{{false, false}, {false, true}, {true, false}, {true, true}} {
		for _, op := range []operation.Operation{create, update} {
			same(t, op, upstream.DependentRequired(ctx, op, where, &s, nil, "one", trigger, "two", dependent),
				func(r *Run, at *Path) bool { return DependentRequired(r, at, "one", "two", s.trigger, s.dependent) })
			same(t, op, upstream.DependentForbidden(ctx, op, where, &s, nil, "one", trigger, "two", dependent),
				func(r *Run, at *Path) bool { return DependentForbidden(r, at, "one", "two", s.trigger, s.dependent) })
		}
	}
}

func TestNoNilItems(t *testing.T) {
	for _, items := range [][]*int{nil, {}, {ptr(1)}, {nil}, {ptr(1), nil, ptr(2), nil}} {
		stops(t, create, upstream.PtrSliceNoNils(ctx, create, where, items, nil), func(r *Run, at *Path) bool {
			return NoNilItems(r, at, items)
		})
	}
}
