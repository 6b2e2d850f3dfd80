package eval

import (
	"bytes"
	"context"
	"encoding/json"

	"k8s.io/apimachinery/pkg/api/operation"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// Fits returns an error for a JSON value that Go cannot decode as a type. A type with custom JSON
// that only Go can decode fits all values.
func (s *Set) Fits(r *model.Ref, text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var raw any
	if err := dec.Decode(&raw); err != nil {
		return err
	}
	run := validate.NewRun(context.Background(), operation.Operation{}, nil)
	d := &decoder{run: &run}
	d.decode(s.typeOf(r), nil, raw)
	return d.malformed.ToAggregate()
}
