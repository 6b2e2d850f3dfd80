// Package requires finds the modules a project lacks for the generated code, or has in too old
// versions, and returns one command after which the project builds.
//
// [Needs] has what generated code imports; it returns an [Advice].
package requires

import (
	"cmp"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Floor is the oldest minor version of Kubernetes' libraries that the runtime supports: v0.34.
const Floor = 34

const (
	kindsmith         = "github.com/kindsmith/kindsmith"
	machinery         = "k8s.io/apimachinery"
	controllerRuntime = "sigs.k8s.io/controller-runtime"
)

// Modules are those that generated code needs beside the ones that its types are from.
var Modules = []string{gofile.Runtime, machinery, "k8s.io/apiextensions-apiserver"}

// Needs are the imports of the generated code of one Go module.
type Needs struct {
	// Dir is a folder of the module.
	Dir string
	// Imported are the imported ones of Modules. Lacking are those of them that the build does not
	// have.
	Imported, Lacking []string
}

// Advice are commands and versions which make a project build.
type Advice struct {
	// Root is the folder of the project's module.
	Root string
	// Get are the arguments of go get; none if the build has what it needs.
	Get []string
	// Replaced are modules that go get cannot upgrade, because go.mod replaces them.
	Replaced []string
	// Outdated is whether the build has a runtime, which is too old for the generated code.
	Outdated bool
	// Selected is the version of apimachinery in the build; "" for none. Raises is whether it is too
	// old for the runtime.
	Selected string
	Raises   bool
}

// Line returns the command for a user who is in a folder, "" if the build has what it needs.
func (a Advice) Line(dir string) string {
	if len(a.Get) == 0 {
		return ""
	}
	command := "go get "
	if rel, err := filepath.Rel(a.Root, dir); err != nil || !filepath.IsLocal(rel) {
		if up, err := filepath.Rel(dir, a.Root); err == nil {
			command = "go -C " + filepath.ToSlash(up) + " get "
		}
	}
	return command + strings.Join(a.Get, " ")
}

// Reason says in a few words why the build needs the command.
func (a Advice) Reason() string {
	reason := "go.mod lacks modules that the generated code needs"
	if a.Outdated {
		reason = "the generated code needs a newer runtime than the build has"
	}
	if a.Raises {
		reason = fmt.Sprintf("the generated code needs %s v0.%d or newer, and the build has %s", machinery, Floor, a.Selected)
	}
	if len(a.Replaced) > 0 {
		reason += "; first upgrade what go.mod replaces: " + strings.Join(a.Replaced, ", ")
	}
	return reason
}

// Advise compares the build of a module with the needs of generated code. release is the version of
// the runtime to use; "" is the latest.
//
// Kubernetes' libraries are upgraded together, to the oldest minor version that will do: those
// of different minor versions often do not compile with each other. The same is true of the modules of kindsmith, which
// are released together.
func (n Needs) Advise(files *source.FS, release string) Advice {
	b := read(files, n.Dir)
	a := Advice{Root: b.root, Selected: b.selected[machinery]}
	usesRuntime := slices.Contains(n.Imported, gofile.Runtime)
	want := minor(a.Selected)
	if usesRuntime && want >= 0 && want < Floor {
		want = Floor
	}
	a.Raises = want > minor(a.Selected)
	a.Outdated = usesRuntime && b.tooOld(files)
	if a.Outdated || usesRuntime && slices.Contains(n.Lacking, gofile.Runtime) {
		a.Get = append(a.Get, versioned(gofile.Runtime, release))
		a.Get = append(a.Get, b.ours(release)...)
	}
	for _, m := range n.Lacking {
		if m != gofile.Runtime {
			a.Get = append(a.Get, versioned(m, minorQuery(m, want)))
		}
	}
	if a.Raises || len(a.Get) > 0 && want >= 0 {
		a.Get = append(a.Get, b.behind(want)...)
	}
	slices.Sort(a.Get)
	a.Get = slices.Compact(a.Get)
	for _, get := range a.Get {
		if path, _, _ := strings.Cut(get, "@"); slices.Contains(b.replaced, path) {
			a.Replaced = append(a.Replaced, path)
		}
	}
	return a
}

func versioned(path, query string) string {
	if query == "" || query == "latest" {
		return path
	}
	return path + "@" + query
}

// build is the known part of a module's build.
type build struct {
	root string
	// required are the versions in go.mod, selected those that the go command selects of
	// apimachinery and the runtime.
	required, selected map[string]string
	replaced           []string
	// runtime is the folder of the runtime's source; "" if it is not known.
	runtime string
}

func read(files *source.FS, dir string) *build {
	b := &build{root: dir, required: map[string]string{}, selected: map[string]string{}}
	root, ok := files.Above(dir, "go.mod")
	if !ok {
		return b
	}
	b.root = root
	path := filepath.Join(root, "go.mod")
	content, err := files.ReadFile(path)
	if err != nil {
		return b
	}
	if mod, err := modfile.ParseLax(path, content, nil); err == nil {
		for _, r := range mod.Require {
			b.required[r.Mod.Path] = r.Mod.Version
			b.selected[r.Mod.Path] = r.Mod.Version
		}
	}
	if mod, err := modfile.Parse(path, content, nil); err == nil {
		for _, r := range mod.Replace {
			if r.New.Version != "" {
				b.replaced = append(b.replaced, r.Old.Path)
			}
		}
	}
	b.list()
	return b
}

// list asks the go command for the versions that it selects. Without its answer, such as without
// the network, those in go.mod have to do, which a go.mod file of today has of all that is built.
func (b *build) list() {
	cmd := exec.Command("go", "list", "-e", "-mod=readonly", "-m", "-f", "{{.Path}}\t{{.Version}}\t{{.Dir}}", machinery, gofile.Runtime)
	cmd.Dir = b.root
	out, err := cmd.Output()
	if err != nil {
		return
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(fields) != 3 {
			continue
		}
		if fields[1] != "" {
			b.selected[fields[0]] = fields[1]
		}
		if fields[0] == gofile.Runtime {
			b.runtime = fields[2]
		}
	}
}

var supports = regexp.MustCompile(`(?m)^\s*Version\s*=\s*(\d+)$`)

// tooOld reports whether the runtime of the build does not support the files that are generated.
func (b *build) tooOld(files *source.FS) bool {
	if b.runtime == "" {
		return false
	}
	content, err := files.ReadFile(filepath.Join(b.runtime, "gen", "gen.go"))
	if err != nil {
		return false
	}
	found := supports.FindSubmatch(content)
	if found == nil {
		return false
	}
	version, err := strconv.Atoi(string(found[1]))
	return err == nil && version < gofile.RuntimeVersion
}

// ours returns the upgrades of the required modules of kindsmith that are older than the release.
func (b *build) ours(release string) []string {
	var get []string
	for path, version := range b.required {
		if (path == kindsmith || strings.HasPrefix(path, kindsmith+"/")) && (release == "" || semver.Compare(version, release) < 0) {
			get = append(get, versioned(path, release))
		}
	}
	return get
}

// released are the modules of Kubernetes' libraries, which have the same versions. Those with the
// prefix are all libraries that have versions v0.
var released = regexp.MustCompile(`^k8s\.io/(api|apiextensions-apiserver|apimachinery|apiserver|cli-runtime|client-go|cloud-provider|cluster-bootstrap|code-generator|component-base|component-helpers|controller-manager|cri-api|cri-client|csi-translation-lib|dynamic-resource-allocation|endpointslice|kms|kube-aggregator|kubectl|kubelet|metrics|mount-utils|pod-security-admission)$`)

// behind returns the upgrades of the required libraries of minor versions before want.
func (b *build) behind(want int) []string {
	var get []string
	for path, version := range b.required {
		if path == machinery {
			version = cmp.Or(b.selected[path], version)
		}
		if query := minorQuery(path, want); query != "" && semver.Compare(semver.MajorMinor(version), query) < 0 {
			get = append(get, path+"@"+query)
		}
	}
	return get
}

// minorQuery returns the minor version of a library that belongs to v0.<n> of Kubernetes'
// libraries; "" if the library is not one of them.
func minorQuery(path string, n int) string {
	switch {
	case n < 0:
		return ""
	case released.MatchString(path):
		return fmt.Sprintf("v0.%d", n)
	case path == controllerRuntime && n >= 12: // v0.22 requires v0.34 of the others
		return fmt.Sprintf("v0.%d", n-12)
	}
	return ""
}

// minor returns n of a version v0.n.p, -1 if it is no such version.
func minor(version string) int {
	rest, ok := strings.CutPrefix(semver.MajorMinor(version), "v0.")
	if !ok {
		return -1
	}
	n, err := strconv.Atoi(rest)
	if err != nil {
		return -1
	}
	return n
}
