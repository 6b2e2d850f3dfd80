package docs_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
)

// ranElsewhere are the commands in sh blocks that other tests run, by their beginnings. All other commands on all pages run
// in TestShell.
var ranElsewhere = map[string]string{
	"KINDSMITH_ROUNDTRIP_OBJECTS=100000 ":                  "make laws, with as many objects",
	"go install github.com/kindsmith/kindsmith/apiserver":  "test/install",
	"go run github.com/kindsmith/kindsmith/cmd/kindsmith@": "test/install",
	"GOWORK=off go -C tools get ":                          "test/install",
	"code --install-extension ":                            "VS Code, which tests do not have",
	"helm install ":                                        "test/deploy",
	"kindsmith bump ":                                      "TestPages, guides/new-version",
	"kindsmith dev":                                        "test/e2e/dev",
	"kindsmith init --webhook ":                            "cmd/kindsmith, init-webhook.txtar",
	"kindsmith storage ":                                   "test/e2e",
	"kindsmith-converter ":                                 "test/e2e/serving",
	"kubectl apply -f config/crd/bases -f config/policy":   "test/e2e",
	"kubeconform ":                                         "kubeconform, which tests do not have; internal/objects/jsonschema uses another validator",
	"make generate":                                        "test/install",
	"make vscode":                                          "make vscode",
}

// ownTests are the pages whose commands a test of their own runs.
var ownTests = map[string]string{
	"start/install": "test/install",
	"contributing/": "make test runs them",
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

// released is the version of the API before this one.
var released = strings.NewReplacer(`package v1`, "package v1beta1", `// +versioned:version(name: "v1")`+"\n", "", `	// +versioned:changed(since: "v1", fromName: "count")`+"\n", "", "Package v1 ", "Package v1beta1 ", "Quantity", "Count", "quantity", "count").Replace(orders)

// TestShell runs the commands in sh blocks, each page in a project with an API for orders. They print too much to be on the
// page, may report diagnostics, and never fail.
func TestShell(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the project")
	}
	repo, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := workspacetest.Kindsmith(filepath.Join(bin, "kindsmith")); err != nil {
		t.Fatal(err)
	}
	const order = "apiVersion: shop.example.com/v1\nkind: Order\nmetadata:\n  name: a\nspec:\n  quantity: 3\n"
	kubectl := "#!/bin/sh\ncat <<'END'\n" + order + "END\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(kubectl), 0o755); err != nil {
		t.Fatal(err)
	}
	unused := maps.Clone(ranElsewhere)
	var pages []string
	commands := map[string][]string{}
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		name, isPage := strings.CutSuffix(filepath.ToSlash(path), ".md")
		if err != nil || !isPage || slices.ContainsFunc(slices.Collect(maps.Keys(ownTests)), func(own string) bool { return strings.HasPrefix(name, own) }) {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range fence.FindAllStringSubmatch(string(content), -1) {
			if m[1] != "sh" {
				continue
			}
			for line := range strings.Lines(m[2]) {
				if begin, found := ranBy(line); found {
					delete(unused, begin)
				} else {
					commands[name] = append(commands[name], line)
				}
			}
		}
		if commands[name] != nil {
			pages = append(pages, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for begin, test := range unused {
		t.Errorf("no page has a command that begins with %q and runs in %s", begin, test)
	}
	if len(pages) < 12 {
		t.Errorf("only these pages have commands: %q", pages)
	}
	for _, name := range pages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &page{T: t, repo: repo, bin: bin}
			p.save("api/v1/types.go", orders)
			p.save("apis/v1/types.go", orders)
			p.save("released/api/v1beta1/types.go", released)
			p.save("new.yaml", order)
			p.save("old.yaml", order)
			p.save("deploy/order.yaml", strings.Replace(strings.Replace(order, "v1", "v1beta1", 1), "quantity", "count", 1))
			p.save("kindsmith.yaml", "packages: [./api/...]\nconversionWebhook: shop-system/webhooks\n")
			p.save("plans/.gitkeep", "")
			p.shell("kindsmith generate && cat config/crd/bases/*.yaml > crds.yaml")
			p.shell("kindsmith generate --only crd --crd-dir released ./released/... && mv released/*.yaml released.yaml && rm -r released")
			p.shell("git init -q && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm api && git update-ref refs/remotes/origin/main HEAD && git tag v1.4.0")
			for _, line := range commands[name] {
				p.shell(line)
			}
		})
	}
}

// ranBy returns the beginning of a command that another test runs.
func ranBy(line string) (begin string, ok bool) {
	for begin := range ranElsewhere {
		if strings.HasPrefix(line, begin) {
			return begin, true
		}
	}
	return "", false
}

// reporting are the commands that exit with 1 if they report something.
var reporting = regexp.MustCompile(`^kindsmith (lint|breaking|validate|generate|docs) `)

// shell runs a command that succeeds or reports diagnostics.
func (p *page) shell(command string) {
	p.Helper()
	cmd := exec.Command("bash", "-c", "set -o pipefail; "+command)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PATH="+p.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOWORK=") // that of the folder, as users have it
	out, err := cmd.CombinedOutput()
	if failed := new(exec.ExitError); errors.As(err, &failed) && failed.ExitCode() == 1 && reporting.MatchString(command) {
		return
	}
	if err != nil {
		p.Errorf("$ %s%v\n%s", command, err, out)
	}
}
