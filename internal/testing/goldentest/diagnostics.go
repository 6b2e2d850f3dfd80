package goldentest

import (
	"fmt"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Diagnostics returns diagnostics for goldens, each on one line with the text of its
// span, and below its notes and its fix with the resulting line. Paths begin after the prefix; diagnostics in other files are left out.
func Diagnostics(list []*diag.Diagnostic, prefix string) []byte {
	var b strings.Builder
	for _, d := range list {
		if !strings.HasPrefix(d.Span.String(), prefix) {
			continue
		}
		fmt.Fprintf(&b, "%s%s: %s [%s]%s\n", position(d.Span, prefix), d.Severity, d.Message, d.Code, about(d.Span))
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "\tnote: %s%s%s\n", position(n.Span, prefix), n.Message, about(n.Span))
		}
		if d.Fix != nil {
			line, _ := d.Fix.Line()
			fmt.Fprintf(&b, "\tfix: %s: %s\n", d.Fix.Message, strings.TrimSpace(line))
		}
	}
	return []byte(b.String())
}

func position(s source.Span, prefix string) string {
	if s.IsZero() {
		return ""
	}
	return strings.TrimPrefix(s.String(), prefix) + ": "
}

// about returns the text of a span, as far as it is on one line.
func about(s source.Span) string {
	if s.IsZero() || s.Start == s.End {
		return ""
	}
	text, _, more := strings.Cut(s.Text(), "\n")
	if more {
		text += "…"
	}
	return " «" + text + "»"
}
