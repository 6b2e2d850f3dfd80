package diag

import (
	"fmt"
	"io"
	"strings"
)

// GitHub decodes these escapes in messages of workflow commands and in properties, which have more
// escapes.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// renderGitHub writes one workflow command for each diagnostic. Notes and the fix's message are
// additional lines of the annotation. GitHub resolves paths in the repository, wherever the command
// runs.
func renderGitHub(w io.Writer, list []*Diagnostic, opts Options) error {
	var out strings.Builder
	for _, d := range list {
		var properties []string
		add := func(key, value string) {
			properties = append(properties, key+"="+githubProperty.Replace(value))
		}
		if !d.Span.IsZero() {
			start, end := inCharacters(d.Span)
			name, _ := opts.inRepository(d.Span.File.Path)
			add("file", slashed(name))
			add("line", fmt.Sprint(start.Line))
			add("col", fmt.Sprint(start.Column))
			add("endLine", fmt.Sprint(end.Line))
			add("endColumn", fmt.Sprint(end.Column))
		}
		add("title", d.Code.String())
		out.WriteString("::" + levelOf(d.Severity, "notice"))
		if len(properties) > 0 {
			out.WriteString(" " + strings.Join(properties, ","))
		}
		out.WriteString("::" + githubData.Replace(githubMessage(d)) + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func githubMessage(d *Diagnostic) string {
	lines := []string{d.Message}
	for _, n := range d.Notes {
		place := ""
		if !n.Span.IsZero() {
			place = n.Span.String() + ": "
		}
		lines = append(lines, place+"note: "+n.Message)
	}
	if d.Fix != nil {
		lines = append(lines, "fix: "+d.Fix.Message)
	}
	return strings.Join(lines, "\n")
}
