package gofile_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/runtime/gen"
)

// TestRuntimeVersion checks that files are generated for the version of the runtime in
// this repository.
func TestRuntimeVersion(t *testing.T) {
	if gofile.RuntimeVersion != gen.Version {
		t.Errorf("files are generated for version %d of the runtime, but the runtime has version %d", gofile.RuntimeVersion, gen.Version)
	}
}

// TestHandshake compiles a generated file with runtimes of several versions.
func TestHandshake(t *testing.T) {
	const written = gofile.RuntimeVersion
	for _, tc := range []struct {
		name            string
		oldest, version int
		want            string // part of the compiler's message; "" if the file compiles
	}{
		{"the runtime of this kindsmith", written, written, ""},
		{"a newer runtime that supports the file", written, written + 3, ""},
		{"an older runtime", written - 1, written - 1, "gen.UpgradeRuntime"},
		{"a newer runtime that does not support the file", written + 1, written + 3, "gen.RunGenerate"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, err := build(t, generated(t, gofile.RuntimeConvert, "At"), tc.oldest, tc.version)
			if (err == nil) != (tc.want == "") || !strings.Contains(out, tc.want) {
				t.Fatalf("got %v, want a message with %q:\n%s", err, tc.want, out)
			}
			for _, other := range []string{"gen.UpgradeRuntime", "gen.RunGenerate"} {
				if other != tc.want && strings.Contains(out, other) {
					t.Errorf("the message also says %s:\n%s", other, out)
				}
			}
		})
	}
}

// TestHandshakeOnce checks which files have the handshake.
func TestHandshakeOnce(t *testing.T) {
	for path, want := range map[string]int{
		gofile.RuntimeValidate: 1, gofile.RuntimeEquality: 1, gofile.RuntimeConvert: 1, gofile.RuntimeCoverage: 1,
		"example.com/other/runtime/gen/validate": 0,
		gofile.Runtime + "s/validate":            0,
	} {
		f := gofile.New("example.com/api/v1", "v1")
		f.Reserve("gen")
		f.P("var _ = ", f.Ident(path, "X"))
		for range 2 { // Bytes may be called again
			text, err := f.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), ".UpgradeRuntime("); n != want {
				t.Errorf("%s: %d handshakes, want %d:\n%s", path, n, want, text)
			}
			if strings.Contains(string(text), " gen.") {
				t.Errorf("%s: the name of a declaration is used for the package gen:\n%s", path, text)
			}
		}
	}
}

// generated returns a file that uses a declaration of the runtime.
func generated(t *testing.T, pkg, name string) []byte {
	t.Helper()
	f := gofile.New("example.com/api/v1", "v1")
	f.P("var _ = ", f.Ident(pkg, name))
	text, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// build compiles a file with a runtime whose package gen has the given versions, and
// returns the compiler's output.
func build(t *testing.T, file []byte, oldest, version int) (string, error) {
	t.Helper()
	const real = "../../../runtime/gen/gen.go"
	source, err := os.ReadFile(real)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(
		fmt.Sprintf("\tVersion = %d\n", gen.Version), fmt.Sprintf("\tVersion = %d\n", version),
		fmt.Sprintf("\tOldestVersion = %d\n", gen.OldestVersion), fmt.Sprintf("\tOldestVersion = %d\n", oldest),
	).Replace(string(source))
	for _, want := range []string{fmt.Sprintf("\tVersion = %d\n", version), fmt.Sprintf("\tOldestVersion = %d\n", oldest)} {
		if !strings.Contains(changed, want) {
			t.Fatalf("%s does not declare the versions as this test expects", real)
		}
	}
	dir := t.TempDir()
	overlay := map[string]string{
		absolute(t, real):                  write(t, dir, "gen.go", []byte(changed)),
		absolute(t, "testdata/api/api.go"): write(t, dir, "api.go", file),
	}
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "build", "-overlay", write(t, dir, "overlay.json", list), "./testdata/api").CombinedOutput()
	return string(out), err
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

func write(t *testing.T, dir, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
