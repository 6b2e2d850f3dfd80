// Package shop has a field of every shape that conditions are printed for.
package shop

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Mode string

type Names []string

// Widget is what the rules are about.
type Widget struct {
	Base   `json:",inline"`
	*Extra `json:",inline"`

	Name     string              `json:"name"`
	Mode     Mode                `json:"mode,omitempty"`
	Note     *string             `json:"note,omitempty"`
	Small    int32               `json:"small"`
	Replicas *int32              `json:"replicas,omitempty"`
	Big      int64               `json:"big,omitempty"`
	Other    int64               `json:"other"`
	Byte     uint8               `json:"byte,omitempty"`
	Wide     uint64              `json:"wide"`
	Ratio    float64             `json:"ratio,omitempty"`
	Share    *float64            `json:"share,omitempty"`
	On       bool                `json:"on"`
	Maybe    *bool               `json:"maybe,omitempty"`
	Off      bool                `json:"off,omitempty"`
	Port     intstr.IntOrString  `json:"port"`
	Target   *intstr.IntOrString `json:"target,omitempty"`
	Memory   resource.Quantity   `json:"memory"`
	Limit    *resource.Quantity  `json:"limit,omitempty"`
	Since    metav1.Time         `json:"since,omitempty"`
	Until    *metav1.Time        `json:"until,omitempty"`
	Timeout  metav1.Duration     `json:"timeout"`
	Grace    *metav1.Duration    `json:"grace,omitempty"`
	Text     string              `json:"text"`
	Address  string              `json:"address"`

	Tags   []string          `json:"tags,omitempty"`
	Modes  []Mode            `json:"modes,omitempty"`
	Alias  Names             `json:"alias"`
	Counts []int32           `json:"counts,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Sizes  map[Mode]int32    `json:"sizes,omitempty"`
	Parts  []Part            `json:"parts,omitempty"`
	Refs   []*Part           `json:"refs,omitempty"`
	ByName map[string]Part   `json:"byName,omitempty"`
	Inner  Part              `json:"inner"`
	Spare  *Part             `json:"spare,omitempty"`
	Zero   Part              `json:"zero,omitzero"`
	Extent resource.Quantity `json:"extent,omitzero"`
	Odd    Odd               `json:"odd,omitzero"`

	Set   []string `json:"set,omitempty"`
	Keyed []Part   `json:"keyed,omitempty"`
	Whole Whole    `json:"whole"`
	Left  *Whole   `json:"left,omitempty"`

	Namespace string `json:"namespace,omitempty"`
	Dashed    string `json:"a-b.c/d,omitempty"`
}

// Odd has its own idea of zero.
type Odd struct {
	Names []string `json:"names,omitempty"`
	Count int32    `json:"count"`
}

func (o Odd) IsZero() bool { return o.Count < 3 }

// Base is inlined.
type Base struct {
	Kind string `json:"kind,omitempty"`
}

// Extra is inlined through a pointer.
type Extra struct {
	Hint string `json:"hint,omitempty"`
}

// Part is a struct in a struct.
type Part struct {
	Key   string  `json:"key"`
	Value *int32  `json:"value,omitempty"`
	Count int32   `json:"count,omitempty"`
	Next  *Nested `json:"next,omitempty"`
}

// Whole has members whose values can be equal in Go and differ in JSON, or the other way round.
type Whole struct {
	*Extra `json:",inline"`

	Set    []int64              `json:"set"`
	Keyed  []Key                `json:"keyed,omitempty"`
	Always []Part               `json:"always"`
	Lists  map[string]Part      `json:"lists,omitzero"`
	Few    []Key                `json:"few,omitempty"`
	Zero   Tagged               `json:"zero,omitzero"`
	Own    Odd                  `json:"own,omitzero"`
	Ports  []intstr.IntOrString `json:"ports,omitempty"`
	Since  metav1.Time          `json:"since,omitempty"`
	Pairs  map[string]*Tagged   `json:"pairs,omitempty"`
	Local  string               `json:"-"`
	Again  *Whole               `json:"again,omitempty"`
}

// Key is an item with two keys, of which one may be absent.
type Key struct {
	Name string   `json:"name"`
	Port *int32   `json:"port,omitempty"`
	Tags []string `json:"tags"`
}

// Tagged has an empty list that is not nil.
type Tagged struct {
	Tags []string `json:"tags,omitempty"`
	Size *int32   `json:"size,omitempty"`
}

// Nested is one more.
type Nested struct {
	Key   string `json:"key,omitempty"`
	Count int64  `json:"count"`
}
