// Package v1 has a kind with the types of all worked examples, because only kinds have schemas.
//
// +groupName=worked.example.com
// +k8s:automaticDefaults
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/conformance/defaults/worked"
)

// Example has a property for each type.
//
// +kubebuilder:object:root=true
type Example struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	StructRoot      *worked.StructRoot      `json:"structRoot,omitempty"`
	PointerRoot     *worked.PointerRoot     `json:"pointerRoot,omitempty"`
	BareRoot        *worked.BareRoot        `json:"bareRoot,omitempty"`
	AbsentRoot      *worked.AbsentRoot      `json:"absentRoot,omitempty"`
	ScalarRoot      *worked.ScalarRoot      `json:"scalarRoot,omitempty"`
	ListRoot        *worked.ListRoot        `json:"listRoot,omitempty"`
	WordsRoot       *worked.WordsRoot       `json:"wordsRoot,omitempty"`
	MapRoot         *worked.MapRoot         `json:"mapRoot,omitempty"`
	TypeRoot        *worked.TypeRoot        `json:"typeRoot,omitempty"`
	MapOfStructRoot *worked.MapOfStructRoot `json:"mapOfStructRoot,omitempty"`
	ListOfListRoot  *worked.ListOfListRoot  `json:"listOfListRoot,omitempty"`
	CompositeRoot   *worked.CompositeRoot   `json:"compositeRoot,omitempty"`
	BoolRoot        *worked.BoolRoot        `json:"boolRoot,omitempty"`
}
