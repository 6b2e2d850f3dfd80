// Package process runs programs that end with this one, however it ends.
//
// Between this process and a program is a second process of the same executable, the guard. It stops the program, and all
// that the program has started, when its standard input ends: that is when [Process.Stop] is called, and when this process
// is gone. A main function that uses the package begins with:
//
//	if process.IsGuard() {
//		os.Exit(process.Guard())
//	}
package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// guardEnv is set for guards: how long a program may take to stop.
const guardEnv = "KINDSMITH_GUARD"

// Command is a program to run.
type Command struct {
	// Args are the program and its arguments.
	Args []string
	// Dir is the working directory; "" is that of this process.
	Dir string
	// Env are variables besides those of this process.
	Env []string
	// Output gets what the program prints; nil discards it.
	Output io.Writer
	// Hold is a file that stays open while the program runs, such as one with a lock; nil for none.
	Hold *os.File
	// Grace is how long the program may take to stop before it is killed; the default is 10 s.
	Grace time.Duration
}

// Process is a running program.
type Process struct {
	guard *exec.Cmd
	stdin io.Closer
	done  chan struct{}
	err   error
	once  sync.Once
	grace time.Duration
	// stopped is set when Stop was called.
	stopped atomic.Bool
}

// Start starts a program. The error says why this process cannot start its guard; a program that cannot be started is one
// that ends with an error.
func Start(c Command) (*Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &Process{done: make(chan struct{}), grace: c.Grace}
	if p.grace == 0 {
		p.grace = 10 * time.Second
	}
	p.guard = exec.Command(self, c.Args...)
	p.guard.Dir = c.Dir
	p.guard.Env = append(append(os.Environ(), c.Env...), guardEnv+"="+p.grace.String())
	p.guard.Stdout, p.guard.Stderr = c.Output, c.Output
	p.guard.SysProcAttr = ownGroup() // an interrupt of the terminal is not for the guard
	p.guard.WaitDelay = time.Second
	if c.Hold != nil {
		p.guard.ExtraFiles = []*os.File{c.Hold}
	}
	stdin, err := p.guard.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.stdin = stdin
	if err := p.guard.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Args[0], err)
	}
	go func() {
		p.err = p.guard.Wait()
		close(p.done)
	}()
	return p, nil
}

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns how the program ended, once Done is closed: nil for exit status 0.
func (p *Process) Err() error { return p.err }

// Stop ends the program and all that it started, and returns when they are gone.
func (p *Process) Stop() {
	p.stopped.Store(true)
	p.once.Do(func() { _ = p.stdin.Close() })
	select {
	case <-p.done:
	case <-time.After(p.grace + 5*time.Second):
		_ = p.guard.Process.Kill()
		<-p.done
	}
}

// Stopped reports whether Stop was called.
func (p *Process) Stopped() bool { return p.stopped.Load() }

// IsGuard reports whether this process was started to be a guard.
func IsGuard() bool { return os.Getenv(guardEnv) != "" }

// Guard runs the program of its arguments until it ends, or the standard input does, and returns its exit code.
func Guard() int {
	args := os.Args[1:]
	grace, err := time.ParseDuration(os.Getenv(guardEnv))
	if err != nil || len(args) == 0 {
		fmt.Fprintf(os.Stderr, "kindsmith: %s is for kindsmith's own use; unset it\n", guardEnv)
		return 2
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, guardEnv+"=") })
	cmd.SysProcAttr = ownGroup()
	// Some programs stop when their input ends, so it stays open.
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kindsmith:", err)
		return 127
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop <- syscall.SIGTERM
	}()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
	case <-stop:
		_ = stdin.Close()
		terminate(cmd.Process)
		select {
		case err = <-ended:
		case <-time.After(grace):
			kill(cmd.Process)
			err = <-ended
		}
	}
	kill(cmd.Process) // what it has started and left
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1)
	}
	return 0
}
