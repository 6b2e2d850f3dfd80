// Package shapes has a field of every shape that a copy can meet.
//
// +groupName=shapes.example.com
// +kubebuilder:object:generate=true
package shapes

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}

// ThingList is its list.
type ThingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Thing `json:"items"`
}

// Page is a generic struct without methods.
//
// +kubebuilder:object:generate=false
type Page[K comparable, T any] struct {
	Items  []T              `json:"items,omitempty"`
	By     map[K]T          `json:"by,omitempty"`
	One    *T               `json:"one,omitempty"`
	In     T                `json:"in"`
	Inner  *Page[string, T] `json:"inner,omitempty"`
	hidden []T
}

// Pages is declared from an instance.
type Pages Page[int32, *Plain]

type argument struct {
	Values []string `json:"values"`
}

// Rows is a generic list.
//
// +kubebuilder:object:generate=false
type Rows[T any] []T

// Generics has instances.
type Generics struct {
	Plain   Page[string, Plain]                     `json:"plain"`
	Pointer *Page[string, *Pointers]                `json:"pointer,omitempty"`
	List    []Page[string, []string]                `json:"list,omitempty"`
	Map     map[string]Page[string, map[string]int] `json:"map,omitempty"`
	Nested  Page[int64, Page[string, []int]]        `json:"nested"`
	Pages   Pages                                   `json:"pages"`
	Rows    Rows[[]string]                          `json:"rows,omitempty"`
	Private Page[string, argument]                  `json:"private"`
	Flat    Page[string, string]                    `json:"flat"`
}

// Spec holds everything else.
type Spec struct {
	Generics   `json:",inline"`
	Scalars    `json:",inline"`
	*Pointers  `json:",inline"`
	Slices     Slices     `json:"slices"`
	Maps       Maps       `json:"maps"`
	Arrays     Arrays     `json:"arrays"`
	Named      Named      `json:"named"`
	External   External   `json:"external"`
	Tree       *Tree      `json:"tree,omitempty"`
	ByHand     ByHand     `json:"byHand"`
	ByHands    []ByHand   `json:"byHands,omitempty"`
	ByHandPtr  *ByHand    `json:"byHandPtr,omitempty"`
	Valued     Valued     `json:"valued"`
	ValuedPtr  *Valued    `json:"valuedPtr,omitempty"`
	Signatures Signatures `json:"signatures"`
	private    private
	privatePtr *private
}

// Scalars are copied by assignment.
type Scalars struct {
	String string  `json:"string"`
	Int    int32   `json:"int"`
	Float  float64 `json:"float"`
	Bool   bool    `json:"bool"`
	Mode   Mode    `json:"mode"`
	Plain  Plain   `json:"plain"`
}

// Mode is a named scalar.
type Mode string

// Plain is a struct of scalars.
type Plain struct {
	A string `json:"a"`
	B [2]int `json:"b"`
}

// Pointers has pointers of every depth.
type Pointers struct {
	Int      *int32             `json:"int,omitempty"`
	IntPtr   **int32            `json:"intPtr,omitempty"`
	Plain    *Plain             `json:"plain,omitempty"`
	Struct   *Slices            `json:"struct,omitempty"`
	PtrPtr   **Slices           `json:"ptrPtr,omitempty"`
	Slice    *[]string          `json:"slice,omitempty"`
	Map      *map[string]string `json:"map,omitempty"`
	SlicePtr *[]*Plain          `json:"slicePtr,omitempty"`
	Names    *Names             `json:"names,omitempty"`
	Array    *[2]*int32         `json:"array,omitempty"`
}

// Slices are lists of all sorts.
type Slices struct {
	Strings  []string            `json:"strings"`
	Bytes    []byte              `json:"bytes,omitempty"`
	Plains   []Plain             `json:"plains,omitempty"`
	Structs  []Maps              `json:"structs,omitempty"`
	Pointers []*int64            `json:"pointers,omitempty"`
	Ptrs     []*Maps             `json:"ptrs,omitempty"`
	Nested   [][]string          `json:"nested,omitempty"`
	Deep     [][][]*string       `json:"deep,omitempty"`
	Maps     []map[string]string `json:"maps,omitempty"`
	Names    []Names             `json:"names,omitempty"`
	Times    []metav1.Time       `json:"times,omitempty"`
}

// Maps are maps of all sorts.
type Maps struct {
	Strings  map[string]string             `json:"strings"`
	Slices   map[string][]string           `json:"slices,omitempty"`
	Plains   map[string]Plain              `json:"plains,omitempty"`
	Structs  map[string]Arrays             `json:"structs,omitempty"`
	Pointers map[string]*int32             `json:"pointers,omitempty"`
	Ptrs     map[string]*Arrays            `json:"ptrs,omitempty"`
	Nested   map[Mode]map[string][]*string `json:"nested,omitempty"`
	Set      map[string]struct{}           `json:"set,omitempty"`
	Amounts  map[string]resource.Quantity  `json:"amounts,omitempty"`
	Items    map[string][]Arrays           `json:"items,omitempty"`
	Named    map[string]Labels             `json:"named,omitempty"`
}

// Arrays are arrays of all sorts.
type Arrays struct {
	Ints     [3]int32    `json:"ints"`
	Pointers [2]*int32   `json:"pointers"`
	Slices   [2][]string `json:"slices"`
	Matrix   [2][2]*int  `json:"matrix"`
	Named    Pair        `json:"named"`
}

