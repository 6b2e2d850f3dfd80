package requires_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/requires"
)

const goMod = "module example.com/m\n\ngo 1.24.0\n\nrequire (\n"

// TestAdvise has the go.mod files of projects. The folder does not exist, so the go command does not
// answer, and the versions are those of the files.
func TestAdvise(t *testing.T) {
	runtime, machinery, extensions := gofile.Runtime, "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver"
	webhook, storage := "github.com/kindsmith/kindsmith/webhook", "github.com/kindsmith/kindsmith/storage"
	for name, test := range map[string]struct {
		required          string
		imported, lacking []string
		replace           string
		want, replaced    []string
	}{
		"nothing is needed": {required: "k8s.io/apimachinery v0.20.0\nk8s.io/client-go v0.20.0"},
		"deep copies only":  {required: "k8s.io/apimachinery v0.20.0", imported: []string{machinery}},
		"an empty project":  {imported: []string{runtime, machinery}, lacking: []string{runtime, machinery}, want: []string{runtime + "@v0.1.0", machinery}},
		"new enough": {required: "k8s.io/apimachinery v0.34.2\nk8s.io/client-go v0.34.2", imported: []string{runtime, machinery}, lacking: []string{runtime},
			want: []string{runtime + "@v0.1.0"}},
		"nothing is lacking": {required: "k8s.io/apimachinery v0.36.0\nk8s.io/client-go v0.35.0\n" + runtime + " v0.1.0", imported: []string{runtime, machinery}},
		"a library that fits the others": {required: "k8s.io/apimachinery v0.35.1\nk8s.io/client-go v0.35.1", imported: []string{extensions, machinery}, lacking: []string{extensions},
			want: []string{extensions + "@v0.35"}},
		"too old": {
			required: "k8s.io/apimachinery v0.31.2\nk8s.io/client-go v0.31.2\nk8s.io/api v0.31.2 // indirect\nk8s.io/klog/v2 v2.130.1\nk8s.io/utils v0.0.0-20240711033017-18e509b52bc8\nsigs.k8s.io/controller-runtime v0.19.1\nsigs.k8s.io/gateway-api v1.0.0",
			imported: []string{runtime, machinery}, lacking: []string{runtime},
			want: []string{runtime + "@v0.1.0", "k8s.io/api@v0.34", "k8s.io/apimachinery@v0.34", "k8s.io/client-go@v0.34", "sigs.k8s.io/controller-runtime@v0.22"},
		},
		"too old, and without a library": {
			required: "k8s.io/apimachinery v0.29.0", imported: []string{runtime, extensions}, lacking: []string{runtime, extensions},
			want: []string{runtime + "@v0.1.0", extensions + "@v0.34", "k8s.io/apimachinery@v0.34"},
		},
		"modules of kindsmith are upgraded together": {
			required: "k8s.io/apimachinery v0.34.2\n" + webhook + " v0.0.9\n" + storage + " v0.0.8 // indirect\ngithub.com/kindsmith/other v0.0.1",
			imported: []string{runtime, machinery}, lacking: []string{runtime},
			want: []string{runtime + "@v0.1.0", storage + "@v0.1.0", webhook + "@v0.1.0"},
		},
		"modules of kindsmith are of this release, or newer": {
			required: "k8s.io/apimachinery v0.34.2\n" + webhook + " v0.1.0\n" + storage + " v0.2.0",
			imported: []string{runtime, machinery}, lacking: []string{runtime},
			want: []string{runtime + "@v0.1.0"},
		},
		"modules of kindsmith stay if the runtime does": {
			required: "k8s.io/apimachinery v0.34.2\n" + runtime + " v0.0.9\n" + webhook + " v0.0.9",
			imported: []string{runtime, machinery},
		},
		"some are newer": {
			required: "k8s.io/apimachinery v0.33.0\nk8s.io/api v0.35.0\nsigs.k8s.io/controller-runtime v0.20.0", imported: []string{runtime}, lacking: []string{runtime},
			want: []string{runtime + "@v0.1.0", "k8s.io/apimachinery@v0.34", "sigs.k8s.io/controller-runtime@v0.22"},
		},
		"replaced": {
			required: "k8s.io/apimachinery v0.31.2\nk8s.io/client-go v0.31.2", imported: []string{runtime}, lacking: []string{runtime},
			replace:  "replace k8s.io/client-go => k8s.io/client-go v0.31.2\n",
			want:     []string{runtime + "@v0.1.0", "k8s.io/apimachinery@v0.34", "k8s.io/client-go@v0.34"},
			replaced: []string{"k8s.io/client-go"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "m")
			content := goMod + test.required + "\n)\n" + test.replace
			files := source.NewFS(map[string][]byte{filepath.Join(dir, "go.mod"): []byte(content)})
			got := requires.Needs{Dir: filepath.Join(dir, "api", "v1"), Imported: test.imported, Lacking: test.lacking}.Advise(files, "v0.1.0")
			if !slices.Equal(got.Get, test.want) || !slices.Equal(got.Replaced, test.replaced) {
				t.Errorf("got  %q, %q\nwant %q, %q", got.Get, got.Replaced, test.want, test.replaced)
			}
			if line := got.Line(dir); (line == "") != (len(test.want) == 0) {
				t.Errorf("the command is %q", line)
			}
		})
	}
}

