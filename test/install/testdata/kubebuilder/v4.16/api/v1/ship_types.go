package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ShipSpec defines the desired state of Ship
// +kubebuilder:validation:XValidation:rule="!has(self.rig) || self.rig == 'Square' || has(self.masts) && self.masts > 1",message="other rigs need two masts",fieldPath=".rig"
type ShipSpec struct {
	// masts is the number of masts.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=7
	// +kubebuilder:default=1
	// +optional
	Masts *int32 `json:"masts,omitempty"`

	// rig is how the sails are set.
	// +kubebuilder:validation:Enum=Square;ForeAndAft
	// +optional
	Rig string `json:"rig,omitempty"`

	// pennant is the name on the flag.
	// +kubebuilder:validation:MaxLength=12
	// +optional
	Pennant *string `json:"pennant,omitempty"`
}

// ShipStatus defines the observed state of Ship.
type ShipStatus struct {
	// conditions represent the current state of the Ship resource.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// Ship is the Schema for the ships API
type Ship struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is a standard object metadata
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec defines the desired state of Ship
	// +required
	Spec ShipSpec `json:"spec"`

	// status defines the observed state of Ship
	// +optional
	Status ShipStatus `json:"status,omitzero"`
}

// +kubebuilder:object:root=true

// ShipList contains a list of Ship
type ShipList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []Ship `json:"items"`
}

func init() {
	SchemeBuilder.Register(func(s *runtime.Scheme) error {
		s.AddKnownTypes(SchemeGroupVersion, &Ship{}, &ShipList{})
		return nil
	})
}
