package typecheck_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/typecheck"
)

// TestCheck has a mistake in a function body of an imported package, for one system, and one in a test.
func TestCheck(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"go.mod":            "module example.com/m\n\ngo 1.24.0\n",
		"a/a.go":            "package a\n\nimport (\n\t\"strings\"\n\n\t\"example.com/m/b\"\n)\n\n// A is b's.\nvar A = strings.ToUpper(b.B())\n",
		"b/b.go":            "package b\n\n// B is a function.\nfunc B() string { return system() }\n",
		"b/b_other.go":      "//go:build !windows\n\npackage b\n\nfunc system() string { return \"\" }\n",
		"b/b_windows.go":    "package b\n\nfunc system() string { return 1 }\n",
		"tests/t.go":        "package tests\n",
		"tests/all_test.go": "package tests\n\nvar _ = missing\n",
	} {
		if err := source.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	c := typecheck.New(dir)
	for _, test := range []struct {
		system, pattern, want string
		n                     int
	}{
		{"linux", "./a", "", 1},
		{"darwin", "./a", "", 1},
		{"windows", "./a", "b_windows.go:3:31: cannot use 1", 1},
		{"linux", "./tests", "all_test.go:3:9: undefined: missing", 3},
		{"linux", "./none", "none: directory not found", 1},
	} {
		n, err := c.Check([]string{"GOWORK=off", "GOOS=" + test.system, "CGO_ENABLED=0"}, test.pattern)
		if n != test.n || (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s for %s: %d packages, %v; want %d, %q", test.pattern, test.system, n, err, test.n, test.want)
		}
	}
}
