// Package untagged has no tags, so it gets no validators.
package untagged

type Spec struct {
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name,omitempty"`
}
