// Package unmarked requests no copy methods. Its objects get them, with their parts.
package unmarked

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing is an object.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec  *Spec   `json:"spec,omitempty"`
	Parts []*part `json:"parts,omitempty"`
}

// Spec is a part of an object.
type Spec struct {
	Size *int32 `json:"size,omitempty"`
}

type part struct {
	Names []string `json:"names,omitempty"`
}

// Informer is no part of an object.
type Informer struct {
	Events chan *Thing
	Handle func(*Thing) error
}

// Queue is no part of an object.
type Queue[T any] struct{ items []T }
