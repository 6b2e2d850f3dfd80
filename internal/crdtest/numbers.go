package crdtest

import "encoding/json"

// Numbers converts the numbers in a decoded JSON value like the server: to int64 if
// they are integers, else to float64. It changes maps and lists in place.
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
