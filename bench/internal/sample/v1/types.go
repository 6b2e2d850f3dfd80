// Package v1 has kinds for benchmarks: Workload has a typical number of rules for its
// size, of all sorts that CRD schemas support, and Registry is one long list.
//
// +groupName=bench.example.com
// +versioned:version(name: "v1", storage: true)
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Workload is something that runs.
type Workload struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says what runs.
	Spec WorkloadSpec `json:"spec"`
}

// WorkloadSpec says what runs, and where it is to be reached.
type WorkloadSpec struct {
	// class is the controller that runs it.
	//
	// +k8s:required
	// +k8s:immutable
	// +k8s:format=k8s-long-name
	Class string `json:"class"`

	// policy says what happens when it ends.
	//
	// +k8s:required
	Policy Policy `json:"policy"`

	// title is what people know it by.
	//
	// +k8s:optional
	// +k8s:minLength=3
	// +k8s:maxLength=64
	Title *string `json:"title,omitempty"`

	// replicas is how many run at a time.
	//
	// +k8s:optional
	// +k8s:minimum=0
	// +k8s:maximum=1000
	Replicas *int32 `json:"replicas,omitempty"`

	// claim is the claim that it was made for.
	//
	// +k8s:optional
	// +k8s:format=k8s-uuid
	Claim *string `json:"claim,omitempty"`

	// hosts are the names under which it is reached.
	//
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=16
	// +k8s:eachVal=+k8s:format=k8s-long-name
	// +k8s:eachVal=+k8s:maxLength=253
	Hosts []string `json:"hosts,omitempty"`

	// ports are the ports on which it listens.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=protocol
	// +k8s:maxItems=32
	Ports []Port `json:"ports,omitempty"`

	// source is where it comes from.
	//
	// +k8s:optional
	Source *Source `json:"source,omitempty"`
}

// Policy says what happens when a workload ends.
//
// +k8s:enum
type Policy string

// The policies.
const (
	Always    Policy = "Always"
	OnFailure Policy = "OnFailure"
	Never     Policy = "Never"
)

// Port is a port that a workload listens on.
type Port struct {
	// name is unique among the ports of a protocol.
	//
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`

	// protocol is the transport.
	//
	// +k8s:required
	Protocol Protocol `json:"protocol"`

	// number is the number of the port.
	//
	// +k8s:required
	// +k8s:minimum=1
	// +k8s:maximum=65535
	Number int32 `json:"number"`
}

// Protocol is a transport.
//
// +k8s:enum
type Protocol string

// The protocols.
const (
	TCP Protocol = "TCP"
	UDP Protocol = "UDP"
)

// Source is where a workload comes from: one of its members.
type Source struct {
	// image is a container image.
	//
	// +k8s:optional
	// +k8s:unionMember
	Image *ImageSource `json:"image,omitempty"`

	// archive is a file in the cluster's storage.
	//
	// +k8s:optional
	// +k8s:unionMember
	Archive *ArchiveSource `json:"archive,omitempty"`
}

// ImageSource is a container image.
type ImageSource struct {
	// reference is the name of the image.
	//
	// +k8s:required
	// +k8s:maxLength=1024
	Reference string `json:"reference"`

	// secretNames are the secrets to pull it with.
	//
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=8
	// +k8s:eachVal=+k8s:format=k8s-long-name
	SecretNames []string `json:"secretNames,omitempty"`
}

// ArchiveSource is a file in the cluster's storage.
type ArchiveSource struct {
	// path is the name of the file.
	//
	// +k8s:required
	// +k8s:maxLength=1024
	Path string `json:"path"`
}

// Registry is a long list.
type Registry struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// entries are unique by name.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Entries []Entry `json:"entries,omitempty"`
}

// Entry is an entry of a registry.
type Entry struct {
	// name is what the entry is found by.
	//
	// +k8s:required
	Name string `json:"name"`

	// value is what it says.
	//
	// +k8s:optional
	Value *int64 `json:"value,omitempty"`
}
