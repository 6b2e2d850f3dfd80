package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// FuzzScalars decodes values like API servers, and encodes them like encoding/json.
func FuzzScalars(f *testing.F) {
	for _, seed := range []string{
		`""`, `"a"`, `"é"`, `"a\u0062"`, `"<&>"`, `"` + "\xff" + `"`, `"` + "\x7f" + `"`, "\"\u2028\"", `"`, `"a"b"`, `"a\"`, strings.Repeat(`"`, 9), "\"\n\"",
		"0", "-0", "1", "+1", "01", "1_0", "0x1", "1.0", "1e2", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808", "-", "", " 1", "null", "true", "[]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkScalar[string](t, text)
		checkScalar[int32](t, text)
		checkScalar[int64](t, text)
		checkScalar[*string](t, text)
		checkScalar[*int32](t, text)
		checkScalar[*int64](t, text)
		checkScalar[bool](t, text)
	})
}

func checkScalar[T any](t *testing.T, text []byte) {
	t.Helper()
	if valid(text) != nil {
		return // functions get values of valid objects
	}
	var got, want T
	gotErr, wantErr := decode(text, &got), utiljson.Unmarshal(text, &want)
	if (gotErr == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is %#v, %v; want %#v, %v", text, got, gotErr, want, wantErr)
	}
	out, err := encode(&got)
	if plain, plainErr := json.Marshal(&got); !bytes.Equal(out, plain) || (err == nil) != (plainErr == nil) {
		t.Fatalf("%#v is %s, want %s", got, out, plain)
	}
}

// FuzzIndex reads texts with memory, which has their spans, and without.
func FuzzIndex(f *testing.F) {
	for _, seed := range []string{
		`{"a":[{"b":[1,"}",{}]},[],null,{"\"]":{"c":[[]]}}],"a":{}}`, ` {"a" : [ { } , [ ] ] } `, strings.Repeat("[", 20) + strings.Repeat("]", 20), `[{}]`, `"{"`, `{}`,
	} {
		f.Add([]byte(seed))
		f.Add([]byte(`{"long":"` + strings.Repeat("x", minIndexed) + `","value":` + seed + `}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if text = bytes.TrimSpace(text); valid(text) != nil {
			return
		}
		m := newMemory()
		defer m.release()
		sameNodes(t, m.node(text, 0), newNode(text, 0))
	})
}

func sameNodes(t *testing.T, got, want *node) {
	t.Helper()
	got.parse()
	want.parse()
	if !bytes.Equal(got.text, want.text) || got.at != want.at || len(got.nodes) != len(want.nodes) || len(got.keys) != len(want.keys) {
		t.Fatalf("got %s with %d values, want %s with %d", got.text, len(got.nodes), want.text, len(want.nodes))
	}
	if spans := got.spans; spans != nil && (spans[0].size != len(got.text) || spans[0].count != len(spans)) {
		t.Fatalf("%s has the spans %v", got.text, spans)
	}
	for i := range got.nodes {
		sameNodes(t, got.nodes[i], want.nodes[i])
	}
}
