package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"sigs.k8s.io/controller-tools/pkg/applyconfiguration"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/schemapatcher"
	"sigs.k8s.io/controller-tools/pkg/webhook"

	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"kindsmith": main, "controller-gen": controllerGen})
}

// controllerGen is controller-gen, to compare its output.
func controllerGen() {
	reg := &markers.Registry{}
	err := genall.RegisterOptionsMarkers(reg)
	for name, value := range map[string]any{
		"applyconfiguration": applyconfiguration.Generator{}, "schemapatch": schemapatcher.Generator{},
		"crd": crd.Generator{}, "object": deepcopy.Generator{}, "rbac": rbac.Generator{}, "webhook": webhook.Generator{}, "output:dir": genall.OutputToDirectory(""),
	} {
		err = errors.Join(err, reg.Register(markers.Must(markers.MakeDefinition(name, markers.DescribesPackage, value))))
	}
	run, ferr := genall.FromOptions(reg, os.Args[1:])
	if err := errors.Join(err, ferr); err != nil || run.Run() {
		fmt.Fprintln(os.Stderr, "controller-gen failed:", err)
		os.Exit(1)
	}
}

// TestScripts runs the scripts in testdata/script: files in, output out. They need no
// network. A script whose types import Kubernetes packages sets GOWORK to
// $WORK/k8s.work, which resolves these like the repository.
//
// The additional command "exits" runs a command and compares its exit code:
//
//	exits 1 kindsmith lint
//
// "append" adds a line to a file. "age" sets all modification times an hour back,
// because the cache does not record runs with recent changes. "forge" changes the
// number of files in all recorded runs. "crlf" gives all Go, YAML and text files below a
// folder CRLF line endings.
func TestScripts(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := workspacetest.Download(); err != nil {
		t.Fatal(err)
	}
	env := goEnv(t, "GOMODCACHE", "GOCACHE", "GOPATH")
	maps.Copy(env, workspacetest.Offline())
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       goldentest.Updating(),
		RequireUniqueNames:  true,
		RequireExplicitExec: false,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "append": appendTo, "await": await, "age": age, "forge": forge, "crlf": crlf, "spread": spread},
		Setup: func(e *testscript.Env) error {
			for name, value := range env {
				e.Setenv(name, value)
			}
			for name, value := range map[string]string{
				"GOFLAGS": "", "GOTOOLCHAIN": "local", "GOWORK": "off", "NO_COLOR": "", "TERM": "dumb",
				"KINDSMITH_CACHE": filepath.Join(e.WorkDir, ".cache"),
				"EXAMPLE":         filepath.Join(repo, "examples", "database"),
			} {
				e.Setenv(name, value)
			}
			return os.WriteFile(filepath.Join(e.WorkDir, "k8s.work"), []byte(workspacetest.Files("")["go.work"]), 0o644)
		},
	})
}

func goEnv(t *testing.T, names ...string) map[string]string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env", "-json"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var env map[string]string
	if err := json.Unmarshal(out, &env); err != nil {
		t.Fatal(err)
	}
	return env
}

// exits runs a command and fails the script unless it ends with the given code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits <code> <command> [arguments]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// appendTo adds a line to a file: append <file> <line>.
func appendTo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append <file> <line>")
	}
	name := ts.MkAbs(args[0])
	content, err := os.ReadFile(name)
	ts.Check(err)
	ts.Check(os.WriteFile(name, append(content, args[1]+"\n"...), 0o644))
}

// patience is the time that a script waits for another process. It is long, so that tests do not
// fail on slow machines.
const patience = time.Minute

// await waits until a file has a match: await <file> <regular expression>.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await <file> <regular expression>")
	}
	want, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	name := ts.MkAbs(args[0])
	var content []byte
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if content, err = os.ReadFile(name); err == nil && want.Match(content) {
			return
		}
	}
	ts.Fatalf("no match for %s in %s, %v:\n%s", want, args[0], err, content)
}

// age makes all files and folders of the script look an hour old.
func age(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: age")
	}
	when := time.Now().Add(-time.Hour)
	ts.Check(filepath.Walk(ts.Getenv("WORK"), func(path string, _ os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, when, when)
	}))
}

// crlf gives files CRLF line endings: crlf <folder>.
func crlf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: crlf <folder>")
	}
	ts.Check(filepath.Walk(ts.MkAbs(args[0]), func(path string, info os.FileInfo, err error) error {
		if err != nil || !slices.Contains([]string{".go", ".mod", ".yaml", ".txt"}, filepath.Ext(path)) {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		content = bytes.ReplaceAll(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
		return os.WriteFile(path, content, info.Mode())
	}))
}

// spread writes a package into folders: spread <template> <folder>[:<name of the
// package>]... The last folder, user, gets a package that uses the types of the others.
func spread(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: spread <template> <folder>[:<name>]...")
	}
	template := ts.ReadFile(args[0])
	var imports, fields strings.Builder
	for i, arg := range args[1:] {
		dir, name, ok := strings.Cut(arg, ":")
		if !ok {
			name = path.Base(dir)
		}
		ts.Check(os.MkdirAll(ts.MkAbs(dir), 0o755))
		header := fmt.Sprintf("// +groupName=g%d.example.com\npackage %s\n\n", i, name)
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(dir), "types.go"), []byte(header+template), 0o644))
		fmt.Fprintf(&imports, "\tp%d \"example.com/t/%s\"\n", i, dir)
		for _, line := range []string{"listType=set", "A%d []p%d.Item", "listType=map", "listMapKey=name", "B%d []p%d.Named", "immutable", "C%d map[string]p%d.Mode"} {
			if !strings.Contains(line, "%d") {
				fields.WriteString("\t// +k8s:" + line + "\n")
				continue
			}
			fmt.Fprintf(&fields, "\t// +k8s:optional\n\t"+line+" `json:\"%c%d,omitempty\"`\n", i, i, line[0]+'a'-'A', i)
		}
	}
	user := "// +groupName=user.example.com\n// +k8s:validation-gen=*\npackage user\n\nimport (\n\tmeta \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n" + imports.String() + ")\n\n" +
		"// +kubebuilder:object:root=true\ntype User struct {\n\tmeta.TypeMeta `json:\",inline\"`\n\tmeta.ObjectMeta `json:\"metadata,omitempty\"`\n\n" + fields.String() + "}\n"
	ts.Check(os.MkdirAll(ts.MkAbs("user"), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs("user/user.go"), []byte(user), 0o644))
}

var filesOfRun = regexp.MustCompile(`"files":\d+\}`)

// forge changes the outcome of all recorded runs: forge <files>.
func forge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: forge <files>")
	}
	runs, err := filepath.Glob(filepath.Join(ts.Getenv("KINDSMITH_CACHE"), "*"))
	ts.Check(err)
	if len(runs) == 0 {
		ts.Fatalf("no run is recorded")
	}
	for _, name := range runs {
		content, err := os.ReadFile(name)
		ts.Check(err)
		forged := filesOfRun.ReplaceAll(content, []byte(`"files":`+args[0]+"}"))
		ts.Check(os.WriteFile(name, forged, 0o644))
	}
}
