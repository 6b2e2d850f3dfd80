package install

import (
	"flag"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// scaffolds are the projects of kubebuilder's last four minor releases.
const scaffolds = "testdata/kubebuilder"

var soak = flag.Bool("soak", false, "build the projects of all releases; by default that of the newest")

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
			if isNewest && !*soak {
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

// update gives a project the libraries that this repository has, which other tests compile too.
func (p *project) update() {
	p.Helper()
	const list = " list -m -f '{{.Path}} {{.Version}}' "
	file := filepath.Join(p.TempDir(), "go.mod")
	ours, err := command(rehearsal.repo, "go -C hack/modules run . modfile test/e2e "+file+" && go -C test/e2e"+list+"-mod=mod -modfile="+file+" all")
	if err != nil {
		p.Fatal(err)
	}
	version := map[string]string{}
	for line := range strings.Lines(ours) {
		path, v, _ := strings.Cut(strings.TrimSpace(line), " ")
		version[path] = v
	}
	var newer []string
	for line := range strings.Lines(p.run("go" + list + "all")) {
		if path, v, _ := strings.Cut(strings.TrimSpace(line), " "); version[path] != "" && version[path] != v {
			newer = append(newer, path+"@"+version[path])
		}
	}
	p.run("go get " + strings.Join(newer, " "))
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
