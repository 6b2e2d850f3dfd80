package gofile

import (
	"strings"
	"testing"
)

// A reused formatter returns the same results as a new one, and does not cache errors.
func TestFormatter(t *testing.T) {
	var kept Formatter
	for _, declaration := range []string{"type  A   int", "type  A   int", "type  B   int", "type  A   int", "type {", "type {", "type  A   int"} {
		kept.Begin()
		var got [2]string
		var failed [2]bool
		for i, formatter := range []*Formatter{nil, &kept} {
			f := New("example.com/p", "p")
			f.SetFormatter(formatter)
			f.P(declaration)
			content, err := f.Bytes()
			got[i], failed[i] = string(content), err != nil
		}
		if got[0] != got[1] || failed[0] != failed[1] {
			t.Errorf("%s: got %q, want %q", declaration, got[1], got[0])
		}
		if failed[0] != strings.Contains(declaration, "{") {
			t.Errorf("%s: failed is %t", declaration, failed[0])
		}
	}
}
