package union_test

import (
	"fmt"

	"github.com/kindsmith/kindsmith/runtime/union"
)

// storage has a union: type selects disk or bucket.
var storage = &union.Shape{Fields: []union.Field{{Name: "storage", Shape: &union.Shape{Unions: []*union.Union{{
	Discriminator: "type",
	Members:       []union.Member{{Name: "disk", Value: "Disk"}, {Name: "bucket", Value: "Bucket"}},
}}}}}}

// A client that knows only disk has changed the type. The member that it cannot know how to clear is cleared.
func ExampleShape_Normalize() {
	old := map[string]any{"storage": map[string]any{"type": "Disk", "disk": map[string]any{}}}
	object := map[string]any{"storage": map[string]any{"type": "Bucket", "disk": map[string]any{}, "bucket": map[string]any{}}}

	cleared := storage.Normalize(union.Request{}, object, old)
	fmt.Println(object)
	fmt.Println(cleared[0].Path)
	// Output:
	// map[storage:map[bucket:map[] type:Bucket]]
	// storage.disk
}

func ExampleShape_Validate() {
	object := map[string]any{"storage": map[string]any{"type": "Disk", "bucket": map[string]any{}}}
	for _, v := range storage.Validate(union.Request{}, object, nil) {
		fmt.Println(v.Error(v.At))
	}
	// Output:
	// storage.disk: Required value: must be specified when `type` is "Disk"
	// storage.bucket: Forbidden: may only be specified when `type` is "Bucket"
}
