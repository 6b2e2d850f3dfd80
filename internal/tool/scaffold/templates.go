package scaffold

import (
	"bytes"
	"embed"
	"path"
	"text/template"
)

//go:embed templates
var files embed.FS

// render returns the content of a file from its template.
func render(name string, data any) ([]byte, error) {
	t, err := template.ParseFS(files, "templates/"+name+".tmpl", "templates/webhook.yaml.tmpl")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.ExecuteTemplate(&out, path.Base(name)+".tmpl", data)
	return out.Bytes(), err
}
