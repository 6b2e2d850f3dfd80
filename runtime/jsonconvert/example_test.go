package jsonconvert_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kindsmith/kindsmith/runtime/convert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// tables are those of a kind with two versions. In v1, count became quantity, timeout became timeoutSeconds, and note is new.
// kindsmith model --tables prints such a file, and kindsmith generate writes the same as a Go function, JSONConversion.
const tables = `{"format": 2, "apis": [{
	"group": "shop.example.com",
	"kinds": [{"name": "Order", "store": "annotation"}],
	"versions": [{"name": "v1beta1"}, {"name": "v1"}],
	"steps": [{"older": "v1beta1", "newer": "v1", "types": {
		"Order": {"fields": [
			{"older": {"name": "spec"}, "newer": {"name": "spec"}, "value": {"type": "OrderSpec"}}]},
		"OrderSpec": {"fields": [
			{"older": {"name": "count"}, "newer": {"name": "quantity"}},
			{"older": {"name": "timeout"}, "newer": {"name": "timeoutSeconds"},
			 "value": {"call": {"transform": {"name": "seconds", "bits": 32}}}},
			{"newer": {"name": "note"}}]}
	}}]
}]}`

// orders returns the converter of the tables.
func orders() *jsonconvert.Converter {
	file, err := jsonconvert.ReadFile([]byte(tables))
	if err != nil {
		panic(err)
	}
	converters, err := file.Converters(nil) // nil: the tables name no Go functions
	if err != nil {
		panic(err)
	}
	return converters[0]
}

// Only the names of keys and the values that differ change. All else is copied.
func ExampleConverter_Convert() {
	object := []byte(`{"apiVersion":"shop.example.com/v1beta1","kind":"Order","spec":{"count":3,"timeout":"1m30s"}}`)
	converted, err := orders().Convert(nil, object, "v1")
	if err != nil {
		panic(err)
	}
	fmt.Println(string(converted))
	// Output: {"apiVersion":"shop.example.com/v1","kind":"Order","spec":{"quantity":3,"timeoutSeconds":90}}
}

// A value that the other version lacks is in an annotation until the object is in its version again.
func ExampleConverter_Convert_stored() {
	converter := orders()
	object := []byte(`{"apiVersion":"shop.example.com/v1","kind":"Order","metadata":{"name":"a"},"spec":{"note":"a gift"}}`)
	older, err := converter.Convert(nil, object, "v1beta1")
	if err != nil {
		panic(err)
	}
	var stored struct {
		Metadata struct{ Annotations map[string]string }
	}
	if err := json.Unmarshal(older, &stored); err != nil {
		panic(err)
	}
	var values convert.ChangedValues
	if err := json.Unmarshal([]byte(stored.Metadata.Annotations[jsonconvert.TrackingAnnotation("shop.example.com")]), &values); err != nil {
		panic(err)
	}
	for _, v := range values.Upgrades["v1"] {
		fmt.Println(v.JSONPath, string(v.Value))
	}

	newer, err := converter.Convert(nil, older, "v1")
	if err != nil {
		panic(err)
	}
	fmt.Println(string(newer))
	// Output:
	// $.spec.note "a gift"
	// {"apiVersion":"shop.example.com/v1","kind":"Order","metadata":{"name":"a"},"spec":{"note":"a gift"}}
}

// An [jsonconvert.Error] has the path of the value, and says whether the object or a function of yours is at fault.
func ExampleError() {
	object := []byte(`{"apiVersion":"shop.example.com/v1beta1","kind":"Order","spec":{"timeout":"soon"}}`)
	_, err := orders().Convert(nil, object, "v1")
	if failed := new(jsonconvert.Error); errors.As(err, &failed) && failed.Reason == jsonconvert.Invalid {
		fmt.Println(failed.Path)
		fmt.Println(failed.Err)
	}
	// Output:
	// $.spec.timeout
	// "soon" is not a duration such as "90s" or "1h30m"
}
