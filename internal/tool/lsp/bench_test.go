package lsp

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// BenchmarkKeystroke types a mistake and removes it again, and measures from the edit to the diagnostics in the editor:
//
//	go test ./internal/tool/lsp -run '^$' -bench Keystroke -benchtime 100x
func BenchmarkKeystroke(b *testing.B) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api").Output()
	if err != nil {
		b.Fatal(err)
	}
	// A copy, since files of the module cache cannot be edited.
	core := b.TempDir()
	if err := os.CopyFS(core, os.DirFS(strings.TrimSpace(string(dir)))); err != nil {
		b.Fatal(err)
	}
	for name, file := range map[string]string{
		"pipeline": "../../../examples/pipeline/api/v2/task_types.go",
		"core":     filepath.Join(core, "core", "v1", "types.go"),
	} {
		b.Run(name, func(b *testing.B) {
			path, err := filepath.Abs(file)
			if err != nil {
				b.Fatal(err)
			}
			content, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			if name == "core" {
				b.Setenv("GOWORK", "off")
			}
			c := connect(b, filepath.Dir(path))
			base := filepath.Base(path)
			c.open(base, string(content))
			c.settled(base)
			time.Sleep(2 * time.Second)
			c.mu.Lock()
			c.diagnostics[base] = protocol.PublishDiagnosticsParams{}
			c.mu.Unlock()
			var shown, completed, hovered []time.Duration
			right, wrong := "// +optional", "// +k8s:optionla"
			if !strings.Contains(string(content), right) {
				right = "// +k8s:optional"
			}
			has := func() bool {
				return slices.ContainsFunc(c.lines(base), func(l string) bool { return strings.HasSuffix(l, "check/unknown-tag") })
			}
			for i := 0; b.Loop(); i++ {
				old, now := right, wrong
				if i%2 == 1 {
					old, now = wrong, right
				}
				start := time.Now()
				c.change(base, old, now)
				for has() != (now == wrong) {
					<-c.published
				}
				shown = append(shown, time.Since(start))
				start = time.Now()
				c.call("textDocument/completion", c.in(base, strings.Replace(now, "+", "+‸", 1)), nil)
				completed = append(completed, time.Since(start))
				start = time.Now()
				c.call("textDocument/hover", c.in(base, strings.Replace(now, "+", "+‸", 1)), nil)
				hovered = append(hovered, time.Since(start))
			}
			report := func(list []time.Duration, unit string) {
				slices.Sort(list)
				b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, unit+"-ms")
				b.ReportMetric(float64(list[len(list)*95/100].Microseconds())/1000, unit+"-p95-ms")
			}
			report(shown, "diagnostics")
			report(completed, "completion")
			report(hovered, "hover")
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.Sys-memory.HeapReleased)/1e6, "MB")
		})
	}
}
