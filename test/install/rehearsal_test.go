package install

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	root = "github.com/kindsmith/kindsmith"
	tool = root + "/cmd/kindsmith"
)

// rehearsal is what the tests share: a proxy with one version of all published modules, and the command
// installed from it.
var rehearsal struct {
	repo, proxy, bin string
	// version is that of the modules. It depends on their content, so the module cache of the machine
	// can keep them.
	version string
	env     []string
}

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "rehearsal")
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

// prepare serves the modules from a folder, and installs the command as docs/start/install.md says first.
func prepare(dir string) error {
	r := &rehearsal
	var err error
	if r.repo, err = filepath.Abs("../.."); err != nil {
		return err
	}
	r.proxy, r.bin = filepath.Join(dir, "proxy"), filepath.Join(dir, "bin")
	r.env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
	out, err := command(filepath.Join(r.repo, "hack", "modules"), "go run . proxy "+r.proxy)
	if err != nil {
		return err
	}
	r.version = strings.TrimSpace(out)
	settings, err := command(dir, "go env -json GOPROXY GOMODCACHE")
	if err != nil {
		return err
	}
	var machine struct{ GOPROXY, GOMODCACHE string }
	if err := json.Unmarshal([]byte(settings), &machine); err != nil {
		return err
	}
	prune(machine.GOMODCACHE)
	r.env = append(os.Environ(),
		// A user has no workspace, not even this repository's, and no flags. The files of the tests are in no repository.
		"GOWORK=off", "GOFLAGS=-buildvcs=false",
		// Two modules with the rest from where the machine has its modules.
		"GOPROXY=file://"+filepath.ToSlash(r.proxy)+","+machine.GOPROXY, "GONOSUMDB=github.com/kindsmith", "GOPRIVATE=", "GONOPROXY=",
		"GOBIN="+r.bin, "PATH="+r.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"KINDSMITH_CACHE="+filepath.Join(dir, "cache"), "NO_COLOR=1",
		// Nor does a user run make from another one, which prints folders.
		"MAKEFLAGS=", "MAKELEVEL=",
	)
	_, err = command(dir, "go install "+tool+"@"+r.version)
	return err
}

// prune removes what the rehearsals of other days left in the module cache. Archives of today may be in
// use by another clone.
func prune(cache string) {
	module := filepath.FromSlash(root)
	for _, pattern := range []string{
		filepath.Join(cache, module+"@*"), filepath.Join(cache, module, "*@*"), filepath.Join(cache, module, "*", "*@*"), filepath.Join(cache, module, "*", "*", "*@*"),
		filepath.Join(cache, "cache", "download", module, "@v", "*"), filepath.Join(cache, "cache", "download", module, "*", "@v", "*"),
		filepath.Join(cache, "cache", "download", module, "*", "*", "@v", "*"), filepath.Join(cache, "cache", "download", module, "*", "*", "*", "@v", "*"),
	} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			if info, err := os.Stat(name); err != nil || !strings.Contains(filepath.Base(name), "v0.0.1-rehearsal.h") || time.Since(info.ModTime()) < 24*time.Hour {
				continue
			}
			_ = filepath.WalkDir(name, func(path string, e fs.DirEntry, err error) error {
				if err == nil && e.IsDir() {
					err = os.Chmod(path, 0o755) // the go command makes folders read-only
				}
				return err
			})
			_ = os.RemoveAll(name)
		}
	}
}

// command runs a command line of a user in a folder, and returns what it prints to standard output.
func command(dir, line string) (string, error) {
	cmd := exec.Command("bash", "-c", line)
	var out, mistakes bytes.Buffer
	cmd.Dir, cmd.Env = dir, append(slices.Clone(rehearsal.env), "PWD="+dir)
	cmd.Stdout, cmd.Stderr = &out, &mistakes
	if err := cmd.Run(); err != nil {
		all := out.String() + mistakes.String()
		return all, fmt.Errorf("$ %s\n%s%w", line, all, err)
	}
	return out.String(), nil
}

// A project is a folder of a user.
type project struct {
	*testing.T
	dir string
}

func empty(t *testing.T) *project { return &project{t, t.TempDir()} }

// run runs a command line, which has to succeed.
func (p *project) run(line string) string {
	p.Helper()
	p.Logf("$ %s", line)
	out, err := command(p.dir, line)
	if err != nil {
		p.Fatal(err)
	}
	return out
}

// fails runs a command line, which must not succeed, and returns all that it prints.
func (p *project) fails(line string) string {
	p.Helper()
	p.Logf("$ %s", line)
	out, err := command(p.dir, line)
	if err == nil {
		p.Fatalf("$ %s\n%s\nit succeeds", line, out)
	}
	return out
}

func (p *project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *project) read(name string) string {
	p.Helper()
	content, err := os.ReadFile(p.path(name))
	if err != nil {
		p.Fatal(err)
	}
	return string(content)
}

func (p *project) write(name, content string) {
	p.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(content), 0o644); err != nil {
		p.Fatal(err)
	}
}

// copy copies the files of a fixture.
func (p *project) copy(fixture string) {
	p.Helper()
	if err := os.CopyFS(p.dir, os.DirFS(filepath.FromSlash(fixture))); err != nil {
		p.Fatal(err)
	}
}

// want fails the test unless text has a match.
func (p *project) want(text, pattern string) {
	p.Helper()
	if !regexp.MustCompile("(?m)" + pattern).MatchString(text) {
		p.Errorf("no match for %s in\n%s", pattern, text)
	}
}

var (
	nextLines = regexp.MustCompile(`(?m)^Next, run:\n((?:  .*\n)+)`)
	advice    = regexp.MustCompile(`(?m)\b(go get .*)$`)
)

// follow runs the commands that init prints at the end.
func (p *project) follow(printed string) {
	p.Helper()
	next := nextLines.FindStringSubmatch(printed)
	if next == nil {
		p.Fatalf("init does not say what to run next:\n%s", printed)
	}
	for line := range strings.Lines(next[1]) {
		p.advised(p.run(strings.TrimSpace(line)))
	}
}

// advised runs the command that kindsmith prints if go.mod lacks modules.
func (p *project) advised(printed string) {
	p.Helper()
	if m := advice.FindStringSubmatch(printed); m != nil {
		p.run(m[1])
	}
}

// versionLine is what the installed command prints.
func versionLine(version string) string {
	return "^kindsmith " + regexp.QuoteMeta(version) + ` \(go\S+, \w+/\w+\)$`
}
