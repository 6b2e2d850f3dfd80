package load_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/load"
)

// TestOneFileChanges edits one file of a package at a time, and compares a loader that keeps the others with a first load.
func TestOneFileChanges(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOPROXY", "off")
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	overlay := map[string][]byte{}
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"a.go":   "// +groupName=a\npackage m\n\ntype A struct{ B *B }\n",
		"b.go":   "package m\n\nvar gone = 1\n\nfunc pruned() {}\n\ntype B struct{ C string }\n",
		"c.go":   "package m\n\n// +k8s:x(f: Call)\ntype C string\n\nfunc Call() {}\n\nfunc (c C) String() string { return \"\" }\n",
		"d.go":   "package m\n",
	} {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loader := &load.Loader{}
	for i, edit := range []struct{ name, text string }{
		{"a.go", "// +groupName=b\npackage m\n\n// A is new.\ntype A struct{ B *B }\n"},
		{"b.go", "package m\n\ntype B struct{ C C }\n\nfunc (b *B) Len() int { return 0 }\n"},
		{"c.go", "package m\n\ntype C struct{ B B }\n"}, // B and C contain themselves
		{"b.go", "package m\n\n// moved\n\ntype B struct{ C C }\n"},
		{"d.go", "package m\n\ntype D [len(A{}.B.none)]string\n"},
		{"c.go", "package m\n\ntype C int\n"},
		{"a.go", "package m\n\ntype A struct{ B *B\n"}, // a syntax error
		{"b.go", "package m\n\ntype B struct{ C D }\n"},
		{"a.go", "package m\n\ntype A struct{ B *B }\n\ntype C string\n"}, // C is declared twice
		{"c.go", "package m\n"},
		{"d.go", "package other\n"}, // another package name
		{"d.go", "package m\n\nimport \"time\"\n\ntype D time.Duration\n"},
		{"d.go", "package m\n\ntype D string\n"},
	} {
		overlay[path(edit.name)] = []byte(edit.text)
		warm, cold := describe(t, loader, dir, overlay), describe(t, &load.Loader{}, dir, overlay)
		if warm != cold {
			t.Fatalf("after edit %d of %s, the loader has\n%s\nand a first load\n%s", i, edit.name, warm, cold)
		}
		if same := describe(t, loader, dir, overlay); same != cold {
			t.Fatalf("after edit %d of %s and nothing more, the loader has\n%s\nand a first load\n%s", i, edit.name, same, cold)
		}
	}
}

// describe returns what is known of the package in a folder, and its mistakes.
func describe(t *testing.T, loader *load.Loader, dir string, overlay map[string][]byte) string {
	t.Helper()
	bag := &diag.Bag{}
	r, err := loader.Load(load.Config{Dir: dir, Patterns: []string{"."}, Files: source.NewFS(maps.Clone(overlay))}, bag)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range r.Roots {
		fmt.Fprintln(&b, p.Name, p.Methods, p.Decls, p.Builders, p.Generated, p.NamesGroup())
		for _, f := range p.Files {
			fmt.Fprintln(&b, f.Source.Path, len(f.Source.Content), len(f.Syntax.Decls), r.Span(f.Syntax.Package, f.Syntax.Package+7))
		}
		for _, name := range p.Types.Scope().Names() {
			o := p.Types.Scope().Lookup(name)
			fmt.Fprintln(&b, o, o.Type().Underlying(), r.Span(o.Pos(), o.Pos()+1))
		}
	}
	var found []string
	for _, d := range bag.All() {
		found = append(found, fmt.Sprint(d.Span, " ", d.Message))
	}
	slices.Sort(found)
	return b.String() + strings.Join(found, "\n")
}
