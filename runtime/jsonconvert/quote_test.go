package jsonconvert

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestUnquote reads strings with escapes at each place, alone and next to each other, since texts are read in words.
func TestUnquote(t *testing.T) {
	m := &memory{}
	for length := range 30 {
		for at := range length {
			for _, escape := range []string{`\"`, `\\`, `\/`, `\n`, `\u00e9`, `\"\"`, `\\\"`, `\"1234567\"`} {
				raw := `"` + strings.Repeat("é", at%2) + strings.Repeat("x", at) + escape + strings.Repeat("y", length-at) + `"`
				var want string
				if err := json.Unmarshal([]byte(raw), &want); err != nil {
					t.Fatal(err)
				}
				if got, ok := m.unquote(m.of(raw)); !ok || got != want {
					t.Errorf("%s is read as %q, %t", raw, got, ok)
				}
			}
		}
	}
}
