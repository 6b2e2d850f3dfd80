package union_test

import (
	"encoding/json"
	"testing"

	"github.com/kindsmith/kindsmith/runtime/union"
)

// TestZero changes a member from unset to each value: Changed says whether that sets it.
func TestZero(t *testing.T) {
	type values map[string]bool // JSON, and whether it is set
	for zero, of := range map[union.Zero]values{
		union.NoZero: {`null`: false, `""`: true, `[]`: true, `{}`: true, `0`: true, `false`: true, `"0s"`: true, `1`: true},
		union.ZeroValue: {
			`null`: false, `""`: false, `[]`: false, `{}`: false, `0`: false, `0.0`: false, `-0`: false, `false`: false,
			`"0s"`: true, `"0"`: true, `" "`: true, `[null]`: true, `{"a":null}`: true, `1`: true, `0.1`: true, `true`: true,
		},
		union.ZeroDuration: {`null`: false, `"0s"`: false, `"0"`: false, `"0h0m0s"`: false, `"-0s"`: false, `"1ns"`: true, `"-1s"`: true, `"0x"`: true, `"1s"`: true},
		union.ZeroQuantity: {
			`null`: false, `0`: false, `"0"`: false, `"-0"`: false, `"0Mi"`: false, `"0.00"`: false, `"0e5"`: false, `".0"`: false,
			`1`: true, `"1n"`: true, `"0.10"`: true, `"10"`: true, `"Mi"`: true, `"1e-1000000000"`: true,
		},
	} {
		for text, isSet := range of {
			for _, decode := range []func(string) any{plain, numbers} {
				shape := &union.Shape{Unions: []*union.Union{{Algorithm: union.None, Members: []union.Member{{Name: "a", Zero: zero}}}}}
				problems := shape.Validate(union.Request{}, map[string]any{"a": decode(text)}, nil)
				if got := len(problems) == 0; got != isSet {
					t.Errorf("%q: %s is set: %v, want %v", zero, text, got, isSet)
				}
			}
		}
	}
}

func plain(text string) (v any) {
	_ = json.Unmarshal([]byte(text), &v)
	return v
}

// numbers decodes like the decoder of generated conversions.
func numbers(text string) any {
	v := plain(text)
	if _, ok := v.(float64); ok {
		return json.Number(text)
	}
	return v
}
