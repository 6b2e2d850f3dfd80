package cli

import (
	"bytes"
	"strings"
	"testing"
)

// TestDevMistakes runs commands that cannot begin.
func TestDevMistakes(t *testing.T) {
	t.Setenv("KUBECONFIG", t.TempDir()+"/none")
	for line, want := range map[string]string{
		"dev --restore":                                       "--restore is for a cluster of yours; name it with --context",
		"dev --webhook-address 10.0.0.1":                      "--webhook-address is for a cluster of yours; name it with --context",
		"dev --context production":                            "Contexts of kind-*, k3d-*, minikube, docker-desktop need no more; for this one, add --yes-this-cluster",
		"dev --context minikube-2":                            "add --yes-this-cluster",
		"dev --context kind-a --dir state":                    "--dir is for a new kube-apiserver, and --context names one that runs; remove one of them",
		"dev --port 70000":                                    "--port 70000 is not between 1 and 65535",
		"dev --prot 1":                                        "did you mean --port?",
		"dev --context kind-a --restore":                      `context "kind-a" does not exist`,
		"dev --context kind-a --restore --kubeconfig no-such": "no-such",
	} {
		var out, errs bytes.Buffer
		code := Run(strings.Fields(line), Streams{Out: Stream{Writer: &out}, Err: Stream{Writer: &errs}})
		if code != ExitFailed || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit code %d\n%s%swant %s", line, code, out.String(), errs.String(), want)
		}
	}
}
