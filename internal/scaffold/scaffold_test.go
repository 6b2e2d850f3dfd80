package scaffold

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/source"
)

// TestMakefiles plans the switch of Makefiles that run controller-gen in several ways.
func TestMakefiles(t *testing.T) {
	for name, test := range map[string]struct {
		makefile string
		want     string // "" for no change
		next     string
	}{
		"a variable": {
			makefile: "all:\n\t$(CONTROLLER_GEN) crd paths=./...\n",
			want:     "all:\n\t$(KINDSMITH) generate crd paths=./...\n",
			next:     "kindsmith generate crd paths=./... --replace",
		},
		"braces, quotes and lines": {
			makefile: "LOCALBIN = bin\nall: controller-gen\n\t\"${CONTROLLER_GEN}\" \\\n\t  crd \\\n\t  paths=\"./...\"\n\techo done\n",
			want:     "LOCALBIN = bin\nall: kindsmith\n\t\"${KINDSMITH}\" \\\n\t  generate crd \\\n\t  paths=\"./...\"\n\techo done\n",
			next:     "make kindsmith\nbin/kindsmith generate crd paths=\"./...\" --replace",
		},
		"go run with a version": {
			makefile: "all:\n\tgo run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.18.0 object paths=./api/...\n",
			want:     "all:\n\tgo run github.com/kindsmith/kindsmith/cmd/kindsmith@latest generate object paths=./api/...\n",
			next:     "kindsmith generate object paths=./api/... --replace",
		},
		"a program on the path, and a version": {
			makefile: "CONTROLLER_TOOLS_VERSION := v0.18.0\nall: ; controller-gen paths=./... rbac:roleName=x\n",
			want:     "KINDSMITH_VERSION := latest\nall: ; kindsmith generate paths=./... rbac:roleName=x\n",
			next:     "kindsmith generate paths=./... rbac:roleName=x --replace",
		},
		"line endings": {
			makefile: "all:\r\n\tcontroller-gen crd\r\n",
			want:     "all:\r\n\tkindsmith generate crd\r\n",
			next:     "kindsmith generate crd --replace",
		},
		"all generators": {
			makefile: "all:\n\tcontroller-gen crd applyconfiguration paths=./...\n",
			want:     "all:\n\tkindsmith generate crd applyconfiguration paths=./...\n",
			next:     "kindsmith generate crd applyconfiguration paths=./... --replace",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files := source.NewFS(map[string][]byte{
				filepath.Join(dir, "go.mod"):   []byte("module example.com/a\n"),
				filepath.Join(dir, "Makefile"): []byte(test.makefile),
			})
			plan, err := New(Request{Dir: dir, Release: "latest", Files: files})
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
