// Package defaults has defaults of a package with all automatic ones. conformance/defaults has the
// worked examples.
//
// +groupName=defaults.example.com
// +versionName=v1
// +k8s:automaticDefaults
package defaults

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Example has a part for each example.
type Example struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional
	Scalar *Scalar `json:"scalar,omitempty"`
	// +optional
	Demanding *Demanding `json:"demanding,omitempty"`
}

// SubLevel is what is in it.
type SubLevel struct {
	// +default="default-name"
	Name   string `json:"name,omitempty"`
	Number int    `json:"number"`
}

// Scalar has scalars with and without a default of their own.
type Scalar struct {
	// +default="default-name"
	Name      string `json:"name,omitempty"`
	Defaulted int    `json:"defaulted"`
	// +default=ref(Limit)
	Limit *Amount `json:"limit,omitempty"`
	// +default=true
	Enabled *bool `json:"enabled,omitempty"`
}

// Amount is a number.
type Amount int32

// Limit is a default.
const Limit Amount = 7

// Demanding has structs whose {} is not valid, or not asked for.
type Demanding struct {
	// Inner has a required field, so there is no {} to default it to.
	Inner Required `json:"inner"`
	// Outer is required because what is in it is.
	Outer Outer `json:"outer"`
	// Explicit is demanded by its author.
	// +required
	Explicit SubLevel `json:"explicit"`
	// Ruled has a rule that {} breaks.
	Ruled Ruled `json:"ruled,omitempty"`
	// Absent is really absent when it is zero.
	Absent SubLevel `json:"absent,omitzero"`
}

// Outer holds a struct with a required field.
type Outer struct {
	Inner Required `json:"inner"`
}

// Required has a required field.
type Required struct {
	// +required
	Name string `json:"name"`
}

// Ruled has a rule.
//
// +kubebuilder:validation:XValidation:rule="has(self.a) || has(self.b)",message="a or b must be set"
type Ruled struct {
	// +optional
	A *int32 `json:"a,omitempty"`
	// +optional
	B *int32 `json:"b,omitempty"`
}
