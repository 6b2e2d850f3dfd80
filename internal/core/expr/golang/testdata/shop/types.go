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

// Nested is one more.
type Nested struct {
	Key   string `json:"key,omitempty"`
	Count int64  `json:"count"`
}
