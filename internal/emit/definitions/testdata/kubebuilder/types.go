// Package kubebuilder is an API as a kubebuilder project writes it: every marker
// that controller-gen reads, and the Kubernetes types that such APIs embed.
//
// +groupName=shop.example.com
// +versionName=v1
package kubebuilder

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Store is a shop.
//
// It has a second paragraph,
// on two lines.
// ---
// This is for developers.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:resource:path=stores,shortName=st;sto,categories=all;shops,scope=Cluster,singular=store
// +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=`.spec.replicas`,description="How many",priority=1
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:selectablefield:JSONPath=`.spec.owner`
// +kubebuilder:metadata:annotations="shop.example.com/a=b";"shop.example.com/c=d"
// +kubebuilder:metadata:labels="app=shop"
// +kubebuilder:deprecatedversion:warning="use another shop"
// +kubebuilder:storageversion
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() < 60",message="the name is too long"
type Store struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec says what is wanted.
	// +required
	Spec StoreSpec `json:"spec"`
	// +optional
	Status *StoreStatus `json:"status,omitempty"`
}

// StoreList is a list of stores.
//
// +kubebuilder:object:root=true
type StoreList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Store `json:"items"`
}

// StoreSpec says what is wanted.
//
// +kubebuilder:validation:XValidation:rule="!has(self.minimum) || self.minimum <= self.maximum",message="minimum exceeds maximum",reason="FieldValueInvalid",fieldPath=".minimum"
// +kubebuilder:validation:AtMostOneOf=left;right
type StoreSpec struct {
	Embedded `json:",inline"`
	Common   `json:",inline"`

	// Replicas is a number.
	// TODO: this line is for developers
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	// +kubebuilder:default=3
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`

	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z]+$`
	// +kubebuilder:example=alice
	// +required
	Owner string `json:"owner"`

	// +optional
	Minimum int64 `json:"minimum,omitempty"`
	// +optional
	Maximum int `json:"maximum,omitempty"`

	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:MultipleOf=5
	// +optional
	Fives uint32 `json:"fives,omitempty"`

	// +kubebuilder:validation:Enum=red;green;blue
	// +kubebuilder:default=red
	// +optional
	Color string `json:"color,omitempty"`

	// Level has the type's documentation above and its own here.
	// +optional
	Level Level `json:"level,omitempty"`
	// +optional
	LevelWithTypeDoc Level `json:"levelWithTypeDoc,omitempty"`
	// +kubebuilder:validation:MaxLength=3
	// +optional
	Tight Level `json:"tight,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self != 'x'"
	// +optional
	Deep Deeper `json:"deep,omitempty"`

	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	// +optional
	Shelves []Shelf `json:"shelves,omitempty"`

	// +listType=set
	// +kubebuilder:validation:items:MinLength=2
	// +kubebuilder:validation:items:Pattern="^[a-z]+$"
	// +kubebuilder:default={"aa","bb"}
	// +optional
	Tags []string `json:"tags,omitempty"`

	// +kubebuilder:validation:items:MaxLength=9
	// +optional
	Colors []Color `json:"colors,omitempty"`

	// +kubebuilder:validation:items:MinLength=2
	// +kubebuilder:validation:items:Pattern="^r"
	// +optional
	ColorPointers []*Color `json:"colorPointers,omitempty"`

	// +optional
	Palette Palette `json:"palette,omitempty"`

	// +listType=atomic
	// +optional
	Named NamedList `json:"named,omitempty"`

	// +mapType=atomic
	// +kubebuilder:validation:MaxProperties=5
	// +kubebuilder:validation:MinProperties=1
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
	// +optional
	Matrix map[string][]map[string]int32 `json:"matrix,omitempty"`
	// +optional
	ByLevel map[Level]*Shelf `json:"byLevel,omitempty"`
	// +structType=atomic
	// +optional
	Atomic *Shelf `json:"atomic,omitempty"`

	// +kubebuilder:validation:Format=email
	// +kubebuilder:title="An address"
	// +kubebuilder:externalDocs:url="https://example.com/mail",description="more"
	// +optional
	Mail string `json:"mail,omitempty"`
	// +nullable
	// +optional
	Maybe *string `json:"maybe,omitempty"`

	// +optional
	Memory resource.Quantity `json:"memory,omitempty"`
	// +optional
	MemoryPointer *resource.Quantity `json:"memoryPointer,omitempty"`
	// +optional
	Port intstr.IntOrString `json:"port,omitempty"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern="^[0-9]+%?$"
	// +optional
	Surge *intstr.IntOrString `json:"surge,omitempty"`
	// +optional
	Since metav1.Time `json:"since,omitempty"`
	// +optional
	SinceMicro *metav1.MicroTime `json:"sinceMicro,omitempty"`
	// +optional
	Timeout *metav1.Duration `json:"timeout,omitempty"`
	// +optional
	Raw []byte `json:"raw,omitempty"`
	// +optional
	Fixed [2]string `json:"fixed,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:EmbeddedResource
	// +optional
	Extension *runtime.RawExtension `json:"extension,omitempty"`
	// +optional
	JSON *apiextensionsv1.JSON `json:"json,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	// +optional
	Whatever json.RawMessage `json:"whatever,omitempty"`

	// +optional
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// +optional
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// +optional
	Env []corev1.EnvVar `json:"env,omitempty"`
	// +optional
	Pod *corev1.PodTemplateSpec `json:"pod,omitempty"`

	// +optional
	Left *string `json:"left,omitempty"`
	// +optional
	Right *string `json:"right,omitempty"`

	// +optional
	Custom Written `json:"custom,omitempty"`
	// +optional
	Text Textual `json:"text,omitempty"`

	// Implicit is required, since Go always writes it.
	Implicit *bool `json:"implicit"`
	Omitted  bool  `json:"omitted,omitempty"`
	Zero     *int  `json:"zero,omitzero"`
	Skipped  int   `json:"-"`
	// +kubebuilder:validation:Optional
	Optional []int8 `json:"optional"`
	// +kubebuilder:validation:Required
	Required []uint64 `json:"required,omitempty"`
}

