package inspect

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
)

// Who knows a step.
const (
	Client = "client"
	Rules  = "rules"
	Server = "server"
)

// titles are the titles of the steps of the rules.
var titles = map[string]string{gotypes.Defaulted: "Defaults set", gotypes.Normalized: "Unions normalised"}

// steps returns the steps of an object before it is validated, and the conversion for storage. The lock is held.
func (a *API) steps(kind schema.GroupVersionKind, sent map[string]any, trace []gotypes.Step, unknown []string) []Step {
	list := []Step{step("As sent", Client, sent)}
	known, _ := without(sent, unknown).(map[string]any)
	if len(unknown) > 0 {
		list = append(list, step("Unknown fields dropped", Rules, known))
		list[1].Note = "The API server refuses them instead if the request asks for strict validation, as kubectl does."
	}
	if nonNull, _ := withoutNulls(known).(map[string]any); !equal(nonNull, known) {
		list = append(list, step("Nulls dropped", Rules, nonNull))
	}
	last := known
	for _, t := range trace {
		last, _ = without(t.Object, unknown).(map[string]any)
		list = append(list, step(titles[t.Name], Rules, last))
		list[len(list)-1].after = t.Name != gotypes.Defaulted
	}
	if k := a.Of(kind); k != nil && k.Stored() != "" && k.Stored() != kind.Version {
		list = append(list, a.converted(kind, k.Stored(), last))
	}
	return list
}

// converted is the step to the version for storage. The lock is held.
func (a *API) converted(kind schema.GroupVersionKind, to string, object map[string]any) Step {
	s := Step{Title: "Converted to " + to, From: Rules, after: true}
	text, err := json.Marshal(object)
	if err != nil {
		s.Note = err.Error()
		return s
	}
	out, needs, err := a.converter.Object(text, kind, to)
	if err == nil {
		err = needs
	}
	if err != nil {
		s.Note = "Not known here: " + err.Error()
		return s
	}
	if err := utiljson.Unmarshal(out, &s.value); err == nil {
		s.Text = YAML(written(s.value))
	}
	return s
}

// Convert returns an object in another version; nil if only Go code converts it.
func (a *API) Convert(object map[string]any, to string) map[string]any {
	kind := schema.FromAPIVersionAndKind(text(object["apiVersion"]), text(object["kind"]))
	if kind.Version == to {
		return object
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.converted(kind, to, object).value
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

func step(title, from string, value map[string]any) Step {
	return Step{Title: title, From: from, Text: YAML(written(value)), value: value}
}

// servers are the fields of metadata that API servers set.
var servers = []string{"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"}

// written returns an object without the metadata that only API servers set.
func written(object map[string]any) map[string]any {
	meta, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	object, meta = maps.Clone(object), maps.Clone(meta)
	for _, name := range servers {
		delete(meta, name)
	}
	object["metadata"] = meta
	return object
}

// withoutNulls returns a value without fields that are null.
func withoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for name, v := range value {
			if v != nil {
				out[name] = withoutNulls(v)
			}
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, v := range value {
			out[i] = withoutNulls(v)
		}
		return out
	}
	return value
}

// without returns a value without the fields at some paths, such as spec.users[2].name.
func without(value any, paths []string) any {
	if len(paths) == 0 {
		return value
	}
	return prune(value, "", paths)
}

func prune(value any, at string, paths []string) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for name, v := range value {
			path := strings.TrimPrefix(at+"."+name, ".")
			if !slices.Contains(paths, path) && !slices.Contains(paths, at+"["+name+"]") {
				out[name] = prune(v, path, paths)
			}
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, v := range value {
			out[i] = prune(v, at+"["+strconv.Itoa(i)+"]", paths)
		}
		return out
	}
	return value
}

// applied is the annotation with the manifest that kubectl apply has read.
const applied = "kubectl.kubernetes.io/last-applied-configuration"

// YAML returns an object for people: apiVersion, kind and metadata first, and without the annotation of kubectl apply.
func YAML(object map[string]any) string {
	object = maps.Clone(object)
	if meta, ok := object["metadata"].(map[string]any); ok {
		meta = maps.Clone(meta)
		if annotations, ok := meta["annotations"].(map[string]any); ok {
			annotations = maps.Clone(annotations)
			delete(annotations, applied)
			if meta["annotations"] = annotations; len(annotations) == 0 {
				delete(meta, "annotations")
			}
		}
		object["metadata"] = meta
	}
	first := []string{"apiVersion", "kind", "metadata", "spec"}
	names := slices.SortedFunc(maps.Keys(object), func(a, b string) int {
		i, j := slices.Index(first, a), slices.Index(first, b)
		switch {
		case i >= 0 && j >= 0:
			return i - j
		case i >= 0:
			return -1
		case j >= 0:
			return 1
		}
		return strings.Compare(a, b)
	})
	var text strings.Builder
	for _, name := range names {
		part, err := json.Marshal(map[string]any{name: object[name]})
		if err == nil {
			part, err = manifest.YAML(part)
		}
		if err != nil {
			return "# " + err.Error() + "\n"
		}
		text.Write(part)
	}
	return text.String()
}

func equal(a, b any) bool {
	left, errLeft := json.Marshal(a)
	right, errRight := json.Marshal(b)
	return errLeft == nil && errRight == nil && string(left) == string(right)
}
