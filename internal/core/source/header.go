package source

import (
	"bytes"
	"go/parser"
	"go/token"
	"strings"
)

// header returns the part of a Go file that the go command reads to list packages: all of it if the
// file does not parse or embeds files.
func header(content []byte) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", content, parser.ImportsOnly|parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return content
	}
	var b bytes.Buffer
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(strings.TrimSpace(c.Text[2:]), "+build") {
				b.WriteString(c.Text + "\n")
			}
		}
	}
	b.WriteString("package " + file.Name.Name + "\n")
	for _, spec := range file.Imports {
		switch spec.Path.Value {
		case `"embed"`, `"C"`:
			return content
		}
		b.WriteString(spec.Path.Value + "\n")
	}
	return b.Bytes()
}
