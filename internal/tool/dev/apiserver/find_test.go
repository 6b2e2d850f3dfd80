package apiserver

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// program writes an executable file.
func program(t *testing.T, elements ...string) {
	t.Helper()
	path := filepath.Join(elements...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its programs have other names")
	}
	root := t.TempDir()
	project, cache, bin, assets := filepath.Join(root, "project"), filepath.Join(root, "cache"), filepath.Join(root, "bin"), filepath.Join(root, "assets")
	t.Setenv("PATH", bin)
	t.Setenv(assetsEnv, "")
	search := Search{Dir: filepath.Join(project, "api", "v1"), Version: "v0.1.0", Cache: cache}
	finds := func(want string) *Programs {
		t.Helper()
		p, err := Find(t.Context(), search)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Combined + p.APIServer; got != want {
			t.Errorf("found %s, want %s", got, want)
		}
		return p
	}
	data := filepath.Join(root, "data")
	setupEnvtest(t, data)
	for _, version := range []string{"1.30.0-linux-amd64", "1.35.0-linux-amd64"} {
		for _, name := range []string{"kube-apiserver", "etcd"} {
			program(t, envtestDir(data), version, name)
		}
	}
	finds(filepath.Join(envtestDir(data), "1.35.0-linux-amd64", "kube-apiserver"))
	program(t, cache, "apiserver-v0.1.0", "kindsmith-apiserver")
	finds(filepath.Join(cache, "apiserver-v0.1.0", "kindsmith-apiserver"))
	program(t, bin, "kindsmith-apiserver")
	finds(filepath.Join(bin, "kindsmith-apiserver"))

	program(t, project, "go.mod")
	program(t, root, "bin", "k8s", "1.99.0-linux-amd64", "kube-apiserver") // of another project
	program(t, root, "bin", "k8s", "1.99.0-linux-amd64", "etcd")
	for _, version := range []string{"1.9.2-linux-amd64", "1.31.0-linux-amd64", "1.33.1-linux-amd64"} {
		program(t, project, "bin", "k8s", version, "kube-apiserver")
	}
	finds(filepath.Join(bin, "kindsmith-apiserver")) // without etcd
	for _, version := range []string{"1.9.2-linux-amd64", "1.31.0-linux-amd64"} {
		program(t, project, "bin", "k8s", version, "etcd")
	}
	if p := finds(filepath.Join(project, "bin", "k8s", "1.31.0-linux-amd64", "kube-apiserver")); p.Kubectl != "" {
		t.Errorf("there is no kubectl: %s", p.Kubectl)
	}

	t.Setenv(assetsEnv, assets)
	if _, err := Find(t.Context(), search); err == nil || !strings.Contains(err.Error(), "KUBEBUILDER_ASSETS is "+assets+", which does not have kube-apiserver and etcd; run setup-envtest, or unset the variable") {
		t.Errorf("with an empty folder: %v", err)
	}
	for _, name := range []string{"kube-apiserver", "etcd", "kubectl"} {
		program(t, assets, name)
	}
	if p := finds(filepath.Join(assets, "kube-apiserver")); p.Kubectl != filepath.Join(assets, "kubectl") {
		t.Errorf("kubectl is %s", p.Kubectl)
	}
}

// setupEnvtest makes a folder the one in which setup-envtest installs programs.
func setupEnvtest(t *testing.T, data string) {
	t.Helper()
	t.Setenv("XDG_DATA_HOME", data)
	t.Setenv("HOME", data)
}

func envtestDir(data string) string {
	if runtime.GOOS == "darwin" {
		return filepath.Join(data, "Library", "Application Support", "io.kubebuilder.envtest", "k8s")
	}
	return filepath.Join(data, "kubebuilder-envtest", "k8s")
}

// TestInstall lets a go command that fails install a server.
func TestInstall(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	bin, cache := t.TempDir(), t.TempDir()
	setupEnvtest(t, t.TempDir())
	t.Setenv("PATH", bin)
	t.Setenv(assetsEnv, "")
	search := Search{Dir: t.TempDir(), Version: "v0.1.0", Cache: cache}
	notices := 0
	search.Notice = func(string) { notices++ }
	script := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script("echo no network >&2; exit 1\n")
	_, err := Find(t.Context(), search)
	if err == nil || !strings.Contains(err.Error(), "apiserver/cmd/kindsmith-apiserver@v0.1.0: exit status 1\nno network\nIf the machine is offline, set KUBEBUILDER_ASSETS") {
		t.Errorf("the error is %v", err)
	}
	script(": > $GOBIN/kindsmith-apiserver\n")
	for range 2 {
		p, err := Find(t.Context(), search)
		if err != nil || p.Combined != filepath.Join(cache, "apiserver-v0.1.0", "kindsmith-apiserver") {
			t.Fatal(p, err)
		}
	}
	if notices != 2 {
		t.Errorf("%d notices for two installations", notices)
	}
	left, err := filepath.Glob(filepath.Join(cache, "*", "partial-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestClone checks that a server of a clone is built again after its source has changed.
func TestClone(t *testing.T) {
	source, binary := t.TempDir(), filepath.Join(t.TempDir(), "server")
	program(t, source, "main.go")
	i := &install{source: source}
	if i.isCurrent(binary) {
		t.Error("there is no server")
	}
	program(t, binary)
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(binary, later, later); err != nil {
		t.Fatal(err)
	}
	if !i.isCurrent(binary) {
		t.Error("nothing has changed")
	}
	if err := os.Chtimes(filepath.Join(source, "main.go"), later, later.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if i.isCurrent(binary) {
		t.Error("the source is newer")
	}
}
