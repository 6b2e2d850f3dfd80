package scaffold

import (
	"bytes"
	"embed"
	"text/template"
)

//go:embed templates
var files embed.FS

// render returns the content of a file from its template.
func render(name string, data any) ([]byte, error) {
	t, err := template.ParseFS(files, "templates/"+name+".tmpl")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, data)
	return out.Bytes(), err
}
