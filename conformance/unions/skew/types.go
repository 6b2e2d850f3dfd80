// Package skew has the types of a union in servers of different versions.
package skew

// Choice selects a member, or none.
// +enum
type Choice string

// The values of Choice.
const (
	ChoiceUnset Choice = ""
	ChoiceNone  Choice = "None"
	ChoiceA     Choice = "A"
	ChoiceB     Choice = "B"
	ChoiceC     Choice = "C"
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

// ChoiceBeforeC is Choice of an older server.
// +enum
type ChoiceBeforeC string

// The values of ChoiceBeforeC.
const (
	BeforeUnset ChoiceBeforeC = ""
	BeforeA     ChoiceBeforeC = "A"
	BeforeB     ChoiceBeforeC = "B"
)

// NeededBeforeC is Needed of an older server.
// +enum
type NeededBeforeC string

// The values of NeededBeforeC.
const (
	NeededBeforeA NeededBeforeC = "A"
	NeededBeforeB NeededBeforeC = "B"
)

// Conformance is the union of the conformance table.
type Conformance struct {
	// +unionDiscriminator
	// +optional
	D Choice `json:"d,omitempty"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember
	// +optional
	C *int32 `json:"c,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	P *int32 `json:"p,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	Q *int32 `json:"q,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=10
	Items []Item `json:"items,omitempty"`
	// +optional
	// +k8s:maxItems=10
	Atomic []Item `json:"atomic,omitempty"`
	// +optional
	// +k8s:maxProperties=10
	M map[string]Item `json:"m,omitempty"`
}

// ConformanceStrict is the union of the conformance table.
// +k8s:unionStrict
type ConformanceStrict struct {
	// +unionDiscriminator
	// +optional
	D Choice `json:"d,omitempty"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember
	// +optional
	C *int32 `json:"c,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	P *int32 `json:"p,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	Q *int32 `json:"q,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=10
	Items []Item `json:"items,omitempty"`
	// +optional
	// +k8s:maxItems=10
	Atomic []Item `json:"atomic,omitempty"`
	// +optional
	// +k8s:maxProperties=10
	M map[string]Item `json:"m,omitempty"`
}

// Item is a union with a name.
type Item struct {
	// +k8s:optional
	// +default=""
	Name string `json:"name,omitempty"`
	// +unionDiscriminator
	// +optional
	D Choice `json:"d,omitempty"`
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

// Older has unions of the older text.
type Older struct {
	OlderUnion `json:",inline"`
	OlderPlain `json:",inline"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Items []OlderItem `json:"items,omitempty"`
	// +optional
	Atomic []OlderItem `json:"atomic,omitempty"`
	// +optional
	M map[string]OlderItem `json:"m,omitempty"`
}

// OlderUnion is a union of the older text.
type OlderUnion struct {
	// +unionDiscriminator
	// +optional
	D string `json:"d,omitempty"`
	// +unionDeprecated
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionDeprecated
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionDeprecated
	// +optional
	C *int32 `json:"c,omitempty"`
}

// OlderPlain is one without a discriminator.
// +union
type OlderPlain struct {
	// +optional
	P *int32 `json:"p,omitempty"`
	// +optional
	Q *int32 `json:"q,omitempty"`
}

// OlderItem is one with a name.
type OlderItem struct {
	// +k8s:optional
	// +default=""
	Name       string `json:"name,omitempty"`
	OlderUnion `json:",inline"`
}

// OptionalUnion may be empty.
type OptionalUnion struct {
	// +unionDiscriminator
	// +optional
	D Choice `json:"d,omitempty"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember
	// +optional
	C *int32 `json:"c,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// OptionalUnionBeforeC does not know c.
type OptionalUnionBeforeC struct {
	// +unionDiscriminator
	// +optional
	D ChoiceBeforeC `json:"d,omitempty"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// RequiredUnion has one member.
type RequiredUnion struct {
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
	// +optional
	X *int32 `json:"x,omitempty"`
}

// RequiredUnionStrict has one member.
// +k8s:unionStrict
type RequiredUnionStrict struct {
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
	// +optional
	X *int32 `json:"x,omitempty"`
}

// RequiredItem is a union with a name.
type RequiredItem struct {
	// +k8s:optional
	// +default=""
	Name string `json:"name,omitempty"`
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

// RequiredUnionBeforeC does not know c.
type RequiredUnionBeforeC struct {
	// +unionDiscriminator
	// +required
	D NeededBeforeC `json:"d"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// RequiredUnionBeforeCStrict does not know c.
// +k8s:unionStrict
type RequiredUnionBeforeCStrict struct {
	// +unionDiscriminator
	// +required
	D NeededBeforeC `json:"d"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// LenientRequired has members that may be unset.
type LenientRequired struct {
	// +unionDiscriminator
	// +required
	D Needed `json:"d"`
	// +unionMember,optional
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember,optional
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember,optional
	// +optional
	C *int32 `json:"c,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// LenientOptional has members that may be unset.
type LenientOptional struct {
	// +unionDiscriminator
	// +optional
	D Choice `json:"d,omitempty"`
	// +unionMember,optional
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember,optional
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember,optional
	// +optional
	C *int32 `json:"c,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// DefaultedUnion has a default.
type DefaultedUnion struct {
	// +unionDiscriminator
	// +default="A"
	// +optional
	D Needed `json:"d,omitempty"`
	// +unionMember
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember
	// +optional
	C *int32 `json:"c,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// TwoUnions has two unions.
type TwoUnions struct {
	// +unionDiscriminator
	// +required
	D Needed `json:"d"`
	// +unionDiscriminator
	// +required
	E OtherChoice `json:"e"`
	// +unionMember
	// +unionDiscriminatedBy=D
	// +optional
	A *int32 `json:"a,omitempty"`
	// +unionMember
	// +unionDiscriminatedBy=D
	// +optional
	B *int32 `json:"b,omitempty"`
	// +unionMember
	// +unionDiscriminatedBy=D
	// +optional
	C *int32 `json:"c,omitempty"`
	// +unionMember
	// +unionDiscriminatedBy=E
	// +optional
	F *int32 `json:"f,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// OtherChoice selects a member of another union.
// +enum
type OtherChoice string

// The values of OtherChoice.
const (
	OtherF    OtherChoice = "F"
	OtherNone OtherChoice = "None"
)

// AtMostOne is a union without a discriminator.
type AtMostOne struct {
	// +k8s:zeroOrOneOfMember
	// +k8s:optional
	A *int32 `json:"a,omitempty"`
	// +k8s:zeroOrOneOfMember
	// +k8s:optional
	B *int32 `json:"b,omitempty"`
	// +k8s:zeroOrOneOfMember
	// +k8s:optional
	C *int32 `json:"c,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// AtMostOneBeforeC does not know c.
type AtMostOneBeforeC struct {
	// +k8s:zeroOrOneOfMember
	// +k8s:optional
	A *int32 `json:"a,omitempty"`
	// +k8s:zeroOrOneOfMember
	// +k8s:optional
	B *int32 `json:"b,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// ExactlyOne is a union without a discriminator.
type ExactlyOne struct {
	// +k8s:unionMember
	// +k8s:optional
	A *int32 `json:"a,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	B *int32 `json:"b,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	C *int32 `json:"c,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// ExactlyOneBeforeC does not know c.
type ExactlyOneBeforeC struct {
	// +k8s:unionMember
	// +k8s:optional
	A *int32 `json:"a,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	B *int32 `json:"b,omitempty"`
	// +optional
	X *int32 `json:"x,omitempty"`
}

// Containers has unions in lists and maps.
type Containers struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=10
	Items []RequiredItem `json:"items,omitempty"`
	// +optional
	// +k8s:maxItems=10
	Atomic []RequiredItem `json:"atomic,omitempty"`
	// +optional
	// +k8s:maxProperties=10
	M map[string]RequiredItem `json:"m,omitempty"`
}
