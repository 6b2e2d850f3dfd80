// Package v1 has one older version that is kept by hand, and one that is generated.
//
// +kubebuilder:object:generate=true
// +groupName=handwritten.example.com
// +versioned:version(name: "v1alpha1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

// Job is a job.
type Job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec JobSpec `json:"spec,omitempty"`
}

// JobSpec is what the job should do.
//
// +versioned:removed(since: "v1", name: "memo", type: "Memo")
type JobSpec struct {
	// +versioned:changed(since: "v1", fromName: "cmd")
	Command []string `json:"command,omitempty"`
	Policy  Policy   `json:"policy,omitempty"`
	Window  Window   `json:"window"`
	Owner   Owner    `json:"owner,omitempty"`
	Steps   []Step   `json:"steps,omitempty"`
	// +versioned:added(since: "v1beta1", default: "3", lossy: "unused there")
	Retries int32 `json:"retries,omitempty"`
	Marks   Marks `json:"marks,omitempty"`
	Audit   Audit `json:"audit"`
}

// Marks has no methods that copy it.
//
// +kubebuilder:object:generate=false
type Marks map[string][]string

// Audit is copied by hand in v1beta1.
type Audit struct {
	By []string `json:"by,omitempty"`
}

// Step is a step.
type Step struct {
	// +versioned:changed(since: "v1beta1", fromName: "run")
	Name string `json:"name"`
}

// Window is converted by hand from and to v1beta1, and has no changes that a
// marker could describe.
type Window struct {
	Minutes int64    `json:"minutes"`
	Days    []string `json:"days,omitempty"`
}

// Memo is not a type of its own in the version that is kept by hand.
type Memo string

// Owner is not a type of its own in the version that is kept by hand.
type Owner string

// Policy is an enum.
//
// +k8s:enum
type Policy string

const (
	PolicyAlways Policy = "Always"
	// +versioned:added(since: "v1", downgradeTo: "Always", lossy: "near enough")
	PolicyOnce Policy = "Once"
)
