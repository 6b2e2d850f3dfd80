// Package v1 has a hand-written older version.
//
// +groupName=byhand.example.com
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

// Window is converted by hand.
type Window struct {
	Days []string `json:"days"`
}
