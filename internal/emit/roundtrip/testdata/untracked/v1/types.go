// Package v1 has a kind with lists that were single values, of which further items are lost.
//
// +groupName=untracked.example.com
// +versioned:version(name: "v1alpha1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1", storage: true)
// +versioned:tracking(store: "none")
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

// Rack holds servers.
type Rack struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RackSpec `json:"spec"`
}

// RackSpec is the desired state of a rack.
type RackSpec struct {
	// +versioned:wrapped(since: "v1", fromName: "port", lossy: "clients have one port")
	Ports []int32 `json:"ports,omitempty"`
	// +versioned:wrapped(since: "v1beta1", fromName: "count", lossy: "clients have one count")
	Counts []int32 `json:"counts"`
	// +versioned:wrapped(since: "v1", fromName: "name", lossy: "clients have one name")
	// +listType=set
	Names []string `json:"names,omitempty"`
	// +versioned:wrapped(since: "v1beta1", fromName: "guest", fromType: "*string", lossy: "clients have one guest")
	Guests []string `json:"guests,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "server", lossy: "clients have one server")
	// +listType=map
	// +listMapKey=name
	Servers []Server `json:"servers,omitempty"`
	// +versioned:wrapped(since: "v1beta1", fromName: "main", lossy: "clients have one server")
	Mains []Server `json:"mains"`
	// +versioned:wrapped(since: "v1", fromName: "label", lossy: "clients have one map")
	Labels []map[string]string `json:"labels,omitempty"`
}

// Server has a list that was a single value.
type Server struct {
	Name string `json:"name"`
	// +versioned:wrapped(since: "v1beta1", fromName: "fan", lossy: "clients have one fan")
	Fans []Fan `json:"fans,omitempty"`
}

// Fan has a name.
type Fan struct {
	Name  string `json:"name"`
	Speed *int32 `json:"speed,omitempty"`
}
