// Package mistakes has every default that cannot be.
package mistakes

import (
	"net/url"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Values do not fit their types.
type Values struct {
	// +default=5
	Text string `json:"text,omitempty"`
	// +default="5"
	Number *int32 `json:"number,omitempty"`
	// +default="yes"
	Flag *bool `json:"flag,omitempty"`
	// +default=null
	Null string `json:"null,omitempty"`
	// +default=3000000000
	Big *int32 `json:"big,omitempty"`
	// +default=2147483648
	JustTooBig *int32 `json:"justTooBig,omitempty"`
	// +default=2147483647
	JustFits *int32 `json:"justFits,omitempty"`
	// +default=-1
	Unsigned *uint8 `json:"unsigned,omitempty"`
	// +default=1.5
	Fraction *int `json:"fraction,omitempty"`
	// +default=1e400
	Float *float64 `json:"float,omitempty"`
	// +default={"a":1}
	List []string `json:"list,omitempty"`
	// +default=["a",2]
	Items []string `json:"items,omitempty"`
	// +default=[]
	Map map[string]string `json:"map,omitempty"`
	// +default={"a":"b","a":"c"}
	Twice map[string]string `json:"twice,omitempty"`
	// +default={"x":"y","128":"z"}
	Keys map[int8]string `json:"keys,omitempty"`
	// +default="not base64"
	Bytes []byte `json:"bytes,omitempty"`
	// +default="1 gig"
	Quantity *resource.Quantity `json:"quantity,omitempty"`
	// +default="soon"
	Duration *metav1.Duration `json:"duration,omitempty"`
	// +default="2024"
	Time *metav1.Time `json:"time,omitempty"`
	// +default=true
	Port *intstr.IntOrString `json:"port,omitempty"`
	// +default="a"
	Any any `json:"any,omitempty"`
	// +default=[1,2]
	Array [2]int `json:"array"`
	// +default=[1]
	Short *[2]int `json:"short,omitempty"`
	// +default="x"
	Custom *Custom `json:"custom,omitempty"`
	// +default="x"
	Embeds *Embeds `json:"embeds,omitempty"`
	// +default={}
	Func func() `json:"-"`
	// +default="https://example.com"
	URL *url.URL `json:"url,omitempty"`
}

// Custom writes its own JSON.
type Custom struct{}

// UnmarshalJSON reads it.
func (*Custom) UnmarshalJSON([]byte) error { return nil }

// Embeds writes Custom's JSON.
type Embeds struct{ Custom }

// Deep is looked into.
type Deep struct {
	// +default={"name":1,"colour":"red","Inner":{},"inner":{"count":"x"},"list":[{"count":1},{"coutn":2}],"promoted":false}
	Struct *Shape `json:"struct,omitempty"`
}

// Shape is a struct with structs in it.
type Shape struct {
	Promoted `json:",inline"`
	Name     string  `json:"name,omitempty"`
	Inner    Inner   `json:"inner"`
	List     []Inner `json:"list,omitempty"`
}

// Promoted is part of Shape.
type Promoted struct {
	Value string `json:"promoted,omitempty"`
}

// Inner is inside of Shape.
type Inner struct {
	Count int `json:"count"`
}

// Mode is a named string.
type Mode string

// ModeFast is a constant.
const ModeFast Mode = "Fast"

// Level is a named number.
type Level int

// LevelTop is another.
const LevelTop Level = 300

// Constants are looked up.
type Constants struct {
	// +default=ref(ModeSlow)
	Missing Mode `json:"missing,omitempty"`
	// +default=ref(elsewhere.Mode)
	Elsewhere Mode `json:"elsewhere,omitempty"`
	// +default=ref(corev1.ProtocolQUIC)
	Protocol corev1.Protocol `json:"protocol,omitempty"`
	// +default=ref(ModeFast)
	Number *int32 `json:"number,omitempty"`
	// +default=ref(LevelTop)
	Small *int8 `json:"small,omitempty"`
	// +default=ref(ModeFast)
	Fine Mode `json:"fine,omitempty"`
	// +default=ref(corev1.ProtocolTCP)
	AlsoFine corev1.Protocol `json:"alsoFine,omitempty"`
}

// Rules are the four rules on Go types.
type Rules struct {
	// +default={"count":1}
	Struct Inner `json:"struct"`
	// +default={}
	Omitted Inner `json:"omitted,omitempty"`
	// +default={}
	Fine Inner `json:"fine"`
	// +default={}
	Zero Inner `json:"zero,omitzero"`
	// +default="x"
	Sent string `json:"sent"`
	// +k8s:optional
	// +default="x"
	SentOptional string `json:"sentOptional"`
	// +default=3
	NoTag int
	// +default=true
	Flag bool `json:"flag,omitempty"`
	// +default=3
	Number int `json:"number,omitempty"`
	// +default="x"
	Text string `json:"text,omitempty"`
	// +default=0
	AlsoFine int `json:"alsoFine"`
	// +default="1Gi"
	Size resource.Quantity `json:"size,omitempty"`
	// +default="1Gi"
	SizeZero resource.Quantity `json:"sizeZero,omitzero"`
}

// Banana has a default by its type.
// +default="banana"
type Banana string

// Wrong has one that does not fit.
// +default=5
type Wrong string

// Boxed is a struct with a default by its type.
// +default={"count":1}
type Boxed struct {
	Count int `json:"count"`
}

// Uses are where defaults by type cannot work.
type Uses struct {
	Sent    Banana             `json:"sent"`
	Fine    Banana             `json:"fine,omitempty"`
	Pointer *Banana            `json:"pointer,omitempty"`
	List    []Banana           `json:"list,omitempty"`
	Value   Boxed              `json:"value"`
	Box     *Boxed             `json:"box,omitempty"`
	Boxes   []Boxed            `json:"boxes,omitempty"`
	Map     map[string][]Boxed `json:"map,omitempty"`
	Ptrs    []*Boxed           `json:"ptrs,omitempty"`
	// +default="own"
	Own Banana `json:"own,omitempty"`
}

// Endless makes itself.
type Endless struct {
	// +default={}
	Next *Endless `json:"next,omitempty"`
	// +default={}
	Other *Endless2 `json:"other,omitempty"`
	// +default=[]
	Ends []Endless `json:"ends,omitempty"`
}

// Endless2 makes Endless, by a struct in between.
type Endless2 struct {
	Middle Middle `json:"middle"`
}

// Middle is in between.
type Middle struct {
	// +default=[{}]
	Back []Endless3 `json:"back,omitempty"`
}

// Endless3 leads back.
type Endless3 struct {
	// +default={}
	Other *Endless2 `json:"other,omitempty"`
}

// Spellings are one tag.
type Spellings struct {
	// +default="a"
	// +k8s:default="b"
	Conflict string `json:"conflict,omitempty"`
	// +default="a"
	// +kubebuilder:default="a"
	Same string `json:"same,omitempty"`
	// +default=banana
	Bare string `json:"bare,omitempty"`
	// +default
	None string `json:"none,omitempty"`
}

// Kubebuilder has defaults that API servers can apply and Go cannot.
type Kubebuilder struct {
	// +kubebuilder:default=true
	Always bool `json:"always"`
	// +kubebuilder:default=""
	Zero string `json:"zero"`
	// +kubebuilder:default="a"
	// +k8s:optional
	Optional string `json:"optional"`
	// +kubebuilder:default="a"
	Omitted string `json:"omitted,omitempty"`
	// +kubebuilder:default={"generation":-1}
	Status KubebuilderStatus `json:"status"`
	// +kubebuilder:default={}
	Empty KubebuilderStatus `json:"empty"`
	// +kubebuilder:default={"generation":"none"}
	Wrong KubebuilderStatus `json:"wrong"`
}

// KubebuilderStatus is a struct.
type KubebuilderStatus struct {
	Generation int64 `json:"generation,omitempty"`
}

// Emptied has lists, maps and bytes that clients cannot send empty, and others.
type Emptied struct {
	// +default=["a"]
	// +k8s:listType=atomic
	List []string `json:"list,omitempty"`
	// +default={"a":"b"}
	Map map[string]string `json:"map,omitempty"`
	// +default="YQ=="
	Bytes []byte `json:"bytes,omitempty"`
	// +default=["a"]
	// +k8s:listType=atomic
	Kept []string `json:"kept,omitzero"`
	// +default=["a"]
	// +k8s:listType=atomic
	Sent []string `json:"sent"`
	// +default=["a"]
	// +k8s:listType=atomic
	// +k8s:minItems=1
	Refused []string `json:"refused,omitempty"`
	// +default=[]
	// +k8s:listType=atomic
	Empty []string `json:"empty,omitempty"`
	// +default=["a"]
	// +k8s:listType=atomic
	Pointer *[]string `json:"pointer,omitempty"`
}

// Nulls have the default null.
type Nulls struct {
	// +default=null
	Pointer *int32 `json:"pointer,omitempty"`
	// +k8s:default=null
	// +k8s:listType=atomic
	List []string `json:"list,omitempty"`
	// +default=null
	// +nullable
	Nullable *string `json:"nullable,omitempty"`
}

// Color has an enum that only schemas list.
// +enum
type Color string

// Red is a color.
const Red Color = "Red"

// Shade has a default that is no color.
// +default="Dark"
// +enum
type Shade string

// Light is a shade.
const Light Shade = "Light"

// Colors have defaults.
type Colors struct {
	// +default="Rde"
	Color *Color `json:"color,omitempty"`
	// +default="Red"
	Right *Color `json:"right,omitempty"`
	Shade *Shade `json:"shade,omitempty"`
}
