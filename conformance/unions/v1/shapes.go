package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Shape has unions wherever one can be.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Shape struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ShapeSpec `json:"spec,omitempty"`
	// +optional
	Status *ShapeStatus `json:"status,omitempty"`
}

// ShapeStatus has a union in a struct that may be null.
type ShapeStatus struct {
	// +optional
	// +nullable
	Union *Choices `json:"union,omitempty"`
}

// ShapeSpec has the other unions.
type ShapeSpec struct {
	// +optional
	Union *Choices `json:"union,omitempty"`
	// +optional
	Named Named `json:"named,omitzero"`
	// +optional
	Lenient *Lenient `json:"lenient,omitempty"`
	// +optional
	Two *Two `json:"two,omitempty"`
	// +optional
	Moded *Moded `json:"moded,omitempty"`
	// +optional
	Conditional *Conditional `json:"conditional,omitempty"`
	// +optional
	Nested *Nested `json:"nested,omitempty"`
	// +optional
	Odd *Odd `json:"x-odd/names~,omitempty"`

	// +k8s:optional
	// +k8s:subfield(d)=+k8s:unionDiscriminator
	// +k8s:subfield(a)=+k8s:unionMember(memberName: "A")
	// +k8s:subfield(b)=+k8s:unionMember(memberName: "B")
	Plain *Plain `json:"plain,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=20
	// +k8s:item(name: "union")=+k8s:subfield(d)=+k8s:unionDiscriminator
	// +k8s:item(name: "union")=+k8s:subfield(a)=+k8s:unionMember(memberName: "A")
	// +k8s:item(name: "union")=+k8s:subfield(b)=+k8s:unionMember(memberName: "B")
	Special []Plain `json:"special,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=20
	Items []Item `json:"items,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=port
	// +k8s:listMapKey=on
	// +k8s:maxItems=20
	Keyed []*Keyed `json:"keyed,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=port
	// +k8s:maxItems=20
	Numbered []Keyed `json:"numbered,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=20
	Atomic []Item `json:"atomic,omitempty"`
	// +k8s:optional
	// +k8s:maxProperties=20
	ByKey map[string]Choices `json:"byKey,omitempty"`
	// +k8s:optional
	// +k8s:maxProperties=20
	PointersByKey map[string]*Choices `json:"pointersByKey,omitempty"`
	// +k8s:optional
	// +k8s:maxProperties=20
	// +k8s:eachVal=+k8s:listType=map
	// +k8s:eachVal=+k8s:listMapKey=name
	// +k8s:eachVal=+k8s:maxItems=20
	KeyedLists map[string][]Item `json:"keyedLists,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=20
	Groups []Group `json:"groups,omitempty"`

	// Lists in the spellings of controller-gen.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=20
	Marked []Item `json:"marked,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxItems=20
	ByType ItemsByName `json:"byType,omitzero"`
	// +optional
	// +patchStrategy=merge
	// +patchMergeKey=name
	// +kubebuilder:validation:MaxItems=20
	Patched []Item `json:"patched,omitempty" patchStrategy:"merge" patchMergeKey:"name"`

	// Structs in each form of presence.
	Always Present `json:"always"`
	// +optional
	Zero Present `json:"zero,omitzero"`
	// +required
	Required *Present `json:"required"`
}

// ItemsByName is a list whose type has the markers.
// +listType=map
// +listMapKey=name
type ItemsByName []Item

// Present has the union of an inlined pointer.
type Present struct {
	*Choices `json:",inline"`

	// +optional
	Note string `json:"note,omitempty"`
}

// Choice selects a member of Choices, or none.
// +k8s:enum
type Choice string

// The values of Choice.
const (
	ChoiceA    Choice = "A"
	ChoiceB    Choice = "B"
	ChoiceC    Choice = "C"
	ChoiceNone Choice = "None"
)

// Choices may be unset.
type Choices struct {
	// +k8s:optional
	// +k8s:unionDiscriminator
	D Choice `json:"d,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	A *int64 `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	// +nullable
	B *int64 `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	// +k8s:listType=atomic
	C []string `json:"c,omitempty"`
	// +k8s:optional
	X string `json:"x,omitempty"`
}

// Named is declared from another type.
type Named Choices

// Lenient is a union of KEP-1027 with an optional member.
type Lenient struct {
	// +unionDiscriminator
	// +required
	Type LenientType `json:"type"`
	// +unionMember
	// +optional
	First *int64 `json:"first,omitempty"`
	// +unionMember=Other,optional
	// +optional
	Second map[string]string `json:"second,omitempty"`
}

// LenientType selects a member of Lenient.
// +enum
type LenientType string

// The values of LenientType.
const (
	LenientFirst LenientType = "First"
	LenientOther LenientType = "Other"
	LenientEmpty LenientType = "Empty"
)

// Two has two unions.
type Two struct {
	// +k8s:optional
	// +k8s:unionDiscriminator(union: "first")
	First Choice `json:"first,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "first", memberName: "A")
	FirstA map[string]string `json:"firstA,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "first", memberName: "B")
	FirstB string `json:"firstB,omitempty"`
	// +k8s:required
	// +k8s:unionDiscriminator(union: "second")
	Second Choice `json:"second"`
	// +k8s:optional
	// +k8s:unionMember(union: "second", memberName: "A")
	SecondA int32 `json:"secondA,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "second", memberName: "B")
	SecondB bool `json:"secondB,omitempty"`
}

