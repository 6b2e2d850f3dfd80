package layout

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// buildFlags are settings with which the go command compiles all packages once more, Kubernetes too.
var buildFlags = []string{`"CGO_ENABLED=0"`, `"-trimpath`, `"-gcflags`, `"-race"`}

// setsBuildFlags are the files of the repository that have them, with the reason.
var setsBuildFlags = map[string]string{
	"hack/platforms/main.go":                       "other systems",
	"internal/testing/typecheck/typecheck_test.go": "other systems",
	"internal/objects/tryit/program/program.go":    "WebAssembly",
	"internal/core/goprogram/goprogram.go":         "WebAssembly",
	"internal/front/load/exported.go":              "it switches off what a user has set",
	"internal/tool/dev/apiserver/find.go":          "servers of users, outside a clone",
	"runtime/gen/validate/alloc_test.go":           "it asks how the test was built",
	"runtime/gen/equality/alloc_test.go":           "it asks how the test was built",
	"bench/internal/suite/tests.go":                "it asks how the test was built",
	"conformance/offline_test.go":                  "the flags of a page's program",
}

// TestBuildFlags finds programs and tests that compile Kubernetes once more.
func TestBuildFlags(t *testing.T) {
	const repo = "../../.."
	cmd := exec.Command("git", "ls-files", "*.go", ":!internal/testing/layout")
	cmd.Dir = repo
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, name := range strings.Fields(string(out)) {
		text, err := os.ReadFile(filepath.Join(repo, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, flag := range buildFlags {
			if !bytes.Contains(text, []byte(flag)) {
				continue
			}
			if used[name] = true; setsBuildFlags[name] == "" {
				t.Errorf("%s sets %s, with which all packages compile again; leave it out, or list the file with the reason", name, strings.Trim(flag, `"`))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(setsBuildFlags)) {
		if !used[name] {
			t.Errorf("%s sets no such flags; remove it from the list", name)
		}
	}
}
