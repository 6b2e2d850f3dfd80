package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Courier came with v1beta1.
//
// +versioned:added(since: "v1beta1")
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster
type Courier struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Vehicle is what the courier rides.
	//
	// +versioned:changed(since: "v1", fromName: "bike")
	// +versioned:until("v1beta1")=+k8s:maxLength=5
	// +versioned:since("v1")=+k8s:maxLength=10
	Vehicle string `json:"vehicle,omitempty"`
	// Every change here can be undone, so that no value is lost either way.
	//
	// +versioned:changed(since: "v1", fromType: "Flavour")
	Kind string `json:"kind2,omitempty"`
	// +versioned:deprecated(since: "v1")
	DeprecatedURL string `json:"deprecatedURL,omitempty"`
}

// +kubebuilder:object:root=true

// CourierList is a list of couriers.
type CourierList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Courier `json:"items"`
}
