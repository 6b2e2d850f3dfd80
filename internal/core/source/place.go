package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// columnBits is the number of bits of an offset for the column in a file without text.
const columnBits = 20

// Place returns an empty span in a file whose text is not available. It prints and compares like a
// span of the file itself.
func Place(path string, p Position) Span {
	offset := p.Line<<columnBits | min(p.Column, 1<<columnBits-1)
	return Span{File: &File{Path: path, elsewhere: true}, Start: offset, End: offset}
}

// Elsewhere reports whether the text of the span's file is not available.
func (s Span) Elsewhere() bool { return s.File != nil && s.File.elsewhere }

// In returns the span of a text at the position of s in a file, or of the rest of the
// line if the file has another text there.
func (s Span) In(f *File, text string) Span {
	start := f.Offset(s.Position())
	end := len(f.Content)
	if bytes.HasPrefix(f.Content[start:], []byte(text)) {
		end = start + len(text)
	} else if i := bytes.IndexByte(f.Content[start:], '\n'); i >= 0 {
		end = start + len(bytes.TrimRight(f.Content[start:start+i], " \t\r"))
	}
	return f.Span(start, end)
}

func unpack(offset int) Position {
	return Position{Line: offset >> columnBits, Column: offset & (1<<columnBits - 1)}
}

// UnmarshalJSON reads what MarshalJSON writes, as a Place.
func (s *Span) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	if text == "" {
		*s = Span{}
		return nil
	}
	rest, column, ok := cutNumber(text)
	path, line, lineOK := cutNumber(rest)
	if !ok || !lineOK {
		return fmt.Errorf("%q is not file:line:column", text)
	}
	*s = Place(path, Position{Line: line, Column: column})
	return nil
}

// cutNumber cuts a colon and a number off the end of a text.
func cutNumber(text string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(text[i+1:])
	return text[:i], n, err == nil && n > 0
}
