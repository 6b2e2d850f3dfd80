// Package v1 is the newest version of the garden API.
//
// It is what people read.
//
// +groupName=garden.example.com
// +kubebuilder:object:generate=true
// +versioned:version(name: "v1alpha1", deprecated: true, served: false)
// +versioned:version(name: "v1beta1", doc: "Gardens of v1beta1 are small.", storage: true)
// +versioned:version(name: "v1")
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DefaultSpot is where plants stand that nobody placed.
const DefaultSpot = "window"

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=plants,shortName=pl,categories=all
// +kubebuilder:subresource:status
// +kubebuilder:selectablefield:JSONPath=`.spec.spot`
// +kubebuilder:printcolumn:name="Pots",type=integer,JSONPath=".spec.pots[0].size",priority=1
// +kubebuilder:printcolumn:name="Later",type=string,JSONPath=".spec.added"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"

// Plant is a plant.
type Plant struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what the plant should be.
	Spec PlantSpec `json:"spec"`
}

// +kubebuilder:object:root=true

// PlantList is a list of plants.
type PlantList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Plant `json:"items"`
}

// PlantSpec is what a plant should be.
//
// +versioned:since("v1")=+kubebuilder:validation:XValidation:rule="self.spot != 'moon'"
// +versioned:until("v1beta1")=+kubebuilder:validation:XValidation:rule="self.place != 'moon'"
type PlantSpec struct {
	// spot is where the plant stands. A name such as "a\b" is one.
	//
	// +versioned:changed(since: "v1", fromName: "place")
	// +optional
	// +k8s:optional
	// +k8s:format=k8s-short-name
	// +default=ref(DefaultSpot)
	// +versioned:until("v1alpha1")=+k8s:maxLength=10
	// +versioned:since("v1beta1")=+k8s:maxLength=20
	Spot string `json:"spot,omitempty" protobuf:"bytes,1,opt,name=spot"`

	// rest is the time between two waterings.
	//
	// +k8s:optional
	// +versioned:until("v1alpha1")=+k8s:minimum="1m"
	// +versioned:since("v1beta1")=+k8s:minimum="1h"
	// +kubebuilder:validation:Maximum=48h
	Rest *metav1.Duration `json:"rest,omitempty"`

	// +versioned:added(since: "v1", lossy: "x")
	// +k8s:dependentRequired("spot")
	Added *string `json:"added,omitempty"`

	// Pots is keyed by label.
	//
	// +k8s:listType=map
	// +k8s:listMapKey=label
	// +k8s:item(label: "main")=+k8s:subfield(size)=+k8s:minimum=1
	// +k8s:eachVal=+k8s:subfield(label)=+k8s:maxLength=3
	// +k8s:eachVal=+k8s:subfield(note)=+k8s:optional
	// +listType=map
	// +listMapKey=label
	// +patchMergeKey=label
	// +default=[{"label": "main", "size": 2, "note": "x", "color": "Red"}]
	Pots []Pot `json:"pots,omitempty" patchStrategy:"merge" patchMergeKey:"label"`

	// Shelves are keyed by a field of an inlined struct.
	//
	// +listType=map
	// +listMapKey=label
	// +patchMergeKey=label
	Shelves []Shelf `json:"shelves,omitempty" patchStrategy:"merge" patchMergeKey:"label"`

	// +k8s:dependentRequired("spot")
	// +k8s:unionDiscriminator
	Kind PlantKind `json:"kind"`
	// +k8s:unionMember
	// +versioned:changed(since: "v1", fromName: "shrub")
	Bush *Pot `json:"bush,omitempty"`
	// +k8s:unionMember(memberName: "Tree")
	Oak *Pot `json:"oak,omitempty"`

	// Deprecated: there are none.
	//
	// +versioned:deprecated(since: "v1", note: "there are none.")
	// +optional
	DeprecatedWeeds []string `json:"deprecatedWeeds,omitempty"`

	// Moss is still called moss.
	//
	// +versioned:deprecated(since: "v1beta1", keepName: true, note: "use bush.")
	Moss bool `json:"moss,omitempty"`

	// +k8s:default="Red"
	// +k8s:enumExclude
	Color Color `json:"color,omitempty"`

	// +kubebuilder:default={label: "x", size: 2, note: "n"}
	Spare *Pot `json:"spare,omitempty"`
	// +kubebuilder:default={"cpu": "1"}
	Resources corev1.ResourceList `json:"resources,omitempty"`
	// +kubebuilder:default=a,b
	// +kubebuilder:validation:Pattern=`^[a-z"]+$`
	// +k8s:pattern="^[a-z\\\"]+$"
	Other string `json:"other,omitempty"`
}

// Pot holds a plant.
type Pot struct {
	// +versioned:changed(since: "v1beta1", fromName: "name")
	Label string `json:"label"`
	Size  int32  `json:"size,omitempty"`
	// +versioned:added(since: "v1beta1", lossy: "x")
	Note  string `json:"note,omitempty"`
	Color Color  `json:"color,omitempty"`
}

// Shelf has a pot.
type Shelf struct {
	Pot `json:",inline"`
}

// PlantKind says which of the members is set.
//
// +k8s:enum
type PlantKind string

const (
	// PlantKindBush was PlantKindShrub.
	//
	// +versioned:changed(since: "v1", fromName: "Shrub")
	PlantKindBush PlantKind = "Bush"
	PlantKindTree PlantKind = "Tree"
)

// Color is a color.
//
// +k8s:enum
// +default="Green"
type Color string

const (
	Green Color = "Green"
	// Red is red.
	//
	// +versioned:changed(since: "v1beta1", fromName: "Rot")
	// +k8s:ifEnabled(X)=+k8s:enumExclude
	Red Color = "Red"
)

// unused is nobody's: older versions do without it.
type unused struct {
	f func()
}

func (u unused) call() { u.f() }
