// Package shapes has unions in each of the forms that structs can have.
package shapes

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Choice selects a member, or none.
// +enum
// +k8s:enum
type Choice string

// The values of Choice.
const (
	ChoiceUnset Choice = ""
	ChoiceNone  Choice = "None"
	ChoiceA     Choice = "A"
	ChoiceB     Choice = "B"
	ChoiceC     Choice = "C"
)

// Marked is an enum of the newer text alone.
// +enum
type Marked string

// The values of Marked.
const (
	MarkedUnset Marked = ""
	MarkedNone  Marked = "None"
	MarkedA     Marked = "A"
	MarkedB     Marked = "B"
	MarkedC     Marked = "C"
)

// Needed selects a member.
// +enum
type Needed string

// The values of Needed.
const (
	NeededA Needed = "A"
	NeededB Needed = "B"
	NeededC Needed = "C"
)

// Closed selects a member.
// +k8s:enum
type Closed string

// The values of Closed.
const (
	ClosedA Closed = "A"
	ClosedB Closed = "B"
	ClosedC Closed = "C"
)

// Members are those of most unions.
type Members struct {
	// +unionDiscriminator
	// +optional
	D Marked `json:"d,omitempty"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember
	// +optional
	C *int32 `json:"c,omitempty"`
}

// Optional may have no member.
type Optional struct {
	// +unionDiscriminator
	// +optional
	D Marked `json:"d,omitempty"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember
	// +optional
	C *int32 `json:"c,omitempty"`
}

// Required has one.
type Required struct {
	// +unionDiscriminator
	// +required
	D Needed `json:"d"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember
	// +optional
	C *int32 `json:"c,omitempty"`
}

// Strict is checked on all updates.
//
// +k8s:unionStrict
type Strict struct {
	// +unionDiscriminator
	// +required
	D Needed `json:"d"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember
	// +optional
	C *int32 `json:"c,omitempty"`
}

// Lenient has members that may be unset.
type Lenient struct {
	// +unionDiscriminator
	// +required
	D Needed `json:"d"`
	// +unionMember=A,optional
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember=B,optional
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember
	// +optional
	C *int32 `json:"c,omitempty"`
}

// Kinds has members whose zero and empty values are unset.
type Kinds struct {
	// +unionDiscriminator
	// +optional
	D Marked `json:"d,omitempty"`
	// +unionMember
	// +optional
	A []int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B string `json:"b,omitempty"`
	// +unionMember
	// +optional
	C map[string]int32 `json:"c,omitempty"`
}

// Measures has members whose zero values are unset.
type Measures struct {
	// +unionDiscriminator
	// +optional
	D Marked `json:"d,omitempty"`
	// +unionMember
	// +optional
	A int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B metav1.Duration `json:"b,omitzero"`
	// +unionMember
	// +optional
	C resource.Quantity `json:"c,omitzero"`
}

// Inlined has the union of an inlined struct.
type Inlined struct {
	Members `json:",inline"`
}

// Pointer has that of an inlined pointer.
type Pointer struct {
	*Members `json:",inline"`
}

// Two has two unions.
type Two struct {
	// +unionDiscriminator
	// +optional
	D Marked `json:"d,omitempty"`
	// +unionDiscriminator
	// +required
	E Needed `json:"e"`
	// +unionMember
	// +unionDiscriminatedBy=D
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +unionDiscriminatedBy=D
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember=C
	// +unionDiscriminatedBy=E
	// +optional
	C *int32 `json:"c,omitempty"`
}

// Tagged is a union of the tags.
type Tagged struct {
	// +k8s:required
	// +k8s:unionDiscriminator
	D Closed `json:"d"`
	// +k8s:optional
	// +k8s:unionMember
	A *int32 `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	B *int32 `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	C *int32 `json:"c,omitempty"`
}

// TaggedOptional may have no member.
type TaggedOptional struct {
	// +k8s:optional
	// +k8s:unionDiscriminator
	D Choice `json:"d,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	A []int32 `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	B string `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	C map[string]int32 `json:"c,omitempty"`
}

// Open has a discriminator of any value.
type Open struct {
	// +k8s:optional
	// +k8s:unionDiscriminator
	D string `json:"d,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	A *int32 `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	B *int32 `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	C *int32 `json:"c,omitempty"`
}

// Exactly has no discriminator.
type Exactly struct {
	// +k8s:optional
	// +k8s:unionMember
	A []int32 `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	B string `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	C *int32 `json:"c,omitempty"`
}

// ExactlyPointer has the union of an inlined pointer.
type ExactlyPointer struct {
	*Exactly `json:",inline"`
}

// AtMost may have no member.
type AtMost struct {
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	A *int32 `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	B []int32 `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	C *int32 `json:"c,omitempty"`
}

// Older is a union of the older text.
//
// +union
type Older struct {
	// +unionDiscriminator
	// +optional
	D string `json:"d,omitempty"`
	// +optional
	A *int32 `json:"a,omitempty"`
	// +optional
	B *int32 `json:"b,omitempty"`
	// +optional
	C *int32 `json:"c,omitempty"`
}
