package quantity_test

import (
	"cmp"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kindsmith/kindsmith/runtime/gen/quantity"
)

// ordered are quantities in ascending order; those of one line are equal.
var ordered = [][]string{
	{"-1E100"},
	{"-9223372036854775809"},
	{"-9223372036854775808"},
	{"-1.5Gi"},
	{"-1"},
	{"-999m"},
	{"-1n"},
	{"0", "0Gi", "-0"},
	{"1n"},
	{"999m"},
	{"1", "1000m", "1e0", "1.000"},
	{"1001m"},
	{"1.5"},
	{"1500.000000001m", "1500000001n"}, // rounded up to whole n
	{"10"},
	{"1000", "1k"},
	{"1Ki", "1024"},
	{"1.5Gi", "1536Mi", "1610612736"},
	{"1610612736500m"},
	{"9223372036854775806"},
	{"9223372036854775807"},
	{"9223372036854775808"},
	{"9223372036854775808500m"},
	{"12345678901234567890123"},
	{"12345678901234567890124"},
	{"1E100"},
	{"1E10000000"},
}

func canonical(q *resource.Quantity) string { return fmt.Sprint(quantity.Canonical(q, nil)) }

func TestCompare(t *testing.T) {
	for i, line := range ordered {
		for _, text := range line {
			for j, others := range ordered {
				for _, other := range others {
					value, against := resource.MustParse(text), resource.MustParse(other)
					before := value
					if got, want := quantity.Compare(&value, &against), cmp.Compare(i, j); got != want {
						t.Errorf("%s compares as %d with %s, want %d", text, got, other, want)
					}
					if same := canonical(&value) == canonical(&against); same != (i == j) {
						t.Errorf("the canonical forms of %s and %s are equal: %t", text, other, same)
					}
					if value != before {
						t.Errorf("%s was changed", text)
					}
				}
			}
		}
	}
}
