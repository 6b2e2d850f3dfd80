package upstream_test

import (
	"testing"

	upstream "k8s.io/apimachinery/pkg/api/validate"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestCounts(t *testing.T) {
	for length := range 4 {
		list, entries := make([]int, length), map[int]int{}
		for i := range length {
			entries[i] = i
		}
		for n := range 5 {
			same(t, create, upstream.MinItems(ctx, create, where, list, nil, n),
				func(r *Run, at *Path) bool { return MinItems(r, at, length, n) })
			stops(t, create, upstream.MaxItems(ctx, create, where, list, nil, n),
				func(r *Run, at *Path) bool { return MaxItems(r, at, length, n) })
			same(t, create, upstream.MinProperties(ctx, create, where, entries, nil, n),
				func(r *Run, at *Path) bool { return MinProperties(r, at, length, n) })
			stops(t, create, upstream.MaxProperties(ctx, create, where, entries, nil, n),
				func(r *Run, at *Path) bool { return MaxProperties(r, at, length, n) })
		}
	}
}
