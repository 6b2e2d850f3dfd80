package install

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// scaffolds are the projects of kubebuilder's last four minor releases.
const scaffolds = "testdata/kubebuilder"

var soak = flag.Bool("soak", false, "build the projects of all releases with their own libraries; by default that of the newest, with the libraries of this repository")

// TestKubebuilder switches projects of kubebuilder from controller-gen to kindsmith, as init says, and
// goes on to generated validators that a webhook calls. The versions of Kubernetes' modules stay those
// that the project had. Each release has libraries of its own, which take minutes to compile, so by default only the newest
// project is built, and after an update of its libraries.
func TestKubebuilder(t *testing.T) {
	releases, err := filepath.Glob(filepath.FromSlash(scaffolds + "/v*"))
	if err != nil || len(releases) != 4 {
		t.Fatalf("%d releases, %v", len(releases), err)
	}
	for i, fixture := range releases {
		t.Run(filepath.Base(fixture), func(t *testing.T) {
			isNewest := i == len(releases)-1
			p := empty(t)
			p.copy(scaffolds + "/common")
			p.copy(fixture)
			if isNewest {
				p.update()
			}
			versions := p.run("go list -m k8s.io/apimachinery k8s.io/client-go sigs.k8s.io/controller-runtime")
			manifests := p.stripped("config/crd/bases/fleet.example.com_ships.yaml")

			// The Makefile runs kindsmith, with the same result.
			p.follow(p.run("kindsmith init --edit --yes"))
			p.want(p.read("Makefile"), "^KINDSMITH_VERSION \\?= "+regexp.QuoteMeta(rehearsal.version)+"$")
			p.want(p.run("bin/kindsmith version"), versionLine(rehearsal.version))
			p.run("make manifests generate check-generated")
			if got := p.stripped("config/crd/bases/fleet.example.com_ships.yaml"); got != manifests {
				t.Errorf("the definition is not controller-gen's:\n%s\nwant\n%s", got, manifests)
			}
			if isNewest || *soak {
				p.run("make build")
			}

			// Generated validators answer a webhook.
			p.advised(p.run("bin/kindsmith generate"))
			p.run("bin/kindsmith generate --check")
			p.run("bin/kindsmith validate -f config/samples")
			p.run("go mod tidy")
			if isNewest || *soak {
				p.run("go build ./... && go vet ./...")
				p.answers(webhook{Package: "example.com/fleet/api/v1", Kind: "Ship", Group: "fleet.example.com", Plural: "ships", Field: "rig", Right: `"Square"`, Wrong: `"ForeAndAft"`})
			}

			// A manager serves the webhooks of the module webhook.
			p.run("go get " + root + "/webhook")
			p.write("internal/webhook/v1/generated.go", generatedWebhook)
			p.run("go mod tidy")
			if isNewest || *soak {
				p.run("go build ./...")
			}
			if got := p.run("go list -m k8s.io/apimachinery k8s.io/client-go sigs.k8s.io/controller-runtime"); got != versions {
				t.Errorf("the project now requires\n%sit required\n%s", got, versions)
			}

			if isNewest {
				p.wires()
			}
		})
	}
}

const list = "go list -mod=mod -m -f '{{.Path}} {{.Version}}' "

// ours returns the versions of the libraries that this repository has.
var ours = sync.OnceValues(func() (map[string]string, error) {
	file := filepath.Join(filepath.Dir(rehearsal.bin), "ours", "go.mod")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	if out, err := command(rehearsal.repo, "go -C hack/modules run . modfile test/e2e "+file); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	out, err := command(filepath.Join(rehearsal.repo, "test", "e2e"), list+"-modfile="+file+" all")
	return versionsOf(out), err
})

// versionsOf returns the versions of the modules that list prints.
func versionsOf(out string) map[string]string {
	of := map[string]string{}
	for line := range strings.Lines(out) {
		path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		of[path] = version
	}
	return of
}

// update gives a project the libraries that this repository has, which other tests compile too. With -soak projects keep their own.
func (p *project) update() {
	p.Helper()
	if *soak {
		return
	}
	libraries, err := ours()
	if err != nil {
		p.Fatal(err)
	}
	var newer []string
	for path, version := range versionsOf(p.run(list + "all")) {
		if isOurs := path == root || strings.HasPrefix(path, root+"/"); !isOurs && libraries[path] != "" && libraries[path] != version {
			newer = append(newer, path+"@"+libraries[path])
		}
	}
	if len(newer) > 0 {
		slices.Sort(newer)
		p.run("go get " + strings.Join(newer, " "))
	}
}

// wires replaces hand-written webhooks by generated ones, in the manager that kubebuilder wrote.
func (p *project) wires() {
	p.Helper()
	p.run("rm -r internal/webhook answer")
	p.run(`sed -i '/webhookv1 "/d; /ENABLE_WEBHOOKS/,/^\t}$/d' cmd/main.go`)
	p.run("kindsmith init --webhook --edit --yes")
	p.want(p.read("cmd/main.go"), `server\.SetupWebhookWithManager\(mgr, &fleetv1\.Ship\{\}, nil\)`)
	p.run("go mod tidy && go build ./... && go vet ./cmd")
	p.want(p.run("kindsmith init --webhook --edit --yes 2>&1"), "the project has all that kindsmith needs")
	p.run("make manifests")
	p.want(p.read("config/rbac/role.yaml"), "- customresourcedefinitions")
}

// generatedWebhook is a file of the project.
const generatedWebhook = `package v1

import (
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kindsmith/kindsmith/webhook"

	fleetv1 "example.com/fleet/api/v1"
)

// SetupGeneratedWebhooks adds the webhooks that call generated code.
func SetupGeneratedWebhooks(mgr ctrl.Manager) error {
	return webhook.SetupWithManager(mgr, &fleetv1.Ship{})
}
`

var writers = regexp.MustCompile(`(?m)^(# Code generated .*|---|  annotations:|    controller-gen.kubebuilder.io/version: .*)\n`)

// stripped returns a manifest without the lines about who wrote it.
func (p *project) stripped(name string) string {
	p.Helper()
	return writers.ReplaceAllString(p.read(name), "")
}
