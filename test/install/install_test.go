package install

import (
	"regexp"
	"strings"
	"testing"
	"text/template"
)

// TestInstall is the section "go install" of docs/start/install.md.
func TestInstall(t *testing.T) {
	p := empty(t)
	p.want(p.run("kindsmith version"), versionLine(rehearsal.version))
}

// TestToolsModule is the section "A module for tools".
func TestToolsModule(t *testing.T) {
	p := empty(t)
	lines := section(p, "A module for tools")
	p.run(strings.Join(lines, " && "))
	p.want(p.read("tools/go.mod"), "^\t"+root+" "+regexp.QuoteMeta(rehearsal.version)+" // indirect$")
	p.run("GOWORK=off go -C tools build -o ../bin/kindsmith " + tool)
	p.want(p.run("bin/kindsmith version"), versionLine(rehearsal.version))
	p.run("go mod init example.com/shop")
	p.want(p.run("go tool -modfile=tools/go.mod kindsmith version"), versionLine(rehearsal.version))
}

// TestGetTool is the section "go get -tool".
func TestGetTool(t *testing.T) {
	p := empty(t)
	p.run("go mod init example.com/shop")
	lines := section(p, "go get -tool")
	p.run(lines[0])
	p.want(p.run("go tool kindsmith version"), versionLine(rehearsal.version))
	p.want(p.run("kindsmith init --yes"), `^  make generate$`)
	p.want(p.read("Makefile"), `^	`+lines[1]+`$`)
}

// TestNewProject starts a project in an empty folder, and goes on as init says, until the validation
// webhook answers.
func TestNewProject(t *testing.T) {
	p := empty(t)
	printed := p.run("go run " + tool + "@latest init --module example.com/shop --group shop.example.com --kind Order --yes")
	p.want(p.read("tools/go.mod"), "^\t"+root+" "+regexp.QuoteMeta(rehearsal.version)+" // indirect$")
	p.follow(printed)
	p.want(p.run("bin/kindsmith version"), versionLine(rehearsal.version))
	p.run("go build ./... && go vet ./...")
	p.run("bin/kindsmith validate -f config/samples")
	p.run("make check-generated")

	p.answers(webhook{Package: "example.com/shop/api/v1", Kind: "Order", Group: "shop.example.com", Plural: "orders", Field: "replicas", Right: "1", Wrong: "0"})
	if strings.Contains(p.read("go.mod"), "k8s.io/apiserver") {
		t.Errorf("the project requires what only the command needs:\n%s", p.read("go.mod"))
	}

	if strings.Contains(p.read("go.mod"), "\nreplace ") {
		t.Errorf("the project has replace lines:\n%s", p.read("go.mod"))
	}

	p.upgrades("config/crd/bases/shop.example.com_orders.yaml")

	// CI finds missing files, such as files never committed.
	p.run("rm api/v1/zz_generated.validations.go && rm -r config/crd")
	p.want(p.fails("make check-generated"), `^\+\+\+ b/config/crd/bases/shop.example.com_orders.yaml$`)
}

// upgrades follows "Upgrade kindsmith" of docs/guides/upgrade.md in a project whose command is gone. The second command must
// report a difference from the project's definition, and leave it.
func (p *project) upgrades(definition string) {
	p.Helper()
	_, text, found := strings.Cut((&project{p.T, rehearsal.repo}).read("docs/guides/upgrade.md"), "\n## Upgrade kindsmith\n")
	text, _, _ = strings.Cut(text, "\n## ")
	var commands []string
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		if m[1] == "sh" {
			commands = append(commands, "set -e; "+m[2])
		}
	}
	if !found || len(commands) != 2 {
		p.Fatalf("the section has %d blocks of commands, want 2", len(commands))
	}
	p.run("GOWORK=off go -C tools mod edit -droptool=" + tool + " -droprequire=" + root + " && rm api/v1/zz_generated.validations.go")
	p.run(commands[0])
	p.want(p.read("tools/go.mod"), "^\t"+root+" "+regexp.QuoteMeta(rehearsal.version)+" // indirect$")
	p.want(p.read("api/v1/zz_generated.validations.go"), "^package v1$")

	p.run("sed -i 's/minimum: 1$/minimum: 2/' " + definition)
	changed := p.read(definition)
	p.want(p.run(commands[1]), `minimum: 2 -> 1`)
	if p.read(definition) != changed {
		p.Error("the command that only shows differences wrote the definition")
	}
	p.run("make generate")
}

