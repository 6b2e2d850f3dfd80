// Package mistakes has types that have no definitions.
//
// +k8s:openapi-gen=true
package mistakes

// Bounds is generic.
type Bounds[T any] struct {
	Low, High T
}

// Thing has fields that OpenAPI cannot describe.
type Thing struct {
	Bounds []Bounds[int32] `json:"bounds"`
	Bounds2[int32]
	Done     map[string]chan bool `json:"done"`
	Complex  complex128           `json:"complex"`
	Hidden   Excluded             `json:"hidden"`
	Included *Bounds2[bool]       `json:"-"`
	// +k8s:validation:maxLength="x"
	Name string `json:"name"`
	// +k8s:validation:cel[1]:rule="true"
	Rule string `json:"rule"`
	// +k8s:validation:items=3
	// +k8s:validation:items:maxLength=3
	Items []string `json:"items"`
	// +k8s:validation:pattern=^a
	Pattern string `json:"pattern"`
}

// Bounds2 is generic.
type Bounds2[T any] struct {
	Middle T
}

// Excluded has no definition.
// +k8s:openapi-gen=false
type Excluded struct{}
