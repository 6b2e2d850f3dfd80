// Package byhand has a tag, and a marker that no tag replaces as it is.
package byhand

type Spec struct {
	// +k8s:maxLength=9
	Name *string `json:"name,omitempty"`
	// +kubebuilder:validation:Enum=a;b
	Kind *string `json:"kind,omitempty"`
}
