package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

func TestRewrite(t *testing.T) {
	for name, test := range map[string]struct{ before, after, want string }{
		"a formatted file stays formatted": {
			before: "package a\n\ntype T struct {\n\tA  int // x\n\tBC int // y\n}\n",
			after:  "package a\n\ntype T struct {\n\tA  int // x\n\tBCD int // y\n}\n",
			want:   "package a\n\ntype T struct {\n\tA   int // x\n\tBCD int // y\n}\n",
		},
		"another is left as its author has it": {
			before: "package a\n\ntype  T  int\n",
			after:  "package a\n\ntype  U  int\n",
			want:   "package a\n\ntype  U  int\n",
		},
		"one with CRLF keeps it": {
			before: "package a\r\n\r\ntype T int\r\n",
			after:  "package a\n\ntype  U  int\n",
			want:   "package a\r\n\r\ntype U int\r\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(test.before), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := (&ModelConfig{Dir: dir}).rewrite(source.NewFile("a.go", source.LF([]byte(test.before))), []byte(test.after)); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(dir, "a.go"))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestRewriteRefusesToBreakAFile(t *testing.T) {
	dir := t.TempDir()
	err := (&ModelConfig{Dir: dir}).rewrite(source.NewFile("a.go", []byte("package a\n")), []byte("package a\n\ntype T struct {\n"))
	if err == nil || !strings.Contains(err.Error(), "a.go") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a.go")); !os.IsNotExist(err) {
		t.Error("the file was written")
	}
}

func TestOnlyOwnFilesAreFixed(t *testing.T) {
	span := func(path string) source.Span { return source.NewFile(path, []byte("x")).Span(0, 1) }
	for name, test := range map[string]struct {
		fix  *diag.Fix
		want bool
	}{
		"none":            {nil, false},
		"below":           {&diag.Fix{Edits: []diag.Edit{{Span: span("api/v1/types.go")}}}, true},
		"beside":          {&diag.Fix{Edits: []diag.Edit{{Span: span("../types.go")}}}, false},
		"elsewhere":       {&diag.Fix{Edits: []diag.Edit{{Span: span("/usr/types.go")}}}, false},
		"one of two":      {&diag.Fix{Edits: []diag.Edit{{Span: span("types.go")}, {Span: span("../types.go")}}}, false},
		"without a place": {&diag.Fix{Edits: []diag.Edit{{}}}, false},
	} {
		if got := isOwn(test.fix); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}

func TestOnePlace(t *testing.T) {
	bag := &diag.Bag{}
	checkPlaces([]*File{{Path: "/a", Name: "a"}, {Path: "/b", Name: "b"}}, bag)
	if bag.HasErrors() {
		t.Error("two places are taken for one")
	}
	checkPlaces([]*File{{Path: "/a", Name: "a"}, {Path: "/b", Name: "b"}, {Path: "/a", Name: "a"}}, bag)
	if list := bag.All(); len(list) != 1 || list[0].Code.String() != "driver/one-place" {
		t.Errorf("got %v", list)
	}
}
