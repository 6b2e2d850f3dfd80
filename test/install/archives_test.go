package install

import (
	"archive/zip"
	"encoding/json"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestArchives builds the command of a release with goreleaser in two clones in different folders, the second time with nothing
// compiled before: both have the same bytes.
func TestArchives(t *testing.T) {
	if !*soak {
		t.Skip("needs -soak: it compiles goreleaser, and the command twice")
	}
	r := newReleaser(t)
	first := r.run("", "build --clean --single-target")
	second := r.run(" GOCACHE="+t.TempDir(), "build --clean --single-target")
	command := second.binary()
	second.want(second.run(command+" version"), versionLine(rehearsal.version))
	if a, b := sum(first, first.binary()), sum(second, command); a != b {
		t.Errorf("the sums of the commands are %s and %s", a, b)
	}
}

// TestArchivesOfPlatforms makes the archives of a release, and compares them with their checksums.
func TestArchivesOfPlatforms(t *testing.T) {
	if !*soak {
		t.Skip("needs -soak: it compiles goreleaser, and the command for six platforms")
	}
	p := newReleaser(t).run("", "release --clean --skip=publish")
	version := strings.TrimPrefix(rehearsal.version, "v")
	var archives []string
	for _, platform := range []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"} {
		name, want := "kindsmith_"+version+"_"+platform, []string{"LICENSE", "README.md", "kindsmith"}
		var files []string
		if strings.HasPrefix(platform, "windows") {
			name, want[2] = name+".zip", "kindsmith.exe"
			files = p.zipped("dist/" + name)
		} else {
			name += ".tar.gz"
			files = strings.Fields(p.run("tar -tzf dist/" + name))
		}
		if slices.Sort(files); !slices.Equal(files, want) {
			t.Errorf("%s has %q, want %q", name, files, want)
		}
		archives = append(archives, name)
	}
	var sums []string
	for line := range strings.Lines(p.run("cd dist && sha256sum --check checksums.txt")) {
		sums = append(sums, strings.TrimSuffix(line, ": OK\n"))
	}
	if slices.Sort(sums); !slices.Equal(sums, archives) {
		t.Errorf("checksums.txt has the right sums of %q, want %q", sums, archives)
	}
}

// releaser runs goreleaser in clones of a repository with a release.
type releaser struct {
	*testing.T
	source, tools *project
}

func newReleaser(t *testing.T) *releaser {
	r := &releaser{t, empty(t), empty(t)}
	r.source.tagged()
	r.tools.run("GOBIN=" + r.tools.dir + " go install github.com/goreleaser/goreleaser/v2@" + goreleaser(r.source))
	return r
}

// run runs goreleaser in a new clone, as the workflow of a release does.
func (r *releaser) run(settings, arguments string) *project {
	r.Helper()
	clone := empty(r.T)
	clone.run("git clone -q " + r.source.dir + " . && git remote set-url origin https://" + root)
	clone.run("export GOFLAGS= GORELEASER_CURRENT_TAG=" + rehearsal.version + settings + " && " + r.tools.path("goreleaser") + " " + arguments)
	return clone
}

// zipped returns the names of the files in a zip archive.
func (p *project) zipped(name string) (files []string) {
	p.Helper()
	archive, err := zip.OpenReader(p.path(name))
	if err != nil {
		p.Fatal(err)
	}
	defer archive.Close()
	for _, f := range archive.File {
		files = append(files, f.Name)
	}
	return files
}

// goreleaser returns the version that makes the archives of releases.
func goreleaser(p *project) string {
	p.Helper()
	m := regexp.MustCompile(`uses: goreleaser/goreleaser-action@.*\n +with:\n +version: (v\d+\.\d+\.\d+)\n`).FindStringSubmatch(p.read(".github/workflows/release.yml"))
	if m == nil {
		p.Fatal("the workflow names no version of goreleaser")
	}
	return m[1]
}

// binary returns the path of the command that goreleaser has built for this machine.
func (p *project) binary() string {
	p.Helper()
	var artifacts []struct{ Name, Path, Goos, Goarch, Type string }
	if err := json.Unmarshal([]byte(p.read("dist/artifacts.json")), &artifacts); err != nil {
		p.Fatal(err)
	}
	for _, a := range artifacts {
		if a.Type == "Binary" && a.Goos == runtime.GOOS && a.Goarch == runtime.GOARCH {
			return a.Path
		}
	}
	p.Fatalf("no command for this machine in %v", artifacts)
	return ""
}

func sum(p *project, name string) string {
	p.Helper()
	text, _, _ := strings.Cut(p.run("sha256sum "+name), " ")
	return text
}
