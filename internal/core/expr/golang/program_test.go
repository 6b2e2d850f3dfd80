package golang_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// runProgram runs a program that exists in an overlay only.
func runProgram(t *testing.T, source []byte, input *bytes.Buffer) *bytes.Buffer {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(here, "testdata", "check", "main.go"): program}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{program: source, overlay: data} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-overlay", overlay, "./testdata/check")
	var out, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, stderr.String(), source)
	}
	return &out
}
