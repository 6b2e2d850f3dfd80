// Package unsaid has rules with and without a keyword of OpenAPI.
//
// +groupName=unsaid.example.com
// +versionName=v1
// +k8s:openapi-gen=true
package unsaid

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing has each rule in a field that is named by what definitions have of it.
type Thing struct {
	// +k8s:maxLength=5
	// +k8s:required
	Said string `json:"said"`
	// +k8s:maxBytes=5
	Bytes string `json:"bytes,omitempty"`
	// +k8s:format=k8s-short-name
	Name string `json:"name,omitempty"`
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:minLength=1
	List []string `json:"list,omitempty"`
	// +k8s:unionDiscriminator
	Which Which `json:"which,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	One *string `json:"one,omitempty"`
	// +k8s:ifEnabled("Never")=+k8s:immutable
	Never string `json:"never,omitempty"`

	// +k8s:immutable
	Immutable string `json:"immutable,omitempty"`
	// +k8s:neq="x"
	Not string `json:"not,omitempty"`
	// +k8s:update=NoUnset
	Update *string `json:"update,omitempty"`
	// +k8s:eachKey=+k8s:minLength=1
	Keys map[string]string `json:"keys,omitempty"`
	// +k8s:eachVal=+k8s:neq="x"
	Values []string `json:"values,omitempty"`
	// +k8s:subfield("city")=+k8s:maxLength=5
	Part Part `json:"part,omitzero"`
	// +k8s:maximum="1h"
	Length metav1.Duration `json:"length,omitzero"`
	// +k8s:format=k8s-uuid
	Short  Short `json:"short,omitempty"`
	Inner  `json:",inline"`
	Choice *Choice `json:"choice,omitempty"`
}

// Which is a discriminator.
// +k8s:enum
type Which string

// WhichOne is its value.
const WhichOne Which = "One"

// Part is a struct.
type Part struct {
	City string `json:"city,omitempty"`
}

// Short has a rule of a type, for which it is reported once.
// +k8s:neq="y"
type Short string

// Inner is inlined; its rule in CEL is about the enclosing object.
// +kubebuilder:validation:XValidation:rule="!has(self.more) || self.more != 'z'"
type Inner struct {
	// +k8s:neq="z"
	More Short `json:"more,omitempty"`
}

// Choice has no discriminator, which unions in definitions have.
type Choice struct {
	// +k8s:unionMember
	// +k8s:optional
	A *string `json:"a,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	B *string `json:"b,omitempty"`
}
