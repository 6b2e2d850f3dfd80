package manifest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
)

// FuzzKubectl compares the values with those of kubectl's decoder, which stops at the first
// mistake. It also checks the positions: each field and item has one, and scalars are at their
// text.
func FuzzKubectl(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb: [x, {y: z}]\n",
		"a: yes\nb: on\nc: 'on'\nd: 0x10\ne: 010\nf: 1_000\ng: 1.0\nh: .5\ni: 1e3\nj: ~\nk:\nl: 2001-01-01\nm: 0o7\nn: 0b11\n",
		"yes: 1\n1: 2\n1.5: 3\nno: 4\n0x10: 5\n2001-01-01: 6\n",
		"base: &b {x: 1, y: 2}\nuse:\n  y: 3\n  <<: *b\n  x: 4\nmany:\n  <<: [*b, {x: 9, z: 8}]\n",
		"a: &a [1, 2]\nb: *a\nc:\n- *a\n- k: *a\n",
		"--- # first\na: 1\n---\nb: 2\n...\nc: 3\n---\n# nothing\n---\n",
		"--- a: 1\n---\nb: 2\n",
		"\ufeffa: 1\nä: ö\n",
		"a: 1\r\nb: |\r\n  text\r\n  more\r\nc: x\r\n",
		"big: 9223372036854775807\nbigger: 9223372036854775808\nhuge: 123456789012345678901234567890\nneg: -9223372036854775809\n",
		"a: |+\n  keep\n\nb: >-\n  fold\n  ed\nc: \"two\n  lines\"\n",
		"a: 1\na: 2\nb: {c: 1, c: 2}\n",
		"a:\n\tb: 1\n",
		"a: [\n  1,\n  # why\n  2 ]\n? complex\n: value\n",
		"!!str 1: !!int \"2\"\nx: !!binary aGk=\n",
		`{"a": 1, "b": [true, null, "x\u00e9"], "a": 2}{"c": 12345678901234567890}`,
		"{\"a\": 1}\n---\n{b: 2}\n",
		"{a: 1, b: [1, 2], ? c : d}\n",
		"{\"a\":\t1,\n\t\"b\": {\"c\": 1.0}}\n",
		"- a\n- b: 1\n  c: 2\n-\n  - d\n",
		"a: {b: 1\n",
		"a: &x {b: *x}\n",
		"\"quoted: key\": 'it''s'\n\"esc\\\"aped\": \"a\\\"b\"\n",
		"a: b\u2028c: d\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsRune(text, 0) {
			t.Skip()
		}
		want, whole := kubectl(text)
		bag := &diag.Bag{}
		docs := manifest.Parse(source.NewFile("f", []byte(text)), bag)
		var got []any
		for _, d := range docs {
			got = append(got, d.Value)
			checkPlaces(t, "", d.Value, d.Root)
		}
		if whole && bag.HasErrors() {
			t.Fatalf("kubectl reads this, and there is an error: %s", bag.All()[0].Message)
		}
		// After JSON, the decoder ignores up to three bytes.
		if !whole && !bag.HasErrors() && !strings.HasPrefix(strings.TrimSpace(text), "{") {
			t.Fatalf("kubectl does not read this, and there is no error")
		}
		if len(got) < len(want) {
			t.Fatalf("%d documents, want at least %d", len(got), len(want))
		}
		if !whole {
			got = got[:len(want)]
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("-kubectl +got:\n%s", diff)
		}
	})
}

// kubectl returns the documents that kubectl reads, and whether it reads all of them.
func kubectl(text string) (values []any, whole bool) {
	dec := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var raw json.RawMessage
		if err := dec.Decode(&raw); errors.Is(err, io.EOF) {
			return values, true
		} else if err != nil {
			return values, false
		}
		if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
			continue
		}
		var value any
		if err := utiljson.Unmarshal(raw, &value); err != nil {
			return values, false
		}
		values = append(values, value)
	}
}

// checkPlaces compares the shape of a value with its nodes.
func checkPlaces(t *testing.T, path string, value any, n *manifest.Node) {
	t.Helper()
	if n == nil {
		t.Fatalf("%s has no place", path)
	}
	if n.Opaque() {
		return
	}
	if span := n.Place().Span; span.Start > span.End || span.End > len(span.File.Content) {
		t.Fatalf("%s: bad span %d..%d", path, span.Start, span.End)
	}
	switch value := value.(type) {
	case map[string]any:
		if len(n.Names()) != len(value) {
			t.Fatalf("%s has places for %q, and is %v", path, n.Names(), value)
		}
		for name, v := range value {
			if n.Field(name) == nil {
				t.Fatalf("%s has places for %q, and is %v", path, n.Names(), value)
			}
			checkPlaces(t, path+"."+name, v, n.Field(name))
		}
	case []any:
		if n.Len() != len(value) {
			t.Fatalf("%s: %d places, %d items", path, n.Len(), len(value))
		}
		for i, v := range value {
			checkPlaces(t, path+"["+strconv.Itoa(i)+"]", v, n.Item(i))
		}
	case string:
		text := n.Place().Span.Text()
		if value != "" && !bytes.Contains(n.Place().Span.File.Content, []byte("!!binary")) && strings.IndexByte("'\"|>*!&", text[0]) < 0 && !strings.Contains(value, text) && !strings.Contains(text, "\\") && text != "<<" {
			t.Fatalf("%s is %q, and its place is %q", path, value, text)
		}
	}
}
