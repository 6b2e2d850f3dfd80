package table

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/runtime/union"
)

// Object is a kind with unions at every depth.
type Object struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// NormalizeUnions is hand-written, so that none is generated.
func (o *Object) NormalizeUnions(r union.Request, old any) []union.Cleared {
	before, _ := old.(*Object)
	return NormalizeUnions_Object(r, o, before)
}

// Spec has unions in every place where one can be.
type Spec struct {
	// Union is the plain case.
	// +k8s:optional
	Union *Union `json:"union,omitempty"`
	// Items are paired by name.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Items []Item `json:"items,omitempty"`
	// Pointers are paired by name and zone.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=zone
	Pointers []*Item `json:"pointers,omitempty"`
	// Hidden are paired by a key that Go itself would not find.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=key
	Hidden []Hidden `json:"hidden,omitempty"`
	// Atomic items are not paired.
	// +k8s:optional
	// +k8s:listType=atomic
	Atomic []Item `json:"atomic,omitempty"`
	// ByKey are paired by key.
	// +k8s:optional
	ByKey map[string]Union `json:"byKey,omitempty"`
	// PointersByKey are paired by key.
	// +k8s:optional
	PointersByKey map[string]*Union `json:"pointersByKey,omitempty"`
	// Two unions in one struct do not touch each other.
	Two Two `json:"two"`
	// Nested has a union in a member of a union.
	// +k8s:optional
	Nested *Nested `json:"nested,omitempty"`
	// Named has the type of another union.
	// +k8s:optional
	Named Named `json:"named,omitzero"`
	// NamedItems are items of a type that is declared from another.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	NamedItems []NamedItem `json:"namedItems,omitempty"`
	// Lists have items that are not paired.
	// +k8s:optional
	Lists map[string][]Union `json:"lists,omitempty"`
	// KeyedLists have items that are.
	// +k8s:optional
	// +k8s:eachVal=+k8s:listType=map
	// +k8s:eachVal=+k8s:listMapKey=name
	KeyedLists map[string][]Item `json:"keyedLists,omitempty"`
	// Plain becomes a union here.
	// +k8s:optional
	// +k8s:subfield(d)=+k8s:unionDiscriminator
	// +k8s:subfield(a)=+k8s:unionMember(memberName: "A")
	// +k8s:subfield(b)=+k8s:unionMember(memberName: "B")
	Plain *Plain `json:"plain,omitempty"`
	// Special has one item that is a union, and one whose part is one.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "union")=+k8s:subfield(d)=+k8s:unionDiscriminator
	// +k8s:item(name: "union")=+k8s:subfield(a)=+k8s:unionMember(memberName: "A")
	// +k8s:item(name: "union")=+k8s:subfield(b)=+k8s:unionMember(memberName: "B")
	Special []Plain `json:"special,omitempty"`
	// Moded has fields that depend on modes.
	// +k8s:optional
	Moded *Moded `json:"moded,omitempty"`
	// Optional has members that depend on options and levels.
	// +k8s:optional
	Conditional *Conditional `json:"conditional,omitempty"`
}

// Named is declared from another type.
type Named Union

// NamedItem is declared from another type.
type NamedItem Item

// Plain is no union by itself.
type Plain struct {
	// +k8s:optional
	Name string `json:"name,omitempty"`
	// +k8s:optional
	D Choice `json:"d,omitempty"`
	// +k8s:optional
	A *int64 `json:"a,omitempty"`
	// +k8s:optional
	B *int64 `json:"b,omitempty"`
}

// Moded has modes.
type Moded struct {
	// +k8s:required
	// +k8s:modeDiscriminator
	Mode Choice `json:"mode"`
	// A is for two modes.
	// +k8s:ifMode("A")=+k8s:required
	// +k8s:ifMode("B")=+k8s:optional
	A *int64 `json:"a,omitempty"`
	// B is for one.
	// +k8s:ifMode("B")=+k8s:optional
	B *int64 `json:"b,omitempty"`
	// On is a mode of its own.
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

// Item is a union with a key.
type Item struct {
	// +k8s:required
	Name string `json:"name"`
	// +k8s:optional
	Zone *string `json:"zone,omitempty"`

	Union `json:",inline"`
}

// Hidden is a union whose key is in a struct of the key's name.
type Hidden struct {
	Key   `json:",inline"`
	Union `json:",inline"`
}

// Key is a key.
type Key struct {
	// +k8s:required
	Key string `json:"key"`
}

// Union has members of every kind and a value that selects none.
type Union struct {
	// +k8s:optional
	// +k8s:unionDiscriminator
	D Choice `json:"d,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	A *int64 `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	B *int64 `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	C []string `json:"c,omitempty"`
	// X is not in the union.
	// +k8s:optional
	X string `json:"x,omitempty"`
}

// Choice selects a member of Union.
// +k8s:enum
type Choice string

// The values of Choice.
const (
	ChoiceA    Choice = "A"
	ChoiceB    Choice = "B"
	ChoiceC    Choice = "C"
	ChoiceNone Choice = "None"
)

// Two has two unions.
type Two struct {
	// +k8s:optional
	// +k8s:unionDiscriminator(union: "first")
	First string `json:"first,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "first", memberName: "A")
	FirstA map[string]string `json:"firstA,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "first", memberName: "B")
	FirstB string `json:"firstB,omitempty"`
	// +k8s:required
	// +k8s:unionDiscriminator(union: "second")
	Second string `json:"second"`
	// +k8s:optional
	// +k8s:unionMember(union: "second", memberName: "A")
	SecondA int32 `json:"secondA,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "second", memberName: "B")
	SecondB bool `json:"secondB,omitempty"`
}

// Nested has a union in a member of its own.
type Nested struct {
	// +k8s:required
	// +k8s:unionDiscriminator
	Kind NestedKind `json:"kind"`
	// +k8s:optional
	// +k8s:unionMember
	Inner *Union `json:"inner,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	Deeper *Nested `json:"deeper,omitempty"`
}

// NestedKind selects a member of Nested.
// +k8s:enum
type NestedKind string

// The values of NestedKind.
const (
	NestedInner  NestedKind = "Inner"
	NestedDeeper NestedKind = "Deeper"
)
