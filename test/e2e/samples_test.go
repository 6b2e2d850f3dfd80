package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const samples = example + "/config/samples"

func read(t *testing.T, name string) *unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	obj := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, &obj.Object); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return obj
}

func valid(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(samples, "*.yaml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples in %s: %v", samples, err)
	}
	for i, n := range names {
		names[i] = filepath.Base(n)
	}
	return names
}

// resourceOf returns the name of a kind's resource in one version, for kubectl.
func resourceOf(obj *unstructured.Unstructured) string {
	gvk := obj.GroupVersionKind()
	return plurals[gvk.Kind].name + "." + gvk.Version + "." + gvk.Group
}

func namespaceOf(obj *unstructured.Unstructured) string {
	if ns := obj.GetNamespace(); ns != "" {
		return ns
	}
	return "default"
}

func TestValidManifests(t *testing.T) {
	versions := map[string]bool{}
	for _, name := range valid(t) {
		t.Run(name, func(t *testing.T) {
			sent := read(t, name)
			versions[sent.GroupVersionKind().Kind+"/"+sent.GroupVersionKind().Version] = true
			path := filepath.Join(samples, name)
			if out, err := shared.kubectl("create", "-f", path); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Cleanup(func() {
				if _, err := shared.kubectl("delete", "-f", path, "--wait=true"); err != nil {
					t.Error(err)
				}
			})
			out, err := shared.kubectl("get", resourceOf(sent), sent.GetName(), "-n", namespaceOf(sent), "-o", "yaml")
			if err != nil {
				t.Fatal(err)
			}
			got := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(withoutWarnings(out)), &got.Object); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got.GetAPIVersion() != sent.GetAPIVersion() {
				t.Errorf("read back as %s, written as %s", got.GetAPIVersion(), sent.GetAPIVersion())
			}
			for _, lost := range missing("spec", sent.Object["spec"], got.Object["spec"]) {
				t.Error(lost)
			}
		})
	}
	for kind := range plurals {
		for _, version := range []string{"v1alpha1", "v1beta1", "v1"} {
			if !versions[kind+"/"+version] {
				t.Errorf("no sample of %s in %s", kind, version)
			}
		}
	}
}

// withoutWarnings removes kubectl's warnings about deprecated versions.
func withoutWarnings(out string) string {
	var kept []string
	for line := range strings.SplitSeq(out, "\n") {
		if !strings.HasPrefix(line, "Warning:") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// missing returns the values that were sent but not read back. Defaults may have been
// added.
func missing(path string, sent, got any) []string {
	switch sent := sent.(type) {
	case map[string]any:
		other, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: sent %v, got %v", path, sent, got)}
		}
		var out []string
		for key, value := range sent {
			out = append(out, missing(path+"."+key, value, other[key])...)
		}
		return out
	case []any:
		other, ok := got.([]any)
		if !ok || len(other) != len(sent) {
			return []string{fmt.Sprintf("%s: sent %v, got %v", path, sent, got)}
		}
		var out []string
		for i := range sent {
			out = append(out, missing(fmt.Sprintf("%s[%d]", path, i), sent[i], other[i])...)
		}
		return out
	default:
		if diff := cmp.Diff(sent, got); diff != "" {
			return []string{fmt.Sprintf("%s: (-sent +got):\n%s", path, diff)}
		}
		return nil
	}
}

// An object that is written in an old version, updated in the newest, and read in the
// old version, is unchanged.
func TestRewritingInTheNewestVersionLosesNothing(t *testing.T) {
	tested := 0
	for _, name := range valid(t) {
		sent := read(t, name)
		if sent.GroupVersionKind().Version == "v1" {
			continue
		}
		tested++
		t.Run(name, func(t *testing.T) {
			if status, answer := shared.send(t, http.MethodPost, sent, ""); status != http.StatusCreated {
				t.Fatalf("create: %d %v", status, answer["message"])
			}
			t.Cleanup(func() { shared.send(t, http.MethodDelete, sent, sent.GetName()) })
			before := get(t, sent, sent.GroupVersionKind().Version)

			newest := get(t, sent, "v1")
			newest.SetAnnotations(map[string]string{"touched": "yes"})
			if status, answer := shared.send(t, http.MethodPut, newest, sent.GetName()); status != http.StatusOK {
				t.Fatalf("rewrite as v1: %d %v", status, answer["message"])
			}

			after := get(t, sent, sent.GroupVersionKind().Version)
			if after.GetAnnotations()["touched"] != "yes" {
				t.Error("the update was not stored")
			}
			for _, part := range []string{"spec", "status"} {
				if diff := cmp.Diff(before.Object[part], after.Object[part]); diff != "" {
					t.Errorf("%s changed (-before +after):\n%s", part, diff)
				}
			}
		})
	}
	if tested == 0 {
		t.Error("no samples in older versions")
	}
}

func get(t *testing.T, obj *unstructured.Unstructured, version string) *unstructured.Unstructured {
	t.Helper()
	in := obj.DeepCopy()
	in.SetAPIVersion(group + "/" + version)
	status, answer := shared.send(t, http.MethodGet, in, obj.GetName())
	if status != http.StatusOK {
		t.Fatalf("get as %s: %d %v", version, status, answer["message"])
	}
	return &unstructured.Unstructured{Object: answer}
}
