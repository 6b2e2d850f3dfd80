// Package kinds has a kind for each shape, whose definition API servers check.
//
// +groupName=shapes.example.com
// +versionName=v1
package kinds

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/conformance/unions/shapes"
)

// Optional has a spec of this shape.
//
// +kubebuilder:object:root=true
type Optional struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Optional `json:"spec"`
}

// Required has a spec of this shape.
//
// +kubebuilder:object:root=true
type Required struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Required `json:"spec"`
}

// Strict has a spec of this shape.
//
// +kubebuilder:object:root=true
type Strict struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Strict `json:"spec"`
}

// Lenient has a spec of this shape.
//
// +kubebuilder:object:root=true
type Lenient struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Lenient `json:"spec"`
}

// Kinds has a spec of this shape.
//
// +kubebuilder:object:root=true
type Kinds struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Kinds `json:"spec"`
}

// Measures has a spec of this shape.
//
// +kubebuilder:object:root=true
type Measures struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Measures `json:"spec"`
}

// Inlined has a spec of this shape.
//
// +kubebuilder:object:root=true
type Inlined struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Inlined `json:"spec"`
}

// Pointer has a spec of this shape.
//
// +kubebuilder:object:root=true
type Pointer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Pointer `json:"spec"`
}

// Two has a spec of this shape.
//
// +kubebuilder:object:root=true
type Two struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Two `json:"spec"`
}

// Tagged has a spec of this shape.
//
// +kubebuilder:object:root=true
type Tagged struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Tagged `json:"spec"`
}

// TaggedOptional has a spec of this shape.
//
// +kubebuilder:object:root=true
type TaggedOptional struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.TaggedOptional `json:"spec"`
}

// Open has a spec of this shape.
//
// +kubebuilder:object:root=true
type Open struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Open `json:"spec"`
}

// Exactly has a spec of this shape.
//
// +kubebuilder:object:root=true
type Exactly struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Exactly `json:"spec"`
}

// ExactlyPointer has a spec of this shape.
//
// +kubebuilder:object:root=true
type ExactlyPointer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.ExactlyPointer `json:"spec"`
}

// AtMost has a spec of this shape.
//
// +kubebuilder:object:root=true
type AtMost struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.AtMost `json:"spec"`
}

// Older has a spec of this shape.
//
// +kubebuilder:object:root=true
type Older struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec shapes.Older `json:"spec"`
}
