package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/runtime/gen/equality"
)

// known is a type with custom JSON that the evaluator decodes like Go.
type known struct {
	// words describe its JSON values.
	words string
	// decode reads a JSON value; zero is the zero value.
	decode func(text []byte) (any, error)
	zero   any
	equal  func(a, b any) bool
	// unset reports whether a default applies to a value.
	unset func(v any) bool
}

// knownTypes are the types with JSON of their own that the evaluator knows.
var knownTypes = map[model.Name]*known{
	model.Quantity: bounded(ofGo("a quantity such as 100m or 2Gi", equality.Quantity,
		func(q *resource.Quantity) bool { return q.IsZero() })),
	model.Duration: ofGo("a duration such as 30s", func(a, b *metav1.Duration) bool { return *a == *b },
		func(d *metav1.Duration) bool { return d.Duration == 0 }),
	model.IntOrString: ofGo("an integer or a string", func(a, b *intstr.IntOrString) bool { return *a == *b },
		func(v *intstr.IntOrString) bool { return *v == intstr.IntOrString{} }),
	model.Time:      ofGo("a time such as 2006-01-02T15:04:05Z", equality.Time, (*metav1.Time).IsZero),
	model.MicroTime: ofGo("a time such as 2006-01-02T15:04:05.000000Z", equality.MicroTime, (*metav1.MicroTime).IsZero),
	model.GoTime: ofGo("a time such as 2006-01-02T15:04:05Z",
		func(a, b *metav1.Time) bool { return a.UTC() == b.UTC() }, (*metav1.Time).IsZero), //nolint:staticcheck // as package equality compares times
	model.RawExtension: ofJSON(true),
	model.RawJSON:      ofJSON(true),
	model.GoRawMessage: ofJSON(false),
	model.FieldsV1:     ofJSON(true),
}

// ofGo returns a type that is decoded by its own method.
func ofGo[T any, P interface {
	*T
	json.Unmarshaler
}](words string, equal func(a, b *T) bool, unset func(*T) bool) *known {
	return &known{
		words: words, zero: new(T),
		decode: func(text []byte) (any, error) {
			v := new(T)
			err := P(v).UnmarshalJSON(text)
			return v, err
		},
		equal: func(a, b any) bool { return equal(a.(*T), b.(*T)) },
		unset: func(v any) bool { return unset(v.(*T)) },
	}
}

// longExponent is an exponent of six digits or more.
var longExponent = regexp.MustCompile(`[eE][+-]?[0-9]{6,}"?$`)

// bounded rejects quantities such as 1e-1000000000, which the library expands. That takes hours and
// too much memory.
func bounded(k *known) *known {
	decode := k.decode
	k.decode = func(text []byte) (any, error) {
		if longExponent.Match(text) {
			return nil, errors.New("the exponent is too long")
		}
		return decode(text)
	}
	return k
}

// ofJSON returns a type that stores any JSON. Go stores and compares the bytes; here, equal JSON
// values with different text are equal.
func ofJSON(nullIsZero bool) *known {
	return &known{
		words: "any value",
		decode: func(text []byte) (any, error) {
			if nullIsZero && string(text) == "null" {
				return json.RawMessage(nil), nil
			}
			return json.RawMessage(text), nil
		},
		zero:  json.RawMessage(nil),
		equal: func(a, b any) bool { return bytes.Equal(a.(json.RawMessage), b.(json.RawMessage)) },
		unset: func(v any) bool { return v.(json.RawMessage) == nil },
	}
}
