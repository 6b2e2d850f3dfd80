package gofile_test

import (
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// TestImports checks that a file imports the packages whose names are printed in its code, and no others.
func TestImports(t *testing.T) {
	f := gofile.New("example.com/api/v1", "v1")
	port := f.Type(&model.Ref{Kind: model.KindPointer, Elem: model.Named("k8s.io/apimachinery/pkg/util/intstr", "IntOrString")})
	f.P("// ", f.Ident("example.com/comment", "Name"), " is in a comment.")
	f.P("const text = \"", f.Ident("example.com/text", "Name"), "\"")
	f.P("var list ", f.Type(&model.Ref{Kind: model.KindSlice, Elem: model.Named("example.com/used", "Name")}))
	content, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(content); strings.Count(got, "import") != 1 || !strings.Contains(got, "\"example.com/used\"") {
		t.Errorf("%s is not printed, but the file is\n%s", port, got)
	}
}
