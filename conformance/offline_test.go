package conformance_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
)

var offline = flag.Bool("offline", false, "run TestOffline, which needs node")

// TestOffline compares the evaluator as WebAssembly, which pages of `kindsmith docs --try` have, with the native one: each case has one
// verdict. Without the build tag cel, rules in CEL do not run there. Their verdict has their names, and is never less than that.
func TestOffline(t *testing.T) {
	if !*offline {
		t.Skip("it builds WebAssembly and needs node; make browser runs it with -offline")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	type request struct {
		Type        eval.TypeName   `json:"type"`
		Object      map[string]any  `json:"object"`
		Old         map[string]any  `json:"old,omitempty"`
		Options     map[string]bool `json:"options,omitempty"`
		Subresource string          `json:"subresource,omitempty"`
	}
	var requests []request
	var names []eval.TypeName
	var cases []string
	for _, c := range load(t).cases {
		if !c.ok() {
			continue
		}
		for _, name := range c.judged {
			names = append(names, eval.TypeName{Package: c.pkg(), Name: name})
		}
		for _, o := range c.Objects {
			cases = append(cases, c.Name+"/"+o.Name)
			requests = append(requests, request{eval.TypeName{Package: c.pkg(), Name: o.Type}, o.Object, o.Old, o.Options, o.Subresource})
		}
	}
	dir := t.TempDir()
	var saved bytes.Buffer
	if err := evaluator(t).Save(&saved, names...); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"programs.json": saved.Bytes(), "requests.json": text} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	type result struct{ Errors, NotRun []string }
	run := func(env []string, tags, exe string, before ...string) (results []result) {
		flags := ""
		if env != nil {
			flags = "all=-l" // as package program, whose compiled packages this uses
		}
		path := filepath.Join(dir, exe)
		build := exec.Command("go", "build", "-tags="+tags, "-gcflags="+flags, "-o", path, "./conformance/offline")
		build.Dir, build.Env = workspacetest.Root(), append(os.Environ(), append(env, "GOWORK=", "GOFLAGS=")...)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		args := slices.Concat(before, []string{path, filepath.Join(dir, "programs.json"), filepath.Join(dir, "requests.json")})
		cmd := exec.Command(args[0], args[1:]...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		if err := json.Unmarshal(out, &results); err != nil {
			t.Fatal(err)
		}
		return results
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	browser := []string{"GOOS=js", "GOARCH=wasm"}
	native, wasm, withCEL := run(nil, "", "native"), run(browser, "", "offline.wasm", node, script), run(browser, "cel", "cel.wasm", node, script)
	if len(native) != len(cases) || len(wasm) != len(cases) || len(withCEL) != len(cases) {
		t.Fatalf("%d cases, %d, %d and %d verdicts", len(cases), len(native), len(wasm), len(withCEL))
	}
	for i, name := range cases {
		if diff := cmp.Diff(native[i], withCEL[i]); diff != "" {
			t.Errorf("%s (-native +wasm with CEL):\n%s", name, diff)
		}
	}
	same, open := 0, 0
	for i, name := range cases {
		if slices.Equal(native[i].NotRun, wasm[i].NotRun) {
			same++
			if diff := cmp.Diff(native[i].Errors, wasm[i].Errors); diff != "" {
				t.Errorf("%s (-native +wasm):\n%s", name, diff)
			}
			continue
		}
		open++
		if len(wasm[i].NotRun) == 0 {
			t.Errorf("%s: nothing is named that does not run, which is natively %q", name, native[i].NotRun)
		}
		for _, e := range wasm[i].Errors {
			if !slices.Contains(native[i].Errors, e) {
				t.Errorf("%s: only WebAssembly reports %s", name, e)
			}
		}
	}
	t.Logf("%d cases have one verdict; in %d others, rules in CEL are named", same, open)
	if same < 10*open {
		t.Errorf("only %d verdicts are the same, and %d are open", same, open)
	}
}
