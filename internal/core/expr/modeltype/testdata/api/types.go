// Package api has a kind.
package api

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Color string

type Colors []Color

type Odd struct{ A int }

func (o Odd) MarshalJSON() ([]byte, error) { return json.Marshal(o.A) }

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Common struct {
	ID     string `json:"id"`
	Hidden string `json:"hidden"`
}

type Spec struct {
	Common `json:",inline"`

	Hidden   int                  `json:"hidden"`
	Colors   Colors               `json:"colors"`
	Count    *uint8               `json:"count,omitempty"`
	Ratio    float32              `json:"ratio"`
	Data     []byte               `json:"data"`
	Memory   resource.Quantity    `json:"memory"`
	Port     intstr.IntOrString   `json:"port"`
	Since    metav1.Time          `json:"since"`
	Timeout  *metav1.Duration     `json:"timeout"`
	Raw      runtime.RawExtension `json:"raw"`
	Message  json.RawMessage      `json:"message"`
	Odd      Odd                  `json:"odd"`
	Children map[string]*Spec     `json:"children"`
	Any      any                  `json:"any"`
	Skipped  string               `json:"-"`
}
