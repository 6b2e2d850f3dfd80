package crd_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestDependencies checks that the command does not link packages that only a running server needs.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, imported := range strings.Fields(string(out)) {
		for _, heavy := range []string{"go.etcd.io/", "google.golang.org/grpc", "k8s.io/apiextensions-apiserver/pkg/registry", "k8s.io/apiserver/pkg/registry", "k8s.io/client-go"} {
			if strings.HasPrefix(imported, heavy) {
				t.Errorf("%s is linked", imported)
			}
		}
	}
}