func TestLine(t *testing.T) {
	root := filepath.FromSlash("/home/m")
	advice := requires.Advice{Root: root, Get: []string{"a@v1", "b"}}
	for dir, want := range map[string]string{
		"/home/m":     "go get a@v1 b",
		"/home/m/api": "go get a@v1 b",
		"/home":       "go -C m get a@v1 b",
		"/home/other": "go -C ../m get a@v1 b",
	} {
		if got := advice.Line(filepath.FromSlash(dir)); got != want {
			t.Errorf("in %s: %s, want %s", dir, got, want)
		}
	}
}

// TestFloor compares the version in messages with the one that the runtime requires.
func TestFloor(t *testing.T) {
	const path = "../../../runtime/go.mod"
	content, err := source.NewFS(nil).ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse(path, content, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range mod.Require {
		if r.Mod.Path == "k8s.io/apimachinery" && strings.HasPrefix(r.Mod.Version, fmt.Sprintf("v0.%d.", requires.Floor)) {
			return
		}
	}
	t.Errorf("%s does not require apimachinery v0.%d", path, requires.Floor)
}

// TestRuntimeIsTooOld has a project whose runtime does not support the generated files. Without the release of the command,
// the modules of kindsmith are upgraded to the latest.
func TestRuntimeIsTooOld(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"runtime/go.mod":     "module " + gofile.Runtime + "\n\ngo 1.24.0\n",
		"runtime/gen/gen.go": fmt.Sprintf("package gen\n\nconst (\n\tVersion = %d\n)\n", gofile.RuntimeVersion-1),
		"m/go.mod": goMod + gofile.Runtime + " v0.0.9\ngithub.com/kindsmith/kindsmith/webhook v0.0.9\n)\n\nreplace " + gofile.Runtime + " => ../runtime\n\n" +
			"replace github.com/kindsmith/kindsmith/webhook => ../runtime\n",
	} {
		if err := source.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	root := filepath.Join(dir, "m")
	needs := requires.Needs{Dir: root, Imported: []string{gofile.Runtime}}
	for release, want := range map[string]string{
		"":       "go get " + gofile.Runtime + " github.com/kindsmith/kindsmith/webhook",
		"v0.1.0": "go get " + gofile.Runtime + "@v0.1.0 github.com/kindsmith/kindsmith/webhook@v0.1.0",
	} {
		if got := needs.Advise(source.NewFS(nil), release).Line(root); got != want {
			t.Errorf("with the release %q: %s, want %s", release, got, want)
		}
	}
}
