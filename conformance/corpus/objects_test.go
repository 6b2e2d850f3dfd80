package corpus

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseObjects(t *testing.T) {
	objects, err := parseObjects([]byte(`# a comment
update/a pair:
  object: {a: 9223372036854775807, large: [18446744073709551615], float: 1.5, larger: 18446744073709551616}
  old: {}
  errors:
  - {type: Invalid, field: a, origin: maximum}

# nothing but a comment
valid/alone:
  type: Other
  object: {}
boundary/values:
  each: {a: [9223372036854775807, {$text: [[x, 2]]}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) != 4 {
		t.Fatalf("got %d objects, want 4", len(objects))
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
	for i, want := range []any{int64(math.MaxInt64), "xx"} {
		if o := objects[2+i]; o.Name != fmt.Sprintf("boundary/values %d", i+1) || o.Object["a"] != want {
			t.Errorf("value %d is %+v", i, o)
		}
	}
}

func TestParseObjectsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"good/a: {object: {}}":                  "does not begin with a kind",
		"valid: {object: {}}":                   "does not begin with a kind",
		"invalid/a: {object: {}}":               "has no errors",
		"update/a: {object: {}}":                "has no old object",
		"valid/a: {object: [a]}":                "cannot unmarshal",
		"valid/a: {type: A}":                    "an object is a map",
		"valid/a:":                              "is empty",
		"valid/a: {objet: {}}":                  "unknown field",
		"valid/a: {object: {}, object: {}}":     "already set",
		"valid/a: {each: {}}":                   "values of one field",
		"valid/a: {object: {}, each: {a: [1]}}": "no object beside it",
		"valid/a: {object: {}, errors: [{type: Invalid, field: a}]}": "has errors",
		"nested/a: {object: {}, errors: [{type: Invalid}]}":          "without type or field",
		"valid/a: {object: {}}\nvalid/a: {object: {}}":               "duplicate object name",
	} {
		if _, err := parseObjects([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want one with %q", text, err, want)
		}
	}
}

func TestShapes(t *testing.T) {
	folder := t.TempDir()
	text := "-- shape --\na: what a is\nb: optional; what b is\n-- types.go --\n{{.a}}{{if .b}} and {{.b}}{{end}}\n"
	if err := os.WriteFile(filepath.Join(folder, "pair.txtar"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	shapes, err := loadShapes(folder)
	if err != nil {
		t.Fatal(err)
	}
	for values, want := range map[string]string{
		"{of: pair, a: 1}":             "1\n",
		"{of: pair, a: x, b: true}":    "x and true\n",
		"{of: other}":                  `no shape is named "other"`,
		"{of: pair, b: x}":             "no value for a: what a is",
		"{of: pair, a: x, c: x}":       "does not know the value c",
		"{of: pair, a: x, a: another}": "already set",
	} {
		got := ""
		sections, err := filled(shapes, []byte(values))
		if err != nil {
			got = err.Error()
		} else {
			got = string(sections[0].Data)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", values, got, want)
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
