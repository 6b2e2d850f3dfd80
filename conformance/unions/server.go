package unions

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/union"
)

// GoServer returns what an object is after decoding and normalisation with generated Go. The object is not stored if there are
// errors. old is nil on a create.
type GoServer func(object, old map[string]any) (out map[string]any, errs field.ErrorList, err error)

// GoServerOf returns the server for objects of one type. normalize is nil if the type has no normalisation.
func GoServerOf[T any](
	normalize func(r union.Request, obj, old *T) []union.Cleared,
	validate func(ctx context.Context, op operation.Operation, at *field.Path, obj, old *T) field.ErrorList,
) GoServer {
	return func(object, old map[string]any) (map[string]any, field.ErrorList, error) {
		obj, before, op := new(T), (*T)(nil), operation.Operation{Type: operation.Create}
		if err := copyJSON(object, obj); err != nil {
			return nil, nil, err
		}
		if old != nil {
			before, op.Type = new(T), operation.Update
			if err := copyJSON(old, before); err != nil {
				return nil, nil, err
			}
		}
		if normalize != nil {
			normalize(union.Request{}, obj, before)
		}
		var errs field.ErrorList
		if validate != nil {
			errs = validate(context.Background(), op, nil, obj, before)
		}
		var out map[string]any
		return out, errs, copyJSON(obj, &out)
	}
}

func copyJSON(from, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}
