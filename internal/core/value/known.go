package value

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
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
	// golang writes a value that fits as Go.
	golang func(f *gofile.File, v *Value) string
	// encode returns what Go writes of a value that fits, if it may differ.
	encode func(v *Value) *Value
	// unset writes the Go condition that an addressable value is the zero value.
	unset func(f *gofile.File, expr string) string
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
			x, y := decoded[resource.Quantity](a), decoded[resource.Quantity](b)
			return x.Cmp(y), true
		},
		golang: func(f *gofile.File, v *Value) string {
			return f.Ident(model.Quantity.Package, "MustParse") + "(" + GoString(strings.TrimSpace(v.Text)) + ")"
		},
		unset: isZero,
	},
	model.Duration: {
		encode: encoded[metav1.Duration],
		kinds:  []Kind{String}, check: decodes[metav1.Duration], zero: `"0s"`,
		expects: `a duration is a string such as "30s" or "1h30m"`,
		compare: func(a, b *Value) (int, bool) {
			x, y := decoded[metav1.Duration](a), decoded[metav1.Duration](b)
			return cmp.Compare(x.Duration, y.Duration), true
		},
		golang: func(f *gofile.File, v *Value) string {
			return f.Ident(model.Duration.Package, "Duration") + "{Duration: " + f.Duration(decoded[metav1.Duration](v).Duration) + "}"
		},
		unset: func(_ *gofile.File, expr string) string { return expr + ".Duration == 0" },
	},
	model.Time: {
		encode: encoded[metav1.Time],
		kinds:  []Kind{String}, check: checkTime[metav1.Time], zero: "null",
		expects: `a time is a string such as "2006-01-02T15:04:05Z"`,
		compare: compareTimes(func(v *Value) time.Time { return decoded[metav1.Time](v).Truncate(time.Second) }), // as in JSON
		golang:  goDate(model.Time.Package, "Date", func(v *Value) time.Time { return decoded[metav1.Time](v).Time }),
		unset:   isZero,
	},
	model.MicroTime: {
		encode: encoded[metav1.MicroTime],
		kinds:  []Kind{String}, check: checkTime[metav1.MicroTime], zero: "null",
		expects: `a time is a string such as "2006-01-02T15:04:05.000000Z"`,
		compare: compareTimes(func(v *Value) time.Time { return decoded[metav1.MicroTime](v).Time }),
		golang:  goDate(model.MicroTime.Package, "DateMicro", func(v *Value) time.Time { return decoded[metav1.MicroTime](v).Time }),
		unset:   isZero,
	},
	model.GoTime: {
		encode: encoded[time.Time],
		kinds:  []Kind{String}, check: checkTime[time.Time], zero: `"0001-01-01T00:00:00Z"`,
		expects: `a time is a string such as "2006-01-02T15:04:05Z"`,
		compare: compareTimes(decoded[time.Time]),
		golang:  goDate("time", "Date", decoded[time.Time]),
		unset:   isZero,
	},
	model.IntOrString: {
		kinds: []Kind{String, Number}, check: decodes[intstr.IntOrString], zero: "0",
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
		golang: func(f *gofile.File, v *Value) string {
			if v.Kind == String {
				return f.Ident(model.IntOrString.Package, "FromString") + "(" + GoString(v.Text) + ")"
			}
			return f.Ident(model.IntOrString.Package, "FromInt32") + "(" + v.Text + ")"
		},
		unset: func(f *gofile.File, expr string) string {
			return expr + " == (" + f.Ident(model.IntOrString.Package, "IntOrString") + "{})"
		},
	},
	model.RawExtension: {
		zero: "null", golang: goRaw(model.RawExtension),
		unset: func(_ *gofile.File, expr string) string { return expr + ".Raw == nil && " + expr + ".Object == nil" },
	},
	model.RawJSON: {
		zero: "null", golang: goRaw(model.RawJSON),
		unset: func(_ *gofile.File, expr string) string { return expr + ".Raw == nil" },
	},
	model.GoRawMessage: {
		zero: "null",
		golang: func(f *gofile.File, v *Value) string {
			return f.Ident(model.GoRawMessage.Package, model.GoRawMessage.Name) + "(" + GoString(v.JSON()) + ")"
		},
		unset: func(_ *gofile.File, expr string) string { return expr + " == nil" },
	},
}

// decodes returns the error of T's decoder for a JSON text.
func decodes[T any](text string) error {
	var x T
	return json.Unmarshal([]byte(text), &x)
}

// decoded returns a value that fits T.
func decoded[T any](v *Value) T {
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

// isZero writes the condition for a type with a method IsZero.
func isZero(_ *gofile.File, expr string) string { return expr + ".IsZero()" }

// goRaw writes a struct with JSON as bytes. Null is the struct without bytes.
func goRaw(name model.Name) func(f *gofile.File, v *Value) string {
	return func(f *gofile.File, v *Value) string {
		if v.Kind == Null {
			return f.Ident(name.Package, name.Name) + "{}"
		}
		return f.Ident(name.Package, name.Name) + "{Raw: []byte(" + GoString(v.JSON()) + ")}"
	}
}

// goDate writes a time as a call of a function with the parameters of time.Date.
func goDate(pkg, function string, read func(*Value) time.Time) func(f *gofile.File, v *Value) string {
	return func(f *gofile.File, v *Value) string {
		t := read(v).UTC()
		return fmt.Sprintf("%s(%d, %s, %d, %d, %d, %d, %d, %s)", f.Ident(pkg, function),
			t.Year(), f.Ident("time", t.Month().String()), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), f.Ident("time", "UTC"))
	}
}