// TestLibraries builds each library in a project that requires nothing else.
func TestLibraries(t *testing.T) {
	out, err := command(rehearsal.repo+"/hack/modules", "GOWORK=off go run . list libraries")
	if err != nil {
		t.Fatal(err)
	}
	libraries := strings.Fields(out)
	if len(libraries) < 7 {
		t.Fatalf("the libraries are %v", libraries)
	}
	for _, dir := range libraries {
		t.Run(dir, func(t *testing.T) {
			p, path := &project{t, t.TempDir()}, root+"/"+dir
			p.run("go mod init example.com/shop")
			p.run("go get " + path + "/...@" + rehearsal.version)
			p.want(p.run("go list -m "+path), " "+regexp.QuoteMeta(rehearsal.version)+"$")
			p.update()
			p.run("go build -mod=mod " + path + "/...")
		})
	}
}

// TestAPIServer resolves the server that kindsmith dev installs. It builds nothing, because that takes minutes.
func TestAPIServer(t *testing.T) {
	p := empty(t)
	p.want(p.run("set -o pipefail; go install -n "+root+"/apiserver/cmd/kindsmith-apiserver@"+rehearsal.version+" 2>&1 | tail -n 5"), `kindsmith-apiserver`)
	p.want(p.run("go mod download -json "+root+"/apiserver@"+rehearsal.version), `"Version": "`+regexp.QuoteMeta(rehearsal.version)+`"`)
}

// TestLocalCheckout runs the commands of the section "A local checkout".
func TestLocalCheckout(t *testing.T) {
	p := empty(t)
	lines := section(p, "A local checkout")
	p.run("go mod init example.com/shop")
	for _, line := range lines {
		p.run(strings.ReplaceAll(line, "$HOME/kindsmith", rehearsal.repo))
	}
	p.want(p.run("bin/kindsmith version"), `^kindsmith \(devel\) `)
	p.follow(p.run("bin/kindsmith init --group shop.example.com --kind Order --yes"))
	p.run("go mod tidy && go build ./...")
	p.want(p.read("go.mod"), "^replace "+root+"/runtime => ")
}

// A webhook validates a kind. A rule refuses one value of a field in spec, and not the other.
type webhook struct{ Package, Kind, Group, Plural, Field, Right, Wrong string }

// answers runs a test in the project that serves the webhook and sends it objects with both values.
func (p *project) answers(w webhook) {
	p.Helper()
	var text strings.Builder
	if err := template.Must(template.ParseFiles("testdata/answer_test.go.tmpl")).Execute(&text, w); err != nil {
		p.Fatal(err)
	}
	p.write("answer/answer_test.go", text.String())
	p.run("go mod tidy && go test ./answer")
}

var block = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// section returns the commands in the blocks of a section of docs/start/install.md.
func section(p *project, heading string) []string {
	p.Helper()
	repo := &project{p.T, rehearsal.repo}
	_, text, found := strings.Cut(repo.read("docs/start/install.md"), "\n## "+heading+"\n")
	if !found {
		p.Fatalf("docs/start/install.md has no section %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	var lines []string
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		lines = append(lines, strings.Split(strings.TrimSpace(m[1]), "\n")...)
	}
	if len(lines) == 0 {
		p.Fatalf("the section %q has no commands", heading)
	}
	return lines
}
