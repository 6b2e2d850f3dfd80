package diag

import (
	"bytes"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// ApplyFixes applies the fixes of diagnostics. It applies a fix completely or not at all. It skips
// a fix if one of its edits overlaps an edit of an earlier fix, or is out of the range of its file.
//
// It returns the new contents of changed files, the number of applied fixes, and the diagnostics
// whose fixes were skipped: they can be applied after another run on the new contents.
func ApplyFixes(list []*Diagnostic) (contents map[*source.File][]byte, applied int, left []*Diagnostic) {
	taken := map[*source.File][]Edit{}
	for _, d := range list {
		if d.Fix == nil || len(d.Fix.Edits) == 0 {
			continue
		}
		edits, ok := sortedEdits(d.Fix)
		if !ok || slices.ContainsFunc(edits, func(e Edit) bool { return overlapsAny(e, taken[e.Span.File]) }) {
			left = append(left, d)
			continue
		}
		for _, e := range edits {
			taken[e.Span.File] = append(taken[e.Span.File], e)
		}
		applied++
	}
	contents = make(map[*source.File][]byte, len(taken))
	for file, edits := range taken {
		slices.SortFunc(edits, compareEdits)
		contents[file] = apply(file.Content, edits)
	}
	return contents, applied, left
}

// sortedEdits returns the edits of a fix by position. It reports false if there is none, if one is
// invalid, or if two overlap.
func sortedEdits(f *Fix) ([]Edit, bool) {
	edits := slices.SortedFunc(slices.Values(f.Edits), compareEdits)
	for i, e := range edits {
		if !valid(e.Span) || i > 0 && overlap(edits[i-1], e) {
			return nil, false
		}
	}
	return edits, len(edits) > 0
}

// valid reports whether a span is in the range of its file.
func valid(s source.Span) bool {
	return s.File != nil && 0 <= s.Start && s.Start <= s.End && s.End <= len(s.File.Content)
}

func overlapsAny(e Edit, others []Edit) bool {
	return slices.ContainsFunc(others, func(o Edit) bool { return overlap(e, o) })
}

// overlap reports whether the order of two edits matters. Adjacent edits do not overlap, except two
// insertions at the same position.
func overlap(x, y Edit) bool {
	if x.Span.File != y.Span.File {
		return false
	}
	if x.Span.Start == y.Span.Start && x.Span.End == y.Span.End {
		return true
	}
	return x.Span.Start < y.Span.End && y.Span.Start < x.Span.End
}

// compareEdits orders edits by position; an insertion precedes the replacement at the same
// position.
func compareEdits(x, y Edit) int { return x.Span.Compare(y.Span) }

// apply applies sorted edits that do not overlap.
func apply(content []byte, edits []Edit) []byte {
	var out bytes.Buffer
	done := 0
	for _, e := range edits {
		out.Write(content[done:e.Span.Start])
		out.WriteString(e.NewText)
		done = e.Span.End
	}
	out.Write(content[done:])
	return out.Bytes()
}

// shift returns the edits moved by an offset.
func shift(edits []Edit, by int) []Edit {
	moved := slices.Clone(edits)
	for i := range moved {
		moved[i].Span.Start += by
		moved[i].Span.End += by
	}
	return moved
}
