package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kindsmith/kindsmith/internal/core/apitype"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/runtime/gen/quantity"
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
	model.Quantity: bounded(ofGo("a quantity such as 100m or 2Gi", quantity.Equal,
		func(q *resource.Quantity) bool { return q.IsZero() })),
	model.Duration: ofGo("a duration such as 30s", func(a, b *apitype.Duration) bool { return *a == *b },
		func(d *apitype.Duration) bool { return d.Duration == 0 }),
	model.IntOrString: ofGo("an integer or a string", func(a, b *apitype.IntOrString) bool { return *a == *b },
		func(v *apitype.IntOrString) bool { return *v == apitype.IntOrString{} }),
	model.Time: ofGo("a time such as 2006-01-02T15:04:05Z",
		func(a, b *apitype.Time) bool { return sameTime(a.Time, b.Time) }, (*apitype.Time).IsZero),
	model.MicroTime: ofGo("a time such as 2006-01-02T15:04:05.000000Z",
		func(a, b *apitype.MicroTime) bool { return sameTime(a.Time, b.Time) }, (*apitype.MicroTime).IsZero),
	model.GoTime: ofGo("a time such as 2006-01-02T15:04:05Z",
		func(a, b *apitype.Time) bool { return sameTime(a.Time, b.Time) }, (*apitype.Time).IsZero),
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

// sameTime reports whether two times are one instant, as package equality compares them.
func sameTime(a, b time.Time) bool { return a.UTC() == b.UTC() } //nolint:staticcheck // without monotonic clocks, and faster than Equal

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
