package structural_test

import (
	"fmt"

	"github.com/kindsmith/kindsmith/runtime/structural"
)

// The schema is crd.Spec.Versions[i].Schema.OpenAPIV3Schema of a CustomResourceDefinition, as JSON.
func ExampleParse() {
	schema, err := structural.Parse([]byte(`{"type": "object", "properties": {
		"spec": {"type": "object", "properties": {
			"size": {"type": "integer", "default": 1},
			"name": {"type": "string"}}}}}`))
	if err != nil {
		panic(err)
	}
	object := map[string]any{"spec": map[string]any{"name": "a", "colour": "red"}}
	fmt.Println("removed:", schema.PruneResource(object))
	schema.Default(object)
	fmt.Println(object)
	// Output:
	// removed: [spec.colour]
	// map[spec:map[name:a size:1]]
}
