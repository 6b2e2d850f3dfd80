//go:build unix

package process

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// parentEnv makes the test binary a process that starts a program and waits.
const parentEnv = "KINDSMITH_TEST_PARENT"

func TestMain(m *testing.M) {
	if IsGuard() {
		os.Exit(Guard())
	}
	if script := os.Getenv(parentEnv); script != "" {
		if _, err := Start(Command{Args: []string{"sh", "-c", script}, Output: os.Stdout, Grace: time.Second}); err != nil {
			fmt.Println(err)
		}
		time.Sleep(time.Minute)
		return
	}
	os.Exit(m.Run())
}

// family starts a process that starts another, and prints both numbers.
const family = `sleep 100 & echo $$ $!; wait`

// gone fails the test unless processes end soon.
func gone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		deadline := time.Now().Add(10 * time.Second)
		for running(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d runs still", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// running reports whether a process exists and has not ended: in a container without init, ended ones stay.
func running(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return !strings.Contains(string(stat), ") Z ")
	}
	return syscall.Kill(pid, 0) == nil
}

func numbers(t *testing.T, line string) (pids []int) {
	t.Helper()
	for _, word := range strings.Fields(line) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatalf("%q", line)
		}
		pids = append(pids, pid)
	}
	if len(pids) != 2 {
		t.Fatalf("%q", line)
	}
	return pids
}

func TestStop(t *testing.T) {
	for name, script := range map[string]string{"a program": family, "one that does not want to": "trap '' TERM; " + family + "; wait"} {
		t.Run(name, func(t *testing.T) {
			r, w := io.Pipe()
			p, err := Start(Command{Args: []string{"sh", "-c", script}, Output: w, Grace: 300 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(r).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			go io.Copy(io.Discard, r) //nolint:errcheck // the rest
			p.Stop()
			p.Stop() // again is no mistake
			gone(t, numbers(t, line))
		})
	}
}

func TestEnd(t *testing.T) {
	for script, want := range map[string]string{"exit 3": "exit status 3", "echo $KINDSMITH_GUARD$A; cat": ""} {
		var out bytes.Buffer
		p, err := Start(Command{Args: []string{"sh", "-c", script}, Env: []string{"A=value"}, Output: &out})
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			time.Sleep(200 * time.Millisecond)
			select {
			case <-p.Done():
				t.Fatalf("its input has ended: %s", out.String())
			default:
			}
			p.Stop()
			if out.String() != "value\n" {
				t.Errorf("its variables: %q", out.String())
			}
			continue
		}
		<-p.Done()
		if p.Err() == nil || p.Err().Error() != want {
			t.Errorf("%s: %v", script, p.Err())
		}
	}
	p, err := Start(Command{Args: []string{"/no/such/program"}})
	if err != nil {
		t.Fatal(err)
	}
	if <-p.Done(); p.Err() == nil {
		t.Error("a program that does not exist has run")
	}
}

// TestKilled kills the process that has started a program.
func TestKilled(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentEnv+"="+family)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	gone(t, numbers(t, line))
}
