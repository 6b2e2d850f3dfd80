// Package cases has markers with and without exact counterparts.
package cases

type Spec struct {
	// +k8s:optional
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:MinLength:=1
	// +kubebuilder:validation:Pattern=^[a-z]+$
	Name string `json:"name,omitempty"`
	// +kubebuilder:validation:Pattern="^a`b$"
	// +kubebuilder:validation:Enum=a;b
	Quoted *string `json:"quoted,omitempty"`
	// +kubebuilder:validation:items:MaxLength=5
	// +kubebuilder:validation:MaxItems=3
	List []string `json:"list,omitempty"`
	// The tag would apply to 0, too.
	//
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9
	Unsaid int32 `json:"unsaid,omitempty"`
	// +k8s:required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:Maximum=9 # at most
	// +kubebuilder:validation:MultipleOf=2
	Exclusive int32 `json:"exclusive"`
	// +k8s:optional
	// +k8s:maxLength=3
	// +kubebuilder:validation:MaxLength=3
	There *string `json:"there,omitempty"`
	// Go enforces these already, or they are no rules.
	//
	// +k8s:optional
	// +kubebuilder:validation:Optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:XValidation:rule="self != 'x'"
	Ruled *string `json:"ruled,omitempty"`
	// +kubebuilder:validation:Maximum=1.5
	Fraction *int64 `json:"fraction,omitempty"`
	// Controller-gen ignores these too, which is reported where definitions are made.
	//
	// +kubebuilder:validation:MaxLenth=5
	// +kubebuilder:validation:AtMostOneOf=a;b
	Misspelt *string `json:"misspelt,omitempty"`
}

// +kubebuilder:validation:MaxLength=10
// +kubebuilder:validation:OneOf=a;b
type Text string
