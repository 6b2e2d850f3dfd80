// Package dev tests kindsmith dev as its users run it: with a kube-apiserver, kubectl and an editor. Long tests run with -soak
// only.
package dev

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/test/oracle/launch"
)

var soak = flag.Bool("soak", false, "run the long tests too")

// tools are the programs of the tests.
var tools struct{ kindsmith, server, kubectl string }

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "kindsmith-e2e-dev-")
		if err == nil {
			defer func() { _ = os.RemoveAll(dir) }()
			err = prepare(dir)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

func prepare(dir string) (err error) {
	if tools.server, err = launch.Build(); err != nil {
		return err
	}
	if tools.kubectl, err = launch.BuildKubectl(); err != nil {
		return err
	}
	tools.kindsmith = filepath.Join(dir, "kindsmith")
	if err := workspacetest.Kindsmith(tools.kindsmith); err != nil {
		return err
	}
	return workspacetest.Download()
}

// project is a module of a user.
type project struct {
	*testing.T
	dir string
	// types is the source of a kind with two versions.
	types string
	// work is the workspace; "" is the one that the go command finds.
	work string
	// tmp is the folder for temporary files.
	tmp string
}

// page has the source of the tests' project, and commands.
const page = "docs/guides/dev.md"

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// blocks returns the code blocks of the page in a language.
func blocks(t *testing.T, language string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(workspacetest.Root(), page))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		if m[1] == language {
			found = append(found, m[2])
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return found
}

// with returns the source of the project with one more field.
func (p *project) with(name string) string {
	return strings.TrimSuffix(p.types, "}\n") + fmt.Sprintf(`
	// %[1]s is new.
	// +k8s:optional
	// +versioned:added(since: "v1")
	%[2]s *string `+"`json:\"%[1]s,omitempty\"`"+`
}
`, name, strings.ToUpper(name[:1])+name[1:])
}

func newProject(t *testing.T) *project {
	t.Helper()
	p := &project{T: t, dir: filepath.Join(t.TempDir(), "shop"), types: blocks(t, "go")[0]}
	p.work, p.tmp = filepath.Join(p.dir, "go.work"), filepath.Join(p.dir, "..", "tmp")
	for name, content := range workspacetest.Files("example.com/shop") {
		p.write(name, content)
	}
	p.write("api/v1/types.go", p.types)
	p.write("../tmp/.keep", "")
	p.write("order.yaml", blocks(t, "yaml")[0])
	return p
}

func (p *project) write(name, content string) {
	p.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		p.Fatal(err)
	}
}

// env returns the variables of a user.
func (p *project) env(more ...string) []string {
	env := append(os.Environ(),
		"PATH="+strings.Join([]string{filepath.Dir(tools.kindsmith), filepath.Dir(tools.server), filepath.Dir(tools.kubectl), os.Getenv("PATH")}, string(os.PathListSeparator)),
		"GOWORK="+p.work, "KUBEBUILDER_ASSETS=", "KUBECONFIG=", "TMPDIR="+p.tmp, "NO_COLOR=1", "KUBERC=off", "KUBECACHEDIR="+filepath.Join(p.tmp, "kube"))
	for name, value := range workspacetest.Offline() {
		env = append(env, name+"="+value)
	}
	return append(env, more...)
}

// command returns a kindsmith command.
func (p *project) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(tools.kindsmith, append([]string{name}, args...)...)
	cmd.Dir, cmd.Env = p.dir, p.env()
	return cmd
}

// session is a running kindsmith dev.
type session struct {
	*project
	cmd  *exec.Cmd
	done chan error
	// kubeconfig is the file that it says to use; "" with --context.
	kubeconfig string

	mu  sync.Mutex
	out bytes.Buffer
}

// Write is for the output.
func (s *session) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(text)
}

func (s *session) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// dev starts kindsmith dev and returns when it is ready.
func (p *project) dev(args ...string) *session {
	p.Helper()
	s := p.start(args...)
	s.prints(`ready in \d`)
	s.kubeconfig = s.prints(`export KUBECONFIG=(\S+)|(config use-context)`)[1]
	return s
}

// start starts kindsmith dev.
func (p *project) start(args ...string) *session {
	p.Helper()
	s := &session{project: p, done: make(chan error, 1)}
	s.cmd = p.command("dev", args...)
	s.cmd.Stdout, s.cmd.Stderr = s, s
	s.cmd.WaitDelay = 20 * time.Second
	if err := s.cmd.Start(); err != nil {
		p.Fatal(err)
	}
	go func() { s.done <- s.cmd.Wait() }()
	p.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		if p.Failed() {
			p.Logf("kindsmith dev %s\n%s", strings.Join(args, " "), s.output())
		}
	})
	return s
}

// prints returns when the output has a match.
func (s *session) prints(pattern string) []string {
	s.Helper()
	r := regexp.MustCompile("(?m)" + pattern)
	deadline := time.Now().Add(2 * time.Minute)
	for {
		if m := r.FindStringSubmatch(s.output()); m != nil {
			return m
		}
		select {
		case err := <-s.done:
			s.done <- err
			if m := r.FindStringSubmatch(s.output()); m != nil {
				return m
			}
			s.Fatalf("it ended without %s: %v\n%s", pattern, err, s.output())
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			s.Fatalf("no %s in\n%s", pattern, s.output())
		}
	}
}

// forget drops the output.
func (s *session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Reset()
}

// interrupt presses Ctrl-C, and returns when dev has ended.
func (s *session) interrupt() {
	s.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.Fatal(err)
	}
	select {
	case err := <-s.done:
		if err != nil {
			s.Errorf("after Ctrl-C: %v\n%s", err, s.output())
		}
	case <-time.After(time.Minute):
		s.Fatal("it goes on after Ctrl-C")
	}
}

// kill ends dev with SIGKILL.
func (s *session) kill() {
	s.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		s.Fatal(err)
	}
	if err := <-s.done; err == nil {
		s.Error("it ended before it was killed")
	}
}

// kubectl runs kubectl, which has to succeed.
func (s *session) kubectl(input string, args ...string) string {
	s.Helper()
	out, err := s.try(input, args...)
	if err != nil {
		s.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (s *session) try(input string, args ...string) (string, error) {
	return s.tryOn(s.kubeconfig, input, args...)
}

func (p *project) tryOn(kubeconfig, input string, args ...string) (string, error) {
	cmd := exec.Command(tools.kubectl, args...)
	cmd.Env, cmd.Stdin = p.env("KUBECONFIG="+kubeconfig), strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// order is an order in a version.
func order(version, name string, n int) string {
	return fmt.Sprintf(`{"apiVersion":"shop.example.com/%s","kind":"Order","metadata":{"name":%q},"spec":{%q:%d}}`, version, name, map[string]string{"v1": "size", "v1beta1": "count"}[version], n)
}

// leftovers returns the processes that have a text in their command line or environment.
func leftovers(t *testing.T, text string) (found []string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
	}
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		line, err := os.ReadFile(name)
		if err == nil && bytes.Contains(line, []byte(text)) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// none fails the test if processes with a text in their command line do not end soon.
func none(t *testing.T, text string) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		found := leftovers(t, text)
		if len(found) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("these processes run still:\n%s", strings.Join(found, "\n"))
		}
		time.Sleep(50 * time.Millisecond)
	}
}
