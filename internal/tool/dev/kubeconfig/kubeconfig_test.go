package kubeconfig

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

func TestIsLocal(t *testing.T) {
	for name, want := range map[string]bool{
		"kind-shop": true, "k3d-a": true, "minikube": true, "docker-desktop": true,
		"kind": false, "minikube-2": false, "my-docker-desktop": false, "production": false, "": false, "gke_kind-1": false,
	} {
		if got := IsLocal(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func config(t *testing.T, path string, names ...string) {
	t.Helper()
	c := api.NewConfig()
	for _, name := range names {
		c.Clusters[name] = &api.Cluster{Server: "https://" + name}
		c.AuthInfos[name] = &api.AuthInfo{Token: name}
		c.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
		c.CurrentContext = name
	}
	if err := clientcmd.WriteToFile(*c, path); err != nil {
		t.Fatal(err)
	}
}

func TestAdd(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "server"), filepath.Join(dir, "user")
	config(t, from, "kindsmith")
	config(t, to, "b", "a")
	before, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	remove, err := Add(to, from, "kindsmith")
	if err != nil {
		t.Fatal(err)
	}
	for name, host := range map[string]string{"": "https://kindsmith", "a": "https://a", "b": "https://b"} {
		c, err := Config(to, name)
		if err != nil || c.Host != host {
			t.Errorf("%s: %v %v", name, c, err)
		}
	}
	one := filepath.Join(dir, "one")
	if err := Extract(to, "a", one); err != nil {
		t.Fatal(err)
	}
	if c, err := clientcmd.LoadFromFile(one); err != nil || len(c.Contexts) != 1 || c.CurrentContext != "a" {
		t.Errorf("%v %v", c, err)
	}
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(to)
	if err != nil || string(after) != string(before) {
		t.Errorf("%v\n%s\nwas\n%s", err, after, before)
	}

	remove, err = Add(filepath.Join(dir, "new"), from, "kindsmith")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "new")); err != nil {
		t.Fatal(err)
	}
	if err := remove(); err != nil {
		t.Errorf("the user has removed the file: %v", err)
	}
}

func TestAddress(t *testing.T) {
	for _, tc := range []struct{ context, server, wanted, listen, host string }{
		{"prod", "https://127.0.0.1:6443", "", "127.0.0.1:0", "127.0.0.1"},
		{"prod", "https://api.example.com", "laptop.example.com", ":0", "laptop.example.com"},
		{"prod", "https://api.example.com", "laptop.example.com:9443", ":9443", "laptop.example.com"},
		{"prod", "https://api.example.com", "127.0.0.1:9443", "127.0.0.1:9443", "127.0.0.1"},
		{"prod", "https://api.example.com", "192.0.2.1", ":0", "192.0.2.1"}, // of a machine that forwards
		{"minikube", "https://192.0.2.9:8443", "", ":0", "host.minikube.internal"},
		{"k3d-a", "https://0.0.0.0:6443", "", ":0", "host.k3d.internal"},
	} {
		listen, host, err := Address(t.Context(), tc.context, tc.server, tc.wanted)
		if err != nil || listen != tc.listen || host != tc.host {
			t.Errorf("%+v: %s %s %v", tc, listen, host, err)
		}
	}
	if runtime.GOOS == "linux" {
		t.Setenv("PATH", t.TempDir()) // no docker
		if _, _, err := Address(t.Context(), "kind-a", "https://127.0.0.1:6443", ""); err == nil {
			t.Error("an address without docker")
		}
	}
}
