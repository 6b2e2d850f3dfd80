// Package enums has constants written in every way that Go allows.
//
// +groupName=enums.example.com
// +versionName=v1
package enums

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Paint has colors.
type Paint struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional
	Color Color `json:"color,omitempty"`
	// +kubebuilder:validation:Enum=Red;Green
	// +optional
	Signal Color `json:"signal,omitempty"`
	// +optional
	// +listType=atomic
	Palette []Color `json:"palette,omitempty"`
	// +kubebuilder:validation:Enum={"1","2"}
	// +optional
	Written string `json:"written,omitempty"`
}

const prefix = "Dark"

// Color is a color.
//
// +k8s:enum
type Color string

// The colors: literal, conversion, concatenation, repeated implicitly, and one
// that is not offered.
const (
	Red   Color = "Red"
	Green       = Color("Green")
	Blue  Color = prefix + "Blue"
	Again
	// +k8s:enumExclude
	Hidden Color = "Hidden"
)
