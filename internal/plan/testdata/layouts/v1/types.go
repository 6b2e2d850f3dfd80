// Package v1 has types that have the same memory layout in v1beta1, Casts…, and others.
//
// +groupName=layouts.example.com
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	// +versioned:changed(since: "v1", fromName: "b", fromGoName: "A")
	A string `json:"a"`
}

// +enum
type CastsUpEnum string

const (
	One CastsUpEnum = "One"
	// +versioned:added(since: "v1", downgradeTo: "One")
	Two CastsUpEnum = "Two"
)

type CastsUpBelow struct {
	A []CastsUpEnum `json:"a,omitempty"`
}

type Order struct {
	A string `json:"a"`
	B string `json:"b"`
}

type Name struct {
	// +versioned:changed(since: "v1", fromName: "b")
	A string `json:"a"`
}

type Kind struct {
	// +versioned:changed(since: "v1", fromType: "int32", downgradeWith: "DowngradeKindA", lossy: "small")
	A int64 `json:"a"`
}

type Added struct {
	A string `json:"a"`
	// +versioned:added(since: "v1")
	B string `json:"b,omitempty"`
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

// DowngradeKindA drops what is large.
func DowngradeKindA(in int64) int32 { return int32(in) }
