// Package v1 has kinds with the unions of the tables, and with unions wherever one can be, because only
// kinds have definitions and policies.
//
// +groupName=unions.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/conformance/unions/skew"
)

// Row has a property for each type of package skew.
//
// +kubebuilder:object:root=true
type Row struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Conformance                *skew.Conformance                `json:"conformance,omitempty"`
	ConformanceStrict          *skew.ConformanceStrict          `json:"conformanceStrict,omitempty"`
	OptionalUnion              *skew.OptionalUnion              `json:"optionalUnion,omitempty"`
	OptionalUnionBeforeC       *skew.OptionalUnionBeforeC       `json:"optionalUnionBeforeC,omitempty"`
	RequiredUnion              *skew.RequiredUnion              `json:"requiredUnion,omitempty"`
	RequiredUnionStrict        *skew.RequiredUnionStrict        `json:"requiredUnionStrict,omitempty"`
	RequiredUnionBeforeC       *skew.RequiredUnionBeforeC       `json:"requiredUnionBeforeC,omitempty"`
	RequiredUnionBeforeCStrict *skew.RequiredUnionBeforeCStrict `json:"requiredUnionBeforeCStrict,omitempty"`
	LenientRequired            *skew.LenientRequired            `json:"lenientRequired,omitempty"`
	LenientOptional            *skew.LenientOptional            `json:"lenientOptional,omitempty"`
	DefaultedUnion             *skew.DefaultedUnion             `json:"defaultedUnion,omitempty"`
	TwoUnions                  *skew.TwoUnions                  `json:"twoUnions,omitempty"`
	Containers                 *skew.Containers                 `json:"containers,omitempty"`
	AtMostOne                  *skew.AtMostOne                  `json:"atMostOne,omitempty"`
	AtMostOneBeforeC           *skew.AtMostOneBeforeC           `json:"atMostOneBeforeC,omitempty"`
	ExactlyOne                 *skew.ExactlyOne                 `json:"exactlyOne,omitempty"`
	ExactlyOneBeforeC          *skew.ExactlyOneBeforeC          `json:"exactlyOneBeforeC,omitempty"`
}
