// Package v1 has a kind for each way in which versions can differ, or not.
//
// +groupName=differs.example.com
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Text is a text.
type Text string

// Mode is an enum.
//
// +k8s:enum
type Mode string

const (
	// +versioned:changed(since: "v1", fromName: "First")
	One Mode = "One"
	Two Mode = "Two"
)

// Item has a renamed field.
type Item struct {
	// +versioned:changed(since: "v1", fromName: "number")
	Size int32 `json:"size,omitempty"`
}

// Tree refers to itself.
type Tree struct {
	Left  *Tree `json:"left,omitempty"`
	Right *Tree `json:"right,omitempty"`
}

// MovedSpec has a moved field.
type MovedSpec struct {
	// +versioned:moved(since: "v1", fromPath: "name")
	Name string `json:"name,omitempty"`
}

// Same is a kind.
type Same struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +versioned:deprecated(since: "v1", keepName: true, note: "unused")
	Name string `json:"name,omitempty"`
}

// GoName is a kind.
type GoName struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +versioned:changed(since: "v1", fromName: "name", fromGoName: "Title")
	Name string `json:"name,omitempty"`
}

// Retyped is a kind.
type Retyped struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +versioned:changed(since: "v1", fromType: "string")
	Name Text `json:"name,omitempty"`
}

// Recursive is a kind.
type Recursive struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Tree *Tree `json:"tree,omitempty"`
}

// Renamed is a kind.
type Renamed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +versioned:changed(since: "v1", fromName: "title")
	Name string `json:"name,omitempty"`
}

// Added is a kind.
type Added struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +versioned:added(since: "v1")
	Name *string `json:"name,omitempty"`
}

// Removed is a kind.
//
// +versioned:removed(since: "v1", name: "old", type: "*string")
type Removed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Name string `json:"name,omitempty"`
}

// Moved is a kind.
type Moved struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec MovedSpec `json:"spec,omitzero"`
}

// Annotation is a kind.
type Annotation struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +versioned:moved(since: "v1", fromPath: "metadata.annotations['example.com/name']")
	Name string `json:"name,omitempty"`
}

// ToLabel is a kind.
//
// +versioned:removed(since: "v1", name: "shard", type: "string", toPath: "metadata.labels['example.com/shard']")
type ToLabel struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Name string `json:"name,omitempty"`
}

// Wrapped is a kind.
type Wrapped struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +versioned:wrapped(since: "v1")
	Names []string `json:"names,omitempty"`
}

// WrappedEnum is a kind.
type WrappedEnum struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +versioned:wrapped(since: "v1")
	Modes []Mode `json:"modes,omitempty"`
}

// Transformed is a kind.
type Transformed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +versioned:changed(since: "v1", fromType: "string", transform: "integer")
	Port int32 `json:"port,omitempty"`
}

// Enum is a kind.
type Enum struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Mode Mode `json:"mode,omitempty"`
}

// List is a kind.
type List struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Modes []Mode `json:"modes,omitempty"`
}

// Values is a kind.
type Values struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Items map[string]Item `json:"items,omitempty"`
}

// Split is a kind.
//
// +versioned:split(since: "v1", name: "address", parts: "{host}:{port}")
type Split struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Host string `json:"host,omitempty"`
	Port string `json:"port,omitempty"`
}

// Inlined is a kind.
type Inlined struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Item `json:",inline"`
}
