package validate_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

type (
	instant metav1.Time
	amount  resource.Quantity
	deep    struct {
		Name     *string
		Flags    []bool
		Bytes    []byte
		Labels   map[string]*int64
		Quantity *resource.Quantity
		Amounts  []resource.Quantity
		Time     *metav1.Time
		Micro    metav1.MicroTime
		Number   float64
		Array    [2]uint8
		Any      any
		Next     *deep
	}
)

// Equal values have equal hashes, however they are written.
func TestHashMeaning(t *testing.T) {
	q := resource.MustParse
	now := time.Unix(1, 2)
	there := now.In(time.FixedZone("there", 3600))
	number := int64(1)
	for name, values := range map[string][]deep{
		"empty":      {{}, {Flags: []bool{}, Bytes: []byte{}, Labels: map[string]*int64{}, Amounts: []resource.Quantity{}}},
		"quantities": {{Amounts: []resource.Quantity{q("1"), q("1Ki")}}, {Amounts: []resource.Quantity{q("1000m"), q("1024")}}},
		"times":      {{Time: &metav1.Time{Time: now}, Micro: metav1.MicroTime{Time: now}}, {Time: &metav1.Time{Time: there}, Micro: metav1.MicroTime{Time: there}}},
		"zeros":      {{Number: 0}, {Number: math.Copysign(0, -1)}},
		"maps":       {{Labels: map[string]*int64{"a": &number, "b": nil}}, {Labels: map[string]*int64{"b": nil, "a": ptr(int64(1))}}},
		"below":      {{Next: &deep{Quantity: ptr(q("2"))}}, {Next: &deep{Quantity: ptr(q("2000m"))}}},
	} {
		if !apiequality.Semantic.DeepEqual(values[0], values[1]) {
			t.Errorf("%s: the values differ", name)
		}
		if HashMeaning(7, &values[0]) != HashMeaning(7, &values[1]) {
			t.Errorf("%s: the hashes differ", name)
		}
	}
	for _, times := range [][]instant{{{Time: now}, {Time: there}}} {
		if HashMeaning(0, &times[0]) != HashMeaning(0, &times[1]) {
			t.Error("the hashes of a type declared from times differ")
		}
	}
	if a, b := amount(q("1")), amount(q("1000m")); HashMeaning(0, &a) != HashMeaning(0, &b) {
		t.Error("the hashes of a type declared from quantities differ")
	}
}

// Values that differ anywhere have different hashes, so that lists of them are checked
// in linear time.
func TestHashMeaningTellsValuesApart(t *testing.T) {
	texts := func(i int) *string { s := string(rune('a' + i)); return &s }
	seen := map[uint64]int{}
	for i := range 16 {
		for n, v := range []deep{
			{Name: texts(i)}, {Flags: make([]bool, i+1)}, {Bytes: make([]byte, i+1)}, {Labels: map[string]*int64{*texts(i): nil}},
			{Quantity: resource.NewQuantity(int64(i), resource.DecimalSI)}, {Time: &metav1.Time{Time: time.Unix(int64(i), 0)}},
			{Number: float64(i + 1)}, {Array: [2]uint8{0, uint8(i + 1)}}, {Any: i}, {Next: &deep{Next: &deep{Name: texts(i)}}},
		} {
			h := HashMeaning(0, &v)
			if other, ok := seen[h]; ok {
				t.Errorf("values %d and %d have the same hash", other, 16*n+i)
			}
			seen[h] = 16*n + i
		}
	}
}

func TestHashMeaningAllocatesNothing(t *testing.T) {
	name := "a"
	v := &deep{Name: &name, Flags: []bool{true}, Bytes: []byte("b"), Number: rand.Float64(), Next: &deep{Name: &name}}
	if n := testing.AllocsPerRun(100, func() { HashMeaning(0, v) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