// Moded has fields of several modes, of which one is a bool.
type Moded struct {
	// +k8s:required
	// +k8s:modeDiscriminator
	Mode Choice `json:"mode"`
	// +k8s:ifMode("A")=+k8s:required
	// +k8s:ifMode("B")=+k8s:optional
	A *int64 `json:"a,omitempty"`
	// +k8s:ifMode("B")=+k8s:optional
	B *int64 `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:modeDiscriminator(modality: "switch")
	On bool `json:"on,omitempty"`
	// +k8s:ifMode(modality: "switch", mode: "true")=+k8s:optional
	C *int64 `json:"c,omitempty"`
}

// Conditional has members under conditions.
type Conditional struct {
	// +k8s:optional
	// +k8s:unionDiscriminator
	D Choice `json:"d,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	A *int64 `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:ifEnabled(Feature)=+k8s:unionMember
	B *int64 `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:alpha(since: "1.37")=+k8s:unionMember
	C *int64 `json:"c,omitempty"`
}

// Nested has unions in a member, and in a list in one.
type Nested struct {
	// +k8s:required
	// +k8s:unionDiscriminator
	Kind NestedKind `json:"kind"`
	// +k8s:optional
	// +k8s:unionMember
	Inner *Choices `json:"inner,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	Group *Group `json:"group,omitempty"`
}

// NestedKind selects a member of Nested.
// +k8s:enum
type NestedKind string

// The values of NestedKind.
const (
	NestedInner NestedKind = "Inner"
	NestedGroup NestedKind = "Group"
)

// Odd has names that expressions cannot select.
type Odd struct {
	// +k8s:optional
	// +k8s:unionDiscriminator
	D Choice `json:"in,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	A *int64 `json:"a/b~c,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	B *int64 `json:"b__-,omitempty"`
}

// Plain is no union by itself.
type Plain struct {
	// +k8s:optional
	// +default=""
	Name string `json:"name,omitempty"`
	// +k8s:optional
	D Choice `json:"d,omitempty"`
	// +k8s:optional
	A *int64 `json:"a,omitempty"`
	// +k8s:optional
	B *int64 `json:"b,omitempty"`
}

// Item is a union with a key.
type Item struct {
	// +k8s:required
	Name string `json:"name"`

	Choices `json:",inline"`
}

// Keyed is a union with keys of several types.
type Keyed struct {
	// +k8s:required
	Name string `json:"name"`
	// +k8s:optional
	// +default=80
	Port *int32 `json:"port,omitempty"`
	// +k8s:optional
	// +default=false
	On bool `json:"on,omitempty"`

	Choices `json:",inline"`
}

// Group has a list of unions in a list of unions.
type Group struct {
	Item `json:",inline"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=20
	Items []Item `json:"items,omitempty"`
	// +k8s:optional
	// +k8s:maxProperties=20
	ByKey map[string]Choices `json:"byKey,omitempty"`
}
