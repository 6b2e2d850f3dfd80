// Package v1 has the kinds of site.example.com: web sites, and their pages.
//
// +groupName=site.example.com
// +versioned:version(name: "v1beta1", deprecated: "use site.example.com/v1")
// +versioned:version(name: "v1", storage: true)
package v1
