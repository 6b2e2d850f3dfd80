// Package types has types whose defaulting functions are in another package.
package types

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kindsmith/kindsmith/internal/emit/defaults/testdata/external/parts"
)

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// Spec has defaults by hand and by tags.
type Spec struct {
	// +default="tag"
	Name    string         `json:"name,omitempty"`
	Covered Covered        `json:"covered"`
	Part    parts.Part     `json:"part"`
	Level   *Level         `json:"level,omitempty"`
	Levels  map[string]int `json:"levels,omitempty"`
}

// Covered has a function that does everything.
type Covered struct {
	// +default="never"
	Value string `json:"value,omitempty"`
}

// Level has a default.
// +default=3
type Level int

// DeepCopyObject makes Thing an object.
func (in *Thing) DeepCopyObject() runtime.Object { out := *in; return &out }
