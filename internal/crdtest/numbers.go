package crdtest

import "encoding/json"

// Numbers returns a decoded JSON value with its numbers as the server has them:
// int64 where they are whole, else float64. It changes maps and lists in place.
func Numbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = Numbers(v[key])
		}
	case []any:
		for i := range v {
			v[i] = Numbers(v[i])
		}
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return f
	}
	return value
}
