package launch

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestServer runs everything that can share a server against one, because
// starting one takes seconds.
func TestServer(t *testing.T) {
	s := Start(t)
	t.Run("version", func(t *testing.T) { testVersion(t, s) })
	t.Run("custom resource", func(t *testing.T) { testCustomResource(t, s) })
	t.Run("conversion webhook", func(t *testing.T) { testConversionWebhook(t, s) })
	t.Run("second server", func(t *testing.T) { testSecondServer(t, s) })
}

// testVersion checks that the server says which release it is.
func testVersion(t *testing.T, s *Server) {
	var version struct{ GitVersion, Major, Minor, GitTreeState string }
	get(t, s, "/version", &version)
	want := version
	want.GitVersion, want.Major, want.Minor, want.GitTreeState = "v1.37.2", "1", "37", "clean"
	if version != want {
		t.Errorf("version = %+v, want %+v", version, want)
	}
}

// testSecondServer checks that a server beside first is a different one, that
// Stop ends its process, that first goes on, and that the second can be started
// again with what it had.
func testSecondServer(t *testing.T, first *Server) {
	dir := t.TempDir()
	second, err := StartIn(dir, "--v=1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = second.Stop() }()
	if first.URL == second.URL || first.Token == second.Token {
		t.Errorf("both servers have URL %s and token %s", first.URL, first.Token)
	}
	kubectl(t, second, "", "create", "namespace", "only-here")
	if out, err := tryKubectl(t, first, "", "get", "namespace", "only-here"); err == nil {
		t.Errorf("the first server has an object of the second:\n%s", out)
	}
	// An open watch must not hold up the stop.
	watch, err := second.Client().Get(second.URL + "/api/v1/namespaces?watch=true")
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Body.Close()

	if err := second.Stop(); err != nil {
		t.Errorf("stop: %v\n%s", err, tail(second.Logs(), logLines))
	}
	if err := second.process.Signal(syscall.Signal(0)); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("signalling the stopped server: %v, want %v", err, os.ErrProcessDone)
	}
	if _, err := second.Client().Get(second.URL + "/version"); err == nil {
		t.Error("the stopped server answers")
	}
	if err := second.Stop(); err != nil {
		t.Errorf("stop again: %v", err)
	}
	if !strings.Contains(second.Logs(), "[graceful-termination] apiserver is exiting") {
		t.Errorf("the log does not tell of an orderly stop:\n%s", tail(second.Logs(), logLines))
	}
	get(t, first, "/version", nil)

	again, err := StartIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Stop() }()
	kubectl(t, again, "", "get", "namespace", "only-here")
	if err := again.Stop(); err != nil {
		t.Errorf("stop the restarted server: %v", err)
	}
}

// TestStartInReportsWhy checks that a server that cannot start says why.
func TestStartInReportsWhy(t *testing.T) {
	s, err := StartIn(t.TempDir(), "--no-such-flag")
	if err == nil {
		_ = s.Stop()
		t.Fatal("it started")
	}
	if !strings.Contains(err.Error(), "unknown flag: --no-such-flag") {
		t.Errorf("the error does not tell the cause: %v", err)
	}
}

// get fetches path as the administrator and decodes the answer into v, if any.
func get(t *testing.T, s *Server, path string, v any) {
	t.Helper()
	client := s.Client()
	defer client.CloseIdleConnections()
	resp, err := client.Get(s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s", path, resp.Status)
	}
	if v == nil {
		return
	}
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
}
