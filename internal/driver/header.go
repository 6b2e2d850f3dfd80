package driver

import (
	"go/scanner"
	"go/token"
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/source"
)

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
