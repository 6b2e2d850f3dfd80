package launch

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// kubectl runs kubectl against s with input as its standard input and returns
// what it printed. The test fails if kubectl does.
func kubectl(t *testing.T, s *Server, input string, args ...string) string {
	t.Helper()
	out, err := tryKubectl(t, s, input, args...)
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// tryKubectl is kubectl for a command that may fail.
func tryKubectl(t *testing.T, s *Server, input string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(Kubectl(t), args...)
	cmd.Env = append(os.Environ(), s.Env()...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
