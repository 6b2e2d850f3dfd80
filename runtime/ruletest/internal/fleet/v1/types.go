// Package v1 is an API for the tests of ruletest.
//
// +groupName=fleet.example.com
package v1

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Ship is a ship.
//
// +kubebuilder:object:root=true
type Ship struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what to build.
	Spec ShipSpec `json:"spec,omitzero"`
}

// ShipSpec is what to build.
type ShipSpec struct {
	// Masts is the number of masts.
	// +default=1
	// +k8s:optional
	// +k8s:maximum=7
	Masts *int32 `json:"masts,omitempty"`
	// Hull is immutable.
	// +k8s:optional
	// +k8s:immutable
	Hull string `json:"hull,omitempty"`
	// Flag is checked by a function.
	// +k8s:optional
	// +k8s:customValidation
	Flag string `json:"flag,omitempty"`
	// Engine drives the ship.
	// +k8s:optional
	Engine *Engine `json:"engine,omitempty"`
}

// Engine is a union.
type Engine struct {
	// Type is the member.
	// +k8s:required
	// +k8s:unionDiscriminator
	Type EngineType `json:"type,omitempty"`
	// Steam is set for the type Steam.
	// +k8s:optional
	// +k8s:unionMember
	Steam *Fuel `json:"steam,omitempty"`
	// Motor is set for the type Motor.
	// +k8s:optional
	// +k8s:unionMember
	Motor *Fuel `json:"motor,omitempty"`
}

// EngineType is a type of engine.
//
// +k8s:enum
type EngineType string

const (
	// Steam burns coal.
	Steam EngineType = "Steam"
	// Motor burns oil.
	Motor EngineType = "Motor"
)

// Fuel is fuel.
type Fuel struct {
	// Tons is the amount.
	// +k8s:optional
	// +k8s:minimum=0
	Tons int32 `json:"tons,omitempty"`
}

// ValidateCustom_ShipSpec_Flag checks flags.
func ValidateCustom_ShipSpec_Flag(_ context.Context, _ operation.Operation, at *field.Path, value, _ *string) field.ErrorList {
	if *value == "pirate" {
		return field.ErrorList{field.Invalid(at, *value, "must be a flag of a state")}
	}
	return nil
}
