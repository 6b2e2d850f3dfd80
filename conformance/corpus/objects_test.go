package corpus

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseObjects(t *testing.T) {
	objects, err := parseObjects([]byte(`# a comment
name: update/a pair
object: {a: 9223372036854775807, large: [18446744073709551615], float: 1.5, larger: 18446744073709551616}
old: {}
errors:
- {type: Invalid, field: a, origin: maximum}
---
# nothing but a comment
---
name: valid/alone
type: Other
object: {}
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) != 2 {
		t.Fatalf("got %d objects, want 2", len(objects))
	}
	pair, alone := objects[0], objects[1]
	if pair.Kind() != Update || !pair.IsUpdate() || pair.Object["a"] != int64(9223372036854775807) {
		t.Errorf("the pair is %+v", pair)
	}
	want := map[string]any{"a": int64(math.MaxInt64), "large": []any{uint64(math.MaxUint64)}, "float": 1.5, "larger": 18446744073709551616.0}
	if diff := cmp.Diff(want, pair.Object); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Error{{Type: "Invalid", Field: "a", Origin: "maximum"}}, pair.Errors); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	if alone.Kind() != Valid || alone.IsUpdate() || alone.Type != "Other" {
		t.Errorf("the other is %+v", alone)
	}
}

func TestParseObjectsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"name: good/a\nobject: {}":                                       "does not begin with a kind",
		"name: valid\nobject: {}":                                        "does not begin with a kind",
		"name: invalid/a\nobject: {}":                                    "has no errors",
		"name: update/a\nobject: {}":                                     "has no old object",
		"name: valid/a\nobject: [a]":                                     "cannot unmarshal",
		"name: valid/a":                                                  "an object is a map",
		"name: valid/a\nobjet: {}":                                       "unknown field",
		"name: valid/a\nname: valid/b":                                   "already set",
		"name: nested/a\nobject: {}\noldInvalid: true":                   "has no old object",
		"name: valid/a\nobject: {}\nerrors: [{type: Invalid, field: a}]": "has errors",
		"name: nested/a\nobject: {}\nerrors: [{type: Invalid}]":          "without type or field",
		"name: valid/a\nobject: {}\n---\nname: valid/a\nobject: {}":      "duplicate object name",
	} {
		if _, err := parseObjects([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want one with %q", text, err, want)
		}
	}
}

func TestDifferences(t *testing.T) {
	path := filepath.Join(t.TempDir(), "differences.yaml")
	text := "- {case: a, objects: [x, z], reason: r}\n- {case: b, reason: r}\n- {case: c, reason: r}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := LoadDifferences(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, object string
		want         bool
	}{
		{"a", "x", true}, {"a", "w", false}, {"a", "", false}, {"b", "", true}, {"b", "x", false}, {"d", "", false},
	} {
		if got := d.Expected(tc.name, tc.object) != nil; got != tc.want {
			t.Errorf("Expected(%q, %q) = %v, want %v", tc.name, tc.object, got, tc.want)
		}
	}
	if diff := cmp.Diff([]string{"a: z", "c"}, d.Stale()); diff != "" {
		t.Errorf("stale (-want +got):\n%s", diff)
	}
}
