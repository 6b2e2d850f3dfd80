// Package refused has the worked examples that a generator must refuse.
package refused

// SubLevel is a struct.
type SubLevel struct {
	// +default="default-name"
	Name   string `json:"name,omitempty"`
	Number int    `json:"number"`
}

// Row20 would always send its own value.
// +k8s:defaulter-gen=true
type Row20 struct {
	// +default="default-name"
	Name string `json:"name"`
}

// Row21 is always set.
// +k8s:defaulter-gen=true
type Row21 struct {
	// +default={"name":"entry","number":12}
	Entry SubLevel `json:"entry"`
}
