package diag

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
)

// Format names a way of writing diagnostics.
type Format string

const (
	// Text is for people at a terminal.
	Text Format = "text"
	// JSON is one document for programs; see jsonDocument for its shape.
	JSON Format = "json"
	// SARIF is the interchange format 2.1.0 that code scanning services read.
	SARIF Format = "sarif"
	// GitHub is the workflow commands that GitHub Actions turns into annotations.
	GitHub Format = "github"
)

// Formats returns the names of all formats, in the order in which help texts list them.
func Formats() []Format { return []Format{Text, JSON, SARIF, GitHub} }

// ParseFormat returns the format with the name. The error lists all names.
func ParseFormat(name string) (Format, error) {
	var known []string
	for _, f := range Formats() {
		if string(f) == name {
			return f, nil
		}
		known = append(known, string(f))
	}
	return "", spell.Unknown("format", name, known)
}

// Options are options of renderers.
type Options struct {
	// Version is the version of kindsmith, which SARIF records.
	Version string
	// Color enables terminal colours in Text.
	Color bool
	// Width is the number of terminal cells to which Text cuts source lines;
	// 0 means 120.
	Width int
	// Dir is the folder to which the paths of diagnostics are relative, and Root the repository
	// that it is in, both absolute. SARIF and GitHub have paths that are relative to Root; "" leaves
	// paths as they are.
	Dir, Root string
	// Help returns the page of a code and its address, for SARIF; it may be nil.
	Help func(Code) (page, uri string)
}

// inRepository returns the path of a file relative to the repository, and whether the file is in it.
func (o Options) inRepository(name string) (string, bool) {
	if o.Root == "" {
		return name, false
	}
	abs := filepath.FromSlash(name)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(o.Dir, abs)
	}
	rel, err := filepath.Rel(o.Root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return name, false
	}
	return filepath.ToSlash(rel), true
}

// Render writes the diagnostics in the given order. It returns an error if the writer fails or the
// format is unknown.
func Render(w io.Writer, format Format, list []*Diagnostic, opts Options) error {
	render, ok := map[Format]func(io.Writer, []*Diagnostic, Options) error{
		Text:   renderText,
		JSON:   renderJSON,
		SARIF:  renderSARIF,
		GitHub: renderGitHub,
	}[format]
	if !ok {
		_, err := ParseFormat(string(format))
		return err
	}
	return render(w, list, opts)
}

// Summary returns a summary such as "2 errors, 1 warning", empty if there are no diagnostics.
func Summary(list []*Diagnostic) string {
	n := count(list)
	var parts []string
	for _, part := range []struct {
		n    int
		noun string
	}{{n[Error], "error"}, {n[Warning], "warning"}, {n[Hint], "hint"}} {
		if part.n > 0 {
			parts = append(parts, Count(part.n, part.noun, part.noun+"s"))
		}
	}
	return strings.Join(parts, ", ")
}

// Count returns "1 file" or "2 files".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// count returns the number of diagnostics of each severity.
func count(list []*Diagnostic) (n [Hint + 1]int) {
	for _, d := range list {
		n[d.Severity]++
	}
	return n
}

// inCharacters returns the start and the exclusive end of a span with columns in characters
// (Unicode code points), like other tools.
func inCharacters(s source.Span) (start, end source.Position) {
	return characterPosition(s.File, s.Position()), characterPosition(s.File, s.EndPosition())
}

func characterPosition(f *source.File, p source.Position) source.Position {
	line := f.Line(p.Line)
	before := line[:min(p.Column-1, len(line))]
	return source.Position{Line: p.Line, Column: len([]rune(before)) + 1}
}

// levelOf returns a severity as other formats name it, with their word for hints.
func levelOf(s Severity, hint string) string {
	if s == Hint {
		return hint
	}
	return s.String()
}
