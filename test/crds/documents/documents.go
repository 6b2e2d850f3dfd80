// Package documents compares definitions as values.
package documents

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// Parse reads a manifest. It removes controller-gen's annotation, and sorts the versions of a definition:
// controller-gen writes them in alphabetical order, kindsmith in that of Kubernetes.
func Parse(text []byte) (any, error) {
	var object map[string]any
	if err := yaml.Unmarshal(text, &object); err != nil {
		return nil, err
	}
	metadata, _ := object["metadata"].(map[string]any)
	if annotations, ok := metadata["annotations"].(map[string]any); ok {
		delete(annotations, "controller-gen.kubebuilder.io/version")
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	spec, _ := object["spec"].(map[string]any)
	if list, ok := spec["versions"].([]any); ok {
		versions := map[string]any{}
		for _, v := range list {
			if v, ok := v.(map[string]any); ok {
				versions[fmt.Sprint(v["name"])] = v
			}
		}
		spec["versions"] = versions
	}
	return object, nil
}

// Difference is a difference of two documents; a missing value is nil.
type Difference struct {
	Path         []string
	Theirs, Ours any
}

// Compare returns the differences of two documents. Keys have "~1" instead of "/".
func Compare(theirs, ours any) []Difference { return compare(nil, theirs, ours) }

func compare(path []string, theirs, ours any) []Difference {
	var found []Difference
	below := func(key string, theirs, ours any) {
		found = append(found, compare(append(slices.Clip(path), strings.ReplaceAll(key, "/", "~1")), theirs, ours)...)
	}
	switch x := theirs.(type) {
	case map[string]any:
		if y, ok := ours.(map[string]any); ok {
			keys := maps.Clone(x)
			maps.Copy(keys, y)
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				below(key, x[key], y[key])
			}
			return found
		}
	case []any:
		if y, ok := ours.([]any); ok && len(x) == len(y) {
			for i := range x {
				below(fmt.Sprint(i), x[i], y[i])
			}
			return found
		}
	}
	if !cmp.Equal(theirs, ours) {
		return []Difference{{path, theirs, ours}}
	}
	return nil
}
