package upstream_test

import (
	"fmt"
	"math"
	"testing"

	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestNumbers(t *testing.T) {
	numbers(t, []int8{math.MinInt8, -1, 0, 1, 5, math.MaxInt8})
	numbers(t, []number{math.MinInt32, -3, -1, 0, 1, 2, 4, math.MaxInt32})
	numbers(t, []int64{math.MinInt64, -1, 0, 7, 14, math.MaxInt64})
	numbers(t, []uint64{0, 1, 3, 9, math.MaxInt64 + 1, math.MaxUint64})
}

func numbers[T Integer](t *testing.T, values []T) {
	invalid := func(ok bool, value T, detail string, bound T, origin string) field.ErrorList {
		if ok {
			return nil
		}
		return field.ErrorList{field.Invalid(where, value, fmt.Sprintf("must be %s %d", detail, bound)).WithOrigin(origin)}
	}
	for _, v := range values {
		for _, b := range values {
			same(t, create, upstream.Minimum(ctx, create, where, &v, nil, b),
				func(r *Run, at *Path) bool { return Minimum(r, at, v, b) })
			same(t, create, upstream.Maximum(ctx, create, where, &v, nil, b),
				func(r *Run, at *Path) bool { return Maximum(r, at, v, b) })
			same(t, create, upstream.NEQ(ctx, create, where, &v, nil, b),
				func(r *Run, at *Path) bool { return NEQ(r, at, v, b) })
			same(t, create, upstream.Monotonic(ctx, create, where, &v, &b),
				func(r *Run, at *Path) bool { return Monotonic(r, at, v, b) })
			same(t, update, upstream.Monotonic(ctx, update, where, &v, &b),
				func(r *Run, at *Path) bool { return Monotonic(r, at, v, b) })
			same(t, create, invalid(v > b, v, "greater than", b, "exclusiveMinimum"),
				func(r *Run, at *Path) bool { return ExclusiveMinimum(r, at, v, b) })
			same(t, create, invalid(v < b, v, "less than", b, "exclusiveMaximum"),
				func(r *Run, at *Path) bool { return ExclusiveMaximum(r, at, v, b) })
			if b != 0 {
				same(t, create, invalid(v/b*b == v, v, "a multiple of", b, "multipleOf"),
					func(r *Run, at *Path) bool { return MultipleOf(r, at, v, b) })
			}
		}
	}
}
