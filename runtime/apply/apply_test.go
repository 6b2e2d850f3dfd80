package apply_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/runtime/apply"
	"github.com/kindsmith/kindsmith/runtime/union"
)

func (s *server) must(t *testing.T, requests ...string) {
	t.Helper()
	for _, request := range requests {
		if _, err := s.send(t, request); err != nil {
			t.Fatalf("%s: %v", request, err)
		}
	}
}

// TestAddedKey applies to an object that was stored before protocol became a key of its list.
func TestAddedKey(t *testing.T) {
	before := schemaOf(t, "Ports")
	list := before["properties"].(map[string]any)["spec"].(map[string]any)["properties"].(map[string]any)["ports"].(map[string]any)
	list["x-kubernetes-list-map-keys"] = []any{"port"}
	delete(list["items"].(map[string]any)["properties"].(map[string]any)["protocol"].(map[string]any), "default")
	s := serverOf(t, configOf(t, before))
	s.must(t, "team APPLY {ports: [{port: 80}]}")
	after := serverOf(t, configOf(t, schemaOf(t, "Ports")))
	after.live = s.live
	after.must(t, "team APPLY {ports: [{port: 80, name: web}]}")
	want := decode(t, "{ports: [{port: 80, protocol: TCP, name: web}]}")
	if diff := cmp.Diff(any(want), after.live.Object["spec"]); diff != "" {
		t.Errorf("object (-want +got):\n%s", diff)
	}
	if got, want := owners(t, after.live), `team: [port=80,protocol="TCP"] [port=80,protocol="TCP"].name [port=80,protocol="TCP"].port`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestVersions applies in a version to an object that managers wrote in others. The field a of v1 is
// old in v1beta1.
func TestVersions(t *testing.T) {
	config := configOf(t, schemaOf(t, "OptionalUnion"))
	config.Schemas["v1beta1"] = []byte(strings.NewReplacer(`"a":{`, `"old":{`, `"name":"a"`, `"name":"old"`).Replace(string(config.Schemas["v1"])))
	rename := map[string][2]string{"v1": {"old", "a"}, "v1beta1": {"a", "old"}}
	config.Convert = func(object *unstructured.Unstructured, to schema.GroupVersion) (*unstructured.Unstructured, error) {
		if spec, ok := object.Object["spec"].(map[string]any); ok {
			if names := rename[to.Version]; spec[names[0]] != nil {
				spec[names[1]] = spec[names[0]]
				delete(spec, names[0])
			}
		}
		object.SetAPIVersion(to.String())
		return object, nil
	}
	v1 := serverOf(t, config)
	older := config
	older.Kind.Version, older.Unions = "v1beta1", nil
	beta, err := apply.New(older)
	if err != nil {
		t.Fatal(err)
	}
	configuration := thing(decode(t, "{d: A, old: 1, x: 1}"))
	configuration.SetAPIVersion("example.com/v1beta1")
	result, err := beta.Apply(nil, configuration, apply.Request{Manager: "beta"})
	if err != nil {
		t.Fatal(err)
	}
	if v1.live, err = config.Convert(result.Object, config.Kind.GroupVersion()); err != nil {
		t.Fatal(err)
	}
	if _, err := v1.send(t, "team APPLY {a: 2}"); !apierrors.IsConflict(err) || !strings.Contains(err.Error(), ".spec.old") {
		t.Errorf("got %v, want a conflict on the field that beta applied", err)
	}
	v1.must(t, "team FORCE {d: B, b: 2}")
	if got, want := owners(t, v1.live), "beta: x; team: b d"; got != want {
		t.Errorf("got %s, want %s: the member is cleared in both versions", got, want)
	}
	delete(config.Schemas, "v1beta1")
	gone := serverOf(t, config)
	gone.live = v1.live
	gone.must(t, "team APPLY {d: B, b: 3}")
	if got, want := owners(t, gone.live), "team: b d"; got != want {
		t.Errorf("got %s, want %s: managers of versions that are gone are dropped", got, want)
	}
}

// TestOptions normalises and checks configurations by the options of a request.
func TestOptions(t *testing.T) {
	config := configOf(t, schemaOf(t, "OptionalUnion"))
	members := config.Unions.Fields[0].Shape.Unions[0].Members
	for i := range members {
		members[i].Under = []union.Condition{{Option: "Feature"}}
	}
	s, err := apply.New(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range []bool{false, true} {
		_, err := s.Apply(nil, thing(decode(t, "{d: None, a: 1}")), apply.Request{Manager: "team", Unions: union.Request{Options: map[string]bool{"Feature": on}}})
		if on != apierrors.IsInvalid(err) {
			t.Errorf("with the option %v: %v", on, err)
		}
	}
	retain := apply.Request{Manager: "team", Unions: union.Request{RetainSelected: true, Options: map[string]bool{"Feature": true}}}
	live, err := s.Update(nil, thing(decode(t, "{d: A, a: 1}")), retain)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := s.Update(live.Object, thing(decode(t, "{d: A}")), retain); err != nil || kept.Object.Object["spec"].(map[string]any)["a"] == nil {
		t.Errorf("an update by a client that may not know the member removed it: %v", err)
	}
	live, err = s.Apply(nil, thing(decode(t, "{d: A, a: 1}")), retain)
	if err != nil {
		t.Fatal(err)
	}
	if removed, err := s.Apply(live.Object, thing(decode(t, "{d: A}")), retain); err == nil && removed.Object.Object["spec"].(map[string]any)["a"] != nil {
		t.Error("a member stays that its applier has removed")
	}
}

// TestMistakes are requests for another kind, and definitions that cannot be used.
func TestMistakes(t *testing.T) {
	s := serverOf(t, configOf(t, schemaOf(t, "Plain")))
	other := thing(map[string]any{})
	other.SetKind("Other")
	managed := thing(map[string]any{})
	managed.SetManagedFields(s.managed(t))
	for name, err := range map[string]error{
		"apply":   second(s.Apply(nil, other, apply.Request{Manager: "team"})),
		"update":  second(s.Update(nil, other, apply.Request{Manager: "team"})),
		"managed": second(s.Apply(nil, managed, apply.Request{Manager: "team"})),
	} {
		if !apierrors.IsBadRequest(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for text, want := range map[string]string{
		`{`: "unexpected end",
		`{"spec": {"group": "example.com", "names": {"kind": "Thing"}}}`:                                                                        `Thing.example.com has no schema of version "v1"`,
		`{"spec": {"names": {"kind": "Thing"}, "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"type": 1}}}]}}`:                      "read the schema of version v1",
		`{"spec": {"names": {"kind": "Thing"}, "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"items": {}, "type": "nothing"}}}]}}`: "nothing",
	} {
		config, err := apply.FromCRD([]byte(text), "v1")
		if err == nil {
			_, err = apply.New(config)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func second(_ *apply.Result, err error) error { return err }

func (s *server) managed(t *testing.T) []metav1.ManagedFieldsEntry {
	t.Helper()
	s.must(t, "team APPLY {text: x}")
	return s.live.GetManagedFields()
}

// TestArgumentsAreNotChanged compares live objects and configurations before and after requests.
func TestArgumentsAreNotChanged(t *testing.T) {
	s := serverOf(t, configOf(t, schemaOf(t, "Places")))
	s.must(t, "team APPLY {byKey: {k: {d: A, a: 1}}, unit: {d: A, a: 1}}")
	config := thing(decode(t, "{byKey: {k: {d: B, b: 1, a: null}}, unit: {b: 1}}"))
	before := fmt.Sprint(s.live, config)
	for _, request := range []func(live, object *unstructured.Unstructured, r apply.Request) (*apply.Result, error){s.Apply, s.Update} {
		if _, err := request(s.live, config, apply.Request{Manager: "ctrl", Force: true}); err != nil {
			t.Error(err)
		}
		if after := fmt.Sprint(s.live, config); after != before {
			t.Errorf("got  %s\nwant %s", after, before)
		}
	}
}

// TestOpenAPI applies objects of an OpenAPI document, whose schemas refer to each other.
func TestOpenAPI(t *testing.T) {
	const document = `{"components": {"schemas": {
		"Node": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Thing"}], "properties": {
			"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"default": {}, "allOf": [{"$ref": "#/components/schemas/Meta"}]},
			"spec": {"default": {}, "allOf": [{"$ref": "#/components/schemas/Spec"}]}}},
		"Meta": {"type": "object", "properties": {"name": {"type": "string"}, "managedFields": {"type": "array", "items": {"type": "object"}}}},
		"Spec": {"type": "object", "properties": {
			"d": {"type": "string", "enum": ["A", "B"], "x-kubernetes-unions": {"fieldMembers": {"A": {"name": "a"}, "B": {"name": "b"}}}},
			"a": {"type": "integer"}, "b": {"type": "integer"}, "free": {"type": "object"},
			"children": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Spec"}},
			"ports": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"], "items": {"$ref": "#/components/schemas/Port"}}}},
		"Port": {"type": "object", "required": ["port"], "properties": {"port": {"type": "integer"}, "protocol": {"type": "string", "default": "TCP"}}}}}}`
	kind := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Thing"}
	for version, text := range map[string]string{"v3": document, "v2": strings.NewReplacer(`{"components": {"schemas"`, `{"definitions"`, `}}}}}}`, `}}}}}`).Replace(document)} {
		config, err := apply.FromOpenAPI([]byte(text), kind)
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		s := serverOf(t, config)
		s.must(t,
			`ctrl PUT {d: A, a: 1, children: {x: {d: A, a: 1, ports: [{port: 80}]}}, free: {any: 1}}`,
			`team FORCE {children: {x: {d: B, b: 2, ports: [{port: 80, protocol: ""}]}}}`,
		)
		want := decode(t, "{d: A, a: 1, children: {x: {d: B, b: 2, ports: [{port: 80, protocol: TCP}]}}, free: {any: 1}}")
		if diff := cmp.Diff(any(want), s.live.Object["spec"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", version, diff)
		}
		if _, err := s.send(t, "team APPLY {children: {x: {children: {x: {d: A, b: 1}}}}}"); err == nil || !strings.Contains(err.Error(), "spec.children[x].children[x].b") {
			t.Errorf("%s: got %v", version, err)
		}
	}
	for text, want := range map[string]string{
		`{`:                  "unexpected end",
		`{"definitions":{}}`: "has no schema of version",
		strings.Replace(document, `schemas/Port"}`, `schemas/Lost"}`, 1):               "Lost is not defined",
		strings.Replace(document, `"type": "string", "enum"`, `"type": {}, "enum"`, 1): "read the definition",
	} {
		config, err := apply.FromOpenAPI([]byte(text), kind)
		if err == nil {
			_, err = apply.New(config)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
