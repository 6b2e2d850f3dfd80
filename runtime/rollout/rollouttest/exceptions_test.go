package rollouttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func exceptionsFile(t *testing.T, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "exceptions.yaml")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const otherOrigin = `
- field: spec.name
  handWritten: {type: FieldValueTooLong, origin: maxLength}
  declarative: {type: FieldValueTooLong, origin: maxBytes}
  reason: The rule is called something else.
`

func TestExceptions(t *testing.T) {
	renamed := func(r *rules) { r.nameOrigin = "maxBytes" }
	for _, tc := range []struct {
		name    string
		plant   func(*rules)
		wording bool
		file    string
		want    []string // parts of the failures; none: it passes
	}{
		{name: "no file", plant: renamed, want: []string{"only hand-written validation reported", "only declarative validation reported"}},
		{name: "excused", plant: renamed, file: otherOrigin},
		{
			name: "excused one by one", plant: renamed,
			file: `
- field: spec.name
  handWritten: {type: FieldValueTooLong, origin: maxLength}
  reason: The rule is called something else.
- field: spec.name
  declarative: {type: FieldValueTooLong, origin: maxBytes}
  reason: The rule is called something else.
`,
		}, {
			name: "half excused", plant: renamed,
			file: `
- field: spec.name
  handWritten: {type: FieldValueTooLong, origin: maxLength}
  reason: The rule is called something else.
`,
			want: []string{"only declarative validation reported FieldValueTooLong at spec.name, origin maxBytes"},
		}, {
			name: "the verdict differs", plant: func(r *rules) { r.nameOrigin, r.maxName = "maxBytes", 31 },
			file: otherOrigin,
			want: []string{"only declarative validation reported FieldValueTooLong at spec.name, origin maxBytes"},
		}, {
			name: "stale", file: otherOrigin,
			want: []string{"entry 1 (spec.name) is unused"},
		}, {
			name: "one stale of two", plant: renamed,
			file: otherOrigin + `
- field: spec.parts[*].name
  handWritten: {type: FieldValueRequired}
  reason: It was once so.
`,
			want: []string{"entry 2 (spec.parts[*].name) is unused"},
		}, {
			name: "wording", wording: true,
			plant: func(r *rules) { r.sizeText = "is larger than %d" },
			file: `
- field: spec.size
  handWritten: {type: FieldValueInvalid, origin: maximum, detail: must be at most 15}
  declarative: {type: FieldValueInvalid, origin: maximum}
  reason: The text is generated.
`,
		}, {
			name: "other wording", wording: true,
			plant: func(r *rules) { r.sizeText = "is larger than %d" },
			file: `
- field: spec.size
  handWritten: {type: FieldValueInvalid, origin: maximum, detail: must be at most 16}
  declarative: {type: FieldValueInvalid, origin: maximum}
  reason: The text is generated.
`,
			want: []string{"messages differ for", "entry 1 (spec.size) is unused"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := equivalence(tc.plant)
			e.Wording = tc.wording
			if tc.file != "" {
				e.Exceptions = exceptionsFile(t, tc.file)
			}
			var r recorder
			e.Run(&r)
			if len(r.errors) != len(tc.want) {
				t.Fatalf("%d failures, want %d:\n%s", len(r.errors), len(tc.want), &r)
			}
			for i, want := range tc.want {
				if !strings.Contains(r.String(), want) {
					t.Errorf("failure %d: no %q in\n%s", i, want, &r)
				}
			}
		})
	}
}

func TestExceptionsFileMistakes(t *testing.T) {
	for _, tc := range []struct{ name, content, want string }{
		{"no reason", "- field: a\n  handWritten: {type: FieldValueRequired}\n", "entry 1 (a): missing reason"},
		{"empty reason", "- field: a\n  handWritten: {type: FieldValueRequired}\n  reason: ' '\n", "entry 1 (a): missing reason"},
		{"no side", "- field: a\n  reason: b\n", "entry 1 (a): missing handWritten"},
		{"index", "- field: a[0].b\n  handWritten: {type: FieldValueRequired}\n  reason: b\n", "write a[*].b"},
		{"type", "- field: a\n  declarative: {type: Required}\n  reason: b\n", `unknown type "Required"`},
		{"misspelt", "- fields: a\n  reason: b\n", `unknown field "fields"`},
		{"no list", "field: a\n", "cannot unmarshal"},
		{"all mistakes", "- field: a\n  reason: b\n- field: c\n  handWritten: {type: FieldValueRequired}\n", "entry 2 (c): missing reason"},
	} {
		e := equivalence(nil)
		e.Exceptions = exceptionsFile(t, tc.content)
		var r recorder
		e.Run(&r)
		if !r.fatal || !strings.Contains(r.String(), tc.want) {
			t.Errorf("%s: %s", tc.name, &r)
		}
	}
	e := equivalence(nil)
	e.Exceptions = filepath.Join(t.TempDir(), "missing.yaml")
	var r recorder
	e.Run(&r)
	if !r.fatal {
		t.Error("a file that is not there was read")
	}
}
