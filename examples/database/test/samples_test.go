// Package test tests the generated code with the manifests in config/samples.
package test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/examples/database/internal/offline"
)

const (
	samples = "../config/samples"
	invalid = samples + "/invalid"
)

// mistake is the expected error of a manifest in invalid.
type mistake struct {
	Type   field.ErrorType `json:"type"`
	Path   string          `json:"path"`
	Origin string          `json:"origin,omitempty"`
	// ServerPath is the path that an API server reports, if it differs.
	ServerPath string `json:"serverPath,omitempty"`
}

// expected is invalid/expected.yaml.
type expected struct {
	Create []struct {
		Manifest string    `json:"manifest"`
		Tag      string    `json:"tag"`
		Errors   []mistake `json:"errors"`
	} `json:"create"`
	Update []struct {
		From        string    `json:"from"`
		To          string    `json:"to"`
		Subresource string    `json:"subresource,omitempty"`
		Tag         string    `json:"tag"`
		Errors      []mistake `json:"errors"`
	} `json:"update"`
}

func TestValidSamples(t *testing.T) {
	server := newServer(t)
	files, err := filepath.Glob(samples + "/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("samples: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			obj, err := server.DecodeFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range server.Create(t.Context(), obj) {
				t.Errorf("create: %v", e)
			}
			for _, e := range server.Update(t.Context(), obj, obj, "") {
				t.Errorf("update that changes nothing: %v", e)
			}
		})
	}
}

func TestInvalidCreates(t *testing.T) {
	server := newServer(t)
	for _, c := range readExpected(t).Create {
		t.Run(filepath.Base(c.Manifest), func(t *testing.T) {
			obj, err := server.DecodeFile(invalid, c.Manifest)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, server.Create(t.Context(), obj), c.Errors)
		})
	}
}

func TestInvalidUpdates(t *testing.T) {
	server := newServer(t)
	for _, c := range readExpected(t).Update {
		t.Run(filepath.Base(c.To), func(t *testing.T) {
			old, err := server.DecodeFile(invalid, c.From)
			if err != nil {
				t.Fatal(err)
			}
			obj, err := server.DecodeFile(invalid, c.To)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range server.Create(t.Context(), old) {
				t.Errorf("the old object is not valid: %v", e)
			}
			compare(t, server.Update(t.Context(), obj, old, c.Subresource), c.Errors)
		})
	}
}

// TestExpectedIsComplete checks that expected.yaml lists all invalid manifests.
func TestExpectedIsComplete(t *testing.T) {
	want := readExpected(t)
	named := map[string]bool{}
	for _, c := range want.Create {
		named[c.Manifest] = true
	}
	for _, c := range want.Update {
		named[c.From], named[c.To] = true, true
	}
	for _, dir := range []string{"create", "update"} {
		entries, err := os.ReadDir(filepath.Join(invalid, dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !named[dir+"/"+e.Name()] {
				t.Errorf("expected.yaml does not list %s/%s", dir, e.Name())
			}
		}
	}
}

// TestEveryTagIsTried checks that each tag of the API has a manifest that breaks
// it.
func TestEveryTagIsTried(t *testing.T) {
	// No object can break these tags.
	tried := map[string]bool{"k8s:optional": true, "k8s:supportsSubresource": true}
	want := readExpected(t)
	for _, c := range want.Create {
		tried[c.Tag] = true
	}
	for _, c := range want.Update {
		tried[c.Tag] = true
	}
	sources, err := filepath.Glob("../api/v1/*_types.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("sources: %v, %v", sources, err)
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`\+(k8s:\w+)`).FindAllStringSubmatch(string(text), -1) {
			if tag := match[1]; !tried[tag] {
				t.Errorf("%s has +%s, but no manifest breaks it", filepath.Base(source), tag)
				tried[tag] = true
			}
		}
	}
}

func compare(t *testing.T, got field.ErrorList, want []mistake) {
	t.Helper()
	var found []mistake
	for _, e := range got {
		found = append(found, mistake{Type: e.Type, Path: e.Field, Origin: e.Origin})
	}
	want = slices.Clone(want)
	for i := range want {
		want[i].ServerPath = ""
	}
	order := func(a, b mistake) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Origin, b.Origin))
	}
	slices.SortFunc(found, order)
	slices.SortFunc(want, order)
	if !slices.Equal(found, want) {
		t.Errorf("got  %v\nwant %v\n%v", found, want, got.ToAggregate())
	}
}

func readExpected(t *testing.T) expected {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(invalid, "expected.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var e expected
	if err := yaml.UnmarshalStrict(text, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func newServer(t *testing.T) *offline.Server {
	t.Helper()
	server, err := offline.NewServer()
	if err != nil {
		t.Fatal(err)
	}
	return server
}
