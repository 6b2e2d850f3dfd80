// Package v1 has what cannot be converted.
//
// +groupName=mistakes.example.com
// +versioned:version(name: "v1alpha1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

import "net/url"

// Mixed has fields that hold something other than data.
type Mixed struct {
	// Any can be anything.
	Any any `json:"any"`
	// Links cannot be copied by a method, and hold pointers.
	Links []url.URL `json:"links"`
	Func  func()    `json:"-"`
	Fine  string    `json:"fine"`
}

// Skipped is converted by hand, but nobody wrote that.
//
// +versioned:skip(conversion)
type Skipped struct {
	A string `json:"a"`
}
