package upstream_test

import (
	"testing"

	upstream "k8s.io/apimachinery/pkg/api/validate"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestUnique(t *testing.T) {
	hash := func(v *text) uint64 { return HashString(0, *v) }
	direct := func(a, b *text) bool { return *a == *b }
	long := make([]text, 100)
	for i := range long {
		long[i] = text(rune('a' + i%30))
	}
	for _, items := range [][]text{nil, {"a"}, {"a", "b"}, {"a", "b", "a", "a", "b"}, long} {
		want := upstream.ValSliceUnique(ctx, create, where, items, nil, upstream.DirectEqual)
		same(t, create, want, func(r *Run, at *Path) bool { return UniqueValues(r, at, items) })
		same(t, create, want, func(r *Run, at *Path) bool { return UniqueFunc(r, at, items, hash, direct) })
		var pointers []*text
		for i := range items {
			pointers = append(pointers, &items[i], nil)
		}
		same(t, create, upstream.PtrSliceUnique(ctx, create, where, pointers, nil, direct),
			func(r *Run, at *Path) bool { return UniquePtrFunc(r, at, pointers, hash, direct) })
	}
}
