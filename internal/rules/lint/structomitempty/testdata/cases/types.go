// Package cases has structs with and without omitempty.
package cases

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Valid are fields whose tags do what they say.
type Valid struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Plain   Inner             `json:"plain"`
	Zero    Inner             `json:"zero,omitzero"`
	Both    Inner             `json:"both,omitempty,omitzero"`
	Pointer *Inner            `json:"pointer,omitempty"`
	Named   Pointer           `json:"named,omitempty"`
	List    []Inner           `json:"list,omitempty"`
	Map     map[string]Inner  `json:"map,omitempty"`
	String  string            `json:"string,omitempty"`
	Skipped Inner             `json:"-"`
	Amount  resource.Quantity `json:"amount,omitempty"` // custom JSON
}

// Invalid are fields on which omitempty does nothing.
type Invalid struct {
	Inner   Inner           `json:"inner,omitempty"`
	Renamed Renamed         `json:"renamed,omitempty"`
	Other   metav1.TypeMeta `yaml:"omitempty" json:"other,omitempty" protobuf:"bytes,1,opt"`
	Escaped Inner           "json:\"escaped,omitempty\""
}

// Inner is a struct.
type Inner struct {
	// Nested is looked at too.
	Nested Deeper `json:"nested,omitempty"`
}

// Deeper is a struct.
type Deeper struct {
	Name string `json:"name,omitempty"`
}

// Renamed is a struct by another name.
type Renamed Inner

// Pointer is a pointer.
type Pointer *Inner
