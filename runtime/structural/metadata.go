package structural

import (
	"encoding/json"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// CoerceMetadata gives apiVersion, kind and metadata their types in all embedded objects of a value,
// and in the value itself if resource is set: it removes unknown fields of metadata. A field of
// another type is an error, or is removed if drop is set.
func (s *Schema) CoerceMetadata(path *field.Path, value any, resource, drop bool) *field.Error {
	if s == nil && resource {
		s = &Schema{}
	}
	return s.coerce(path, value, resource || s.isEmbedded(), drop)
}

func (s *Schema) coerce(path *field.Path, value any, embedded, drop bool) *field.Error {
	if s == nil {
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		if embedded {
			if err := coerceObject(path, value, drop); err != nil {
				return err
			}
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			at := path.Child(key)
			c, known := s.properties[key]
			if !known {
				c, at = s.values, path.Key(key)
			}
			if err := c.coerce(at, value[key], c.isEmbedded(), drop); err != nil {
				return err
			}
		}
	case []any:
		for i, item := range value {
			if err := s.items.coerce(path.Index(i), item, s.items.isEmbedded(), drop); err != nil {
				return err
			}
		}
	}
	return nil
}

// coerceObject coerces the type and the metadata of an object.
func coerceObject(path *field.Path, object map[string]any, drop bool) *field.Error {
	for _, key := range []string{"apiVersion", "kind"} {
		v, found := object[key]
		if _, ok := v.(string); ok || !found {
			continue
		}
		if !drop {
			return field.Invalid(path.Child(key), v, "must be a string")
		}
		delete(object, key)
	}
	v, found := object["metadata"]
	if !found {
		return nil
	}
	invalid := func(err error) *field.Error { return field.Invalid(path.Child("metadata"), v, err.Error()) }
	meta, err := decodeMetadata(v)
	if err != nil {
		if !drop {
			return invalid(err)
		}
		fields, ok := v.(map[string]any)
		if !ok {
			return nil // the server keeps it, and validation rejects it
		}
		meta = &metav1.ObjectMeta{}
		for key, v := range fields {
			if one := map[string]any{key: v}; fill(one, &metav1.ObjectMeta{}) == nil {
				_ = fill(one, meta) // as before
			}
		}
	}
	typed, err := runtime.DefaultUnstructuredConverter.ToUnstructured(meta)
	if err != nil {
		return invalid(err)
	}
	if meta.CreationTimestamp.IsZero() {
		delete(typed, "creationTimestamp")
	}
	object["metadata"] = typed
	return nil
}

func decodeMetadata(v any) (*metav1.ObjectMeta, error) {
	meta := &metav1.ObjectMeta{}
	return meta, fill(v, meta)
}

// fill decodes a JSON value into metadata.
func fill(v any, meta *metav1.ObjectMeta) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return utiljson.Unmarshal(text, meta)
}
