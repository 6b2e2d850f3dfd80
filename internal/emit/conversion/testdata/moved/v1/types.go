// Package v1 has fields that were elsewhere in older versions.
//
// +kubebuilder:object:generate=true
// +groupName=moved.example.com
// +versioned:version(name: "v1alpha1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
package v1

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true

// House is a house.
type House struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec HouseSpec `json:"spec"`
}

// flavour is a type that a field had.
type flavour string

// Plain is the same in all versions.
type Plain struct {
	A string `json:"a"`
}

// Address is of a house: its text was split.
//
// +versioned:removed(since: "v1", name: "text", type: "string")
// +versioned:hook(since: "v1", upgrade: "SplitAddress", downgrade: "JoinAddress")
type Address struct {
	// +versioned:added(since: "v1")
	Street string `json:"street,omitempty"`
	// +versioned:added(since: "v1")
	City string `json:"city,omitempty"`
	// Unit was the code before v1beta1.
	//
	// +versioned:changed(since: "v1beta1", fromName: "code", fromType: "units")
	Unit int64 `json:"unit,omitempty"`
	// +k8s:optional
	Note *string `json:"note,omitempty"`
}

// units is a type that a field had.
type units int64

// addressBefore is what the hook needs of an address before v1.
type addressBefore struct {
	Text string `json:"text"`
	Unit int64  `json:"unit"`
}

// SplitAddress splits the text at its last comma.
func SplitAddress(in *addressBefore, out *Address) error {
	i := strings.LastIndex(in.Text, ", ")
	if i < 0 {
		out.Street = in.Text
		return nil
	}
	out.Street, out.City = in.Text[:i], in.Text[i+2:]
	if in.Unit > 0 {
		out.Note = &out.City
	}
	return nil
}

// JoinAddress joins the text.
func JoinAddress(in *Address, out *addressBefore) {
	if out.Text = in.Street; in.City != "" {
		out.Text += ", " + in.City
	}
}

// HouseSpec is what the house should be.
//
// +versioned:removed(since: "v1", name: "annex", type: "*Annex")
// +versioned:removed(since: "v1", name: "keeper", type: "string", toPath: "metadata.labels['moved.example.com/keeper']")
// +versioned:changed(since: "v1beta1", field: "keeper", fromName: "janitor")
type HouseSpec struct {
	// Roof has a field that was in the spec, and fields that were in a struct which is gone.
	Roof *Roof `json:"roof,omitempty"`
	// Cellar has fields that moved between it and the spec, behind no pointer.
	Cellar Cellar `json:"cellar"`
	// Damp was in the cellar, and in the annex before that.
	//
	// +versioned:moved(since: "v1beta1", fromPath: "spec.annex.damp")
	// +versioned:moved(since: "v1", fromPath: "spec.cellar.damp")
	Damp bool `json:"damp"`
	// Ladder was in the roof.
	//
	// +versioned:moved(since: "v1", fromPath: "spec.roof.ladder")
	// +k8s:minimum=1
	Ladder *int32   `json:"ladder,omitempty"`
	Boxes  []Crate  `json:"boxes,omitempty"`
	Where  *Address `json:"where,omitempty"`
	Meter  *Meter   `json:"meter,omitempty"`
	// Owned was an annotation.
	//
	// +versioned:moved(since: "v1", fromPath: "metadata.annotations['moved.example.com/owned']", transform: "bool")
	Owned bool `json:"owned"`
	// Style was an annotation of a required field.
	//
	// +versioned:moved(since: "v1", fromPath: "metadata.annotations['moved.example.com/style']")
	Style string `json:"style"`
	// Beds were in the cellar, and only one before that.
	//
	// +versioned:moved(since: "v1", fromPath: "spec.cellar.beds")
	// +versioned:wrapped(since: "v1beta1", fromName: "bed")
	Beds []int32 `json:"beds,omitempty"`
	// Lamp was in the roof, and a text before that.
	//
	// +versioned:moved(since: "v1", fromPath: "spec.roof.lamp")
	// +versioned:changed(since: "v1beta1", fromType: "string", upgradeWith: "ParseLamp", downgradeWith: "LampText")
	Lamp int32 `json:"lamp,omitempty"`
}

// Roof is above.
//
// +versioned:removed(since: "v1", name: "rods", type: "*int32", toPath: "metadata.annotations['moved.example.com/rods']", transform: "integer")
// +versioned:removed(since: "v1", name: "glass", type: "bool", required: true, toPath: "metadata.labels.glass", transform: "bool")
type Roof struct {
	// Tiles were in the spec, under another name and of another type.
	//
	// +versioned:changed(since: "v1beta1", fromName: "slates")
	// +versioned:moved(since: "v1", fromPath: "spec.roofTiles")
	Tiles []Plain `json:"tiles,omitempty"`
	// Height was in the annex.
	//
	// +versioned:moved(since: "v1", fromPath: "spec.annex.height")
	Height int32  `json:"height,omitempty"`
	Vane   *Vane  `json:"vane,omitempty"`
	Slope  string `json:"slope"`
}

