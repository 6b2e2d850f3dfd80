package scaffold

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// TestMakefiles plans the switch of Makefiles that run controller-gen in several ways.
func TestMakefiles(t *testing.T) {
	const target = "\n.PHONY: check-generated\ncheck-generated:"
	const help = " ## Check that generated files are up to date.\n"
	for name, test := range map[string]struct {
		makefile string
		want     string // "" for no change
		next     string
	}{
		"a variable": {
			makefile: "all:\n\t$(CONTROLLER_GEN) crd paths=./...\n",
			want:     "all:\n\t$(KINDSMITH) generate crd paths=./...\n" + target + help + "\t\"$(KINDSMITH)\" generate crd paths=./... --check\n",
			next:     "kindsmith generate crd paths=./... --replace",
		},
		"braces, quotes and lines": {
			makefile: "LOCALBIN = bin\nall: controller-gen\n\t\"${CONTROLLER_GEN}\" \\\n\t  crd \\\n\t  paths=\"./...\"\n\techo done\n",
			want:     "LOCALBIN = bin\nall: kindsmith\n\t\"${KINDSMITH}\" \\\n\t  generate crd \\\n\t  paths=\"./...\"\n\techo done\n" + target + help + "\t\"$(KINDSMITH)\" generate crd paths=\"./...\" --check\n",
			next:     "make kindsmith\nbin/kindsmith generate crd paths=\"./...\" --replace",
		},
		"go run with a version": {
			makefile: "all:\n\tgo run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.18.0 object paths=./api/...\n",
			want:     "all:\n\tgo run github.com/kindsmith/kindsmith/cmd/kindsmith@v0.1.0 generate object paths=./api/...\n" + target + help + "\tgo run github.com/kindsmith/kindsmith/cmd/kindsmith@v0.1.0 generate object paths=./api/... --check\n",
			next:     "go run github.com/kindsmith/kindsmith/cmd/kindsmith@v0.1.0 generate object paths=./api/... --replace",
		},
		"a program on the path, and a version": {
			makefile: "CONTROLLER_TOOLS_VERSION := v0.18.0\nall: ; controller-gen paths=./... rbac:roleName=x\n",
			want:     "KINDSMITH_VERSION := v0.1.0\nall: ; kindsmith generate paths=./... rbac:roleName=x\n" + target + help + "\tkindsmith generate paths=./... rbac:roleName=x --check\n",
			next:     "kindsmith generate paths=./... rbac:roleName=x --replace",
		},
		"line endings": {
			makefile: "all:\r\n\tcontroller-gen crd\r\n",
			want:     strings.ReplaceAll("all:\n\tkindsmith generate crd\n"+target+help+"\tkindsmith generate crd --check\n", "\n", "\r\n"),
			next:     "kindsmith generate crd --replace",
		},
		"all generators": {
			makefile: "all:\n\tcontroller-gen crd applyconfiguration paths=./...\n",
			want:     "all:\n\tkindsmith generate crd applyconfiguration paths=./...\n" + target + help + "\tkindsmith generate crd applyconfiguration paths=./... --check\n",
			next:     "kindsmith generate crd applyconfiguration paths=./... --replace",
		},
		"a target that installs the tool": {
			makefile: "all: controller-gen\n\t$(CONTROLLER_GEN) crd\ncontroller-gen:\n",
			want:     "all: kindsmith\n\t$(KINDSMITH) generate crd\nkindsmith:\n" + target + " kindsmith" + help + "\t\"$(KINDSMITH)\" generate crd --check\n",
			next:     "kindsmith generate crd --replace",
		},
		"variables of the Makefile": {
			makefile: "YEAR ?= $(shell date +%Y)\nDIR = $(BASE)/api\nBASE := .\nall:\n\tcontroller-gen object:year=$(YEAR) paths=${DIR}/... output:dir=$(OUT)\n",
			want:     "YEAR ?= $(shell date +%Y)\nDIR = $(BASE)/api\nBASE := .\nall:\n\tkindsmith generate object:year=$(YEAR) paths=${DIR}/... output:dir=$(OUT)\n" + target + help + "\tkindsmith generate object:year=$(YEAR) paths=${DIR}/... output:dir=$(OUT) --check\n",
			next:     "kindsmith generate object:year=$(date +%Y) paths=./api/... output:dir=$(OUT) --replace",
		},
		"other commands of the line": {
			makefile: "all:\n\tcontroller-gen crd paths={./a;./b} && echo done\n\tcontroller-gen object > log; cat log\n",
			want:     "all:\n\tkindsmith generate crd paths={./a;./b} && echo done\n\tkindsmith generate object > log; cat log\n" + target + help + "\tkindsmith generate crd paths={./a;./b} --check\n\tkindsmith generate object --check\n",
			next:     "kindsmith generate crd paths={./a;./b} --replace\nkindsmith generate object --replace",
		},
		"go tool": {
			makefile: "all:\n\tgo tool -modfile=hack/go.mod controller-gen crd\n\tgo tool -modfile=hack/go.mod controller-gen object\n",
			want:     "all:\n\tgo tool -modfile=hack/go.mod kindsmith generate crd\n\tgo tool -modfile=hack/go.mod kindsmith generate object\n" + target + help + "\tgo tool -modfile=hack/go.mod kindsmith generate crd --check\n\tgo tool -modfile=hack/go.mod kindsmith generate object --check\n",
			next:     "go get -tool -modfile=hack/go.mod github.com/kindsmith/kindsmith/cmd/kindsmith@v0.1.0\ngo tool -modfile=hack/go.mod kindsmith generate crd --replace\ngo tool -modfile=hack/go.mod kindsmith generate object --replace",
		},
		"a check of the project": {
			makefile: "all:\n\tcontroller-gen crd\ncheck-generated:\n\t./hack/check\n",
			want:     "all:\n\tkindsmith generate crd\ncheck-generated:\n\t./hack/check\n",
			next:     "kindsmith generate crd --replace",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files := source.NewFS(map[string][]byte{
				filepath.Join(dir, "go.mod"):   []byte("module example.com/a\n"),
				filepath.Join(dir, "Makefile"): []byte(test.makefile),
			})
			plan, err := New(Request{Dir: dir, Release: "v0.1.0", Files: files})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(plan.Edits) > 0 {
				got = string(plan.Edits[0].Content)
			}
			if got != test.want || strings.Join(plan.Next, "\n") != test.next {
				t.Errorf("got %q\nwant %q\nnext %q", got, test.want, plan.Next)
			}
		})
	}
}

