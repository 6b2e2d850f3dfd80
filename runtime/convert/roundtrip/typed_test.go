package roundtrip

import (
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

// TestWithStatusMade encodes an object in Go, which writes zero values in its status.
func TestWithStatusMade(t *testing.T) {
	const padded = `{"status":{"part":{"name":""},"changedValues":{}}}`
	for _, test := range []struct{ name, text, want string }{
		{"absent before", `{"status":{"changedValues":{"format":1}}}`, `{"status":{"changedValues":{"format":1}}}`},
		{"null before", `{"status":{"changedValues":{"keep":"status","null":true}}}`, `{"status":{"changedValues":{"keep":"status","null":true}}}`},
		{"empty before", `{"status":{"changedValues":{"keep":"status"}}}`, padded},
		{"with other values", `{"status":{"part":{},"changedValues":{}}}`, padded},
		{"without tracked values", `{"status":{}}`, padded},
		{"without status", `{}`, padded},
	} {
		got, err := withStatusMade([]byte(padded), []byte(test.text))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %s, error %v", test.name, got, err)
		}
	}
}

// TestStable reads quantities of 0, and structs that Go leaves out if these are unset.
func TestStable(t *testing.T) {
	type sized struct {
		Size resource.Quantity `json:"size"`
	}
	type thing struct {
		Part    sized            `json:"part,omitzero"`
		Pointer *sized           `json:"pointer,omitempty"`
		ByName  map[string]sized `json:"byName,omitempty"`
		List    []sized          `json:"list,omitempty"`
	}
	f := &origin{from: &version{typ: reflect.TypeFor[thing]()}}
	for _, test := range []struct{ text, want string }{
		{`{"part":{"size":"0"}}`, `{}`},
		{`{"part":{"size":"1"}}`, `{"part":{"size":"1"}}`},
		{`{"part":{}}`, `{}`},
		{`{"pointer":{"size":"0"}}`, `{"pointer":{"size":"0"}}`},
		{`{"byName":{"a":{}},"list":[{}]}`, `{"byName":{"a":{"size":"0"}},"list":[{"size":"0"}]}`},
	} {
		if got := f.stable([]byte(test.text)); got.err != nil || string(got.text) != test.want {
			t.Errorf("%s: %s, error %v; want %s", test.text, got.text, got.err, test.want)
		}
	}
}
