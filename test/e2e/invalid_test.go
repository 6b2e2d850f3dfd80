package e2e

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// expectations is the table of expected errors of the invalid manifests.
type expectations struct {
	Create []struct {
		Manifest string
		Errors   []mistake
	}
	Update []struct {
		From, To    string
		Subresource string
		Errors      []mistake
	}
}

type mistake struct {
	Type, Path, Origin string
	// ServerPath is the path that the API server reports, if it differs.
	ServerPath string
}

func (m mistake) onServer() string {
	if m.ServerPath != "" {
		return m.ServerPath
	}
	return m.Path
}

func expected(t *testing.T) expectations {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(samples, "invalid", "expected.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var e expectations
	if err := yaml.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestInvalidCreates sends every invalid manifest to the server and validates it with
// generated Go: both reject it, at the same path.
func TestInvalidCreates(t *testing.T) {
	cases := expected(t).Create
	if len(cases) < 25 {
		t.Errorf("there are %d invalid manifests, want at least 25", len(cases))
	}
	for _, tc := range cases {
		t.Run(tc.Manifest, func(t *testing.T) {
			obj := read(t, filepath.Join("invalid", tc.Manifest))
			checkGo(t, tc.Errors, nil, obj)
			status, answer := shared.send(t, http.MethodPost, obj, "")
			if status == http.StatusCreated {
				shared.send(t, http.MethodDelete, obj, obj.GetName())
			}
			checkServer(t, tc.Errors, status, answer)
		})
	}
}

func TestInvalidUpdates(t *testing.T) {
	cases := expected(t).Update
	if len(cases) == 0 {
		t.Error("there are no invalid updates")
	}
	for _, tc := range cases {
		t.Run(tc.To, func(t *testing.T) {
			from, to := read(t, filepath.Join("invalid", tc.From)), read(t, filepath.Join("invalid", tc.To))
			checkGo(t, tc.Errors, from, to)
			status, created := shared.send(t, http.MethodPost, from, "")
			if status != http.StatusCreated {
				t.Fatalf("the object before the update is rejected: %d %v", status, created["message"])
			}
			t.Cleanup(func() { shared.send(t, http.MethodDelete, from, from.GetName()) })
			name := to.GetName()
			if tc.Subresource != "" {
				name += "/" + tc.Subresource
			}
			to.SetResourceVersion((&unstructured.Unstructured{Object: created}).GetResourceVersion())
			status, answer := shared.send(t, http.MethodPut, to, name)
			checkServer(t, tc.Errors, status, answer)
		})
	}
}

// checkGo compares the errors of the generated validators with the table.
func checkGo(t *testing.T, want []mistake, from, to *unstructured.Unstructured) {
	t.Helper()
	op := operation.Operation{Type: operation.Create}
	var old runtime.Object
	if from != nil {
		op.Type, old = operation.Update, typed(t, from)
	}
	errs := shared.scheme.ValidateUpdate(context.Background(), op.Options, typed(t, to), old)
	if from == nil {
		errs = shared.scheme.Validate(context.Background(), op.Options, typed(t, to))
	}
	type found struct{ Type, Path, Origin string }
	var got, wanted []found
	for _, e := range errs {
		got = append(got, found{string(e.Type), e.Field, e.Origin})
	}
	for _, m := range want {
		wanted = append(wanted, found{m.Type, m.Path, m.Origin})
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("errors of the generated validators (-want +got):\n%s", diff)
	}
}

// typed decodes an object into its Go type and applies defaults, like a server before
// validation.
func typed(t *testing.T, obj *unstructured.Unstructured) runtime.Object {
	t.Helper()
	out, err := shared.scheme.New(obj.GroupVersionKind())
	if err != nil {
		t.Fatal(err)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(obj.Object, out); err != nil {
		t.Fatal(err)
	}
	shared.scheme.Default(out)
	return out
}

// checkServer checks that the server rejects the object at the paths of generated Go.
func checkServer(t *testing.T, want []mistake, status int, answer map[string]any) {
	t.Helper()
	if status != http.StatusUnprocessableEntity {
		t.Fatalf("the server answers %d, want 422: %v", status, answer["message"])
	}
	causes, _, err := unstructured.NestedSlice(answer, "details", "causes")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range causes {
		if cause, ok := c.(map[string]any); ok {
			// The server reports skipped rules without a path, and writes a dot before the paths
			// of its scale checks.
			if path, _ := cause["field"].(string); path != "<nil>" {
				got = append(got, strings.TrimPrefix(path, "."))
			}
		}
	}
	var wanted []string
	for _, m := range want {
		wanted = append(wanted, m.onServer())
	}
	slices.Sort(got)
	slices.Sort(wanted)
	if diff := cmp.Diff(slices.Compact(wanted), slices.Compact(got)); diff != "" {
		t.Errorf("paths of the server's answer (-want +got):\n%s\n%v", diff, answer["message"])
	}
}
