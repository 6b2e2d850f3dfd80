// Package shapes has a default of every shape.
//
// +groupName=shapes.example.com
package shapes

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec   `json:"spec"`
	Status Status `json:"status"`
}

// Twin is a kind that is declared from another one.
// +kubebuilder:object:root=true
type Twin Thing

// ThingList is its list.
type ThingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Thing `json:"items"`
}

// Plain is a kind without anything to default.
type Plain struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Status `json:"spec"`
}

// Status has nothing to default.
type Status struct {
	Ready bool `json:"ready,omitempty"`
}

// Spec has what there is.
type Spec struct {
	Inlined    `json:",inline"`
	Scalars    Scalars                `json:"scalars"`
	Pointers   Pointers               `json:"pointers"`
	Composites Composites             `json:"composites"`
	Special    Special                `json:"special"`
	Nested     Nested                 `json:"nested"`
	Template   corev1.PodTemplateSpec `json:"template"`
	Servers    Servers                `json:"servers"`
}

// Inlined is part of Spec on the wire.
type Inlined struct {
	// +default="inlined"
	Inner string `json:"inner,omitempty"`
}

// Mode is a named string.
type Mode string

// The modes.
const (
	ModeFast Mode = "Fast"
	ModeSlow Mode = "Slow"
)

// Scalars are not behind pointers.
type Scalars struct {
	// +default="a \"quoted\" string"
	String string `json:"string,omitempty"`
	// +default=-3
	Int int32 `json:"int,omitempty"`
	// +default=1.5
	Float float64 `json:"float,omitempty"`
	// +default=true
	Bool bool `json:"bool,omitzero"`
	// +default=ref(ModeFast)
	Mode Mode `json:"mode,omitempty"`
	// +k8s:default=ref(corev1.ProtocolUDP)
	Protocol corev1.Protocol `json:"protocol,omitempty"`
	// +kubebuilder:default="kubebuilder"
	Builder string `json:"builder,omitempty"`
	// +default=ref(ModeSlow)
	FromOther string `json:"fromOther,omitempty"`
	// +default=""
	Zero string `json:"zero"`
}

// Pointers are scalars behind pointers.
type Pointers struct {
	// +default=""
	String *string `json:"string,omitempty"`
	// +default=0
	Int *int `json:"int,omitempty"`
	// +default=3
	Int64 *int64 `json:"int64,omitempty"`
	// +default=2
	Float *float32 `json:"float,omitempty"`
	// +default=false
	Bool *bool `json:"bool,omitempty"`
	// +default=ref(ModeSlow)
	Mode *Mode `json:"mode,omitempty"`
	// +default="Fast"
	Text *Mode `json:"text,omitempty"`
	// +default=["x"]
	List *[]string `json:"list,omitempty"`
	// +default=5
	Twice **int32 `json:"twice,omitempty"`
	// +default=ref(ModeSlow)
	Declared *Pointer3 `json:"declared,omitempty"`
}

// Pointer1 to Pointer3 are declared pointers, nine in a row from *Pointer3.
type (
	Pointer1 *Mode
	Pointer2 ***Pointer1
	Pointer3 ****Pointer2
)

// Policy is a struct behind a pointer.
type Policy struct {
	Name string `json:"name,omitempty"`
	// +default=5
	Retries *int32  `json:"retries,omitempty"`
	Limits  *Limits `json:"limits,omitempty"`
	Inlined `json:",inline"`
}

// Limits is a struct further down.
type Limits struct {
	// +default="1Gi"
	Memory resource.Quantity `json:"memory,omitzero"`
	Burst  *int32            `json:"burst,omitempty"`
	Tags   map[string]string `json:"tags,omitempty"`
}

// Composites have defaults that are more than a scalar.
type Composites struct {
	// +default={"name":"standard","inner":"given","limits":{"memory":"2Gi","burst":7,"tags":{"tier":"gold"}}}
	Policy *Policy `json:"policy,omitempty"`
	// +default={}
	Empty *Policy `json:"empty,omitempty"`
	// +default=[]
	List []string `json:"list,omitempty"`
	// +default={}
	Map map[string]string `json:"map,omitempty"`
	// +default={"a":{"name":"one","retries":1},"b":null}
	ByName map[string]*Policy `json:"byName,omitempty"`
	// +default=[{"name":"one"},{"name":"two","retries":2}]
	Policies []Policy `json:"policies,omitempty"`
	// +default=[1,2]
	Pointers []*int32 `json:"pointers,omitempty"`
	// +default=[["a"],[]]
	Matrix [][]string `json:"matrix,omitempty"`
	// +default="aGVsbG8="
	Bytes []byte `json:"bytes,omitempty"`
	// +default={"1":"one"}
	Numbered map[int32]string `json:"numbered,omitempty"`
	// +default=["Fast","Slow"]
	Modes []Mode `json:"modes,omitempty"`
}

