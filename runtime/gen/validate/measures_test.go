package validate_test

import (
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// bounds are the checks of one bound by origin, with the words of their errors and
// what they accept of a value that compares as -1, 0 or 1.
var bounds = []struct {
	origin, words string
	accepts       []int
	duration      func(r *Run, at *Path, value, bound time.Duration) bool
	quantity      func(r *Run, at *Path, value, bound *resource.Quantity) bool
}{
	{"minimum", "must be greater than or equal to ", []int{0, 1}, MinimumDuration, MinimumQuantity},
	{"maximum", "must be less than or equal to ", []int{-1, 0}, MaximumDuration, MaximumQuantity},
	{"exclusiveMinimum", "must be greater than ", []int{1}, ExclusiveMinimumDuration, ExclusiveMinimumQuantity},
	{"exclusiveMaximum", "must be less than ", []int{-1}, ExclusiveMaximumDuration, ExclusiveMaximumQuantity},
}

func TestDurationBounds(t *testing.T) {
	const bound = 90 * time.Second
	for _, b := range bounds {
		for order, value := range map[int]time.Duration{-1: bound - 1, 0: bound, 1: bound + 1} {
			var want field.ErrorList
			if !slices.Contains(b.accepts, order) {
				want = field.ErrorList{field.Invalid(where, value.String(), b.words+"1m30s").WithOrigin(b.origin)}
			}
			same(t, create, want, func(r *Run, at *Path) bool { return b.duration(r, at, value, bound) })
		}
	}
}

func TestQuantityBounds(t *testing.T) {
	bound := resource.MustParse("1536Mi")
	for _, b := range bounds {
		for order, text := range map[int]string{-1: "1610612735999m", 0: "1536Mi", 1: "1610612737"} {
			value := resource.MustParse(text)
			var want field.ErrorList
			if !slices.Contains(b.accepts, order) {
				want = field.ErrorList{field.Invalid(where, text, b.words+"1536Mi").WithOrigin(b.origin)}
			}
			before := value
			same(t, create, want, func(r *Run, at *Path) bool { return b.quantity(r, at, &value, &bound) })
			if value != before {
				t.Errorf("the value is %#v, and was %#v", value, before)
			}
		}
	}
}
