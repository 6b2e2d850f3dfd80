package defaults_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
