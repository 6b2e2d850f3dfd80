package crdtest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kindsmith/kindsmith/internal/testing/crdtest"
)

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, default: 3, maximum: 5}
          name:
            type: string
            maxLength: 10
            x-kubernetes-validations: [{rule: self == oldSelf, message: fixed}]
          tags: {type: array, items: {type: string}, x-kubernetes-list-type: set}
`

func TestValidate(t *testing.T) {
	crd, err := crdtest.Load([]byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	type object = map[string]any
	for _, c := range []struct {
		name     string
		obj, old object
		want     string
	}{
		{"valid", object{"size": int64(5)}, nil, ""},
		{"too large", object{"size": int64(6)}, nil, "size"},
		{"null has a default", object{"size": nil}, nil, ""},
		{"duplicate", object{"tags": []any{"a", "a"}}, nil, "tags[1]"},
		{"unchanged", object{"name": "a"}, object{"name": "a"}, ""},
		{"changed", object{"name": "b"}, object{"name": "a"}, "name"},
		{"set later", object{"name": "b"}, object{}, ""},
		{"ratcheted", object{"size": int64(7), "name": "a"}, object{"size": int64(7), "name": "a"}, ""},
		{"other kind", object{"kind": "Other"}, nil, "kind"},
		{"bad metadata", object{"metadata": object{"labels": object{"a": "?"}}}, nil, "metadata.labels"},
	} {
		var fields []string
		for _, e := range crd.Validate("v1", c.obj, c.old) {
			if !strings.Contains(e.Detail, "some validation rules were not checked") {
				fields = append(fields, e.Field)
			}
		}
		if got := strings.Join(fields, " "); got != c.want {
			t.Errorf("%s: got errors at %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAdmit(t *testing.T) {
	crd, err := crdtest.Load([]byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]any{"unknown": true, "name": nil}
	got, errs := crd.Admit("v1", in)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Thing", "size": int64(3),
		"metadata": map[string]any{"name": "test", "namespace": "default"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(in) != 2 {
		t.Errorf("Admit changed its argument: %v", in)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, change := range [][2]string{
		{"maximum: 5", "maximum: 2"},
		{"rule: self == oldSelf", "rule: self =="},
		{"listKind:", "lstKind:"},
	} {
		if _, err := crdtest.Load([]byte(strings.Replace(definition, change[0], change[1], 1))); err == nil {
			t.Errorf("a definition with %q is accepted", change[1])
		}
	}
}
