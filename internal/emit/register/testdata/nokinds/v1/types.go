// Package v1 has a group and no kinds.
//
// +groupName=nokinds.example.com
package v1

// Shared is used by other packages.
type Shared struct {
	Name string `json:"name"`
}
