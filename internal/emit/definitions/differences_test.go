package definitions_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/yaml"
)

// difference is an intended difference from controller-gen's definition. The path's elements are
// separated by "/"; "*" matches any element.
type difference struct {
	path, reason string
}

var differences = []difference{
	{"metadata/annotations/controller-gen.kubebuilder.io~1version", "it names another tool"},
	{"spec/**/pod/properties/metadata/properties", "controller-gen writes a bare object for the metadata of a template, which the server prunes to nothing; its flag generateEmbeddedObjectMeta gives what kindsmith writes"},
	{"spec/**/volumeClaimTemplate/properties/metadata/properties", "the same, inside of a pod"},
	{"spec/**/fives/format", "int32 does not have all values of uint32"},
	{"spec/**/azureDisk/properties/*/default", "controller-gen does not read +default=ref(...)"},
	{"spec/**/evictionResponders/items/properties/name/**", "controller-gen does not know +k8s:format and drops it"},
	{"spec/**/topologySpreadConstraints/items/properties/*/description", "controller-gen takes the borders of tables, which begin with +, for markers and leaves them out"},
}

// TestDifferences runs controller-gen itself on a package that uses all of its
// markers, and compares the definitions.
func TestDifferences(t *testing.T) {
	theirs, errs := controllerGen(t, "./testdata/kubebuilder")
	if errs != "" {
		t.Fatal(errs)
	}
	ours := emitted(t, "./testdata/kubebuilder")
	if len(theirs) != 1 || len(ours) != 1 {
		t.Fatalf("got %d files of kindsmith's and %d of controller-gen's, want 1 of each", len(ours), len(theirs))
	}
	for name, text := range theirs {
		var want, got any
		if err := yaml.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(ours[name], &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		used := make([]bool, len(differences))
		compare(nil, want, got, func(path []string, want, got any) {
			for i, d := range differences {
				if matches(strings.Split(d.path, "/"), path) {
					used[i] = true
					return
				}
			}
			t.Errorf("%s: at %s (-controller-gen +kindsmith):\n%s", name, strings.Join(path, "/"), cmp.Diff(want, got))
		})
		for i, d := range differences {
			if !used[i] {
				t.Errorf("the difference %s is listed, and there is none", d.path)
			}
		}
	}
}

// compare calls report for each path at which two documents differ.
func compare(path []string, want, got any, report func(path []string, want, got any)) {
	below := func(key string, want, got any) {
		compare(append(path[:len(path):len(path)], strings.ReplaceAll(key, "/", "~1")), want, got, report)
	}
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			keys := maps.Clone(w)
			maps.Copy(keys, g)
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				below(key, w[key], g[key])
			}
			return
		}
	case []any:
		if g, ok := got.([]any); ok && len(g) == len(w) {
			for i := range w {
				below(strconv.Itoa(i), w[i], g[i])
			}
			return
		}
	}
	if !cmp.Equal(want, got) {
		report(path, want, got)
	}
}

func matches(pattern, path []string) bool {
	switch {
	case len(pattern) == 0:
		return len(path) == 0
	case pattern[0] == "**":
		for i := range len(path) + 1 {
			if matches(pattern[1:], path[i:]) {
				return true
			}
		}
		return false
	case len(path) == 0:
		return false
	}
	return (pattern[0] == "*" || pattern[0] == path[0]) && matches(pattern[1:], path[1:])
}

// controllerGen returns controller-gen's output for packages, and its errors.
func controllerGen(t *testing.T, pattern string) (files map[string][]byte, errors string) {
	t.Helper()
	var gen genall.Generator = crd.Generator{}
	generators := genall.Generators{&gen}
	run, err := generators.ForRoots(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	out := memory{}
	run.OutputRules = genall.OutputRules{Default: out}
	run.ErrorWriter = &errs
	run.Run()
	for _, p := range run.Roots {
		for _, e := range p.Errors {
			if e.Kind != packages.TypeError {
				fmt.Fprintf(&errs, "%s: %s\n", e.Pos, e.Msg)
			}
		}
	}
	files = map[string][]byte{}
	for name, b := range out {
		files[name] = b.Bytes()
	}
	return files, errs.String()
}

// memory stores a generator's output.
type memory map[string]*bytes.Buffer

func (m memory) Open(_ *loader.Package, name string) (io.WriteCloser, error) {
	m[name] = &bytes.Buffer{}
	return nopCloser{m[name]}, nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
