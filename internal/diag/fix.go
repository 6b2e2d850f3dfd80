package diag

import (
	"bytes"
	"slices"

	"github.com/kindsmith/kindsmith/internal/source"
)

// ApplyFixes makes the changes that the diagnostics' fixes ask for. A fix is made
// whole or not at all; it is left out if one of its edits overlaps an edit of a
// fix earlier in the list, or lies outside of its file.
//
// It returns the new contents of the files that change, the number of fixes made,
// and the diagnostics whose fix was left out: after a new run on the new contents
// these can be tried again.
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

// sortedEdits returns the edits of a fix in order of place. It reports false if
// there is none, if one is not valid, or if two overlap.
func sortedEdits(f *Fix) ([]Edit, bool) {
	edits := slices.SortedFunc(slices.Values(f.Edits), compareEdits)
	for i, e := range edits {
		if !valid(e.Span) || i > 0 && overlap(edits[i-1], e) {
			return nil, false
		}
	}
	return edits, len(edits) > 0
}

// valid reports whether a span lies in its file.
func valid(s source.Span) bool {
	return s.File != nil && 0 <= s.Start && s.Start <= s.End && s.End <= len(s.File.Content)
}

func overlapsAny(e Edit, others []Edit) bool {
	return slices.ContainsFunc(others, func(o Edit) bool { return overlap(e, o) })
}

// overlap reports whether it matters which of two edits is made first. Edits that
// only touch do not overlap, except two insertions at one place, whose order would
// be anybody's guess.
func overlap(x, y Edit) bool {
	if x.Span.File != y.Span.File {
		return false
	}
	if x.Span.Start == y.Span.Start && x.Span.End == y.Span.End {
		return true
	}
	return x.Span.Start < y.Span.End && y.Span.Start < x.Span.End
}

// compareEdits orders edits by place; an insertion comes before the replacement
// that starts at the same place.
func compareEdits(x, y Edit) int { return x.Span.Compare(y.Span) }

// apply returns the content with edits made, which are in order and do not overlap.
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

// shift returns the edits with their places moved by an offset.
func shift(edits []Edit, by int) []Edit {
	moved := slices.Clone(edits)
	for i := range moved {
		moved[i].Span.Start += by
		moved[i].Span.End += by
	}
	return moved
}
