// Package v1beta1 is written by hand.
//
// +groupName=layouts.example.com
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"

	v1 "github.com/kindsmith/kindsmith/internal/plan/testdata/layouts/v1"
)

// +kubebuilder:object:root=true

// Layout is a kind, whose TypeMeta does not convert.
type Layout struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec"`
}

// Spec has a field of each type.
type Spec struct {
	A *CastsFlat                `json:"a,omitempty"`
	B []CastsParts              `json:"b,omitempty"`
	C map[CastsText][]CastsTree `json:"c,omitempty"`
	D [2]CastsList              `json:"d"`
	E *CastsJSON                `json:"e,omitempty"`
	F CastsUpEnum               `json:"f,omitempty"`
	G *CastsUpBelow             `json:"g,omitempty"`
	H *Order                    `json:"h,omitempty"`
	I *Name                     `json:"i,omitempty"`
	J *Kind                     `json:"j,omitempty"`
	K *Added                    `json:"k,omitempty"`
	L *Below                    `json:"l,omitempty"`
	M *Loop                     `json:"m,omitempty"`
	N *Embeds                   `json:"n,omitempty"`
	O *Hidden                   `json:"o,omitempty"`
	P *CastsUpByHand            `json:"p,omitempty"`
}

type CastsFlat struct {
	A string          `json:"a"`
	B metav1.Duration `json:"b"`
}

type CastsParts struct {
	A                    CastsText                `json:"a"`
	B                    map[CastsText]*CastsFlat `json:"b,omitempty"`
	C                    [2]CastsFlat             `json:"c"`
	metav1.LabelSelector `json:",inline"`
}

type CastsText string

type CastsTree struct {
	A *CastsTree `json:"a,omitempty"`
	B CastsList  `json:"b,omitempty"`
}

type CastsList []CastsTree

type CastsJSON struct {
	A string `json:"b"`
}

// +enum
type CastsUpEnum string

const (
	One CastsUpEnum = "One"
)

type CastsUpBelow struct {
	A []CastsUpEnum `json:"a,omitempty"`
}

type Order struct {
	B string `json:"b"`
	A string `json:"a"`
}

type Name struct {
	B string `json:"b"`
}

type Kind struct {
	A int32 `json:"a"`
}

type Added struct {
	A string `json:"a"`
}

type Below struct {
	A map[string][]*Added `json:"a,omitempty"`
}

// Loop contains itself, and what does not cast.
type Loop struct {
	A *Loop  `json:"a,omitempty"`
	B *Below `json:"b,omitempty"`
}

type Embeds struct {
	CastsFlat `json:",inline"`
}

type Hidden struct {
	A string `json:"a"`
	b string
}

// CastsUpByHand converts to v1beta1 by hand.
type CastsUpByHand struct {
	A string `json:"a"`
}

// Convert_v1_CastsUpByHand_To_v1beta1_CastsUpByHand replaces the generated function.
func Convert_v1_CastsUpByHand_To_v1beta1_CastsUpByHand(in *v1.CastsUpByHand, out *CastsUpByHand, s conversion.Scope) error {
	out.A = in.A + "!"
	return nil
}