// Embedded is inlined.
//
// +kubebuilder:validation:XValidation:rule="self.first != 'bad'"
type Embedded struct {
	// First comes first.
	// +required
	First string `json:"first"`
	// +optional
	Second *int64 `json:"second,omitempty"`
}

// Common is inlined too.
type Common struct {
	// +optional
	Third string `json:"third,omitempty"`
}

// Level is a level.
//
// +kubebuilder:validation:MaxLength=10
// +kubebuilder:validation:XValidation:rule="self != 'y'"
type Level string

// Deeper is a level of a level.
//
// +kubebuilder:validation:MinLength=1
type Deeper Level

// NamedList is a list of levels.
//
// +kubebuilder:validation:MaxItems=7
type NamedList []Level

// Shelf holds things.
//
// +kubebuilder:validation:MinProperties=1
type Shelf struct {
	// Name tells shelves apart.
	// +kubebuilder:validation:MaxLength=20
	// +required
	Name string `json:"name"`
	// +kubebuilder:default="low"
	// +optional
	Height string `json:"height,omitempty"`
	// +kubebuilder:default={width: 3, depth: 4}
	// +optional
	Size *Size `json:"size,omitempty"`
	// +kubebuilder:default={width: 1}
	Always Size `json:"always"`
	// +kubebuilder:default=true
	Sent bool `json:"sent"`
}

// Size is a size.
type Size struct {
	// +required
	Width *int32 `json:"width"`
	// +optional
	Depth *int32 `json:"depth,omitempty"`
}

// Written is written as a number.
//
// +kubebuilder:validation:Type=integer
// +kubebuilder:validation:Format=int64
type Written struct {
	Value int64 `json:"-"`
}

// MarshalJSON writes the number.
func (w Written) MarshalJSON() ([]byte, error) { return json.Marshal(w.Value) }

// UnmarshalJSON reads the number.
func (w *Written) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &w.Value) }

// Textual is written as a string.
//
// +kubebuilder:validation:MaxLength=12
type Textual struct {
	text string
}

// MarshalText writes the string.
func (t Textual) MarshalText() ([]byte, error) { return []byte(t.text), nil }

// UnmarshalText reads the string.
func (t *Textual) UnmarshalText(text []byte) error {
	t.text = string(text)
	return nil
}

// StoreStatus says what is.
type StoreStatus struct {
	// +optional
	Replicas int32 `json:"replicas,omitempty"`
	// +optional
	Selector string `json:"selector,omitempty"`
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Color has rules of its own.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=8
// +kubebuilder:validation:Pattern="^[a-z]+$"
type Color string

// Palette has rules for the items of a type with rules.
// +kubebuilder:validation:items:MaxLength=6
type Palette []Color
