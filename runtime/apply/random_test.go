package apply_test

import (
	cmporder "cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/kindsmith/kindsmith/runtime/apply"
	"github.com/kindsmith/kindsmith/runtime/structural"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// random returns a value of a schema.
func random(r *rand.Rand, schema map[string]any) any {
	if schema["nullable"] == true && r.IntN(4) == 0 {
		return nil
	}
	if enum, ok := schema["enum"].([]any); ok {
		return enum[r.IntN(len(enum))]
	}
	properties, _ := schema["properties"].(map[string]any)
	switch schema["type"] {
	case "object":
		out := map[string]any{}
		for _, name := range slices.Sorted(keys(properties)) {
			if r.IntN(2) == 0 {
				out[name] = random(r, properties[name].(map[string]any))
			}
		}
		if values, ok := schema["additionalProperties"].(map[string]any); ok {
			for i := range r.IntN(3) {
				out[fmt.Sprintf("k%d", i)] = random(r, values)
			}
		}
		if schema["x-kubernetes-preserve-unknown-fields"] == true && r.IntN(2) == 0 {
			out["any"] = map[string]any{"list": []any{int64(r.IntN(2))}, "text": "x"}
		}
		if schema["x-kubernetes-embedded-resource"] == true {
			out["apiVersion"], out["kind"], out["metadata"] = "v1", "Other", metadata(r)
		}
		if d, ok := properties["d"].(map[string]any); ok && r.IntN(5) > 0 {
			choose(r, out, d)
		}
		return out
	case "array":
		return list(r, schema)
	case "integer":
		return int64(r.IntN(3))
	case "string":
		return fmt.Sprint("s", r.IntN(3))
	}
	return []any{int64(80), "http"}[r.IntN(2)]
}

func keys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// choose sets the member that the discriminator selects, and removes the others in most cases.
func choose(r *rand.Rand, object, discriminator map[string]any) {
	object["d"] = random(r, discriminator)
	members := discriminator["x-kubernetes-unions"].(map[string]any)["fieldMembers"].(map[string]any)
	for _, value := range slices.Sorted(keys(members)) {
		member, ok := members[value].(map[string]any)
		if !ok {
			continue
		}
		if name := member["name"].(string); value == object["d"] {
			object[name] = int64(r.IntN(2))
		} else if r.IntN(8) > 0 {
			delete(object, name)
		}
	}
}

// list returns items that are unique as the list's type demands.
func list(r *rand.Rand, schema map[string]any) []any {
	out, seen := []any{}, map[string]bool{}
	for range r.IntN(4) {
		item := random(r, schema["items"].(map[string]any))
		id := fmt.Sprint(len(out))
		switch schema["x-kubernetes-list-type"] {
		case "set":
			id = fmt.Sprint(item)
		case "map":
			object, properties := item.(map[string]any), schema["items"].(map[string]any)["properties"].(map[string]any)
			id = ""
			for _, key := range schema["x-kubernetes-list-map-keys"].([]any) {
				property := properties[key.(string)].(map[string]any)
				value := object[key.(string)]
				if value == nil {
					value = property["default"]
				}
				if value == nil {
					value = random(r, property)
					object[key.(string)] = value
				}
				id += fmt.Sprint(value, " ")
			}
		}
		if !seen[id] {
			seen[id], out = true, append(out, item)
		}
	}
	return out
}

func metadata(r *rand.Rand) map[string]any {
	out := map[string]any{"name": "t"}
	if r.IntN(2) == 0 {
		out["labels"] = map[string]any{"a": fmt.Sprint(r.IntN(2)), fmt.Sprint("k", r.IntN(3)): "x"}
	}
	if r.IntN(3) == 0 {
		out["finalizers"] = []any{fmt.Sprint("example.com/", r.IntN(3))}
	}
	if r.IntN(3) == 0 {
		out["ownerReferences"] = []any{map[string]any{"apiVersion": "v1", "kind": "Owner", "name": fmt.Sprint(r.IntN(2)), "uid": fmt.Sprint("u", r.IntN(2))}}
	}
	return out
}

// reference merges and tracks with apimachinery's FieldManager alone, and sets defaults.
type reference struct {
	fields *managedfields.FieldManager
	types  managedfields.TypeConverter
	schema *structural.Schema
}

func referenceOf(t *testing.T, config apply.Config) *reference {
	t.Helper()
	types, err := apply.TypesOf(&config)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := structural.Parse(config.Schemas["v1"])
	if err != nil {
		t.Fatal(err)
	}
	return &reference{managedfieldstest.NewFakeFieldManager(types, config.Kind), types, schema}
}

func (r *reference) send(live, object *unstructured.Unstructured, manager, verb string) (*unstructured.Unstructured, error) {
	object = object.DeepCopy()
	if live == nil {
		live = &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Thing"}}
	}
	if verb == "PUT" {
		r.schema.Default(object.Object)
		out, err := r.fields.Update(live.DeepCopy(), object, manager)
		if err != nil {
			return nil, err
		}
		return out.(*unstructured.Unstructured), nil
	}
	out, err := r.fields.Apply(live.DeepCopy(), object, manager, verb == "FORCE")
	if err != nil {
		return nil, err
	}
	merged := out.(*unstructured.Unstructured).DeepCopy()
	r.schema.Default(merged.Object)
	return merged, nil
}

// removed returns the fields of an object that another one does not have.
func (r *reference) removed(t *testing.T, before, after *unstructured.Unstructured) *fieldpath.Set {
	t.Helper()
	sets := [2]*fieldpath.Set{}
	for i, object := range []*unstructured.Unstructured{before, after} {
		value, err := r.types.ObjectToTyped(object, typed.AllowDuplicates)
		if err == nil {
			sets[i], err = value.ToFieldSet()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return sets[0].Difference(sets[1])
}

// entries returns the fields of all managers without some fields, by manager and operation.
func entries(t *testing.T, object *unstructured.Unstructured, without *fieldpath.Set) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, e := range object.GetManagedFields() {
		var set fieldpath.Set
		if err := set.FromJSON(strings.NewReader(string(e.FieldsV1.Raw))); err != nil {
			t.Fatal(err)
		}
		if left := set.Difference(without); !left.Empty() {
			out[fmt.Sprint(e.Manager, e.Operation, e.APIVersion)] = left.String()
		}
	}
	return out
}

// inOrder reports whether entries have the order in which API servers store them: by operation, then by second, then by
// manager.
func inOrder(list []metav1.ManagedFieldsEntry) bool {
	return slices.IsSortedFunc(list, func(a, b metav1.ManagedFieldsEntry) int {
		seconds := func(e metav1.ManagedFieldsEntry) int64 {
			if e.Time == nil {
				return 0
			}
			return e.Time.Unix()
		}
		return cmporder.Or(
			strings.Compare(string(a.Operation), string(b.Operation)), cmporder.Compare(seconds(a), seconds(b)),
			strings.Compare(a.Manager, b.Manager), strings.Compare(a.APIVersion, b.APIVersion), strings.Compare(a.Subresource, b.Subresource),
		)
	})
}

// withoutTimes leaves out when managers wrote, in seconds, and sorts the entries without the times: the order depends on them,
// and two runs of a request may be in different seconds. inOrder checks the order itself.
func withoutTimes(object *unstructured.Unstructured) map[string]any {
	object = object.DeepCopy()
	entries := object.GetManagedFields()
	for i := range entries {
		entries[i].Time = nil
	}
	slices.SortFunc(entries, func(a, b metav1.ManagedFieldsEntry) int {
		return strings.Compare(fmt.Sprint(a.Manager, a.Operation, a.APIVersion, a.Subresource), fmt.Sprint(b.Manager, b.Operation, b.APIVersion, b.Subresource))
	})
	object.SetManagedFields(entries)
	return object.Object
}

func withoutFields(object *unstructured.Unstructured) map[string]any {
	object = object.DeepCopy()
	object.SetManagedFields(nil)
	return object.Object
}

// TestInvariants sends random requests to a server and to the reference. Without normalisation, objects
// and owners are the same. With it, what it clears is missing in both.
func TestInvariants(t *testing.T) {
	for _, name := range []string{"Plain", "Ports", "Places", "OptionalUnion", "RequiredUnion", "LenientRequired", "DefaultedUnion"} {
		t.Run(name, func(t *testing.T) {
			schema := schemaOf(t, name)
			config := configOf(t, schema)
			s, ref := serverOf(t, config), referenceOf(t, config)
			r := rand.New(rand.NewPCG(1, 2))
			counts := map[string]int{}
			for range 60 {
				s.live = nil
				for range 8 {
					counts[step(t, r, s, ref, config, schema)]++
					if t.Failed() {
						return
					}
				}
			}
			t.Log(counts)
			if counts["accepted"]+counts["cleared"] < 200 || counts["conflict"] == 0 || (counts["cleared"] < 10) != (config.Unions == nil) {
				t.Errorf("too few outcomes of a kind: %v", counts)
			}
		})
	}
}

// step sends one random request, and returns what became of it.
func step(t *testing.T, r *rand.Rand, s *server, ref *reference, config apply.Config, schema map[string]any) string {
	t.Helper()
	verb, manager := []string{"APPLY", "FORCE", "FORCE", "PUT"}[r.IntN(4)], []string{"team", "ctrl"}[r.IntN(2)]
	object := random(r, schema).(map[string]any)
	if object["spec"] == nil && r.IntN(8) > 0 {
		object["spec"] = random(r, schema["properties"].(map[string]any)["spec"].(map[string]any))
	}
	object["apiVersion"], object["kind"], object["metadata"] = "example.com/v1", "Thing", metadata(r)
	sent, live := &unstructured.Unstructured{Object: object}, s.live
	result, err := s.request(verb, manager, sent)
	context := func() string {
		text, _ := json.Marshal([]any{live, manager, verb, sent})
		return string(text)
	}
	want, refused := ref.send(live, sent, manager, verb)
	switch {
	case refused != nil:
		if err == nil || apierrors.IsConflict(refused) && !apierrors.IsInvalid(err) && err.Error() != refused.Error() {
			t.Errorf("%s\ngot error %v, want %v", context(), err, refused)
		}
		return "conflict"
	case err != nil:
		if !apierrors.IsInvalid(err) || config.Unions == nil {
			t.Errorf("%s\ngot error %v", context(), err)
		}
		return "invalid"
	}
	var old map[string]any
	if live != nil {
		old = live.Object
	}
	merged := want.DeepCopy()
	if cleared := config.Unions.Normalize(union.Request{}, want.Object, old); len(cleared) != len(result.Cleared) && verb == "PUT" {
		t.Errorf("%s\ncleared %v, want %v", context(), result.Cleared, cleared)
	}
	if list := result.Object.GetManagedFields(); !inOrder(list) {
		t.Errorf("%s\nmanagedFields are not in the order of API servers: %v", context(), list)
	}
	if diff := cmp.Diff(withoutFields(want), withoutFields(result.Object)); diff != "" {
		t.Errorf("%s\nobject (-want +got):\n%s", context(), diff)
	}
	if diff := cmp.Diff(entries(t, want, ref.removed(t, merged, want)), entries(t, result.Object, fieldpath.NewSet())); diff != "" {
		t.Errorf("%s\nowners (-want +got):\n%s", context(), diff)
	}
	if problems := config.Unions.Validate(union.Request{}, result.Object.Object, nil); len(problems) > 0 {
		t.Errorf("%s\naccepted an object that breaks %v", context(), problems)
	}
	if again := config.Unions.Normalize(union.Request{}, result.Object.DeepCopy().Object, old); len(again) > 0 {
		t.Errorf("%s\nnormalising again clears %v", context(), again)
	}
	s.live = result.Object
	if echo, err := s.request("PUT", "reader", result.Object); err != nil || !cmp.Equal(withoutTimes(echo.Object), withoutTimes(result.Object)) {
		t.Errorf("%s\nwriting what was read: %v", context(), err)
	}
	if len(result.Cleared) > 0 {
		if before, after := discriminator(live), discriminator(result.Object); before == after && !strings.Contains(result.Cleared[0].Path, "[") {
			t.Errorf("%s\n%v cleared and d stays %v", context(), result.Cleared, after)
		}
		return "cleared"
	}
	// Merging removes a container that is emptied, and the next time it adds it.
	if verb != "PUT" && !hasEmpty(sent.Object) {
		repeated, err := s.request(verb, manager, sent)
		if err != nil {
			t.Errorf("%s\napplying again: %v", context(), err)
		} else if diff := cmp.Diff(withoutTimes(result.Object), withoutTimes(repeated.Object)); diff != "" {
			t.Errorf("%s\napplying again (-first +second):\n%s", context(), diff)
		}
	}
	return "accepted"
}

// discriminator returns that of spec, or of the union in it.
func discriminator(object *unstructured.Unstructured) any {
	spec, _ := object.Object["spec"].(map[string]any)
	if unit, ok := spec["unit"].(map[string]any); ok {
		spec = unit
	}
	return spec["d"]
}

func hasEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			if hasEmpty(x) {
				return true
			}
		}
		return len(v) == 0
	case []any:
		return len(v) == 0 || slices.ContainsFunc(v, hasEmpty)
	}
	return false
}

