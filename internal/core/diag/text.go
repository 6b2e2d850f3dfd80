package diag

import (
	"io"
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// The terminal colours that Text uses.
const (
	reset  = "\x1b[0m"
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	green  = "\x1b[32m"
)

// noteIndent is the indentation of notes and fixes, sourceIndent that of source lines.
const (
	noteIndent   = "  "
	sourceIndent = "    "
)

const defaultWidth = 120

// renderText writes, for each diagnostic,
//
//	file:line:col: error: message [code]
//	    the source line
//	        ^~~~
//	    a line near it
//	        ---- the message of a note there
//	  file:line:col: note: message
//	    the source line
//	    ^~~
//	  note: message
//	  fix: message
//	    the source line as it would be
//
// A note near the error is in the picture of the error, and one at the same text has no picture of its own. The changed line is
// shown if the fix stays within one line.
func renderText(w io.Writer, list []*Diagnostic, opts Options) error {
	t := textPrinter{color: opts.Color, width: opts.Width}
	if t.width <= 0 {
		t.width = defaultWidth
	}
	for _, d := range list {
		t.diagnostic(d)
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

type textPrinter struct {
	out   strings.Builder
	color bool
	width int
}

// paint returns the text in a colour if colours are enabled.
func (t *textPrinter) paint(color, text string) string {
	if !t.color || text == "" {
		return text
	}
	return color + text + reset
}

func (t *textPrinter) diagnostic(d *Diagnostic) {
	color := red
	switch d.Severity {
	case Warning:
		color = yellow
	case Hint:
		color = cyan
	}
	t.place("", d.Span)
	t.out.WriteString(t.paint(color, d.Severity.String()+":") + " " + t.paint(bold, oneLine(d.Message)))
	t.out.WriteString(" [" + d.Code.String() + "]\n")
	drawn := make([]bool, len(d.Notes))
	if d.Severity != Hint { // one line is enough for what need not be corrected
		t.picture(d, drawn)
	}
	for i, n := range d.Notes {
		switch {
		case drawn[i]:
		case n.Span == d.Span:
			t.out.WriteString(noteIndent + t.paint(cyan, "note:") + " " + oneLine(n.Message) + "\n")
		default:
			t.place(noteIndent, n.Span)
			t.out.WriteString(t.paint(cyan, "note:") + " " + oneLine(n.Message) + "\n")
			t.source(n.Span)
		}
	}
	if d.Fix != nil {
		t.fix(d.Fix)
	}
}

// near is how many lines a note may be away from its error, to be in the same picture.
const near = 3

// picture writes the source of a diagnostic, with the notes near it, which it sets in drawn.
func (t *textPrinter) picture(d *Diagnostic, drawn []bool) {
	if d.Span.IsZero() || d.Span.Elsewhere() {
		return
	}
	line := d.Span.Position().Line
	first, last := line, line
	for i, n := range d.Notes {
		if n.Span.IsZero() || n.Span.File != d.Span.File || n.Span.Elsewhere() || n.Span == d.Span {
			continue
		}
		if at := n.Span.Position().Line; at >= line-near && at <= line+near {
			drawn[i], first, last = true, min(first, at), max(last, at)
		}
	}
	for at := first; at <= last; at++ {
		var shown *string
		if at == line {
			shown = t.mark(shown, d.Span, "")
		}
		for i, n := range d.Notes {
			if drawn[i] && n.Span.Position().Line == at {
				shown = t.mark(shown, n.Span, oneLine(n.Message))
			}
		}
		if shown == nil {
			text, _ := excerpt(d.Span.File.Line(at), 0, 0, t.width)
			t.out.WriteString(strings.TrimRight(sourceIndent+text, " \t") + "\n")
		}
	}
}

// mark writes the first line of a span, unless it is shown already, and underlines the span: with dashes and the label, if there is
// one. It returns the line as shown. shown is the last line above; nil for none.
func (t *textPrinter) mark(shown *string, s source.Span, label string) *string {
	start := s.Position()
	text, underline := excerpt(s.File.Line(start.Line), start.Column-1, start.Column-1+s.End-s.Start, t.width)
	if shown == nil || text != *shown {
		t.out.WriteString(strings.TrimRight(sourceIndent+text, " \t") + "\n")
	}
	color := green
	if label != "" {
		color, underline = cyan, strings.NewReplacer("^", "-", "~", "-").Replace(underline)+" "+label
	}
	t.out.WriteString(sourceIndent + underlinePrefix(underline) + t.paint(color, strings.TrimLeft(underline, " \t")) + "\n")
	return &text
}

// place writes the indentation and "file:line:col: " if there is a position.
func (t *textPrinter) place(indent string, s source.Span) {
	t.out.WriteString(indent)
	if !s.IsZero() {
		t.out.WriteString(t.paint(bold, s.String()+":") + " ")
	}
}

// source writes the first line of a span and underlines the span.
func (t *textPrinter) source(s source.Span) {
	if s.IsZero() || s.Elsewhere() {
		return
	}
	t.mark(nil, s, "")
}

// underlinePrefix returns the white space before the caret, which stays without colour.
func underlinePrefix(underline string) string {
	return underline[:len(underline)-len(strings.TrimLeft(underline, " \t"))]
}

func (t *textPrinter) fix(f *Fix) {
	t.out.WriteString(noteIndent + t.paint(green, "fix:") + " " + oneLine(f.Message) + "\n")
	line, from, to, ok := changedLine(f)
	if !ok {
		return
	}
	text, _ := excerpt(line, from, to, t.width)
	t.out.WriteString(strings.TrimRight(sourceIndent+text, " \t") + "\n")
}

// Line returns the line that a fix changes, as it would be. It reports false if the
// fix is not within one line.
func (f *Fix) Line() (line string, ok bool) {
	line, _, _, ok = changedLine(f)
	return line, ok
}

// changedLine returns the line after a fix and the changed range in it. It reports false if the fix
// is not within one line.
func changedLine(f *Fix) (line string, from, to int, ok bool) {
	edits, ok := sortedEdits(f)
	if !ok {
		return "", 0, 0, false
	}
	first, last := edits[0], edits[len(edits)-1]
	number := first.Span.Position().Line
	for _, e := range edits {
		if e.Span.File != first.Span.File || e.Span.Position().Line != number ||
			e.Span.EndPosition().Line != number || strings.Contains(e.NewText, "\n") {
			return "", 0, 0, false
		}
	}
	file := first.Span.File
	start := file.Offset(source.Position{Line: number, Column: 1})
	end := start + len(file.Line(number))
	if last.Span.End > end { // the edit ends inside a "\r\n"
		return "", 0, 0, false
	}
	before, after := file.Content[start:first.Span.Start], file.Content[last.Span.End:end]
	changed := apply(file.Content[first.Span.Start:last.Span.End], shift(edits, -first.Span.Start))
	return string(before) + string(changed) + string(after), len(before), len(before) + len(changed), true
}

// oneLine replaces characters of a message that would break the output format.
func oneLine(message string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, message)
}
