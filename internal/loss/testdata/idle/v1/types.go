// Package v1 has types that no conversion of a kind converts: in versions without the kind, and in versions in which the type is
// only in fields that others lack.
//
// +groupName=idle.example.com
// +versioned:version(name: "v1alpha1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Late is not in v1alpha1.
//
// +kubebuilder:object:root=true
// +versioned:added(since: "v1beta1")
type Late struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec LateSpec `json:"spec"`
}

// +versioned:removed(since: "v1", name: "old", type: "[]Part")
type LateSpec struct {
	// +versioned:added(since: "v1")
	Part *Part `json:"part,omitempty"`
	// +versioned:added(since: "v1")
	Mode Mode `json:"mode,omitempty"`
	// +versioned:added(since: "v1")
	New *New `json:"new,omitempty"`
}

// New is in v1 only, so that no object gets the default that its field had, and none has what it had before.
//
// +versioned:removed(since: "v1", name: "gone", type: "[]Gone")
type New struct {
	// +versioned:added(since: "v1beta1", default: `"a"`)
	Mode Lower `json:"mode,omitempty"`
}

// +k8s:enum
type Lower string

const (
	// +versioned:changed(since: "v1", fromName: "a")
	LowerA Lower = "A"
)

// Gone is in a removed field of a struct that no older version uses.
//
// +versioned:removed(since: "v1beta1", name: "size", type: "int32")
type Gone struct {
	// +versioned:changed(since: "v1", fromType: "string", transform: "integer")
	Count int64 `json:"count,omitempty"`
}

// Part is in a removed field of v1beta1, and in an added one of v1.
//
// +versioned:removed(since: "v1", name: "size", type: "int32")
type Part struct {
	// +versioned:added(since: "v1")
	Name string `json:"name,omitempty"`
	// +versioned:changed(since: "v1", fromType: "string", transform: "integer")
	Count int64 `json:"count,omitempty"`
	Mode  Mode  `json:"mode,omitempty"`
}

// +k8s:enum
type Mode string

const (
	ModeA Mode = "A"
	// +versioned:added(since: "v1", downgradeTo: "A")
	ModeB Mode = "B"
)

// Alone is in no kind.
//
// +versioned:removed(since: "v1", name: "size", type: "int32")
type Alone struct {
	Name string `json:"name,omitempty"`
}
