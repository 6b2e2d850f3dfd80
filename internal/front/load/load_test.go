package load

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
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

// Methods that constraints and interfaces need are kept, also those that are not generated yet.
func TestConstraints(t *testing.T) {
	for _, d := range load(t, map[string]string{
		"v1/types.go": "// +kubebuilder:object:generate=true\n// +groupName=shop.example.com\npackage v1\n\ntype Foo struct{ Base }\n\ntype Base struct{}\n\nfunc (b Base) Key() string { return \"\" }\n\n" +
			"type Set[E interface{ comparable; Key() string }] []E\n\nfunc (s Set[E]) Keys() []string { return nil }\n",
		"cache/cache.go": `package cache

import (
	"fmt"

	v1 "example.com/m/v1"
)

type Entry interface {
	comparable
	Keyed
}

type Keyed interface{ Key() string }

type Object interface {
	Keyed
	DeepCopyInto(*v1.Foo)
}

type Cache[E Entry] struct{ items map[string]E }

type Lister[T Object] struct{ one T }

type New[T interface {
	*E
	Object
}, E any] struct{}

type Namer[S interface {
	~[]E
	Keys() []string
}, E Entry] struct{ names S }

type text struct{ v1.Base }

func (text) String() string { return "" }

type Stringer[S fmt.Stringer] struct{ one S }
`,
		"api/types.go": `package api

import (
	"example.com/m/cache"
	v1 "example.com/m/v1"
)

type Holder struct {
	Cache  cache.Cache[v1.Foo]
	Lister *cache.Lister[*v1.Foo]
	New    cache.New[*v1.Foo, v1.Foo]
	Names  cache.Namer[v1.Set[v1.Foo], v1.Foo]
	Own    cache.Stringer[own]
	Alias
}

type Alias = cache.Cache[*v1.Foo]

type own struct{ named }

type named struct{}

func (named) String() string { return "" }

func (h *Holder) Get(l cache.Lister[*v1.Foo]) cache.Object { return nil }

var _ cache.Keyed = v1.Foo{}
`,
	}) {
		t.Errorf("%s: %s", d.Span, d.Message)
	}
}