// TestNoRelease checks that no project gets a version that is not a release, and that none is asked for
// where nothing of it is written.
func TestNoRelease(t *testing.T) {
	tool := "tool " + Tool + "\n"
	for name, test := range map[string]struct {
		files   map[string]string
		release string
		want    string // of the error
	}{
		"a new module for tools":       {map[string]string{}, "", "--release v0.1.0"},
		"a module for tools":           {map[string]string{"tools/go.mod": "module example.com/a/tools\n"}, "", "--release v0.1.0"},
		"a module that has the tool":   {map[string]string{"tools/go.mod": "module example.com/a/tools\n" + tool}, "", ""},
		"the project has the tool":     {map[string]string{"go.mod": "module example.com/a\n" + tool}, "", ""},
		"a version in the Makefile":    {map[string]string{"Makefile": "CONTROLLER_TOOLS_VERSION = v1\nall:\n\tcontroller-gen crd\n"}, "", "--release v0.1.0"},
		"go run in the Makefile":       {map[string]string{"Makefile": "all:\n\tgo run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.18.0 crd\n"}, "", "--release v0.1.0"},
		"go tool in the Makefile":      {map[string]string{"Makefile": "all:\n\tgo tool controller-gen crd\n"}, "", "--release v0.1.0"},
		"no version in the Makefile":   {map[string]string{"Makefile": "all:\n\tcontroller-gen crd\n"}, "", ""},
		"latest is not a version":      {map[string]string{}, "latest", "--release latest is not a version such as v0.1.0"},
		"v0.1 is not a version":        {map[string]string{}, "v0.1", "--release v0.1 is not a version such as v0.1.0"},
		"a version with build details": {map[string]string{}, "v0.1.0+dirty", "--release v0.1.0+dirty is not a version such as v0.1.0"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string][]byte{filepath.Join(dir, "go.mod"): []byte("module example.com/a\n")}
			for name, text := range test.files {
				files[filepath.Join(dir, filepath.FromSlash(name))] = []byte(text)
			}
			_, err := New(Request{Dir: dir, Release: test.release, Files: source.NewFS(files)})
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}
