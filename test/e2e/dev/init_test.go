package dev

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
)

// TestInit starts a project in an empty folder with kindsmith init, runs its manager, and then starts a new version: init says
// what the manager lacks.
func TestInit(t *testing.T) {
	t.Parallel()
	p := &project{T: t, dir: filepath.Join(t.TempDir(), "shop"), work: "off"}
	p.tmp = filepath.Join(p.dir, "..", "tmp")
	p.write("../tmp/.keep", "")
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		out, err := p.command(args[0], args[1:]...).CombinedOutput()
		if err != nil {
			t.Fatalf("kindsmith %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	const try = "dev --run 'go run ./cmd'"
	if out := run("init", "--module", "example.com/shop", "--group", "shop.example.com", "--kind", "Order", "--webhook", "--yes", "--offline", "--release", "v0.1.0"); !strings.Contains(out, try) {
		t.Errorf("init does not say how to try the API:\n%s", out)
	}
	// go mod tidy needs a network and releases. The requirements are those of the example.
	example := filepath.Join(workspacetest.Root(), "examples", "operator")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(example, name))
		if err != nil {
			t.Fatal(err)
		}
		p.write(name, strings.NewReplacer("module github.com/kindsmith/kindsmith/examples/operator", "module example.com/shop", "=> ../../", "=> "+workspacetest.Root()+"/").Replace(string(text)))
	}
	s := p.dev("--dir", ".dev", "--run", "go run ./cmd --health-probe-bind-address=0")
	s.prints(`, started go run ./cmd`)
	s.kubectl("", "create", "-f", filepath.Join(p.dir, "config", "samples")) // fails if the manager does not answer

	s.forget()
	run("bump", "v2", "--yes")
	const file = "api/v2/order_types.go"
	text, err := os.ReadFile(filepath.Join(p.dir, file))
	if err != nil {
		t.Fatal(err)
	}
	p.write(file, strings.Replace(string(text), "	Replicas *int32 `json:\"replicas,omitempty\"`", "	// +versioned:changed(since: \"v2\", fromName: \"replicas\")\n	Copies *int32 `json:\"copies,omitempty\"`", 1))
	s.prints(`applied orders.shop.example.com, .*, restarted go run ./cmd`)
	s.forget()
	if out := run("init", "--webhook", "--edit", "--yes", "--offline", "--release", "v0.1.0"); !strings.Contains(out, "+	if err := server.SetupWebhookWithManager(mgr, &shopv2.Order{}, shopConverter)") {
		t.Errorf("init does not wire the new version:\n%s", out)
	}
	s.prints(`cmd/main.go: restarted go run ./cmd`)
	if got := s.kubectl("", "get", "orders.v2.shop.example.com", "example", "-o", "jsonpath={.spec}"); got != `{"copies":2}` {
		t.Errorf("the order in v2 is %s", got)
	}
	s.kubectl("", "patch", "orders.v1.shop.example.com", "example", "--type=merge", "-p", `{"spec":{"replicas":3}}`)
	s.interrupt()
	none(t, filepath.Dir(p.dir))
}
