package rollouttest

import (
	"maps"
	"math"
	"slices"
)

// A tree is the JSON form of an object: map[string]any, []any, string, int64,
// float64, bool or nil.

// copyTree returns a deep copy.
func copyTree(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			out[k] = copyTree(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = copyTree(item)
		}
		return out
	}
	return v
}

// weight measures how much there is to read in a tree. Every step of shrinking
// reduces it: removing a value, shortening a string, moving a number towards zero,
// and replacing other characters by plain letters.
func weight(v any) float64 {
	switch v := v.(type) {
	case map[string]any:
		sum := 1.0
		for _, k := range sortedKeys(v) { // the sum of floats depends on the order
			sum += weight(k) + weight(v[k])
		}
		return sum
	case []any:
		sum := 1.0
		for _, item := range v {
			sum += 1 + weight(item)
		}
		return sum
	case string:
		sum := 1.0
		for _, r := range v {
			sum++
			if r != 'a' {
				sum += 0.5
			}
		}
		return sum
	case int64:
		return numberWeight(float64(v))
	case float64:
		return numberWeight(v) + 0.25
	case bool:
		if v {
			return 1.5
		}
	}
	return 1
}

func numberWeight(n float64) float64 {
	w := 1 + math.Log2(1+math.Abs(n))
	if n < 0 {
		w += 0.125
	}
	return w
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
