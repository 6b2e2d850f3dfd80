package diag

import (
	"fmt"
	"io"
	"strings"

	"github.com/kindsmith/kindsmith/internal/source"
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

// ParseFormat returns the format of that name. The error lists the names there are.
func ParseFormat(name string) (Format, error) {
	var known []string
	for _, f := range Formats() {
		if string(f) == name {
			return f, nil
		}
		known = append(known, string(f))
	}
	return "", fmt.Errorf("unknown format %q: the formats are %s", name, strings.Join(known, ", "))
}

// Options are what renderers cannot know by themselves.
type Options struct {
	// Version is the version of kindsmith, which SARIF records.
	Version string
	// Color has Text use terminal colours.
	Color bool
	// Width is the number of terminal cells after which Text cuts source lines;
	// 0 means 120.
	Width int
}

// Render writes the diagnostics in the given order. It returns the writer's error,
// or that the format is unknown.
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

// Summary returns the line that closes a run, such as "2 errors, 1 warning"; it is
// empty if there is nothing to sum up.
func Summary(list []*Diagnostic) string {
	errors, warnings := count(list)
	var parts []string
	for _, part := range []struct {
		n    int
		noun string
	}{{errors, "error"}, {warnings, "warning"}} {
		switch {
		case part.n == 1:
			parts = append(parts, "1 "+part.noun)
		case part.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", part.n, part.noun))
		}
	}
	return strings.Join(parts, ", ")
}

func count(list []*Diagnostic) (errors, warnings int) {
	for _, d := range list {
		if d.Severity == Error {
			errors++
		} else {
			warnings++
		}
	}
	return errors, warnings
}

// inCharacters returns where a span starts and ends with columns in characters
// (Unicode code points), as other tools count them. The place of a span's end is
// that of the first character behind it.
func inCharacters(s source.Span) (start, end source.Position) {
	return characterPosition(s.File, s.Position()), characterPosition(s.File, s.EndPosition())
}

func characterPosition(f *source.File, p source.Position) source.Position {
	line := f.Line(p.Line)
	before := line[:min(p.Column-1, len(line))]
	return source.Position{Line: p.Line, Column: len([]rune(before)) + 1}
}
