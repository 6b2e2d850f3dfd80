package apiserver

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// The names of programs.
const (
	combinedName   = "kindsmith-apiserver"
	kubernetesName = "kube-apiserver"
	etcdName       = "etcd"
	kubectlName    = "kubectl"
)

const modulePath = "github.com/kindsmith/kindsmith/apiserver"

// assetsEnv names the folder of envtest's programs.
const assetsEnv = "KUBEBUILDER_ASSETS"

// Programs are what a server consists of: Combined, or the others.
type Programs struct {
	// Combined is kindsmith-apiserver, which has etcd.
	Combined string
	// APIServer and Etcd are the programs of a release of Kubernetes.
	APIServer, Etcd string
	// Kubectl is the kubectl beside them; "" if there is none.
	Kubectl string
	// From says where they are from.
	From string
}

// Search says where to look for programs.
type Search struct {
	// Dir is the folder of the project.
	Dir string
	// Version is the release of kindsmith whose server is installed if there is no other; "" for a clone, whose server is built.
	Version string
	// Cache is the folder of installed servers; the default is that of the user.
	Cache string
	// Notice is called before something that takes minutes.
	Notice func(text string)
}

// Find returns the first programs of: the folder KUBEBUILDER_ASSETS, bin/k8s of the project, kindsmith-apiserver in PATH, in
// the cache, and what setup-envtest has installed. If there are none, it installs kindsmith-apiserver in the cache.
func Find(ctx context.Context, s Search) (*Programs, error) {
	if dir := os.Getenv(assetsEnv); dir != "" {
		p := assets(dir)
		if p == nil {
			return nil, fmt.Errorf("%s is %s, which does not have %s and %s; run setup-envtest, or unset the variable", assetsEnv, dir, kubernetesName, etcdName)
		}
		p.From = "$" + assetsEnv
		return p, nil
	}
	if p := s.local(); p != nil {
		return p, nil
	}
	if path, err := exec.LookPath(combinedName); err == nil {
		return &Programs{Combined: path, From: "PATH"}, nil
	}
	return s.cached(ctx)
}

// assets returns the programs in a folder; nil if some are missing.
func assets(dir string) *Programs {
	p := &Programs{APIServer: filepath.Join(dir, executable(kubernetesName)), Etcd: filepath.Join(dir, executable(etcdName)), From: dir}
	if !isFile(p.APIServer) || !isFile(p.Etcd) {
		return nil
	}
	if kubectl := filepath.Join(dir, executable(kubectlName)); isFile(kubectl) {
		p.Kubectl = kubectl
	}
	return p
}

// local returns the newest programs in bin/k8s of the project, where kubebuilder's Makefile puts them.
func (s *Search) local() *Programs {
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return nil
	}
	for {
		if p := newest(filepath.Join(dir, "bin", "k8s")); p != nil {
			return p
		}
		parent := filepath.Dir(dir)
		if isFile(filepath.Join(dir, "go.mod")) || parent == dir {
			return nil
		}
		dir = parent
	}
}

// newest returns the programs of the newest release in a folder of setup-envtest, such as those in 1.36.1-linux-amd64.
func newest(dir string) *Programs {
	names, _ := filepath.Glob(filepath.Join(dir, "*")) // the pattern has no mistake
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(semver.Compare(release(b), release(a)), strings.Compare(a, b)) })
	for _, name := range names {
		if p := assets(name); p != nil {
			return p
		}
	}
	return nil
}

// envtest returns the newest programs where envtest looks for them, and where setup-envtest installs them.
func envtest() *Programs {
	if p := assets(filepath.FromSlash("/usr/local/kubebuilder/bin")); p != nil {
		return p
	}
	const name = "kubebuilder-envtest"
	var dir string
	home, _ := os.UserHomeDir() // without one, the folder is not absolute
	switch runtime.GOOS {
	case "windows":
		dir = filepath.Join(os.Getenv("LocalAppData"), name)
	case "darwin":
		dir = filepath.Join(home, "Library", "Application Support", "io.kubebuilder.envtest")
	default:
		dir = filepath.Join(cmp.Or(os.Getenv("XDG_DATA_HOME"), filepath.Join(home, ".local", "share")), name)
	}
	if !filepath.IsAbs(dir) {
		return nil
	}
	return newest(filepath.Join(dir, "k8s"))
}

