// Package shapes has a field of every shape that values are held against. Tests
// read it both as a model and as the Go types that it is.
package shapes

import (
	"encoding/json"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Spec has the shapes.
type Spec struct {
	String  string  `json:"string,omitempty"`
	Bool    bool    `json:"bool,omitempty"`
	Int     int     `json:"int,omitempty"`
	Int8    int8    `json:"int8,omitempty"`
	Int16   int16   `json:"int16,omitempty"`
	Int32   int32   `json:"int32,omitempty"`
	Int64   int64   `json:"int64,omitempty"`
	Uint8   uint8   `json:"uint8,omitempty"`
	Uint16  uint16  `json:"uint16,omitempty"`
	Uint32  uint32  `json:"uint32,omitempty"`
	Uint64  uint64  `json:"uint64,omitempty"`
	Float32 float32 `json:"float32,omitempty"`
	Float64 float64 `json:"float64,omitempty"`
	Mode    Mode    `json:"mode,omitempty"`
	Level   Level   `json:"level,omitempty"`
	Alias   Alias   `json:"alias,omitempty"`

	Pointer *int32   `json:"pointer,omitempty"`
	Twice   **string `json:"twice,omitempty"`
	Steps   *Step5   `json:"steps,omitempty"`
	Paths   []Path2  `json:"paths,omitempty"`
	Bytes   []byte   `json:"bytes,omitempty"`
	Blob    Blob     `json:"blob,omitempty"`

	List    []string          `json:"list,omitempty"`
	Lists   [][]int8          `json:"lists,omitempty"`
	Array   [2]int32          `json:"array"`
	Names   Names             `json:"names,omitempty"`
	Map     map[string]string `json:"map,omitempty"`
	ByLevel map[int8]bool     `json:"byLevel,omitempty"`
	ByMode  map[Mode]*Nested  `json:"byMode,omitempty"`

	Struct  *Struct           `json:"struct,omitempty"`
	Structs []Struct          `json:"structs,omitempty"`
	Box     *Box[int32]       `json:"box,omitempty"`
	Pair    *Pair[Mode, int8] `json:"pair,omitempty"`
	Any     any               `json:"any,omitempty"`
	Custom  *Custom           `json:"custom,omitempty"`
	Embeds  *Embeds           `json:"embeds,omitempty"`
	Endless *Recursive        `json:"endless,omitempty"`

	Quantity     *resource.Quantity     `json:"quantity,omitempty"`
	Quantities   []resource.Quantity    `json:"quantities,omitempty"`
	IntOrString  *intstr.IntOrString    `json:"intOrString,omitempty"`
	Duration     *metav1.Duration       `json:"duration,omitempty"`
	Time         *metav1.Time           `json:"time,omitempty"`
	MicroTime    *metav1.MicroTime      `json:"microTime,omitempty"`
	GoTime       *time.Time             `json:"goTime,omitempty"`
	RawExtension *runtime.RawExtension  `json:"rawExtension,omitempty"`
	JSON         *apiextensionsv1.JSON  `json:"json,omitempty"`
	RawMessage   json.RawMessage        `json:"rawMessage,omitempty"`
	JSONs        []apiextensionsv1.JSON `json:"jsons,omitempty"`
}

// Step1 to Step5 are declared pointers to declared pointers, nine in a row from *Step5.
type (
	Step1 *Mode
	Step2 Step1
	Step3 *Step2
	Step4 ****Step3
	Step5 **Step4
)

// Path1 and Path2 are declared pointers to a struct and to a list.
type (
	Path1 *Names
	Path2 *Path1
)

// Mode is a named string with constants.
type Mode string

// The modes.
const (
	ModeFast Mode = "Fast"
	ModeSlow Mode = "Slow"
)

// Level is a named number.
type Level int16

// Alias is an alias of a named type.
type Alias = Mode

// Blob is named bytes.
type Blob []byte

// Names is a named list.
type Names []string

// Struct is a struct with an embedded one.
type Struct struct {
	Embedded `json:",inline"`
	*Hidden  `json:",inline"`

	Name   string            `json:"name"`
	Nested Nested            `json:"nested,omitzero"`
	Items  []Nested          `json:"items,omitempty"`
	Size   resource.Quantity `json:"size"`
	Secret string            `json:"-"`
}

// Embedded is part of Struct.
type Embedded struct {
	Promoted int32 `json:"promoted,omitempty"`
}

// Hidden is part of Struct behind a pointer, and Struct hides a field of it.
type Hidden struct {
	Name   bool   `json:"name,omitempty"`
	Hidden string `json:"hidden,omitempty"`
}

// Nested is inside of Struct.
type Nested struct {
	Count *uint16 `json:"count,omitempty"`
	Mode  Mode    `json:"mode,omitempty"`
}

// Recursive contains itself.
type Recursive struct {
	Next *Recursive  `json:"next,omitempty"`
	All  []Recursive `json:"all,omitempty"`
}

// Box is generic.
type Box[T any] struct {
	Value T   `json:"value"`
	More  []T `json:"more,omitempty"`
}

// Pair embeds an instance of Box.
type Pair[K ~string, V any] struct {
	Box[V] `json:",inline"`
	ByKey  map[K]V `json:"byKey,omitempty"`
}

// Custom has custom JSON, which is a string.
type Custom struct{ text string }

// UnmarshalJSON reads it.
func (c *Custom) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &c.text) }

// MarshalJSON writes it.
func (c Custom) MarshalJSON() ([]byte, error) { return json.Marshal(c.text) }

// Embeds has the JSON of Custom.
type Embeds struct{ Custom }
