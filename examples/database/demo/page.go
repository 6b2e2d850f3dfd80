package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Colours, used only on terminals.
const (
	bold  = "1"
	dim   = "2"
	red   = "31"
	green = "32"
)

// page writes the demo's output and keeps the first write error.
type page struct {
	w      io.Writer
	colour bool
	err    error
}

func newPage(w io.Writer) *page { return &page{w: w, colour: isTerminal(w)} }

// isTerminal reports whether w is a terminal that shows colours.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// paint returns the text in a colour.
func (p *page) paint(colour, text string) string {
	if !p.colour {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// text writes a line.
func (p *page) text(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// title writes a heading.
func (p *page) title(text string) {
	p.text("")
	p.text("%s", p.paint(bold, text))
	p.text("%s", p.paint(dim, strings.Repeat("─", len([]rune(text)))))
}

// changes writes changes, one line for each value.
func (p *page) changes(list []change) {
	if len(list) == 0 {
		p.text("      no changes")
	}
	for _, c := range list {
		if c.before != "" {
			p.text("    %s", p.paint(red, "- "+c.path+": "+c.before))
		}
		if c.after != "" {
			p.text("    %s", p.paint(green, "+ "+c.path+": "+c.after))
		}
	}
}
