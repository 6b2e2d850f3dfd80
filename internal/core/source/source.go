// Package source has the files that kindsmith reads and positions in them.
//
// An [FS] reads and records files; [NewFile] makes one from text. [Write] replaces files on disk, all or none.
//
// A File owns its bytes; a Span is a half-open byte range in one file. Every
// later stage carries spans, never line numbers, so that a diagnostic can
// underline exactly what is wrong and a fix can replace exactly that.
package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"unicode/utf8"
)

// File is one source file.
type File struct {
	// Path is the path for display: relative to the working directory if that is shorter, else
	// absolute.
	Path string
	// Content is the whole file as read.
	Content []byte

	lines []int // byte offset of the start of each line
	// elsewhere is set on a file whose text is not available; see Place.
	elsewhere bool
}

// NewFile returns a file over content, which must not be changed afterwards.
func NewFile(path string, content []byte) *File {
	lines := []int{0}
	for i, b := range content {
		if b == '\n' {
			lines = append(lines, i+1)
		}
	}
	return &File{Path: path, Content: content, lines: lines}
}

// Position is a line and a column in a file, both from 1, the column in bytes, like in go/token.
type Position struct {
	Line, Column int
}

// Position translates a byte offset. Offsets outside the file are clamped.
func (f *File) Position(offset int) Position {
	if f.elsewhere {
		return unpack(offset)
	}
	offset = min(max(offset, 0), len(f.Content))
	line := sort.SearchInts(f.lines, offset+1) - 1
	return Position{Line: line + 1, Column: offset - f.lines[line] + 1}
}

// Offset translates a line and a column, both from 1, to a byte offset.
// Positions outside the file are clamped.
func (f *File) Offset(p Position) int {
	if p.Line < 1 {
		return 0
	}
	if p.Line > len(f.lines) {
		return len(f.Content)
	}
	return min(f.lines[p.Line-1]+max(p.Column, 1)-1, len(f.Content))
}

// Line returns the text of a line, counted from 1, without its line ending.
func (f *File) Line(line int) string {
	if line < 1 || line > len(f.lines) {
		return ""
	}
	end := len(f.Content)
	if line < len(f.lines) {
		end = f.lines[line] - 1
	}
	return string(bytes.TrimSuffix(f.Content[f.lines[line-1]:end], []byte("\r")))
}

// Span is the half-open byte range [Start, End) of a file. The zero Span is no position: it prints
// as an empty string.
type Span struct {
	File       *File
	Start, End int
}

// Span returns the range [start, end) of the file.
func (f *File) Span(start, end int) Span { return Span{File: f, Start: start, End: end} }

// IsZero reports whether the span is the zero Span.
func (s Span) IsZero() bool { return s.File == nil }

// Position returns the start of the span.
func (s Span) Position() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.Start)
}

// EndPosition returns the position after the span.
func (s Span) EndPosition() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.End)
}

// Text returns the bytes of the span.
func (s Span) Text() string {
	if s.File == nil || s.Start < 0 || s.End > len(s.File.Content) || s.Start > s.End {
		return ""
	}
	return string(s.File.Content[s.Start:s.End])
}

// Sub returns the range [start, end) counted from the start of s.
func (s Span) Sub(start, end int) Span {
	return Span{File: s.File, Start: s.Start + start, End: s.Start + end}
}

// Lines returns the whole lines of a span, with the end of the last.
func (s Span) Lines() Span {
	content := s.File.Content
	s.Start = bytes.LastIndexByte(content[:s.Start], '\n') + 1
	if i := bytes.IndexByte(content[s.End:], '\n'); i >= 0 {
		s.End += i + 1
	} else {
		s.End = len(content)
	}
	return s
}

// To returns the span from the start of s to the end of other.
func (s Span) To(other Span) Span { return Span{File: s.File, Start: s.Start, End: other.End} }

// Width returns how many characters the span covers on its first line.
func (s Span) Width() int {
	text := s.Text()
	for i := range len(text) {
		if text[i] == '\n' {
			text = text[:i]
			break
		}
	}
	return utf8.RuneCountInString(text)
}

// String returns file:line:col, or "" for the zero span.
func (s Span) String() string {
	if s.File == nil {
		return ""
	}
	p := s.Position()
	return fmt.Sprintf("%s:%d:%d", s.File.Path, p.Line, p.Column)
}

// MarshalJSON writes the span as "file:line:col".
func (s Span) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// Compare orders spans by file path, start and end; the zero Span is first.
func (s Span) Compare(other Span) int {
	switch {
	case s.File == nil && other.File == nil:
		return 0
	case s.File == nil:
		return -1
	case other.File == nil:
		return 1
	}
	if s.File != other.File {
		if c := bytes.Compare([]byte(s.File.Path), []byte(other.File.Path)); c != 0 {
			return c
		}
	}
	if s.Start != other.Start {
		return s.Start - other.Start
	}
	return s.End - other.End
}

// Overlaps reports whether two spans have text in common.
func (s Span) Overlaps(other Span) bool {
	return s.File != nil && other.File != nil && s.File.Path == other.File.Path && s.Start < other.End && other.Start < s.End
}
