package program

import (
	"bytes"
	"context"
	_ "embed"
	"text/template"

	"github.com/kindsmith/kindsmith/internal/core/goprogram"
)

//go:embed code.go.tmpl
var codeText string

var codeTemplate = template.Must(template.New("").Parse(codeText))

// BuildCode builds a program for browsers from the generated code of packages, compressed with gzip. The program defines the function
// kindsmithCode, which answers requests of tryit.Code. Generated has the files that generate would write. If the packages do not build, the
// error is a *goprogram.BuildError.
func BuildCode(ctx context.Context, packages []goprogram.Package, generated map[string][]byte, tags []string) ([]byte, error) {
	var main bytes.Buffer
	if err := codeTemplate.Execute(&main, packages); err != nil {
		return nil, err
	}
	of := &goprogram.Source{Dir: packages[0].Dir, Main: main.Bytes(), Files: generated, Tags: tags}
	program, err := of.WebAssembly(ctx)
	if err != nil {
		return nil, err
	}
	return Compress(program)
}