// Vane is on the roof.
type Vane struct {
	// Kind was in the roof itself.
	//
	// +versioned:moved(since: "v1", fromPath: "spec.roof.vaneKind")
	// +versioned:changed(since: "v1beta1", fromType: "flavour")
	Kind string `json:"kind,omitempty"`
	Tall bool   `json:"tall"`
}

// Cellar is below.
//
// +versioned:removed(since: "v1beta1", name: "siren", type: "*Alarm", toPath: "metadata.annotations['moved.example.com/siren']")
type Cellar struct {
	Depth int32 `json:"depth,omitempty"`
	// Wine was in the spec.
	//
	// +versioned:moved(since: "v1beta1", fromPath: "spec.wine")
	Wine map[string]string `json:"wine,omitempty"`
}

// ParseLamp reads a number.
func ParseLamp(text string) (int32, error) {
	n, err := strconv.ParseInt(text, 0, 32)
	return int32(n), err
}

// LampText returns the number.
func LampText(n int32) string { return strconv.Itoa(int(n)) }

// Annex is gone.
//
// +versioned:removed(since: "v1", name: "lease", type: "*int64", toPath: "metadata.annotations.lease", transform: "seconds")
// +versioned:removed(since: "v1", name: "colour", type: "flavour", toPath: "metadata.labels.colour")
type Annex struct {
	Doors int32 `json:"doors,omitempty"`
}

// Box is on a shelf.
type Box struct {
	// Other was elsewhere in the box.
	//
	// +versioned:moved(since: "v1", fromPath: ".lidColor")
	Other string `json:"other,omitempty"`
	// Size was in the crate: in each item.
	//
	// +versioned:moved(since: "v1", fromPath: "spec.boxes[].boxSize")
	Size int32 `json:"size,omitempty"`
	Lid  bool  `json:"lid"`
}

// Crate has a box.
type Crate struct {
	Box *Box `json:"box,omitempty"`
}

// Meter has values that were written otherwise.
type Meter struct {
	// +versioned:changed(since: "v1", fromName: "timeout", fromType: "metav1.Duration", transform: "seconds")
	TimeoutSeconds int32 `json:"timeoutSeconds"`
	// +versioned:changed(since: "v1", fromName: "pauseMillis", fromType: "*int64", transform: "milliseconds")
	Pause *metav1.Duration `json:"pause,omitempty"`
	// +versioned:changed(since: "v1beta1", fromType: "*resource.Quantity", transform: "quantity(Mi)")
	Memory *int64 `json:"memory,omitempty"`
	// +versioned:changed(since: "v1", fromType: "uint16", transform: "quantity(m)")
	CPU resource.Quantity `json:"cpu"`
	// +versioned:changed(since: "v1", fromType: "string", transform: "integer")
	// +versioned:changed(since: "v1beta1", fromName: "portText")
	Port int16 `json:"port,omitempty"`
	// +versioned:changed(since: "v1", fromType: "string", transform: "bool")
	Strict bool `json:"strict,omitempty"`
	// +versioned:changed(since: "v1", fromType: "string", transform: "bool")
	Loud bool `json:"loud"`
	// +versioned:changed(since: "v1", fromType: "string", transform: "integer")
	Turns int16 `json:"turns"`
	// +versioned:changed(since: "v1", fromType: "string", transform: "split({name}[@{level}][#{loud}])")
	Peer *Peer `json:"peer,omitempty"`
	// +versioned:moved(since: "v1", fromPath: "spec.peerText", fromType: "*string", transform: "split([{level}/]{name}[!{loud}])")
	OtherPeer *Peer `json:"otherPeer,omitempty"`
	// +versioned:changed(since: "v1", fromType: "*Peer", transform: "split({name}[@{level}][#{loud}])")
	PeerText string `json:"peerText,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "friend", fromType: "string", transform: "split({name}[@{level}][#{loud}])")
	Friends []Peer `json:"friends,omitempty"`
	// +versioned:changed(since: "v1", fromType: "string", transform: "field(name)")
	Owner *Owner `json:"owner,omitempty"`
	// +listType=map
	// +listMapKey=name
	// +versioned:changed(since: "v1", fromType: "map[string]GaugeBefore", transform: "keyed(name)")
	Gauges []Gauge `json:"gauges,omitempty"`
	// +versioned:changed(since: "v1", fromType: "[]Label", transform: "keyed(key, value)")
	Labels map[string]string `json:"labels,omitempty"`
	// +versioned:moved(since: "v1", fromPath: "spec.roof.warmup", fromType: "string", transform: "seconds")
	WarmupSeconds int64 `json:"warmupSeconds,omitempty"`
	// +versioned:changed(since: "v1", fromType: "string", transform: "case(kebab)")
	Mode Mode `json:"mode,omitempty"`
	// +versioned:changed(since: "v1", fromType: "*Mode", transform: "case(upperSnake)")
	ModeText *string `json:"modeText,omitempty"`
	// +listType=set
	Alarms []Alarm `json:"alarms,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "phase", fromType: "string", transform: "integer")
	Phases []int32 `json:"phases,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "reader", fromType: "string", transform: "field(name)")
	// +versioned:changed(since: "v1beta1", fromName: "readBy", fromType: "*int64", transform: "integer")
	Readers []Owner `json:"readers,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "delay", fromType: "*metav1.Duration", transform: "seconds")
	Delays []int32 `json:"delays"`
	// +versioned:changed(since: "v1", fromType: "*Dial", transform: "field(dial)")
	Panel *Panel `json:"panel,omitempty"`
	// +versioned:changed(since: "v1", fromType: "map[string]Dial", transform: "keyed(id, dial)")
	Dials     []NamedDial `json:"dials,omitempty"`
	Endpoints []Endpoint  `json:"endpoints,omitempty"`
	// +versioned:moved(since: "v1", fromPath: "metadata.labels.reading", transform: "integer")
	Reading *int32 `json:"reading,omitempty"`
	// +versioned:moved(since: "v1beta1", fromPath: "metadata.annotations['moved.example.com/unit']")
	// +versioned:moved(since: "v1", fromPath: "spec.unit")
	Unit string `json:"unit,omitempty"`
	// +versioned:moved(since: "v1", fromPath: "metadata.annotations['moved.example.com/alarm']")
	Loudest *Alarm `json:"loudest,omitempty"`
}

