// Package v1 has mistakes that only older versions have.
//
// +groupName=older.example.com
// +versioned:version(name: "v1alpha1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

// Spec is a struct.
//
// +versioned:removed(since: "v1", name: "gone", type: "[]string")
// +versioned:until("v1beta1")=+k8s:subfield("gone")=+k8s:minimum=1
type Spec struct {
	// +versioned:changed(since: "v1beta1", fromName: "older")
	// +versioned:changed(since: "v1", fromName: "old", fromType: "int32", transform: "integer")
	// +versioned:until("v1alpha1")=+default="x"
	// +k8s:optional
	// +k8s:maxLength=9
	Name string `json:"name,omitempty"`
	// +versioned:until("v1beta1")=+k8s:maximum=5
	// +k8s:optional
	// +k8s:maximum=9
	// +k8s:maxLength=3
	Size *int32 `json:"size,omitempty"`
}
