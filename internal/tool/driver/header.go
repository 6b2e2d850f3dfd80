package driver

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Heading is the text at the top of a file, such as a licence, in the form of comments.
type Heading struct {
	Text string
	// Year replaces YEAR in the text; "" is the year in which the file was first generated.
	Year string
}

// above returns the content of a manifest with the heading on top.
func (h Heading) above(content []byte) []byte {
	if h.Text == "" {
		return content
	}
	return slices.Concat([]byte(h.Text+"\n"), content)
}

// ManifestHeader returns the text of a header file for manifests. If it has anything but YAML
// comments, ManifestHeader reports this and returns "".
func ManifestHeader(f *source.File, bag *diag.Bag) string {
	start := 0
	for line := range strings.Lines(string(f.Content)) {
		if text := strings.TrimSpace(line); text != "" && text[0] != '#' {
			bag.Errorf(f.Span(start, start+len(strings.TrimRight(line, "\r\n"))), codeHeader, "this is not a YAML comment; a header of manifests must have only lines that begin with #")
			return ""
		}
		start += len(line)
	}
	return strings.TrimRight(string(source.LF(f.Content)), " \t\r\n")
}

// Header returns the text of a header file. If it has anything but Go comments, Header reports this
// and returns "".
func Header(f *source.File, bag *diag.Bag) string {
	fset := token.NewFileSet()
	tf := fset.AddFile(f.Path, -1, len(f.Content))
	ok := true
	report := func(start, end int, message string) {
		if ok { // report only the first mistake
			bag.Errorf(f.Span(start, end), codeHeader, "%s; a header must have only Go comments", message)
		}
		ok = false
	}
	var s scanner.Scanner
	s.Init(tf, f.Content, func(at token.Position, message string) {
		report(at.Offset, at.Offset+1, message)
	}, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.COMMENT || tok == token.SEMICOLON && text == "\n" {
			continue
		}
		if text == "" {
			text = tok.String()
		}
		start := tf.Offset(pos)
		report(start, min(start+len(text), len(f.Content)), "this is not a comment")
	}
	if !ok {
		return ""
	}
	return strings.TrimRight(string(source.LF(f.Content)), " \t\r\n")
}
