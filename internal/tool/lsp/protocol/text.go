package protocol

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// ToPosition returns the position of an offset in a file.
func ToPosition(f *source.File, offset int) Position {
	p := f.Position(offset)
	line := f.Line(p.Line)
	return Position{Line: p.Line - 1, Character: units(line[:min(p.Column-1, len(line))])}
}

// ToRange returns the range of a span. The file of the span may have other line endings than that of the range.
func ToRange(s source.Span) Range {
	if s.File == nil {
		return Range{}
	}
	return Range{ToPosition(s.File, s.Start), ToPosition(s.File, s.End)}
}

// ToOffset returns the offset of a position in a file. One outside of a line is at its end, one outside of the file at the
// end of that.
func ToOffset(f *source.File, p Position) int {
	if p.Line < 0 {
		return 0
	}
	start := f.Offset(source.Position{Line: p.Line + 1, Column: 1})
	left := p.Character
	for i, r := range f.Line(p.Line + 1) {
		if left <= 0 {
			return start + i
		}
		left -= max(utf16.RuneLen(r), 1)
	}
	return start + len(f.Line(p.Line+1))
}

// units returns the number of UTF-16 code units of a text.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// Apply returns a text with changes, one after the other.
func Apply(text []byte, changes []ContentChange) []byte {
	for _, c := range changes {
		if c.Range == nil {
			text = []byte(c.Text)
			continue
		}
		f := source.NewFile("", text)
		start := ToOffset(f, c.Range.Start)
		end := max(start, ToOffset(f, c.Range.End))
		changed := make([]byte, 0, len(text)+len(c.Text))
		changed = append(changed, text[:start]...)
		changed = append(changed, c.Text...)
		text = append(changed, text[end:]...)
	}
	return text
}

// ToPath returns the path of a file's URI; false for that of something else, such as a document that is not saved.
func ToPath(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" || !utf8.ValidString(u.Path) {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" && len(path) > 2 && path[2] == ':' {
		path = strings.ToUpper(path[1:2]) + path[2:] // clients write drives in lower or upper case
	}
	path = filepath.FromSlash(path)
	return filepath.Clean(path), filepath.IsAbs(path)
}

// ToURI returns the URI of a file.
func ToURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