// Pair is a named array.
type Pair [2]*string

// Triple is a named array of values.
type Triple [3]int

// Names is a named slice.
type Names []string

// Labels is a named map.
type Labels map[string]string

// Groups is a named map of slices of a named slice.
type Groups map[string][]Names

// Pods is a named slice of structs.
type Pods []Maps

// PlainPtr is a named pointer.
type PlainPtr *Plain

// Renamed is made of another struct, and has no methods of it.
type Renamed Slices

// MorePods is made of another named slice.
type MorePods Pods

// Callback never needs a copy: nothing uses it.
type Callback func(string) error

// Named has fields of named types.
type Named struct {
	Names    Names      `json:"names,omitempty"`
	Labels   Labels     `json:"labels,omitempty"`
	Groups   Groups     `json:"groups,omitempty"`
	Pods     Pods       `json:"pods,omitempty"`
	MorePods MorePods   `json:"morePods,omitempty"`
	Pointer  PlainPtr   `json:"pointer,omitempty"`
	Renamed  Renamed    `json:"renamed"`
	Pair     Pair       `json:"pair"`
	Triple   Triple     `json:"triple"`
	PairPtr  *Pair      `json:"pairPtr,omitempty"`
	Pointers []PlainPtr `json:"pointers,omitempty"`
}

// External has fields of other packages' types.
type External struct {
	Quantity    resource.Quantity        `json:"quantity"`
	QuantityPtr *resource.Quantity       `json:"quantityPtr,omitempty"`
	Time        metav1.Time              `json:"time"`
	TimePtr     *metav1.Time             `json:"timePtr,omitempty"`
	Go          time.Time                `json:"go"`
	Duration    *metav1.Duration         `json:"duration,omitempty"`
	Port        intstr.IntOrString       `json:"port"`
	PortPtr     *intstr.IntOrString      `json:"portPtr,omitempty"`
	Selector    *metav1.LabelSelector    `json:"selector,omitempty"`
	Raw         runtime.RawExtension     `json:"raw"`
	Message     json.RawMessage          `json:"message,omitempty"`
	Resources   corev1.ResourceList      `json:"resources,omitempty"`
	Template    corev1.PodTemplateSpec   `json:"template"`
	Ports       []corev1.ContainerPort   `json:"ports,omitempty"`
	EnvByName   map[string]corev1.EnvVar `json:"envByName,omitempty"`
}

// Object is held as an interface.
type Object struct {
	Any runtime.Object `json:"-"`
}

// Tree refers to itself in every way.
type Tree struct {
	Value    string           `json:"value"`
	Left     *Tree            `json:"left,omitempty"`
	Children []Tree           `json:"children,omitempty"`
	ByName   map[string]*Tree `json:"byName,omitempty"`
	Forest   Forest           `json:"forest,omitempty"`
}

// Forest and Tree refer to each other.
type Forest map[string]Tree

// ByHand has a DeepCopyInto by hand, and gets a DeepCopy.
type ByHand struct {
	Values []string `json:"values,omitempty"`
	// Copied is what makes the method's work visible.
	Copied int `json:"copied"`
}

// DeepCopyInto counts.
func (in *ByHand) DeepCopyInto(out *ByHand) {
	out.Values = append([]string(nil), in.Values...)
	out.Copied = in.Copied + 1
}

// Valued has a DeepCopy by hand that returns a value, and gets a DeepCopyInto.
type Valued struct {
	Values []string `json:"values,omitempty"`
	Copied int      `json:"copied"`
}

// DeepCopy counts.
func (in Valued) DeepCopy() Valued {
	return Valued{Values: append([]string(nil), in.Values...), Copied: in.Copied + 1}
}

// Signatures have a DeepCopy by hand of every signature.
type Signatures struct {
	Value    FromPointer   `json:"value"`
	Values   []FromPointer `json:"values,omitempty"`
	Pointer  *FromPointer  `json:"pointer,omitempty"`
	Value2   FromValue     `json:"value2"`
	Pointer2 *FromValue    `json:"pointer2,omitempty"`
	// +optional
	Other    Other            `json:"other"`
	Others   map[string]Other `json:"others,omitempty"`
	Indirect *Indirect        `json:"indirect,omitempty"`
}

// FromPointer has a DeepCopy by hand on its pointer that returns a value.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type FromPointer struct {
	Values []string `json:"values,omitempty"`
}

// DeepCopy copies.
func (in *FromPointer) DeepCopy() FromPointer { return FromPointer{slices.Clone(in.Values)} }

// GetObjectKind makes it an object.
func (in *FromPointer) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// FromValue has a DeepCopy by hand on its value that returns a pointer.
type FromValue struct {
	Values []string `json:"values,omitempty"`
}

// DeepCopy copies.
func (in FromValue) DeepCopy() *FromValue { return &FromValue{slices.Clone(in.Values)} }

// Other has a method of the name that does something else.
type Other struct {
	Values []string `json:"values,omitempty"`
}

// DeepCopy is of no use for copies.
func (in *Other) DeepCopy(depth int) (*Other, error) { return nil, errors.ErrUnsupported }

// Indirect is a named pointer.
type Indirect *Other

// private gets methods since Spec is made of it.
type private struct {
	values []string
	other  *otherPrivate
}

type otherPrivate struct {
	values map[string]string
}

// unused is nobody's business.
type unused struct {
	values []string
}
