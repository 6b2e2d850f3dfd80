// Package v2 has the kinds of ci.example.com: pipelines, which build and test software, and the
// runners that they run on.
//
// +groupName=ci.example.com
// +versioned:version(name: "v1alpha1", deprecated: "use ci.example.com/v2", served: false)
// +versioned:version(name: "v1alpha2", deprecated: "use ci.example.com/v2")
// +versioned:version(name: "v1beta1", deprecated: "use ci.example.com/v2")
// +versioned:version(name: "v1beta2")
// +versioned:version(name: "v1")
// +versioned:version(name: "v2", storage: true)
package v2
