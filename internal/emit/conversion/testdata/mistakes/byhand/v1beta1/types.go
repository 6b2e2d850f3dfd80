// Package v1beta1 has a type without methods that copy it.
//
// +groupName=byhand.example.com
package v1beta1

import (
	"k8s.io/apimachinery/pkg/conversion"

	v1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/mistakes/byhand/v1"
)

// Window has no method that copies it.
//
// +kubebuilder:object:generate=false
type Window struct {
	Days []string `json:"days"`
}

// Convert_v1beta1_Window_To_v1_Window keeps what it gets.
func Convert_v1beta1_Window_To_v1_Window(in *Window, out *v1.Window, s conversion.Scope) error {
	out.Days = in.Days
	return nil
}
