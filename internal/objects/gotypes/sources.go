package gotypes

import "github.com/kindsmith/kindsmith/internal/core/source"

// Reader reads files, such as a *source.FS.
type Reader interface {
	ReadFile(path string) ([]byte, error)
}

// sources finds the declarations of rules in Go sources.
type sources struct {
	files Reader
	read  map[string]*source.File
}

// span returns the span with the text of its file, if the file can be read. Its own text
// begins with text.
func (s *sources) span(span source.Span, text string) source.Span {
	if !span.Elsewhere() || s.files == nil {
		return span
	}
	path := span.File.Path
	if _, ok := s.read[path]; !ok {
		s.read[path] = nil
		if content, err := s.files.ReadFile(path); err == nil {
			s.read[path] = source.NewFile(path, content)
		}
	}
	if f := s.read[path]; f != nil {
		return span.In(f, text)
	}
	return span
}
