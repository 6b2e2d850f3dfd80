// Package v1alpha1 is alpha altogether.
package v1alpha1

// Type has tags of all levels.
type Type struct {
	// +k8s:neq="a"
	Alpha string `json:"alpha"`
	// +k8s:forbidden
	Beta string `json:"beta,omitempty"`
}
