package apply_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/runtime/apply"
	"github.com/kindsmith/kindsmith/runtime/union/published"
)

// schemaOf returns the schema of objects whose spec has a type of testdata/types.yaml.
func schemaOf(t testing.TB, name string) map[string]any {
	t.Helper()
	text, err := os.ReadFile("testdata/types.yaml")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]any{}
	if err := yaml.Unmarshal(text, &types); err != nil {
		t.Fatal(err)
	}
	if types[name] == nil {
		t.Fatalf("testdata/types.yaml has no type %q", name)
	}
	return map[string]any{"type": "object", "properties": map[string]any{"spec": types[name]}}
}

// configOf returns the configuration for objects of a schema.
func configOf(t testing.TB, schema map[string]any) apply.Config {
	t.Helper()
	crd, err := json.Marshal(map[string]any{"spec": map[string]any{"group": "example.com", "names": map[string]any{"kind": "Thing"}, "versions": []any{
		map[string]any{"name": "v1", "schema": map[string]any{"openAPIV3Schema": schema}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	config, err := apply.FromCRD(crd, "v1")
	if err != nil {
		t.Fatal(err)
	}
	if config.Unions, err = published.Shape(schema, nil); err != nil {
		t.Fatal(err)
	}
	return config
}

// server stores one object.
type server struct {
	*apply.Applier
	// codes are the rules of unions that the last request broke.
	codes []string
	live  *unstructured.Unstructured
}

func serverOf(t testing.TB, config apply.Config) *server {
	t.Helper()
	s := &server{}
	config.Validate = func(r apply.Request, object, old *unstructured.Unstructured) field.ErrorList {
		var before map[string]any
		if old != nil {
			before = old.Object
		}
		var errs field.ErrorList
		for _, v := range config.Unions.Validate(r.Unions, object.Object, before) {
			s.codes = append(s.codes, string(v.Code))
			errs = append(errs, v.Error(v.At))
		}
		return errs
	}
	var err error
	if s.Applier, err = apply.New(config); err != nil {
		t.Fatal(err)
	}
	return s
}

func decode(t testing.TB, text string) map[string]any {
	t.Helper()
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return integers(object).(map[string]any)
}

// integers replaces floats as the decoder of servers does.
func integers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = integers(x)
		}
	case []any:
		for i, x := range v {
			v[i] = integers(x)
		}
	case float64:
		return int64(v)
	}
	return v
}

func thing(spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{"name": "t"}, "spec": spec}}
}

// send handles a request: manager, verb and spec.
func (s *server) send(t testing.TB, request string) (*apply.Result, error) {
	t.Helper()
	words := strings.SplitN(strings.TrimSpace(request), " ", 3)
	object := thing(decode(t, words[2]))
	s.codes = nil
	var result *apply.Result
	var err error
	switch words[1] {
	case "STORED":
		result = &apply.Result{Object: object}
	case "READ":
		result = &apply.Result{Object: s.Read(s.live)}
	default:
		result, err = s.request(words[1], words[0], object)
	}
	if err == nil {
		s.live = result.Object
	}
	return result, err
}

// owners returns the fields below spec that managers own.
func owners(t testing.TB, object *unstructured.Unstructured) string {
	t.Helper()
	var all []string
	for _, entry := range object.GetManagedFields() {
		var set fieldpath.Set
		if err := set.FromJSON(strings.NewReader(string(entry.FieldsV1.Raw))); err != nil {
			t.Fatal(err)
		}
		var paths []string
		set.Iterate(func(p fieldpath.Path) {
			path := p.String()
			for _, prefix := range []string{".spec", ".items", ".ports", ".levels", "."} {
				path = strings.TrimPrefix(path, prefix)
			}
			if path != "" {
				paths = append(paths, path)
			}
		})
		if slices.Sort(paths); len(paths) > 0 {
			all = append(all, entry.Manager+": "+strings.Join(paths, " "))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

func TestRows(t *testing.T) {
	rows(t, "rows.txt", 45)
}

func TestKeys(t *testing.T) {
	rows(t, "keys.txt", 15)
}

func TestPlain(t *testing.T) {
	rows(t, "plain.txt", 20)
}

// rows runs the rows of a table.
func rows(t *testing.T, file string, atLeast int) {
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	defer func() {
		if count < atLeast {
			t.Errorf("%s has only %d rows", file, count)
		}
	}()
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		row := strings.Split(line, "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		count++
		t.Run(row[0], func(t *testing.T) {
			config := configOf(t, schemaOf(t, row[1]))
			config.EmptyKeys = strings.HasSuffix(row[1], "OfGo")
			s := serverOf(t, config)
			if row[2] != "" {
				for request := range strings.SplitSeq(row[2], ";") {
					if _, err := s.send(t, request); err != nil {
						t.Fatalf("%s: %v", request, err)
					}
				}
			}
			result, err := s.send(t, row[3])
			outcome(t, s, result, err, row[4])
			if err == nil && !strings.Contains(row[3], "READ") {
				if diff := cmp.Diff(row[5], owners(t, result.Object)); diff != "" {
					t.Errorf("owners (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func outcome(t *testing.T, s *server, result *apply.Result, err error, want string) {
	t.Helper()
	if err == nil {
		want, warning, _ := strings.Cut(want, " warning: ")
		if !strings.HasPrefix(want, "{") {
			t.Fatalf("got %v, want %s", result.Object.Object["spec"], want)
		}
		if diff := cmp.Diff(any(decode(t, want)), result.Object.Object["spec"]); diff != "" {
			t.Errorf("object (-want +got):\n%s", diff)
		}
		if got := strings.Join(result.Warnings, "\n"); !strings.HasPrefix(got, warning) || warning == "" && got != "" {
			t.Errorf("warnings %q, want %q", got, warning)
		}
		return
	}
	if len(s.codes) > 0 {
		if got := strings.Join(s.codes, " "); got != want || !apierrors.IsInvalid(err) {
			t.Errorf("got %s, want %s: %v", got, want, err)
		}
		return
	}
	status, message, _ := strings.Cut(want, " ")
	is := map[string]func(error) bool{"400": apierrors.IsBadRequest, "409": apierrors.IsConflict, "422": apierrors.IsInvalid}[status]
	if is == nil || !is(err) || !strings.Contains(err.Error(), message) {
		t.Errorf("got %v, want %s", err, want)
	}
}
