// Package ruled has no tags, but a rule in CEL, so it gets validators.
package ruled

// +kubebuilder:validation:XValidation:rule="self.name != 'x'"
type Spec struct {
	// +kubebuilder:validation:MaxLength=63
	Name *string `json:"name,omitempty"`
}
