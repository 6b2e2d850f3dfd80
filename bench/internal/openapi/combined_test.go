package openapi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/openapi"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// inAll are the differences in types of API machinery that no API refers to.
var inAll = []expectation{{
	"openapi-gen gives a field with an interface that has methods no type",
	regexp.MustCompile(`\.InternalEvent/Schema/properties/Object/type$`),
	func(ours, theirs any) bool { return ours == "object" && theirs == nil },
}}

// TestCombined compares the package with all definitions with that of openapi-gen, as gen_openapi of
// k8s.io/code-generator's scripts runs it.
func TestCombined(t *testing.T) {
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
	apis := []string{"k8s.io/api/autoscaling/v1", "k8s.io/api/coordination/v1", "k8s.io/api/scheduling/v1"}
	run(t, slices.Concat([]string{
		"run", "k8s.io/kube-openapi/cmd/openapi-gen", "--output-dir", temp, "--output-pkg", module + "theirs", "--output-file", "theirs.go",
		"--go-header-file", write("header", ""), "--report-filename", filepath.Join(temp, "report"),
	}, apis, openapi.Machinery(), []string{"k8s.io/apimachinery/pkg/api/resource"})...)

	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: apis, Complete: openapi.Machinery()}, bag)
	if err != nil {
		t.Fatal(err)
	}
	var ours []byte
	err = openapi.Emitter().RunEmit(emit.Context{
		Model: m, Tags: driver.Tags(), Rules: tag.Programs(m, driver.Tags()), Diags: bag,
		Options: emit.Options{OpenAPI: &emit.GoPackage{Path: module + "ours0", Name: "ours0"}},
	}, nil, func(_ *emit.Context, f emit.File) {
		if f.Folder == emit.InOpenAPI {
			ours = f.Content
		}
	})
	if err != nil || ours == nil {
		t.Fatal(err, bag.All())
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(here, "theirs", "theirs.go"): filepath.Join(temp, "theirs.go"),
		filepath.Join(here, "ours0", "ours.go"):    write("ours.go", string(ours)),
		filepath.Join(here, "print", "main.go"):    write("main.go", printer(module+"theirs", module+"ours0")),
	}})
	if err != nil {
		t.Fatal(err)
	}
	var both [2]map[string]any
	if err := json.Unmarshal(run(t, "run", "-overlay", write("overlay.json", string(text)), module+"print"), &both); err != nil {
		t.Fatal(err)
	}
	if len(both[1]) < 80 {
		t.Errorf("openapi-gen has %d definitions", len(both[1]))
	}
	for name, theirs := range both[1] {
		our, ok := both[0][name]
		if !ok {
			t.Errorf("%s is missing", name)
			continue
		}
		differ(name, our, theirs, func(path string, a, b any) {
			if !slices.ContainsFunc(append(inAll, expected...), func(e expectation) bool { return e.path.MatchString(path) && e.holds(a, b) }) {
				t.Errorf("%s\n ours   %q\n theirs %q", path, a, b)
			}
		})
	}
	t.Logf("%d definitions, of which openapi-gen has %d", len(both[0]), len(both[1]))
}
