// Package launch starts kube-apiservers for tests and provides the matching kubectl.
//
// Both are built from source once. The binaries are kept in the user's cache directory
// under kindsmith/, in folders named after a hash of all build inputs, and can be
// deleted at any time. The first build takes minutes, longer than the time limit of
// tests; `go run ./prebuild` does it beforehand.
//
// The package is a separate module that requires only the standard library, so that
// tests that import it do not depend on the Kubernetes source.
package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

const (
	// startDeadline is longer than the server's own, so that its message wins.
	startDeadline = 4 * time.Minute
	// stopDeadline is longer than the server's own, for the same reason.
	stopDeadline = 15 * time.Second
	// logLines is the number of log lines in an error or a failed test.
	logLines = 30
)

// Server is a running kube-apiserver with its own etcd.
type Server struct {
	Kubeconfig string // file with a kubeconfig for the administrator
	URL        string // https://127.0.0.1:port
	CA         []byte // PEM of the certificate that signed the server's
	Token      string // bearer token of the administrator

	logFile string
	stdin   io.Closer     // the server stops when this is closed
	process *os.Process   // to be killed if it does not
	exited  chan struct{} // closed when the process has ended
	exit    error         // how it ended; set before exited is closed
	stop    func() error
}

// Start starts a server for the duration of a test: it is stopped, and its state
// deleted, when the test and its subtests are done. If the test failed, the end
// of the server's log is logged.
//
// flags are further flags of kube-apiserver, such as "--feature-gates=A=true".
func Start(t testing.TB, flags ...string) *Server {
	t.Helper()
	s, err := StartIn(t.TempDir(), flags...)
	if err != nil {
		t.Fatalf("start kube-apiserver: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Errorf("stop kube-apiserver: %v", err)
		}
		if t.Failed() {
			t.Logf("end of the kube-apiserver log:\n%s", tail(s.Logs(), logLines))
		}
	})
	return s
}

// StartIn starts a server that keeps its state in dir, which it creates when
// missing, and returns once the server is ready. It is for servers that outlive
// one test; the caller stops it. It ends with this process at the latest. A
// server started again in the same dir has the same objects and new credentials.
//
// An error holds what the build or the server said last.
func StartIn(dir string, flags ...string) (*Server, error) {
	binary, err := Build()
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Server{
		Kubeconfig: filepath.Join(dir, "kubeconfig"),
		logFile:    filepath.Join(dir, "log"),
		exited:     make(chan struct{}),
	}
	s.stop = sync.OnceValue(s.shutDown)
	if err := s.exec(binary, filepath.Join(dir, "state"), flags); err != nil {
		return nil, err
	}
	if err := s.await(); err != nil {
		return nil, errors.Join(err, s.Stop(), fmt.Errorf("end of its log:\n%s", tail(s.Logs(), logLines)))
	}
	return s, nil
}

// exec starts the process and records its end.
func (s *Server) exec(binary, state string, flags []string) error {
	if err := os.MkdirAll(filepath.Dir(state), 0o700); err != nil {
		return err
	}
	// The kubeconfig of an earlier server would mean that this one is ready.
	if err := os.Remove(s.Kubeconfig); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	log, err := os.Create(s.logFile)
	if err != nil {
		return err
	}
	defer log.Close() // the process has its own copy

	args := append([]string{"-dir", state, "-kubeconfig", s.Kubeconfig, "--"}, flags...)
	cmd := exec.Command(binary, args...)
	cmd.Stderr = log
	if s.stdin, err = cmd.StdinPipe(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.process = cmd.Process
	go func() {
		s.exit = cmd.Wait()
		close(s.exited)
	}()
	return nil
}

// await returns once the server has written its kubeconfig, and reads it.
func (s *Server) await() error {
	deadline := time.After(startDeadline)
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for {
		select {
		case <-s.exited:
			return errors.New("it ended before it was ready")
		case <-deadline:
			return fmt.Errorf("it was not ready after %s", startDeadline)
		case <-poll.C:
		}
		err := s.readKubeconfig()
		if !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
}

// Stop stops the server and returns once its process is gone. It returns an
// error if the process ended on its own, failed, or had to be killed. Calls
// after the first one return the same.
func (s *Server) Stop() error { return s.stop() }

// shutDown implements the first call of Stop.
func (s *Server) shutDown() error {
	select {
	case <-s.exited:
		return fmt.Errorf("it had ended on its own: %w", exitError(s.exit))
	default:
	}
	s.stdin.Close()
	select {
	case <-s.exited:
		return s.exit
	case <-time.After(stopDeadline):
	}
	err := s.process.Kill()
	<-s.exited
	return errors.Join(fmt.Errorf("killed: it did not stop within %s", stopDeadline), err)
}

// exitError returns err, or an error for exit status 0.
func exitError(err error) error {
	if err == nil {
		return errors.New("exit status 0")
	}
	return err
}

// Logs returns the server's log so far, for the output of failed tests. If the log is
// not readable, it returns the reason.
func (s *Server) Logs() string {
	log, err := os.ReadFile(s.logFile)
	if err != nil {
		return fmt.Sprintf("(no log: %v)", err)
	}
	return string(log)
}
