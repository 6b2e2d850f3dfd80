package install

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTagBuildsWithoutWorkspace makes a release in a clone, and loads what archives and packagers build
// from the tag: the go command compares the sums in go.sum with the modules of the proxy.
func TestTagBuildsWithoutWorkspace(t *testing.T) {
	p := empty(t)
	p.want(p.tagged(), `^  git push --atomic origin HEAD `+regexp.QuoteMeta(rehearsal.version)+" .*"+regexp.QuoteMeta(" runtime/"+rehearsal.version)+" ")
	p.want(p.fails("make release VERSION="+rehearsal.version), "the tag runtime/"+regexp.QuoteMeta(rehearsal.version)+" exists")
	if err := os.Remove(p.path("go.work")); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	p.run("go list -mod=readonly -deps ./cmd/kindsmith")
	for _, dir := range strings.Fields(p.run("go -C hack/modules run . list floor")) {
		p.run("go -C " + dir + " list -mod=readonly -deps ./...")
	}
}

// tagged makes the project a copy of the repository with a release, and returns what make release prints.
func (p *project) tagged() string {
	p.Helper()
	p.run("git -C " + rehearsal.repo + " ls-files -z --cached --others --exclude-standard | tar -C " + rehearsal.repo + " --null --ignore-failed-read -T - -cf - | tar -xf -")
	p.run("git init -q && git config user.name test && git config user.email test@example.com && git add --all && git commit -q -m all")
	return p.run("make release VERSION=" + rehearsal.version)
}

// TestArchive builds the command with the flags of the archives of a release.
func TestArchive(t *testing.T) {
	config, err := os.ReadFile(filepath.Join(rehearsal.repo, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	flags := regexp.MustCompile(`(?m)^  ldflags: (.*)$`).FindSubmatch(config)
	if flags == nil || !strings.Contains(string(config), "\n  flags: [-trimpath]\n") {
		t.Fatalf("no flags in\n%s", config)
	}
	p := empty(t)
	p.run("go mod init example.com/shop/tools && go get -tool " + tool + "@" + rehearsal.version)
	p.run("go build -o kindsmith -ldflags '" + strings.ReplaceAll(string(flags[1]), "{{.Tag}}", "v9.8.7") + "' " + tool)
	p.want(p.run("./kindsmith version"), versionLine("v9.8.7"))
	printed := empty(t).run(p.path("kindsmith") + " init --module example.com/new --offline --yes")
	p.want(printed, "get -tool "+tool+"@v9.8.7$")
}
