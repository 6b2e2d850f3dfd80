package adopt

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// edit is a change of a file of the newest version.
type edit struct {
	path       string
	start, end int
	text       string
	// by is the difference that the edit removes, nil if it declares a version.
	by *difference
}

// pathOf returns the absolute path of a file of a package.
func pathOf(p *model.Package, s source.Span) string {
	return filepath.Join(p.Dir, filepath.Base(s.File.Path))
}

// above returns the edit that adds markers on the lines above a declaration; not ok if the line begins
// with something else.
func above(p *model.Package, at source.Span, markers ...string) (edit, bool) {
	content := at.File.Content
	start := bytes.LastIndexByte(content[:at.Start], '\n') + 1
	head := string(content[start:at.Start])
	indent := head[:len(head)-len(strings.TrimLeft(head, " \t"))]
	switch strings.TrimSpace(head) {
	case "", "type", "const", "package", "*":
	default:
		return edit{}, false
	}
	end := "\n"
	if bytes.Contains(content, []byte("\r\n")) {
		end = "\r\n"
	}
	var b strings.Builder
	for _, m := range markers {
		b.WriteString(indent + "// " + m + end)
	}
	return edit{path: pathOf(p, at), start: start, end: start, text: b.String()}, true
}

// applied is an edit in the changed file.
type applied struct {
	edit
	// from and to are the new text with the line behind it.
	from, to int
}

// apply returns files with edits, and where these are then. read returns the content of a file.
func apply(read func(path string) ([]byte, error), overlay map[string][]byte, edits []edit) (map[string][]byte, []applied, error) {
	out := map[string][]byte{}
	for path, content := range overlay {
		out[path] = content
	}
	byPath := map[string][]edit{}
	for _, e := range edits {
		byPath[e.path] = append(byPath[e.path], e)
	}
	var done []applied
	for path, list := range byPath {
		content, err := read(path)
		if err != nil {
			return nil, nil, err
		}
		slices.SortStableFunc(list, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
		var text []byte
		at := 0
		first := len(done)
		for _, e := range list {
			text = append(text, content[at:e.start]...)
			done = append(done, applied{edit: e, from: len(text), to: len(text) + len(e.text)})
			text = append(text, e.text...)
			at = e.end
		}
		text = append(text, content[at:]...)
		for i := len(done) - 1; i >= first; i-- {
			if i+1 < len(done) && done[i+1].from == done[i].to {
				done[i].to = done[i+1].to
			} else if j := bytes.IndexByte(text[done[i].to:], '\n'); j >= 0 {
				done[i].to += j
			}
		}
		out[path] = text
	}
	return out, done, nil
}