// Special are types with JSON of their own.
type Special struct {
	// +default="1Gi"
	Quantity resource.Quantity `json:"quantity,omitzero"`
	// +default=2
	QuantityPtr *resource.Quantity `json:"quantityPtr,omitempty"`
	// +default="90s"
	Duration metav1.Duration `json:"duration,omitzero"`
	// +default="1h"
	DurationPtr *metav1.Duration `json:"durationPtr,omitempty"`
	// +default="2024-02-03T04:05:06+02:00"
	Time metav1.Time `json:"time,omitempty"`
	// +default="2024-02-03T04:05:06.123456Z"
	Micro *metav1.MicroTime `json:"micro,omitempty"`
	// +default="2024-02-03T04:05:06Z"
	Go *time.Time `json:"go,omitempty"`
	// +default=8080
	Port intstr.IntOrString `json:"port,omitzero"`
	// +default="http"
	PortPtr *intstr.IntOrString `json:"portPtr,omitempty"`
	// +default={"kind":"Any"}
	Raw runtime.RawExtension `json:"raw,omitempty"`
	// +default=[1]
	Message json.RawMessage `json:"message,omitempty"`
	// +default={"cpu":"100m"}
	Resources corev1.ResourceList `json:"resources,omitempty"`
}

// Level has a default by its type.
// +default="info"
type Level string

// Levels is a named list of them.
type Levels []Level

// Names has a default by its type, and is a list.
// +default=["none"]
type Names []string

// Nested has defaults below lists, maps, arrays and pointers.
type Nested struct {
	Structs    []Limits             `json:"structs,omitempty"`
	Ptrs       []*Limits            `json:"ptrs,omitempty"`
	Map        map[string]Limits    `json:"map,omitempty"`
	MapPtrs    map[string]*Limits   `json:"mapPtrs,omitempty"`
	MapLists   map[string][]Limits  `json:"mapLists,omitempty"`
	ListMaps   []map[string]Limits  `json:"listMaps,omitempty"`
	Pointer    *[]Limits            `json:"pointer,omitempty"`
	Array      [2]Limits            `json:"array"`
	MapArrays  map[string][2]Limits `json:"mapArrays,omitempty"`
	Levels     Levels               `json:"levels,omitempty"`
	LevelMap   map[string]Levels    `json:"levelMap,omitempty"`
	LevelPtrs  map[string]*Level    `json:"levelPtrs,omitempty"`
	Names      Names                `json:"names,omitempty"`
	NamesByKey map[string]Names     `json:"namesByKey,omitempty"`
	Tree       *Tree                `json:"tree,omitempty"`
	Bare       *Status              `json:"bare,omitempty"`
}

// Tree refers to itself.
type Tree struct {
	// +default="leaf"
	Name     string          `json:"name,omitempty"`
	Left     *Tree           `json:"left,omitempty"`
	Children []Tree          `json:"children,omitempty"`
	ByName   map[string]Tree `json:"byName,omitempty"`
}

// DeepCopyObject makes Thing an object, as the deepcopy emitter would.
func (in *Thing) DeepCopyObject() runtime.Object { out := *in; return &out }

// DeepCopyObject makes ThingList an object.
func (in *ThingList) DeepCopyObject() runtime.Object { out := *in; return &out }

// DeepCopyObject makes Plain an object.
func (in *Plain) DeepCopyObject() runtime.Object { out := *in; return &out }

var (
	localSchemeBuilder = runtime.SchemeBuilder{}
	// AddToScheme adds the defaults.
	AddToScheme = (&localSchemeBuilder).AddToScheme
)

// Servers has defaults that only API servers can apply.
type Servers struct {
	// +kubebuilder:default=true
	Sent bool `json:"sent"`
	// +kubebuilder:default={"name":"server"}
	Struct Server `json:"struct"`
}

// Server is a struct.
type Server struct {
	Name string `json:"name"`
	// +default="own"
	Own string `json:"own,omitempty"`
}
