package v1

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=dbclass,categories={data}
// +kubebuilder:printcolumn:name="Controller",type=string,JSONPath=`.spec.controllerName`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`

// DatabaseClass configures how databases of the class are run: by which
// controller, and on which part of the cluster.
type DatabaseClass struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of an object.
	//
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is the configuration of the class.
	//
	// +required
	Spec DatabaseClassSpec `json:"spec"`
}

// +kubebuilder:object:root=true

// DatabaseClassList is a list of classes.
type DatabaseClassList struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of a list.
	//
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`

	// items are the classes.
	//
	// +required
	Items []DatabaseClass `json:"items"`
}

// DatabaseClassSpec configures how databases of a class are run.
type DatabaseClassSpec struct {
	// controllerName is the controller that runs databases of the class, such as
	// "example.com/database-operator".
	//
	// +k8s:required
	// +k8s:immutable
	// +k8s:format=k8s-prefixed-label-key
	// +versioned:changed(since: "v1beta1", fromName: "controller")
	ControllerName string `json:"controllerName"`

	// engines are the engines that the class offers. If empty, it offers all.
	//
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=8
	Engines []Engine `json:"engines,omitempty"`

	// maxReplicas is the maximum number of replicas of a database of the class.
	//
	// +default=15
	// +k8s:optional
	// +k8s:minimum=1
	// +k8s:maximum=15
	MaxReplicas *int32 `json:"maxReplicas,omitempty"`

	// parametersRef references an object with further parameters of the controller.
	// The rules of the Kubernetes type apply.
	//
	// +k8s:optional
	ParametersRef *schedulingv1alpha3.TypedLocalObjectReference `json:"parametersRef,omitempty"`

	// scheduling places the instances of a database together, for example in one
	// rack.
	//
	// +k8s:optional
	Scheduling *schedulingv1alpha3.PodGroupSchedulingConstraints `json:"scheduling,omitempty"`

	// resourceClaims are the devices that the instances of a database share, such
	// as a fast network interface.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=4
	// +versioned:added(since: "v1beta1")
	ResourceClaims []schedulingv1alpha3.PodGroupResourceClaim `json:"resourceClaims,omitempty"`
}
