//go:build unix

package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// TestDuringAnalysis asks for completion and hover while an analysis waits for a file: the answers come from the model of before.
func TestDuringAnalysis(t *testing.T) {
	dir := folder(t, files)
	c := connect(t, dir)
	c.open(types, files[types])
	c.settled(types)
	// An analysis that reads a pipe ends when something is written into it.
	settings := filepath.Join(dir, "kindsmith.yaml")
	content, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(settings); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(settings, 0o600); err != nil {
		t.Fatal(err)
	}
	c.change(types, "+k8s:maxLength=63", "+k8s:maxLenght=63")
	for range 3 { // while others would wait for the analysis
		var list protocol.CompletionList
		c.call("textDocument/completion", c.at("+k8s:dependentRequired(‸title)"), &list)
		if len(list.Items) == 0 {
			t.Error("no completion")
		}
		var hover protocol.Hover
		c.call("textDocument/hover", c.at("+k8s:req‸uired"), &hover)
		if !strings.Contains(hover.Contents.Value, "must be set") {
			t.Errorf("hover: %q", hover.Contents.Value)
		}
	}
	if got := c.lines(types); len(got) > 0 {
		t.Errorf("the analysis has not waited: %q", got)
	}
	pipe, err := os.OpenFile(settings, os.O_WRONLY, 0) // returns when it is read
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(settings); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, content, 0o600); err != nil { // the analyses after it read a file
		t.Fatal(err)
	}
	if _, err := pipe.Write(content); err != nil {
		t.Error(err)
	}
	if err := pipe.Close(); err != nil {
		t.Error(err)
	}
	c.expect(types, "24:6 check/unknown-tag")
}
