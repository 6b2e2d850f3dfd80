package roundtrip

import "testing"

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
