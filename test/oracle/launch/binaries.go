package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// Build returns the path of kindsmith-apiserver, the binary behind Start, and builds
// it if the cache does not have it. An error holds the end of the compiler's output.
func Build() (string, error) {
	return buildCached("kindsmith-apiserver", "./cmd/kindsmith-apiserver", "")
}

// BuildKubectl is like Build, for kubectl of the server's version. The file is called
// kubectl, so its folder can be added to PATH.
func BuildKubectl() (string, error) {
	module, err := moduleDir()
	if err != nil {
		return "", err
	}
	stamp, err := versionFlags(module)
	if err != nil {
		return "", err
	}
	return buildCached("kubectl", "k8s.io/kubernetes/cmd/kubectl", stamp)
}

// Kubectl is like BuildKubectl, but fails the test on errors. Run kubectl with
// [Server.Env].
func Kubectl(t testing.TB) string {
	t.Helper()
	path, err := BuildKubectl()
	if err != nil {
		t.Fatalf("build kubectl: %v", err)
	}
	return path
}

// buildCached returns the path of the binary called name, built from the package
// pkg of the server's module with flags of the linker.
func buildCached(name, pkg, ldflags string) (string, error) {
	module, err := moduleDir()
	if err != nil {
		return "", err
	}
	b := build{
		module: module,
		pkg:    pkg,
		// Without VCS data, because the binary is not a version of this
		// repository; symbols stay, so that a panic is readable.
		flags: []string{"-buildvcs=false", "-ldflags", ldflags},
	}
	key, err := b.key()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder for binaries; set HOME or XDG_CACHE_HOME: %w", err)
	}
	path := filepath.Join(cache, "kindsmith", name+"-"+key, name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if err := b.into(path); err != nil {
		return "", err
	}
	return path, nil
}

// kubernetesVersion matches the requirement of Kubernetes in a go.mod.
var kubernetesVersion = regexp.MustCompile(`(?m)^\s*(?:require\s+)?k8s\.io/kubernetes (v(\d+)\.(\d+)\.\S+)$`)

// versionFlags returns the linker flags that set the version of kubectl to the one that the go.mod in module requires. Release builds set the same variables.
// The commit is unknown, and a date would make every build differ.
func versionFlags(module string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return "", err
	}
	version := kubernetesVersion.FindSubmatch(mod)
	if version == nil {
		return "", fmt.Errorf("%s: no requirement of k8s.io/kubernetes", filepath.Join(module, "go.mod"))
	}
	var flags []string
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		for _, v := range [][2]string{
			{"gitVersion", string(version[1])},
			{"gitMajor", string(version[2])},
			{"gitMinor", string(version[3])},
			{"gitTreeState", "clean"},
			{"gitCommit", "unknown"},
			{"buildDate", "1970-01-01T00:00:00Z"},
		} {
			flags = append(flags, fmt.Sprintf("-X=%s.%s=%s", pkg, v[0], v[1]))
		}
	}
	return strings.Join(flags, " "), nil
}
