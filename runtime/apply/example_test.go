package apply_test

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kindsmith/kindsmith/runtime/apply"
)

const definition = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "orders.shop.example.com"},
	"spec": {"group": "shop.example.com", "names": {"kind": "Order", "plural": "orders"}, "scope": "Namespaced", "versions": [
		{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {
			"spec": {"type": "object", "properties": {"quantity": {"type": "integer"}}}}}}}]}}`

// Two managers apply different values: the second gets a conflict, as from an API server.
func ExampleApplier_Apply() {
	config, err := apply.FromCRD([]byte(definition), "v1")
	if err != nil {
		panic(err)
	}
	orders, err := apply.New(config)
	if err != nil {
		panic(err)
	}
	order := func(quantity int64) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "shop.example.com/v1", "kind": "Order", "metadata": map[string]any{"name": "a"},
			"spec": map[string]any{"quantity": quantity},
		}}
	}
	created, err := orders.Apply(nil, order(1), apply.Request{Manager: "shop"})
	if err != nil {
		panic(err)
	}
	_, err = orders.Apply(created.Object, order(2), apply.Request{Manager: "till"})
	fmt.Println(apierrors.IsConflict(err))

	forced, err := orders.Apply(created.Object, order(2), apply.Request{Manager: "till", Force: true})
	if err != nil {
		panic(err)
	}
	fmt.Println(forced.Object.Object["spec"])
	// Output:
	// true
	// map[quantity:2]
}
