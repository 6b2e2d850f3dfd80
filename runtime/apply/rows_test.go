package apply_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/runtime/apply"
	"github.com/kindsmith/kindsmith/runtime/union"
	"github.com/kindsmith/kindsmith/runtime/union/published"
)

// unionOf returns the fields of a union, with the extension that publishes it. Values are those of d.
func unionOf(values string, optional, nullable bool, extra string) string {
	fields, members, quoted := "", "", ""
	for i, v := range strings.Split(values, ",") {
		if i > 0 {
			quoted, members = quoted+",", members+","
		}
		quoted += `"` + v + `"`
		if v == "" || v == "None" {
			members += `"` + v + `": null`
			continue
		}
		name := strings.ToLower(v)
		members += `"` + v + `": {"name": "` + name + `", "optional": ` + map[bool]string{true: "true", false: "false"}[optional] + `}`
		fields += `"` + name + `": {"type": "integer", "nullable": ` + map[bool]string{true: "true", false: "false"}[nullable] + `}, `
	}
	return fields + `"x": {"type": "integer", "nullable": ` + map[bool]string{true: "true", false: "false"}[nullable] + `},
		"d": {"type": "string"` + extra + `, "enum": [` + quoted + `], "x-kubernetes-unions": {"fieldMembers": {` + members + `}}}`
}

// types are the schemas of spec by the names of types.
var types = map[string]string{
	"Required":         `{"type": "object", "properties": {` + unionOf("A,B,C", false, false, "") + `}}`,
	"RequiredBeforeC":  `{"type": "object", "properties": {` + unionOf("A,B", false, false, "") + `}}`,
	"Lenient":          `{"type": "object", "properties": {` + unionOf("A,B,C", true, false, "") + `}}`,
	"Optional":         `{"type": "object", "properties": {` + unionOf(",None,A,B,C", false, false, "") + `}}`,
	"Nullable":         `{"type": "object", "properties": {` + unionOf("A,B,C", false, true, "") + `}}`,
	"Defaulted":        `{"type": "object", "properties": {` + unionOf("A,B,C", false, false, `, "default": "A"`) + `}}`,
	"AtMostOneBeforeC": `{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "x-kubernetes-unions": [{"fields-to-discriminateBy": {"a": "A", "b": "B"}}]}`,
	"Older": `{"type": "object", "properties": {"d": {"type": "string"}, "a": {"type": "integer"}, "b": {"type": "integer"}},
		"x-kubernetes-unions": [{"discriminator": "d", "fields-to-discriminateBy": {"a": "A", "b": "B"}}]}`,
	"Items": `{"type": "object", "properties": {
		"items": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, ` + unionOf("A,B", false, false, "") + `}}},
		"atomic": {"type": "array", "items": {"type": "object", "properties": {` + unionOf("A,B", false, false, "") + `}}}}}`,
	"Unit": `{"type": "object", "properties": {"u": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {` + unionOf(",A,B", false, false, "") + `}}}}`,
}

// server stores one object.
type server struct {
	*apply.Applier
	// codes are the rules of unions that the last request broke; rules is cleared to validate nothing.
	codes []string
	rules bool
	live  *unstructured.Unstructured
}

// serverOf returns a server of objects whose spec has a type of the schema.
func serverOf(t testing.TB, spec string) *server {
	t.Helper()
	schema := `{"type": "object", "properties": {"spec": ` + spec + `}}`
	crd, err := json.Marshal(map[string]any{"spec": map[string]any{"group": "example.com", "names": map[string]any{"kind": "Thing"}, "versions": []any{
		map[string]any{"name": "v1", "schema": map[string]any{"openAPIV3Schema": json.RawMessage(schema)}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	config, err := apply.FromCRD(crd, "v1")
	if err != nil {
		t.Fatal(err)
	}
	if config.Unions, err = published.Shape(decode(t, schema), nil); err != nil {
		t.Fatal(err)
	}
	s := &server{rules: true}
	config.Validate = func(object, old *unstructured.Unstructured) field.ErrorList {
		if !s.rules {
			return nil
		}
		var before map[string]any
		if old != nil {
			before = old.Object
		}
		var errs field.ErrorList
		for _, v := range config.Unions.Validate(union.Request{}, object.Object, before) {
			s.codes = append(s.codes, string(v.Code))
			errs = append(errs, v.Error(v.At))
		}
		return errs
	}
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
	object, r := thing(decode(t, words[2])), apply.Request{Manager: words[0]}
	s.codes = nil
	var result *apply.Result
	var err error
	switch verb := words[1]; verb {
	case "APPLY", "FORCE":
		r.Force = verb == "FORCE"
		result, err = s.Apply(s.live, object, r)
	case "STRICT", "PUT":
		if verb == "STRICT" {
			r.FieldValidation = metav1.FieldValidationStrict
		}
		result, err = s.Update(s.live, object, r)
	case "STORED":
		result = &apply.Result{Object: object}
	case "READ":
		result = &apply.Result{Object: s.Read(s.live)}
	default:
		t.Fatalf("unknown verb %s", verb)
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
			if path := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(p.String(), ".spec"), ".items"), "."); path != "" {
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
	text, err := os.ReadFile("testdata/rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		row := strings.Split(line, "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		t.Run(row[0], func(t *testing.T) {
			s := serverOf(t, types[row[1]])
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
