package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// FuzzValues reads texts as tracked values, which clients can change, and as strings, and writes them again: the results
// are those of encoding/json.
func FuzzValues(f *testing.F) {
	for _, text := range []string{
		`{"format":1}`,
		`{"format":1,"upgrades":{"v1":[{"jsonPath":"$.spec.a","value":{"b": [1, 2]},"was":null}]},"keep":"status","null":true}`,
		`{"format":1,"downgrades":{"v1beta1":[{"jsonPath":"$.a['日本']"},{"jsonPath":"$.b[0]","lengths":[1,22]}],"v1":[]}}`,
		`{"upgrades":{"v1":[],"v1":[{"value":"\u003c<&\n"}]},"upgrades":{"v2":null}}`,
		`{"format":1e0,"Keep":"x","other":[]}`,
		`{"format":2147483648}`, `{"format":"1"}`, `{"format":null,"keep":null,"null":null,"upgrades":null}`, `{"null":1}`,
		`{"downgrades":{"v1":[{"jsonPath":"a","lengths":[1],"lengths":[2],"value":1,"value":2}]}}`,
		`{"downgrades":{"v1":[{"lengths":[]},{"lengths":null},{"lengths":[1.5]},null]}}`,
		`{"form\u0061t":1,"keep":"\u00e9"}`, ` {"format" : 1 } `, `{"format":1}x`, `null`, `[]`, `"<b>\/\\\"\u0026\u2028"`, "\"\xff\"", `""`, ``,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m := &memory{}
		var want convert.ChangedValues
		wantErr := json.Unmarshal(text, &want)
		got, err := m.values(bytes.Clone(text))
		if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(*got, want) {
			t.Fatalf("got %+v and %v, want %+v and %v", got, err, want, wantErr)
		}
		if err == nil {
			again, err := m.printValues(got)
			if err != nil {
				t.Fatal(err)
			}
			var encoded bytes.Buffer
			e := json.NewEncoder(&encoded)
			e.SetEscapeHTML(false)
			if err := e.Encode(want); err != nil || string(again) != string(bytes.TrimSpace(encoded.Bytes())) {
				t.Fatalf("wrote %s, want %s and %v", again, &encoded, err)
			}
		}
		quoted, err := json.Marshal(string(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.quoteJSON(text); string(got) != string(quoted) {
			t.Fatalf("quoted %s, want %s", got, quoted)
		}
		var s string
		if len(text) > 0 && text[0] == '"' && utf8.Valid(text) && json.Unmarshal(text, &s) == nil {
			if got := m.unquoteJSON(bytes.TrimSpace(text)); string(got) != s {
				t.Fatalf("unquoted %q, want %q", got, s)
			}
		}
	})
}
