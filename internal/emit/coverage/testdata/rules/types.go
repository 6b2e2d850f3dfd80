// Package rules has a rule of every shape.
//
// +groupName=rules.example.com
package rules

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Zoo is a kind.
//
// +kubebuilder:object:root=true
type Zoo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:required
	// +k8s:immutable
	// +k8s:maxLength=8
	Name Name `json:"name"`
	// +default=3
	// +k8s:optional
	// +k8s:minimum=1
	Gates *int32 `json:"gates,omitempty"`
	// +k8s:optional
	// +k8s:maxLength=9
	Motto string `json:"motto,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=4
	Animals []Animal `json:"animals,omitempty"`
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:format=k8s-short-name
	Tags []string `json:"tags,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:eachVal=+k8s:minimum=0
	Map [][]int32 `json:"map,omitempty"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:maxLength=5
	Keepers map[string]Keeper `json:"keepers,omitempty"`
	// +k8s:optional
	Visitors []*Keeper `json:"visitors,omitempty"`
	// +k8s:optional
	// +k8s:opaqueType
	Secret *Keeper `json:"secret,omitempty"`
	// +k8s:forbidden
	Reserved *int32 `json:"reserved,omitempty"`
	// +k8s:ifEnabled(Shows)=+k8s:required
	Shows *int32 `json:"shows,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "exit")=+k8s:subfield(badge)=+k8s:maxLength=2
	// +k8s:item(name: "north")=+k8s:zeroOrOneOfMember
	// +k8s:item(name: "south")=+k8s:zeroOrOneOfMember
	// +k8s:update=NoAddItem
	// +k8s:update=NoRemoveItem
	Doors []Door `json:"doors,omitempty"`
	// +k8s:optional
	// +k8s:subfield(badge)=+k8s:minLength=2
	Director *Keeper `json:"director,omitempty"`
	// +k8s:optional
	// +k8s:dependentRequired("director")
	// +k8s:update=NoUnset
	Deputy *Keeper `json:"deputy,omitempty"`
	// +k8s:required
	// +k8s:modeDiscriminator
	Season string `json:"season"`
	// +k8s:ifMode("summer")=+k8s:required
	Pool *int32 `json:"pool,omitempty"`
	Base `json:",inline"`
	Food Food  `json:"food"`
	Room *Room `json:"room,omitempty"`
}

// ZooList has no rules of its own.
//
// +kubebuilder:object:root=true
type ZooList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	// +k8s:required
	Items []Zoo `json:"items"`
}

// Free is a kind without rules.
//
// +kubebuilder:object:root=true
type Free struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Name is declared from a type with rules.
//
// +k8s:minLength=2
type Name Word

// Word has a rule.
//
// +k8s:format=k8s-short-name
type Word string

// Base is inlined.
type Base struct {
	// +k8s:optional
	// +k8s:maximum=9
	Level int32 `json:"level,omitempty"`
}

// Animal is an item.
type Animal struct {
	// +k8s:required
	Name string `json:"name"`
	// +k8s:optional
	Species Species `json:"species,omitempty"`
}

// Species is an enum.
//
// +k8s:enum
type Species string

// Lion is the only species.
const Lion Species = "Lion"

// Keeper is in a map, and behind pointers.
type Keeper struct {
	// +k8s:optional
	// +k8s:maxLength=3
	Badge string `json:"badge,omitempty"`
}

// Door is told apart by its name.
type Door struct {
	// +k8s:required
	Name string `json:"name"`
	// +k8s:optional
	// +kubebuilder:validation:XValidation:rule="self != ''"
	// +kubebuilder:validation:XValidation:rule="strings.quote(self) != 'x'",reason=FieldValueForbidden
	Badge string `json:"badge,omitempty"`
}

// Food is a union without a discriminator.
type Food struct {
	// +k8s:optional
	// +k8s:unionMember
	Hay *int32 `json:"hay,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	Meat *int32 `json:"meat,omitempty"`
}

// Room is recursive, and a union with a discriminator.
type Room struct {
	// +k8s:required
	// +k8s:unionDiscriminator
	Kind string `json:"kind"`
	// +k8s:optional
	// +k8s:unionMember(memberName: "Cage")
	Cage *Cage `json:"cage,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(memberName: "Inner")
	Inner *Room `json:"inner,omitempty"`
}

// Cage is a member of a union.
type Cage struct {
	// +k8s:required
	Bars int32 `json:"bars"`
}
