package published_test

import (
	"encoding/json"
	"fmt"

	"github.com/kindsmith/kindsmith/runtime/union"
	"github.com/kindsmith/kindsmith/runtime/union/published"
)

// A program without the Go types reads unions from the schema that the API server publishes.
func ExampleShape() {
	var schema map[string]any
	if err := json.Unmarshal([]byte(`{"type": "object", "properties": {
		"type": {"type": "string", "x-kubernetes-unions": {"fieldMembers": {
			"Disk": {"name": "disk", "optional": false}, "Bucket": {"name": "bucket", "optional": false}}}},
		"disk": {"type": "object"}, "bucket": {"type": "object"}}}`), &schema); err != nil {
		panic(err)
	}
	shape, err := published.Shape(schema, nil)
	if err != nil {
		panic(err)
	}
	object := map[string]any{"type": "Bucket", "disk": map[string]any{}, "bucket": map[string]any{}}
	shape.Normalize(union.Request{}, object, map[string]any{"type": "Disk", "disk": map[string]any{}})
	fmt.Println(object)
	// Output: map[bucket:map[] type:Bucket]
}
