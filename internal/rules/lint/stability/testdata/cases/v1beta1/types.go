// Package v1beta1 is beta altogether.
package v1beta1

// Type has tags of all levels.
type Type struct {
	// +k8s:neq="a"
	Alpha string `json:"alpha"`
	// +k8s:forbidden
	Beta string `json:"beta,omitempty"`
}
