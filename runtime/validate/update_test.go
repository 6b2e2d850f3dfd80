package validate_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"

	. "github.com/kindsmith/kindsmith/runtime/validate"
)

func TestUpdateRules(t *testing.T) {
	match := upstream.DirectEqual[int]
	for _, op := range []operation.Operation{create, update} {
		same(t, op, upstream.Immutable(ctx, op, where, 1, 2), Immutable)
		same(t, op, upstream.UpdateValueByCompare(ctx, op, where, ptr(1), ptr(0), upstream.NoSet), UpdateNoSet)
		same(t, op, upstream.UpdateValueByCompare(ctx, op, where, ptr(0), ptr(1), upstream.NoUnset), UpdateNoUnset)
		same(t, op, upstream.UpdateValueByCompare(ctx, op, where, ptr(2), ptr(1), upstream.NoModify), UpdateNoModify)
		same(t, op, upstream.UpdateStruct(ctx, op, where, ptr(2), ptr(1), upstream.NoModify), UpdateNoModify)

		// The path is the item's, the list's, or the map entry's.
		same(t, op, upstream.ValSliceUpdate(ctx, op, where, []int{1, 2}, []int{1}, match, upstream.NoAddItem),
			func(r *Run, at *Path) bool { item := at.Index(1); return UpdateNoAddItem(r, &item) })
		same(t, op, upstream.ValSliceUpdate(ctx, op, where, []int{1}, []int{1, 2}, match, upstream.NoRemoveItem), UpdateNoRemoveItem)
		same(t, op, upstream.UpdateMap(ctx, op, where, map[string]int{"k": 1}, nil, upstream.NoAddItem),
			func(r *Run, at *Path) bool { entry := at.Key("k"); return UpdateNoAddItem(r, &entry) })
		same(t, op, upstream.UpdateMap(ctx, op, where, nil, map[string]int{"k": 1}, upstream.NoRemoveItem),
			func(r *Run, at *Path) bool { entry := at.Key("k"); return UpdateNoRemoveItem(r, &entry) })
	}
}
