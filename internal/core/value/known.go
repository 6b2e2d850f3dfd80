package value

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kindsmith/kindsmith/internal/core/apitype"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// known describes a type with custom JSON.
type known struct {
	// kinds are the kinds of JSON that the type reads; none means any.
	kinds []Kind
	// check returns an error if the type's own decoder rejects JSON of these kinds.
	check func(text string) error
	// expects describes valid values, for a diagnostic.
	expects string
	// zero is the JSON of the zero value.
	zero string
	// compare orders two values that fit. Nil means that the type has no order
	// and that values are equal if their JSON is.
	compare func(a, b *Value) (order int, ok bool)
	// encode returns what Go writes of a value that fits, if it may differ.
	encode func(v *Value) *Value
}

// IsKnown reports whether r is one of the types with custom JSON whose values can be
// checked, compared and written as Go.
func IsKnown(r *model.Ref) bool {
	_, ok := knownTypes[r.ID()]
	return ok
}

var knownTypes = map[model.Name]known{
	model.Quantity: {
		encode: encoded[resource.Quantity],
		kinds:  []Kind{String, Number}, check: checkQuantity, zero: `"0"`,
		expects: `a quantity is a string such as "500m" or "1Gi", or a number`,
		compare: func(a, b *Value) (int, bool) {
			x, y := As[resource.Quantity](a), As[resource.Quantity](b)
			return x.Cmp(y), true
		},
	},
	model.Duration: {
		encode: encoded[apitype.Duration],
		kinds:  []Kind{String}, check: decodes[apitype.Duration], zero: `"0s"`,
		expects: `a duration is a string such as "30s" or "1h30m"`,
		compare: func(a, b *Value) (int, bool) {
			x, y := As[apitype.Duration](a), As[apitype.Duration](b)
			return cmp.Compare(x.Duration, y.Duration), true
		},
	},
	model.Time: {
		encode: encoded[apitype.Time],
		kinds:  []Kind{String}, check: checkTime[apitype.Time], zero: "null",
		expects: `a time is a string such as "2006-01-02T15:04:05Z"`,
		compare: compareTimes(func(v *Value) time.Time { return As[apitype.Time](v).Truncate(time.Second) }), // as in JSON
	},
	model.MicroTime: {
		encode: encoded[apitype.MicroTime],
		kinds:  []Kind{String}, check: checkTime[apitype.MicroTime], zero: "null",
		expects: `a time is a string such as "2006-01-02T15:04:05.000000Z"`,
		compare: compareTimes(func(v *Value) time.Time { return As[apitype.MicroTime](v).Time }),
	},
	model.GoTime: {
		encode: encoded[time.Time],
		kinds:  []Kind{String}, check: checkTime[time.Time], zero: `"0001-01-01T00:00:00Z"`,
		expects: `a time is a string such as "2006-01-02T15:04:05Z"`,
		compare: compareTimes(As[time.Time]),
	},
	model.IntOrString: {
		kinds: []Kind{String, Number}, check: decodes[apitype.IntOrString], zero: "0",
		expects: "an IntOrString is a string or a 32-bit integer",
		compare: func(a, b *Value) (int, bool) {
			switch {
			case a.Kind != b.Kind:
				return 0, false
			case a.Kind == String:
				return strings.Compare(a.Text, b.Text), true
			}
			return compareNumbers(a.Text, b.Text), true
		},
	},
	model.RawExtension: {zero: "null"},
	model.RawJSON:      {zero: "null"},
	model.GoRawMessage: {zero: "null"},
}

// decodes returns the error of T's decoder for a JSON text.
func decodes[T any](text string) error {
	var x T
	return json.Unmarshal([]byte(text), &x)
}

// As returns a value that fits T as a T.
func As[T any](v *Value) T {
	var x T
	_ = json.Unmarshal([]byte(v.JSON()), &x) // checked before
	return x
}

// checkTime also rejects times that T reads and cannot write: those whose time zone
// results in a year before 0 or after 9999.
func checkTime[T any](text string) error {
	var x T
	if err := json.Unmarshal([]byte(text), &x); err != nil {
		return err
	}
	written, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return json.Unmarshal(written, &x)
}

// maxExponentDigits bounds the exponents of quantities. apimachinery expands the
// number before it caps the quantity, which takes hours for a huge exponent.
const maxExponentDigits = 3

// checkQuantity also rejects quantities that apimachinery writes as another amount.
func checkQuantity(text string) error {
	if i := strings.LastIndexAny(text, "eE"); i >= 0 {
		digits := strings.TrimLeft(strings.Trim(text[i+1:], `+-" `), "0")
		if len(digits) > maxExponentDigits {
			return fmt.Errorf("the exponent of %s is too large", text)
		}
	}
	var read, again resource.Quantity
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		return err
	}
	written, err := json.Marshal(&read)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(written, &again); err != nil {
		return err
	}
	if read.Cmp(again) != 0 { // apimachinery has no suffix for 1e21 and writes 1
		return fmt.Errorf("%s is written as %s", text, written)
	}
	return nil
}

func compareTimes(read func(*Value) time.Time) func(a, b *Value) (int, bool) {
	return func(a, b *Value) (int, bool) { return read(a).Compare(read(b)), true }
}
