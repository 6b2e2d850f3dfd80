// Package v1 has the kinds of db.example.com: databases, and the classes that
// configure how they are run.
//
// +groupName=db.example.com
// +versioned:version(name: "v1alpha1", deprecated: "use db.example.com/v1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1", storage: true)
package v1