// release returns the version in the name of a folder, such as 1.36.1-linux-amd64.
func release(name string) string {
	v, _, _ := strings.Cut(filepath.Base(name), "-")
	return "v" + v
}

// cached returns the server in the cache, which it installs there if it is missing or, in a clone, older than its source.
func (s *Search) cached(ctx context.Context) (*Programs, error) {
	cache := s.Cache
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("there is no cache folder for kube-apiserver: set HOME, or %s to a folder with envtest's programs: %w", assetsEnv, err)
		}
		cache = filepath.Join(dir, "kindsmith")
	}
	build := install{dir: filepath.Join(cache, "apiserver-"+cmp.Or(s.Version, "clone")), version: s.Version}
	if s.Version == "" {
		build.source = clone()
		build.dir += fmt.Sprintf("-%x", sha256.Sum256([]byte(build.source)))[:9] // a machine may have several
		if build.source == "" {
			if installed := envtest(); installed != nil {
				return installed, nil
			}
			return nil, fmt.Errorf("this kindsmith was built without a version, so it does not know which kube-apiserver to install. "+
				"Run go install %s/cmd/%s@latest, or set %s to a folder with envtest's programs", modulePath, combinedName, assetsEnv)
		}
	}
	p := &Programs{Combined: filepath.Join(build.dir, executable(combinedName)), From: build.dir}
	if build.isCurrent(p.Combined) {
		return p, nil
	}
	if installed := envtest(); installed != nil {
		return installed, nil
	}
	if s.Notice != nil {
		s.Notice("building kube-apiserver, once; this takes minutes")
	}
	return p, build.run(ctx, p.Combined)
}

// install builds kindsmith-apiserver: that of a version, or of a clone.
type install struct{ dir, version, source string }

// isCurrent reports whether a server was built from the source as it is now. That of a version does not change.
func (i *install) isCurrent(path string) bool {
	info, err := os.Stat(path)
	if err != nil || i.source == "" {
		return err == nil
	}
	newest := time.Time{}
	err = filepath.WalkDir(i.source, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file, err := e.Info()
		if err == nil && !e.IsDir() && file.ModTime().After(newest) {
			newest = file.ModTime()
		}
		return err
	})
	return err == nil && info.ModTime().After(newest)
}

// run builds into a folder of its own, because other processes may do the same.
func (i *install) run(ctx context.Context, path string) error {
	if err := os.MkdirAll(i.dir, 0o755); err != nil {
		return err
	}
	partial, err := os.MkdirTemp(i.dir, "partial-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(partial) }()
	const pkg = "/cmd/" + combinedName
	cmd := exec.CommandContext(ctx, "go", "install", "-ldflags=-s -w", modulePath+pkg+"@"+i.version)
	cgo := "CGO_ENABLED=0" // works with any C compiler, or without one
	if i.source != "" {
		cmd = exec.CommandContext(ctx, "go", "install", "-buildvcs=false", "-ldflags=-s -w", "."+pkg)
		cmd.Dir, cgo = i.source, "CGO_ENABLED="+os.Getenv("CGO_ENABLED") // like the tests of the clone, which compile the same packages
	}
	cmd.Env = append(os.Environ(), "GOBIN="+partial, "GOWORK=off", "GOFLAGS=", cgo)
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: %w\n%s\nIf the machine is offline, set %s to a folder with envtest's programs", strings.Join(cmd.Args, " "), err, strings.TrimSpace(string(out)), assetsEnv)
	}
	err = os.Rename(filepath.Join(partial, executable(combinedName)), path)
	if errors.Is(err, fs.ErrExist) && isFile(path) { // of another process
		return nil
	}
	return err
}

// clone returns the source of the server in the clone that this program was built from; "" if there is none.
func clone() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return ""
	}
	dir := filepath.Join(filepath.Dir(file), "..", "..", "..", "..", "apiserver")
	if !isFile(filepath.Join(dir, "go.mod")) {
		return ""
	}
	return dir
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
