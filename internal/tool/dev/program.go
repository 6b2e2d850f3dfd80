package dev

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/dev/hooks"
	"github.com/kindsmith/kindsmith/internal/tool/dev/process"
)

// The times that programs have.
const (
	// listenTime is how long a program may take until it listens on its webhook port. One that does not listen has no
	// webhooks.
	listenTime = time.Minute
	// stopTime is how long it may take to stop. Webhook servers drain for longer, but here nothing calls them then.
	stopTime = 3 * time.Second
)

// The variables that programs get, besides KUBECONFIG.
const (
	PortEnv = "WEBHOOK_PORT"
	CertEnv = "WEBHOOK_CERT_DIR"
)

// Program is a command line that runs while the API is served, such as a manager. It starts again after each change of the
// module's Go files that compiles.
type Program struct {
	// Command is for the shell.
	Command string
	// Dir is the folder in which it runs.
	Dir string
	// Kubeconfig is the file for KUBECONFIG, and CertDir the folder with tls.crt and tls.key.
	Kubeconfig, CertDir string
	// Out gets what it prints.
	Out io.Writer

	// webhooks is set if API servers call it.
	webhooks bool
	running  *process.Process
	// state is that of the files that running was built from.
	state *source.Record
}

// RecordModule adds the Go files of a folder's module to the inputs of a run.
func RecordModule(files *source.FS, root string) {
	root, err := filepath.Abs(root)
	if err != nil {
		return
	}
	if dir, ok := files.Above(root, "go.mod"); ok {
		root = dir
	}
	names, err := files.List(source.Tree, root)
	if err != nil {
		return // the go command reports it
	}
	for _, name := range names {
		if !strings.HasSuffix(name, "/") {
			_, _ = files.ReadFile(filepath.Join(root, filepath.FromSlash(name))) // only recorded
		}
	}
}

// restart starts the program, again if its files have changed since it was started, and returns a text if it did. An error
// says why the program of before runs still, or that it ended.
func (p *Program) restart(ctx context.Context, s *Session) (done string, err error) {
	files := source.NewFS(nil)
	RecordModule(files, p.Dir)
	if p.running != nil && p.state != nil && len(p.state.Changed(source.NewFS(nil))) == 0 && p.state.Len() == files.Record().Len() {
		return "", nil
	}
	if err := p.compiles(ctx); err != nil {
		return "", err
	}
	done = "started " + p.Command
	if p.running != nil {
		done = "re" + done
	}
	p.link(ctx)
	s.Hooks.Pause(ctx)
	p.Stop()
	port, err := freePort()
	if err != nil {
		return "", err
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	p.running, err = process.Start(process.Command{
		Args: shell(p.Command), Dir: p.Dir, Output: p.Out, Grace: stopTime,
		Env: []string{
			"KUBECONFIG=" + p.Kubeconfig, PortEnv + "=" + strconv.Itoa(port), CertEnv + "=" + p.CertDir,
		},
	})
	if err != nil {
		return "", err
	}
	p.state = files.Record()
	s.Hooks.Admission(hooks.Proxy(address)) // requests wait until it listens
	if p.webhooks {
		if err := p.listens(ctx, address); err != nil {
			return "", err
		}
	}
	go s.follow(ctx, p, p.running)
	return done, nil
}

// follow says when a program ends by itself.
func (s *Session) follow(ctx context.Context, p *Program, running *process.Process) {
	<-running.Done()
	if ctx.Err() == nil && !running.Stopped() {
		s.Say("%s ended: %v; it starts again after the next change", p.Command, ending(running))
	}
}

func ending(p *process.Process) string {
	if p.Err() == nil {
		return "exit status 0"
	}
	return p.Err().Error()
}

// listens returns when the program answers on its port.
func (p *Program) listens(ctx context.Context, address string) error {
	limit := time.After(listenTime)
	for {
		d := tls.Dialer{NetDialer: &net.Dialer{Timeout: time.Second}, Config: &tls.Config{InsecureSkipVerify: true}}
		if c, err := d.DialContext(ctx, "tcp", address); err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.running.Done():
			return fmt.Errorf("%s ended: %s; it starts again after the next change", p.Command, ending(p.running))
		case <-limit:
			return fmt.Errorf("%s does not listen on port $%s after %s, and admission webhooks fail until then: pass it $%[2]s and $%[4]s", p.Command, PortEnv, listenTime, CertEnv)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// goRun is a command line that builds and runs a package, and does nothing else.
var goRun = regexp.MustCompile("^\\s*go\\s+run\\s([^&|;<>()`\n]*)$")

// link links the program of go run, which keeps programs in its cache: to start one of them takes no time, so the program of
// before serves until then. Other command lines take the time that they take.
func (p *Program) link(ctx context.Context) {
	m := goRun.FindStringSubmatch(p.Command)
	if p.running == nil || m == nil || runtime.GOOS == "windows" { // it has no program that does nothing
		return
	}
	args := shell("go run -exec true " + m[1])
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = p.Dir
	_ = cmd.Run() // mistakes are reported when the program is started
}

// compiles reports mistakes in the Go packages of the program's module, before the program of before is stopped.
func (p *Program) compiles(ctx context.Context) error {
	if _, ok := source.NewFS(nil).Above(p.Dir, "go.mod"); !ok {
		return nil
	}
	// Unlike go build, this does not link.
	cmd := exec.CommandContext(ctx, "go", "list", "-export", "-f", "{{/* nothing */}}", "./...")
	var mistakes bytes.Buffer
	cmd.Dir, cmd.Stderr = p.Dir, &mistakes
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		kept := ""
		if p.running != nil {
			kept = "; the program of before runs still"
		}
		return fmt.Errorf("the Go packages do not compile%s:\n%s", kept, strings.TrimSpace(mistakes.String()))
	}
	return err
}

// Stop ends the program.
func (p *Program) Stop() {
	if p.running != nil {
		p.running.Stop()
		p.running = nil
	}
}

// shell returns the arguments that run a command line.
func shell(line string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/c", line}
	}
	return []string{"/bin/sh", "-c", line}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// WriteCertificate writes the files that webhook servers read.
func WriteCertificate(dir string, cert, key []byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, "tls.crt"), cert, 0o600), os.WriteFile(filepath.Join(dir, "tls.key"), key, 0o600))
}

// Prefixed returns a writer that begins each line with a prefix.
func Prefixed(w io.Writer, prefix string) io.Writer { return &prefixed{w: w, prefix: prefix} }

type prefixed struct {
	mu     sync.Mutex
	w      io.Writer
	prefix string
	line   []byte
}

// Write writes whole lines, and keeps the beginning of the last one.
func (p *prefixed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = append(p.line, text...)
	for {
		end := bytes.IndexByte(p.line, '\n')
		if end < 0 {
			return len(text), nil
		}
		if _, err := fmt.Fprintf(p.w, "%s%s\n", p.prefix, p.line[:end]); err != nil {
			return 0, err
		}
		p.line = p.line[end+1:]
	}
}
