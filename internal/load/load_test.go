package load

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/diag"
)

// load loads the package in the folder api of a module, and returns the diagnostics.
func load(t *testing.T, files map[string]string) []*diag.Diagnostic {
	t.Helper()
	files["go.mod"] = "module example.com/m\n\ngo 1.26\n"
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOPROXY", "off")
	bag := &diag.Bag{}
	_, err := Load(Config{Dir: write(t, files), Patterns: []string{"./api"}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	return bag.All()
}

// Function bodies are ignored, including those of generic functions.
func TestBodies(t *testing.T) {
	found := load(t, map[string]string{
		"api/types.go": `package api

import "example.com/m/nowhere"

type T[E any] []E

func Map[T, U any](list []T, f func(T) U) []U { return nowhere.Map(list, f) }

func (t T[E]) Len() int { return nowhere.Len(t) }

func init() { nowhere.Register() }

var All = nowhere.All()
`,
	})
	for _, d := range found {
		if !strings.Contains(d.Message, "nowhere") || d.Severity == diag.Error {
			t.Errorf("%s: %s", d.Span, d.Message)
		}
	}
}

// A missing package is reported with the go command's advice.
func TestMissingPackages(t *testing.T) {
	found := load(t, map[string]string{
		"api/types.go": "package api\n\nimport (\n\t\"example.com/m/nowhere\"\n\t\"example.org/other\"\n)\n\ntype T struct {\n\tA nowhere.T\n\tB other.T\n}\n",
	})
	var messages []string
	for _, d := range found {
		if d.Severity == diag.Error {
			messages = append(messages, filepath.ToSlash(d.Span.String())+" "+d.Message)
		}
	}
	all := strings.Join(messages, "\n")
	for _, part := range []string{"api/types.go:4:2 ", "api/types.go:5:2 ", "no required module provides package example.org/other", "go get example.org/other"} {
		if !strings.Contains(all, part) {
			t.Errorf("%q is not among\n%s", part, all)
		}
	}
}

// Packages that are imported need not be formatted by gofmt.
func TestUnformatted(t *testing.T) {
	found := load(t, map[string]string{
		"api/types.go":     "package api\n\nimport \"example.com/m/common\"\n\ntype T struct{ A common.Name }\n\nvar _ = T.A\n",
		"common/common.go": "\n\t\tpackage common\n\n\t\ttype\tName string\n",
		"common/other.go":  "  package common\n\n  func (n Name) String() string { return string(n) }\n",
	})
	for _, d := range found {
		t.Errorf("%s: %s", d.Span, d.Message)
	}
}
