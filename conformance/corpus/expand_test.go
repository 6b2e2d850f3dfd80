package corpus

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExpand(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   any
		want any
	}{
		{"plain", map[string]any{"a": []any{"b", int64(1)}}, map[string]any{"a": []any{"b", int64(1)}}},
		{"text", map[string]any{"$text": []any{[]any{"a", int64(3)}, "/", []any{"é", int64(0)}}}, "aaa/"},
		{"text inside", []any{map[string]any{"a": map[string]any{"$text": []any{"b"}}}}, []any{map[string]any{"a": "b"}}},
		{
			"list", map[string]any{"$list": map[string]any{"times": int64(2), "item": map[string]any{"a": "n%d", "b": int64(1)}, "then": []any{"x"}}},
			[]any{map[string]any{"a": "n0", "b": int64(1)}, map[string]any{"a": "n1", "b": int64(1)}, "x"},
		},
		{"beside others it is a key", map[string]any{"$text": "a", "b": "c"}, map[string]any{"$text": "a", "b": "c"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := expand(tc.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestExpandRefuses(t *testing.T) {
	for name, in := range map[string]any{
		"text that is no list":   map[string]any{"$text": "a"},
		"a part that is no text": map[string]any{"$text": []any{int64(1)}},
		"a part without times":   map[string]any{"$text": []any{[]any{"a"}}},
		"a list without item":    map[string]any{"$list": map[string]any{"times": int64(1)}},
		"a list without times":   map[string]any{"$list": map[string]any{"item": "a"}},
		"far inside":             []any{map[string]any{"a": map[string]any{"$text": "a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := expand(in); err == nil {
				t.Errorf("got %v, want an error", got)
			}
		})
	}
}
