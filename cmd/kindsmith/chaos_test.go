package main_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// shop is a module with a package and many generated ones.
type shop struct{ dir, program string }

func newShop(t *testing.T) shop {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := shop{filepath.Join(dir, "tree"), filepath.Join(dir, "kindsmith")}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, s.program); err != nil { // this test runs as the program of its name
		t.Skip(err)
	}
	s.write(t, "go.mod", "module example.com/shop\n\ngo 1.26\n")
	s.types(t, 63)
	return s
}

func (s shop) write(t *testing.T, name, content string) {
	t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// types writes the types, with a bound that is in many generated files.
func (s shop) types(t *testing.T, bound int) {
	var b strings.Builder
	b.WriteString("// +groupName=shop.example.com\n// +kubebuilder:object:generate=true\n// +k8s:validation-gen=*\n")
	for i := range 12 {
		fmt.Fprintf(&b, "// +versioned:version(name: \"v%d\")\n", i+1)
	}
	fmt.Fprintf(&b, "package v12\n\ntype Spec%d struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=%d\n\tName *string `json:\"name,omitempty\"`\n}\n", bound, bound)
	s.write(t, "api/v12/types.go", b.String())
}

func (s shop) generate(shell string) *exec.Cmd {
	cmd := exec.Command(s.program, "generate")
	if shell != "" {
		cmd = exec.Command("sh", "-c", shell+` && exec "$0" generate`, s.program)
	}
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "KINDSMITH_CACHE="+filepath.Join(s.dir, ".cache"))
	return cmd
}

// outputs returns the generated files, and fails the test if there are others that
// were not there before.
func (s shop) outputs(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(filepath.Join(s.dir, "api"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "types.go" {
			return err
		}
		content, err := os.ReadFile(path)
		rel, _ := filepath.Rel(s.dir, path)
		found[rel] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestKilledRuns kills a hundred runs at random moments, half of them while they write.
// Each file is as a complete run leaves it before or after, and a run that ends
// repairs everything.
func TestKilledRuns(t *testing.T) {
	s := newShop(t)
	var complete []map[string]string
	bounds := []int{63, 200}
	for _, bound := range bounds {
		s.types(t, bound)
		if out, err := s.generate("").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		complete = append(complete, s.outputs(t))
	}
	if len(complete[0]) < 30 {
		t.Fatalf("only %d files are written", len(complete[0]))
	}
	began := time.Now()
	_ = s.generate("").Run()
	took := time.Since(began)
	mixed := 0
	for i := range 100 {
		s.types(t, bounds[i%2])
		cmd := s.generate("")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			_ = cmd.Wait()
			close(ended)
		}()
		if i%4 < 2 {
			time.Sleep(rand.N(took))
		} else {
			s.awaitWrite(ended)
		}
		_ = cmd.Process.Kill()
		<-ended
		old, changed := false, false
		for name, content := range s.outputs(t) {
			if strings.HasPrefix(filepath.Base(name), ".") {
				continue // temporary
			}
			if content != complete[0][name] && content != complete[1][name] {
				t.Fatalf("%s is neither old nor new:\n%s", name, content)
			}
			old, changed = old || content == complete[0][name], changed || content == complete[1][name]
		}
		if old && changed {
			mixed++
		}
	}
	t.Logf("%d runs were killed while they wrote", mixed)
	// Temporary files of killed runs are removed when they are old.
	for name := range s.outputs(t) {
		long := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(s.dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	s.write(t, "api/v12/zz_generated.deepcopy.go", "")
	if out, err := s.generate("").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if diff := cmp.Diff(complete[1], s.outputs(t)); diff != "" {
		t.Errorf("after the last run:\n%s", diff)
	}
}

// awaitWrite waits until a run has made a temporary file, or has ended.
func (s shop) awaitWrite(ended <-chan struct{}) {
	temporary := func() int {
		names, _ := filepath.Glob(filepath.Join(s.dir, "api", "*", ".*"))
		return len(names)
	}
	for before := temporary(); temporary() == before; {
		select {
		case <-ended:
			return
		case <-time.After(100 * time.Microsecond):
		}
	}
	time.Sleep(rand.N(300 * time.Microsecond))
}

// TestFullDisk runs where files may have a few blocks only. Nothing is changed, and
// nothing is left behind.
func TestFullDisk(t *testing.T) {
	const limit = "ulimit -f 1"
	if err := exec.Command("sh", "-c", limit).Run(); err != nil {
		t.Skip("this system has no limits for files:", err)
	}
	s := newShop(t)
	out, err := s.generate(limit).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "too large") {
		t.Errorf("%v: %s", err, out)
	}
	if left := s.outputs(t); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
	if out, err := s.generate("").CombinedOutput(); err != nil {
		t.Errorf("with space again: %v: %s", err, out)
	}
}

// TestRunsAtOnce starts runs at the same time, also such that write other files.
func TestRunsAtOnce(t *testing.T) {
	s := newShop(t)
	if out, err := s.generate("").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := s.outputs(t)
	for i := range 8 {
		s.types(t, 200-137*(i%2))
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if out, err := s.generate("").CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			})
		}
		wg.Wait()
	}
	if diff := cmp.Diff(want, s.outputs(t)); diff != "" {
		t.Error(diff)
	}
}
