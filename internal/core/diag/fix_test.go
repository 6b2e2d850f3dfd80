package diag_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// edit is an edit of the test's file: offsets and the new text.
type edit struct {
	start, end int
	text       string
}

func TestApplyFixes(t *testing.T) {
	const content = "0123456789"
	for _, tc := range []struct {
		name  string
		fixes [][]edit
		want  string // "" if the file must not be listed
		left  string // the indices of the skipped fixes
	}{
		{name: "none"},
		{name: "a diagnostic without a fix", fixes: [][]edit{nil}},
		{name: "replace", fixes: [][]edit{{{2, 4, "ab"}}}, want: "01ab456789"},
		{name: "out of order", fixes: [][]edit{{{8, 9, ""}}, {{0, 0, "<"}, {10, 10, ">"}}}, want: "<012345679>"},
		{name: "overlap", fixes: [][]edit{{{2, 5, "A"}}, {{4, 6, "B"}}, {{5, 6, "C"}}}, want: "01AC6789", left: "1"},
		{name: "whole or not at all", fixes: [][]edit{{{2, 5, "A"}}, {{0, 1, "B"}, {3, 4, "B"}}}, want: "01A56789", left: "1"},
		{name: "inside", fixes: [][]edit{{{2, 8, "A"}}, {{4, 4, "B"}}}, want: "01A89", left: "1"},
		{name: "touching", fixes: [][]edit{{{2, 4, "A"}}, {{4, 6, "B"}}, {{4, 4, "|"}}, {{2, 2, "<"}}}, want: "01<A|B6789"},
		{name: "two insertions at one place", fixes: [][]edit{{{2, 2, "A"}}, {{2, 2, "B"}}}, want: "01A23456789", left: "1"},
		{name: "the same twice", fixes: [][]edit{{{2, 3, ""}}, {{2, 3, ""}}}, want: "013456789", left: "1"},
		{name: "overlap within a fix", fixes: [][]edit{{{2, 4, "A"}, {3, 5, "B"}}}, left: "0"},
		{name: "outside of the file", fixes: [][]edit{{{9, 11, ""}}, {{-1, 2, ""}}, {{5, 4, ""}}}, left: "012"},
		{name: "everything", fixes: [][]edit{{{0, 10, "x"}}}, want: "x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := source.NewFile("x.go", []byte(content))
			var list []*diag.Diagnostic
			for i, edits := range tc.fixes {
				d := &diag.Diagnostic{Message: string(rune('0' + i))}
				if edits != nil {
					d.Fix = &diag.Fix{}
				}
				for _, e := range edits {
					d.Fix.Edits = append(d.Fix.Edits, diag.Edit{Span: file.Span(e.start, e.end), NewText: e.text})
				}
				list = append(list, d)
			}
			contents, applied, left := diag.ApplyFixes(list)
			if diff := cmp.Diff(tc.want, string(contents[file])); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
			if _, listed := contents[file]; listed != (tc.want != "") {
				t.Errorf("file listed: %v", listed)
			}
			var names strings.Builder
			fixes := 0
			for _, d := range list {
				if d.Fix != nil {
					fixes++
				}
			}
			for _, d := range left {
				names.WriteString(d.Message)
			}
			if names.String() != tc.left || applied != fixes-len(left) {
				t.Errorf("applied %d, left out %q; want %q left out", applied, names.String(), tc.left)
			}
		})
	}
}

// A fix of several files is applied to all of them or to none.
func TestApplyFixesOverFiles(t *testing.T) {
	a, b := source.NewFile("a.go", []byte("aaa")), source.NewFile("b.go", []byte("bbb"))
	rename := func(message string) *diag.Diagnostic {
		return &diag.Diagnostic{Message: message, Fix: &diag.Fix{Edits: []diag.Edit{
			{Span: b.Span(0, 1), NewText: "B"},
			{Span: a.Span(1, 2), NewText: "A"},
		}}}
	}
	orphan := &diag.Diagnostic{Fix: &diag.Fix{Edits: []diag.Edit{{NewText: "no file"}}}}
	contents, applied, left := diag.ApplyFixes([]*diag.Diagnostic{rename("first"), rename("second"), orphan})
	if string(contents[a]) != "aAa" || string(contents[b]) != "Bbb" || len(contents) != 2 {
		t.Errorf("contents: a %q, b %q, of %d files", contents[a], contents[b], len(contents))
	}
	if applied != 1 || len(left) != 2 || left[0].Message != "second" {
		t.Errorf("applied %d, left out %d", applied, len(left))
	}
}