// Mode is how a meter counts. Older versions wrote it in other styles.
type Mode string

// The modes.
const (
	ModeFastCount Mode = "FastCount"
	ModeSlowCount Mode = "SlowCount"
)

// Alarm is what a meter reports.
//
// +versioned:changed(since: "v1beta1", transform: "case(upperSnake)")
// +versioned:changed(since: "v1", transform: "case(camel)")
type Alarm string

// The alarms.
const (
	AlarmLowVoltage Alarm = "LowVoltage"
	AlarmTCPDown    Alarm = "TCPDown"
	// +versioned:changed(since: "v1", fromName: "none")
	AlarmQuiet Alarm = "Quiet"
	// +versioned:added(since: "v1")
	AlarmNew Alarm = "NewAlarm"
)

// Endpoint is where readings are sent.
//
// +versioned:split(since: "v1", name: "target", parts: "{host}[:{port}]")
// +versioned:changed(since: "v1beta1", field: "target", fromName: "addr", fromType: "ImageName")
// +versioned:split(since: "v1", name: "label", parts: "{team}/{area}")
// +versioned:removed(since: "v1", name: "area", type: "*uint8")
// +versioned:split(since: "v1beta1", name: "image", parts: "[{registry}/]{imageName}[:{tag}]")
type Endpoint struct {
	// +versioned:added(since: "v1")
	Host string `json:"host"`
	Port *int32 `json:"port,omitempty"`
	// Label was two fields.
	Label    string `json:"label,omitempty"`
	Registry string `json:"registry,omitempty"`
	// +versioned:changed(since: "v1", fromName: "imageName", fromType: "string")
	Name ImageName `json:"name"`
	Tag  int64     `json:"tag"`
}

// ImageName is a name.
type ImageName string

// Panel has a dial.
type Panel struct {
	Dial Dial `json:"dial"`
}

// NamedDial is a dial with a name.
type NamedDial struct {
	ID   string `json:"id"`
	Dial Dial   `json:"dial"`
}

// Dial shows a number.
type Dial struct {
	// +versioned:changed(since: "v1", fromName: "title")
	Label string `json:"label,omitempty"`
	// +versioned:added(since: "v1beta1")
	Size int32 `json:"size,omitempty"`
}

// Peer is one string in other versions.
type Peer struct {
	Name  string `json:"name"`
	Level *uint8 `json:"level,omitempty"`
	Loud  bool   `json:"loud,omitempty"`
}

// Owner owns.
type Owner struct {
	Name string `json:"name"`
}

// Gauge is read.
type Gauge struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
}

// GaugeBefore is a Gauge without its name.
type GaugeBefore struct {
	Unit string `json:"unit,omitempty"`
}

// Label is a label.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}
