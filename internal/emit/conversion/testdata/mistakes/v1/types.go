// Package v1 has what cannot be converted.
//
// +groupName=mistakes.example.com
// +versioned:version(name: "v1alpha1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

// Skipped is converted by hand, but nobody wrote that.
//
// +versioned:skip(conversion)
type Skipped struct {
	A string `json:"a"`
}