// request handles a request for an object that is sent.
func (s *server) request(verb, manager string, object *unstructured.Unstructured) (*apply.Result, error) {
	r := apply.Request{Manager: manager, Force: verb == "FORCE"}
	switch verb {
	case "APPLY", "FORCE":
		return s.Apply(s.live, object, r)
	case "STRICT":
		r.FieldValidation = metav1.FieldValidationStrict
	}
	return s.Update(s.live, object, r)
}

// TestMalformed replaces values of objects by those of other types. Requests are refused or accepted.
func TestMalformed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"Plain", "Places"} {
		schema := schemaOf(t, name)
		s := serverOf(t, configOf(t, schema))
		counts := map[bool]int{}
		for range 2000 {
			objects := [2]*unstructured.Unstructured{}
			for i := range objects {
				object := random(r, schema).(map[string]any)
				object["apiVersion"], object["kind"], object["metadata"] = "example.com/v1", "Thing", metadata(r)
				if i == 1 || r.IntN(4) == 0 {
					object = malformed(r, object).(map[string]any)
				}
				objects[i] = &unstructured.Unstructured{Object: object}
			}
			s.live = objects[0]
			_, err := s.request([]string{"APPLY", "FORCE", "PUT", "STRICT"}[r.IntN(4)], "team", objects[1])
			counts[err == nil]++
		}
		if counts[true] < 100 || counts[false] < 100 {
			t.Errorf("%s: accepted and refused %v", name, counts)
		}
	}
}

// malformed replaces a value in another one.
func malformed(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if names := slices.Sorted(keys(v)); len(names) > 0 {
			name := names[r.IntN(len(names))]
			v[name] = malformed(r, v[name])
			return v
		}
	case []any:
		if len(v) > 0 && r.IntN(3) > 0 {
			i := r.IntN(len(v))
			v[i] = malformed(r, v[i])
			return v
		}
	}
	return []any{nil, "", "text", int64(-1), 1.5, true, map[string]any{}, map[string]any{"a": nil}, []any{}, []any{nil, "x", map[string]any{}}}[r.IntN(10)]
}
