package typed

import (
	"os/exec"
	"strings"
	"testing"
)

// TestLinksNoServer keeps programs that link the package small.
func TestLinksNoServer(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".", "../golang").Output()
	if err != nil {
		t.Fatal(err)
	}
	for dep := range strings.FieldsSeq(string(out)) {
		for _, heavy := range []string{"k8s.io/apiserver", "k8s.io/apiextensions-apiserver", "k8s.io/client-go", "go.etcd.io", "google.golang.org/grpc"} {
			if strings.HasPrefix(dep, heavy+"/") || dep == heavy {
				t.Errorf("%s is linked", dep)
			}
		}
	}
}
