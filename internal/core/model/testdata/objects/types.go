// Package objects has structs whose JSON objects depend on the order, depth and tags of their fields.
package objects

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Name struct {
	Name string `json:"name"`
}

type Other struct {
	Name string `json:"name"`
	Size int    `json:"size,omitempty"`
}

// Untagged has the name Label by its Go name.
type Untagged struct {
	Label string
}

type Tagged struct {
	Caption string `json:"Label"`
}

type Deep struct {
	Other `json:",inline"`
	Depth int `json:"depth"`
}

type Linked struct {
	Link *Linked `json:"link,omitempty"`
	*Loop
}

type Loop struct {
	*Linked
	Turn int `json:"turn"`
}

// Outer hides a field of an inlined struct.
type Outer struct {
	Name  string `json:"name"`
	Other `json:",inline"`
}

// Both has two fields of one name at one depth: JSON has neither.
type Both struct {
	Name  `json:",inline"`
	Other `json:",inline"`
}

// Choice has two fields of one name at one depth, of which one is tagged.
type Choice struct {
	Untagged
	Tagged
}

// Shallow takes the field at the smaller depth.
type Shallow struct {
	Deep `json:",inline"`
	Name `json:",inline"`
}

// Twice inlines one struct by two paths.
type Twice struct {
	Deep
	Further
}

type Further struct {
	Other
	Far bool `json:"far"`
}

// Pointers inlines pointers.
type Pointers struct {
	*Other `json:",inline"`
	Flag   *bool `json:"flag"`
	hidden int
	Secret int `json:"-"`
}

// Recursive inlines itself.
type Recursive struct {
	Linked
	Own string `json:"own"`
}

// Given is named although it is embedded.
type Given struct {
	Other `json:"other"`
}

// ItemWithDefault has a default of its own.
//
// +default="x"
type ItemWithDefault string

// +listType=map
// +listMapKey=name
type Items []Other

// +enum
type Color string

const Red Color = "Red"

// Facts has each fact about a member in each spelling.
type Facts struct {
	// +k8s:required
	Required string `json:"required,omitempty"`
	// +optional
	Optional string `json:"optional"`
	// +kubebuilder:validation:Required
	Marked string `json:"marked,omitempty"`
	Plain  string `json:"plain"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	Tagged []Other `json:"tagged,omitempty"`
	// +listType=map
	// +listMapKey=name
	Listed []Other `json:"listed,omitempty"`
	ByType Items   `json:"byType,omitempty"`
	// +listType=set # a comment
	Words []string `json:"words"`
	// +patchStrategy=merge
	// +patchMergeKey=name
	Patched []Other `json:"patched,omitzero"`

	Typed *ItemWithDefault `json:"typed,omitempty"`
	// +default=["a"]
	Filled []string `json:"filled,omitempty"`
	// +default="y"
	Own   ItemWithDefault `json:"own,omitempty"`
	Color *Color          `json:"color,omitempty"`

	Zero     Other           `json:"zero,omitzero"`
	Always   Other           `json:"always"`
	When     metav1.Time     `json:"when,omitempty"`
	Duration metav1.Duration `json:"duration,omitzero"`
	// +nullable
	Null *string `json:"nothing,omitempty"`

	Dashed string `json:"the-name,omitempty"`
	First  string `json:"1st,omitempty"`
}
