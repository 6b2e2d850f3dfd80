// Package openapi compares the OpenAPI definitions of kindsmith with those of openapi-gen.
package openapi

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/emit/openapi"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

// packages are the packages whose definitions are compared.
var packages = []string{
	"k8s.io/api/admissionregistration/v1", "k8s.io/api/apps/v1", "k8s.io/api/autoscaling/v2", "k8s.io/api/batch/v1", "k8s.io/api/core/v1",
	"k8s.io/api/flowcontrol/v1", "k8s.io/api/networking/v1", "k8s.io/api/resource/v1", "k8s.io/api/scheduling/v1alpha3",
}

// dependencies are the packages that they refer to.
var dependencies = []string{
	"k8s.io/apimachinery/pkg/api/resource", "k8s.io/apimachinery/pkg/apis/meta/v1", "k8s.io/apimachinery/pkg/runtime", "k8s.io/apimachinery/pkg/util/intstr",
}

// expected are the differences, with their reasons. Path is matched against definition/Schema/…;
// one of the values is nil if only one tool writes a value.
var expected = []expectation{
	{
		"openapi-gen does not read validation tags",
		regexp.MustCompile(`/(minLength|maxLength|minItems|maxItems|minProperties|maxProperties|minimum|maximum|pattern|format|x-kubernetes-list-type|x-kubernetes-list-map-keys)$`),
		func(_, theirs any) bool { return theirs == nil },
	},
	{
		"openapi-gen reads +enum, not +k8s:enum: the values",
		regexp.MustCompile(`/enum$`),
		func(_, theirs any) bool { return theirs == nil },
	},
	{
		"openapi-gen reads +enum, not +k8s:enum: the description",
		regexp.MustCompile(`/description$`),
		func(ours, theirs any) bool {
			text, _, found := strings.Cut(fmt.Sprint(ours), "\n\nPossible enum values:")
			return found && text == theirs || ours == "Possible enum values:"
		},
	},
	{
		"openapi-gen leaves several blank lines where it leaves out lines with markers",
		regexp.MustCompile(`/description$`),
		func(ours, theirs any) bool { return blank.ReplaceAllString(fmt.Sprint(theirs), "\n\n") == ours },
	},
	{
		"openapi-gen publishes the markers in the comments of constants",
		regexp.MustCompile(`/description$`),
		func(ours, theirs any) bool { return markers.ReplaceAllString(fmt.Sprint(theirs), "") == ours },
	},
}

type expectation struct {
	reason string
	path   *regexp.Regexp
	holds  func(ours, theirs any) bool
}

var (
	blank   = regexp.MustCompile(`\n{3,}`)
	markers = regexp.MustCompile(`(?m) \+\w.*$`)
)

const module = "github.com/kindsmith/kindsmith/bench/internal/openapi/"

func TestEqual(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the definitions of large packages")
	}
	temp := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, content string) string {
		path := filepath.Join(temp, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	args := []string{
		"run", "k8s.io/kube-openapi/cmd/openapi-gen", "--output-dir", temp, "--output-pkg", module + "theirs", "--output-file", "theirs.go",
		"--go-header-file", write("header", ""), "--report-filename", filepath.Join(temp, "report"),
	}
	run(t, append(append(args, packages...), dependencies...)...)
	overlay := map[string]string{filepath.Join(here, "theirs", "theirs.go"): filepath.Join(temp, "theirs.go")}

	m, bag := emittest.Model(t, packages...)
	var ours []string
	for i, path := range packages {
		files := emittest.Package(t, openapi.Emitter(), m, m.Package(path), bag)
		if len(files) == 0 {
			t.Fatalf("%s has no definitions", path)
		}
		name := fmt.Sprintf("ours%d", i)
		// The file is of the package itself, which cannot be changed in the module cache.
		content := regexp.MustCompile(`(?m)^package .*$`).ReplaceAllString(string(files[0].Content), "package "+name)
		overlay[filepath.Join(here, name, "ours.go")] = write(name+".go", content)
		ours = append(ours, module+name)
	}
	for _, d := range bag.All() {
		t.Logf("%s: %s [%s]", d.Span, d.Message, d.Code)
	}
	overlay[filepath.Join(here, "print", "main.go")] = write("main.go", printer(module+"theirs", ours...))
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, run(t, "run", "-overlay", write("overlay.json", string(text)), module+"print"), expected)
}

// printer returns the program that prints the definitions of packages, ours and theirs, as two JSON objects.
func printer(theirs string, ours ...string) string {
	imports, calls := "", ""
	for i, path := range ours {
		imports += fmt.Sprintf("ours%d %q\n", i, path)
		calls += fmt.Sprintf("maps.Copy(ours, ours%d.GetOpenAPIDefinitions(ref))\n", i)
	}
	return fmt.Sprintf(`package main

import (
	"encoding/json"
	"maps"
	"os"

	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	theirs %q
	%s
)

func main() {
	ref := func(name string) spec.Ref { return spec.MustCreateRef("#/" + name) }
	ours := map[string]common.OpenAPIDefinition{}
	%s
	if err := json.NewEncoder(os.Stdout).Encode([]any{ours, theirs.GetOpenAPIDefinitions(ref)}); err != nil {
		panic(err)
	}
}
`, theirs, imports, calls)
}

// compare reports the differences between printed definitions that are not expected, and
// expectations that are not met.
func compare(t *testing.T, printed []byte, expected []expectation) {
	t.Helper()
	var both [2]map[string]any
	if err := json.Unmarshal(printed, &both); err != nil {
		t.Fatal(err)
	}
	ours, theirs := both[0], both[1]
	counts := make([]int, len(expected))
	defined := 0
	for name, their := range theirs {
		our, ok := ours[name]
		if !ok {
			if !strings.HasPrefix(name, "io.k8s.apimachinery.") { // nothing refers to it
				t.Errorf("%s is missing", name)
			}
			continue
		}
		defined++
		differ(name, our, their, func(path string, a, b any) {
			i := slices.IndexFunc(expected, func(e expectation) bool { return e.path.MatchString(path) && e.holds(a, b) })
			if i < 0 {
				t.Errorf("%s\n ours   %q\n theirs %q", path, a, b)
				return
			}
			counts[i]++
		})
	}
	for name := range ours {
		if theirs[name] == nil {
			t.Errorf("openapi-gen does not define %s", name)
		}
	}
	t.Logf("%d definitions", defined)
	for i, e := range expected {
		t.Logf("%d: %s", counts[i], e.reason)
		if counts[i] == 0 {
			t.Errorf("no difference: %s", e.reason)
		}
	}
}

// differ calls report for the values in which two JSON values differ.
func differ(path string, a, b any, report func(path string, a, b any)) {
	ma, isMap := a.(map[string]any)
	mb, bothMaps := b.(map[string]any)
	if !isMap || !bothMaps {
		if !reflect.DeepEqual(a, b) {
			report(path, a, b)
		}
		return
	}
	for k := range ma {
		differ(path+"/"+k, ma[k], mb[k], report)
	}
	for k := range mb {
		if _, ok := ma[k]; !ok {
			report(path+"/"+k, nil, mb[k])
		}
	}
}

// run runs the go command and returns its output.
func run(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%.4000s", strings.Join(args, " "), err, stderr.String())
	}
	return out
}
