package dev

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: orders.shop.example.com}
spec:
  group: shop.example.com
  scope: Namespaced
  names: {kind: Order, plural: orders}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, maximum: 3}}}}}}
`

func order(version, name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "shop.example.com/" + version, "kind": "Order", "spec": spec,
		"metadata": map[string]any{"namespace": "shop", "name": name, "uid": "u", "resourceVersion": "7", "managedFields": []any{}},
	}}
}

// TestBroken checks which stored objects are named.
func TestBroken(t *testing.T) {
	o := Object{Unstructured: &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "orders.shop.example.com"}}}, Text: []byte(definition)}
	stored := []*unstructured.Unstructured{
		order("v1", "good", map[string]any{"size": int64(3)}), order("v1", "dropped", map[string]any{"color": "red"}), order("v1beta1", "removed", map[string]any{"size": int64(9)}),
	}
	for i := range 7 {
		stored = append(stored, order("v1", fmt.Sprint("large-", i), map[string]any{"size": int64(4)}))
	}
	want := []string{"order shop/dropped: the definition has no spec.color any more; the API server drops the value when the object is written next"}
	for i := range 4 {
		want = append(want, fmt.Sprintf("order shop/large-%d: the stored object is not valid any more: spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3", i))
	}
	want = append(want, "3 more objects of orders.shop.example.com have such values")
	if got := strings.Join(broken(t.Context(), o, stored), "\n"); got != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if got := broken(t.Context(), o, stored[:1]); got != nil {
		t.Errorf("a valid object: %v", got)
	}
}

func TestPrefixed(t *testing.T) {
	var out bytes.Buffer
	w := Prefixed(&out, "run | ")
	for _, text := range []string{"a", "b\nc\n\nd", "\n"} {
		if n, err := w.Write([]byte(text)); err != nil || n != len(text) {
			t.Fatal(n, err)
		}
	}
	if want := "run | ab\nrun | c\nrun | \nrun | d\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
}
