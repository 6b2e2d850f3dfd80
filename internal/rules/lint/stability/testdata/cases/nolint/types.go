// Package nolint is left alone.
//
// +k8s:validation-gen-nolint
package nolint

// Type has tags of all levels.
type Type struct {
	// +k8s:eachVal=+k8s:alpha=+k8s:neq="a"
	List []string `json:"list"`
}
