package docs_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shellPages are the pages whose commands in sh blocks run in a project with an API for orders. They print too much to be
// on the page.
var shellPages = []string{"api-docs", "breaking-changes", "convert-manifests", "from-validation-gen", "lint", "new-version", "openapi", "troubleshooting"}

// ranElsewhere are the commands on these pages that other tests run, by their beginnings.
var ranElsewhere = map[string]string{
	"go get github.com/kindsmith/kindsmith/runtime": "test/install",
	"kindsmith dev":             "test/e2e/dev",
	"KINDSMITH_ROUNDTRIP_SEED=": "internal/emit/roundtrip",
}

// orders is the API of the project.
const orders = `// Package v1 is the newest version of the shop.example.com API.
//
// +groupName=shop.example.com
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Order is an order.
type Order struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitzero\"`" + `

	Spec OrderSpec ` + "`json:\"spec\"`" + `
}

// OrderSpec is what a customer wants.
type OrderSpec struct {
	// quantity is the number of items.
	// +k8s:optional
	// +k8s:minimum=1
	// +versioned:changed(since: "v1", fromName: "count")
	Quantity *int32 ` + "`json:\"quantity,omitempty\"`" + `
}
`

// TestShell runs the commands in sh blocks. They may report diagnostics, and never fail.
func TestShell(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the project")
	}
	repo, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "kindsmith"), "./cmd/kindsmith")
	build.Dir = repo
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const order = "apiVersion: shop.example.com/v1\nkind: Order\nmetadata:\n  name: a\nspec:\n  quantity: 3\n"
	kubectl := "#!/bin/sh\ncat <<'END'\n" + order + "END\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(kubectl), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range shellPages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(filepath.Join("guides", name+".md"))
			if err != nil {
				t.Fatal(err)
			}
			p := &page{T: t, repo: repo, bin: bin}
			p.save("api/v1/types.go", orders)
			p.save("apis/v1/types.go", orders)
			p.save("new.yaml", order)
			p.save("old.yaml", order)
			p.save("deploy/order.yaml", strings.Replace(strings.Replace(order, "v1", "v1beta1", 1), "quantity", "count", 1))
			p.save("kindsmith.yaml", "packages: [./api/...]\nconversionWebhook: shop-system/webhooks\n")
			p.shell("kindsmith generate && cat config/crd/bases/*.yaml > crds.yaml")
			p.shell("git init -q && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm api && git update-ref refs/remotes/origin/main HEAD && git tag v1.4.0")
			for _, m := range fence.FindAllStringSubmatch(string(content), -1) {
				if m[1] != "sh" {
					continue
				}
				for line := range strings.Lines(m[2]) {
					p.commands++
					if !slices.ContainsFunc(slices.Collect(maps.Keys(ranElsewhere)), func(begin string) bool { return strings.HasPrefix(line, begin) }) {
						p.shell(line)
					}
				}
			}
			if p.commands == 0 {
				t.Error("the page has no commands; are they still there?")
			}
		})
	}
}

// shell runs a command that succeeds or reports diagnostics.
func (p *page) shell(command string) {
	p.Helper()
	cmd := exec.Command("bash", "-c", "set -o pipefail; "+command)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PATH="+p.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOWORK=") // that of the folder, as users have it
	out, err := cmd.CombinedOutput()
	if failed := new(exec.ExitError); errors.As(err, &failed) && failed.ExitCode() == 1 {
		return
	}
	if err != nil {
		p.Errorf("$ %s%v\n%s", command, err, out)
	}
}
