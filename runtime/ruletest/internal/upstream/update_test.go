package upstream_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestUpdateRules(t *testing.T) {
	for _, op := range []operation.Operation{create, update} {
		stops(t, op, upstream.Immutable(ctx, op, where, 1, 2), Immutable)
		for _, was := range []bool{true, false} {
			for _, is := range []bool{true, false} {
				v, old := pointer(is), pointer(was)
				stops(t, op, upstream.UpdatePointer(ctx, op, where, v, old, upstream.NoSet),
					func(r *Run, at *Path) bool { return UpdateNoSet(r, at, was, is) })
				stops(t, op, upstream.UpdatePointer(ctx, op, where, v, old, upstream.NoUnset),
					func(r *Run, at *Path) bool { return UpdateNoUnset(r, at, was, is) })
				stops(t, op, upstream.UpdatePointer(ctx, op, where, v, old, upstream.NoModify),
					func(r *Run, at *Path) bool { return UpdateNoModify(r, at, was, is) })
			}
		}
	}
}

func pointer(set bool) *int {
	if set {
		return new(int)
	}
	return nil
}

func TestUpdateOfLists(t *testing.T) {
	match := upstream.DirectEqual[int]
	equal := func(a, b *int) bool { return *a == *b }
	hash := func(p *int) uint64 { return HashInt(0, *p) }
	lists := [][]int{nil, {1}, {2}, {1, 2}, {2, 1}, {3, 1, 4}, {1, 1}}
	for _, op := range []operation.Operation{create, update} {
		for _, items := range lists {
			for _, old := range lists {
				stops(t, op, upstream.ValSliceUpdate(ctx, op, where, items, old, match, upstream.NoAddItem),
					func(r *Run, at *Path) bool { return UpdateNoAddItem(r, at, items, old, hash, equal) })
				stops(t, op, upstream.ValSliceUpdate(ctx, op, where, items, old, match, upstream.NoRemoveItem),
					func(r *Run, at *Path) bool { return UpdateNoRemoveItem(r, at, items, old, hash, equal) })
				p, oldP := append(pointers(items), nil), append(pointers(old), nil)
				stops(t, op, upstream.PtrSliceUpdate(ctx, op, where, p, oldP, match, upstream.NoAddItem),
					func(r *Run, at *Path) bool { return UpdateNoAddItemPtr(r, at, p, oldP, hash, equal) })
				stops(t, op, upstream.PtrSliceUpdate(ctx, op, where, p, oldP, match, upstream.NoRemoveItem),
					func(r *Run, at *Path) bool { return UpdateNoRemoveItemPtr(r, at, p, oldP, hash, equal) })
			}
		}
	}
}

func pointers(items []int) []*int {
	var out []*int
	for i := range items {
		out = append(out, &items[i])
	}
	return out
}

func TestUpdateOfMaps(t *testing.T) {
	maps := []map[string]int{nil, {"a": 1}, {"b": 1}, {"a": 2, "b": 1}}
	for _, op := range []operation.Operation{create, update} {
		for _, m := range maps {
			for _, old := range maps {
				if len(m)+len(old) == 2 && (m == nil || old == nil) {
					continue // more than one error, which upstream has in random order
				}
				stops(t, op, upstream.UpdateMap(ctx, op, where, m, old, upstream.NoAddItem),
					func(r *Run, at *Path) bool { return UpdateNoAddKey(r, at, m, old) })
				stops(t, op, upstream.UpdateMap(ctx, op, where, m, old, upstream.NoRemoveItem),
					func(r *Run, at *Path) bool { return UpdateNoRemoveKey(r, at, m, old) })
			}
		}
	}
	r := NewRun(ctx, update, nil)
	UpdateNoAddKey(&r, nil, map[string]int{"b": 0, "c": 0, "a": 0}, nil)
	if got := r.Errors().ToAggregate().Error(); got != `[[a]: Forbidden: item may not be added, [b]: Forbidden: item may not be added, [c]: Forbidden: item may not be added]` {
		t.Error(got)
	}
}
