package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,categories=ci
// +kubebuilder:subresource:status

// Runner is a computer that runs tasks.
//
// +versioned:added(since: "v1alpha2")
type Runner struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of an object.
	//
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is the desired state of the runner.
	//
	// +required
	Spec RunnerSpec `json:"spec"`

	// status is the observed state of the runner.
	//
	// +optional
	Status RunnerStatus `json:"status,omitzero"`
}

// +kubebuilder:object:root=true

// RunnerList is a list of runners.
//
// +versioned:added(since: "v1alpha2")
type RunnerList struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of a list.
	//
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`

	// items are the runners.
	//
	// +required
	Items []Runner `json:"items"`
}

// RunnerSpec is the desired state of a runner.
//
// +versioned:added(since: "v1alpha2")
type RunnerSpec struct {
	// pool is the name of the pool that the runner belongs to.
	//
	// +versioned:changed(since: "v1beta2", fromName: "group")
	// +k8s:optional
	// +k8s:format=k8s-long-name
	Pool string `json:"pool,omitempty"`

	// slots are how many tasks the runner runs at the same time.
	//
	// +versioned:added(since: "v1beta1", default: 1)
	// +k8s:optional
	// +k8s:minimum=1
	Slots *int32 `json:"slots,omitempty"`

	// taints keep tasks away that do not tolerate them.
	//
	// +versioned:added(since: "v1")
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=key
	// +k8s:listMapKey=effect
	Taints []Taint `json:"taints,omitempty"`

	// drain ends the runner after its tasks.
	//
	// +k8s:optional
	Drain bool `json:"drain,omitempty"`
}

// Taint keeps tasks away from a runner.
type Taint struct {
	// key is the name of the taint.
	//
	// +k8s:required
	Key string `json:"key"`

	// effect is what happens to tasks.
	//
	// +k8s:required
	Effect string `json:"effect"`

	// reason is for people.
	//
	// +versioned:added(since: "v2")
	// +k8s:optional
	Reason string `json:"reason,omitempty"`
}

// RunnerStatus is the observed state of a runner.
//
// +versioned:added(since: "v1alpha2")
type RunnerStatus struct {
	// tasks are the tasks that run.
	//
	// +versioned:changed(since: "v1beta1", fromName: "running")
	// +k8s:optional
	// +k8s:listType=set
	Tasks []string `json:"tasks,omitempty"`

	// lastSeen is when the runner last asked for a task.
	//
	// +versioned:added(since: "v1beta2")
	// +k8s:optional
	LastSeen *metav1.Time `json:"lastSeen,omitempty"`

	// changedValues are values of other versions that this version cannot represent.
	//
	// +optional
	ChangedValues *convert.ChangedValues `json:"changedValues,omitempty"`
}
