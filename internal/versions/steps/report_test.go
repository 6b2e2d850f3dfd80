package steps_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// TestStore checks where each kind tracks its values, and what is reported.
func TestStore(t *testing.T) {
	loaded := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"./testdata/tracking/..."}}, loaded)
	if err != nil || loaded.HasErrors() {
		t.Fatal(err, loaded.All())
	}
	for _, test := range []struct {
		store, storage string
		want           map[string]jsonconvert.Store
		diagnostics    []string
	}{
		{"", "v1", map[string]jsonconvert.Store{"Ready": "status", "Inner": "annotation", "Bare": "annotation", "Plain": "annotation", "Up": "annotation", "Same": "annotation"}, nil},
		{"status", "v1", nil, []string{
			"versions/tracking-status: Inner", "versions/tracking-status: Bare", "versions/tracking-status: Plain",
			"versions/tracking-storage: API servers ignore the status of each Up that clients create or update, so values that the storage version v1",
		}},
		{"", "v1beta1", map[string]jsonconvert.Store{"Ready": "annotation", "Inner": "annotation", "Bare": "annotation", "Plain": "annotation", "Up": "annotation", "Same": "annotation"}, nil},
		{"annotation", "v1", map[string]jsonconvert.Store{"Ready": "annotation", "Inner": "annotation", "Bare": "annotation", "Plain": "annotation", "Up": "annotation", "Same": "annotation"}, nil},
		{"none", "v1", nil, []string{"versions/lossy: Both and Back convert Up.value", "versions/lossy: Spec.new exists since v1"}},
		{"status", "v1beta1", map[string]jsonconvert.Store{"Ready": "status", "Inner": "status", "Bare": "status", "Plain": "status", "Up": "status", "Same": "status"}, []string{
			"versions/tracking-storage: API servers ignore the status of each Ready that clients create or update, so values that the storage version v1beta1",
			"versions/tracking-status: Inner cannot track values in its status; add +kubebuilder:subresource:status",
			"versions/tracking-status: Bare cannot track values in its status; add to BareStatus: ChangedValues *convert.ChangedValues `json:\"changedValues,omitempty\"`",
			"versions/tracking-status: Plain cannot track values in its status; it has none",
			"versions/tracking-storage: API servers ignore the status of each Up",
		}},
	} {
		for _, p := range m.Packages {
			if len(p.Versions) == 0 {
				continue
			}
			if p.Tracking = nil; test.store != "" {
				p.Tracking = &model.Tracking{Store: test.store, Span: p.Span}
			}
			for _, v := range p.Versions {
				v.Storage = v.Name == test.storage
			}
		}
		bag := &diag.Bag{}
		apis := steps.Build(m)
		steps.Report(m, apis, bag)
		if test.want != nil {
			if diff := cmp.Diff(test.want, stores(apis)); diff != "" {
				t.Errorf("store %q, storage version %s (-want +got):\n%s", test.store, test.storage, diff)
			}
		}
		list := bag.All()
		for i, d := range list {
			if got := d.Code.String() + ": " + d.Message; i >= len(test.diagnostics) || !strings.HasPrefix(got, test.diagnostics[i]) {
				t.Errorf("store %q: %s", test.store, got)
			}
		}
		if len(list) != len(test.diagnostics) {
			t.Errorf("store %q: %d diagnostics, want %d", test.store, len(list), len(test.diagnostics))
		}
	}
}

// stores returns the stores of the kinds.
func stores(apis []*steps.API) map[string]jsonconvert.Store {
	found := map[string]jsonconvert.Store{}
	for _, a := range apis {
		for _, k := range a.Kinds {
			if k.Item == "" {
				found[k.Name] = k.Store
			}
		}
	}
	return found
}

// TestRestores checks what is reported about annotations with stored objects.
func TestRestores(t *testing.T) {
	loaded := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"./testdata/tracking/..."}}, loaded)
	if err != nil || loaded.HasErrors() {
		t.Fatal(err, loaded.All())
	}
	for _, test := range []struct{ store, annotation, version, want string }{
		{"", "cluster.x-k8s.io/conversion-data", "v1", ""},
		{"annotation", "data", "v1beta1", ""},
		{"", "a/b/c", "v1", `"a/b/c" is not the key of an annotation: `},
		{"", "cluster.x-k8s.io/conversion-data", "v7", `package v1 declares no version "v7"; name the version of the objects in the annotation cluster.x-k8s.io/conversion-data`},
		{"none", "cluster.x-k8s.io/conversion-data", "v1", "nothing is restored without a store of tracked values"},
	} {
		for _, p := range m.Packages {
			if len(p.Versions) == 0 {
				continue
			}
			p.Restores = []*model.Restore{{Annotation: test.annotation, Version: test.version, Span: p.Span}}
			if p.Tracking = nil; test.store != "" {
				p.Tracking = &model.Tracking{Store: test.store, Span: p.Span}
			}
		}
		bag := &diag.Bag{}
		steps.Report(m, steps.Build(m), bag)
		got := ""
		for _, d := range bag.All() {
			if d.Code.String() == "versions/restore" {
				got += d.Message
			}
		}
		if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s %s: %q, want %q", test.annotation, test.version, got, test.want)
		}
	}
}
