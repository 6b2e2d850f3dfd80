// Package v2 has a kind with lists that were single values, of which parts changed before and after that.
//
// +groupName=wrapped.example.com
// +versioned:version(name: "v1alpha1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
// +versioned:version(name: "v2", storage: true)
package v2

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true

// Rack holds servers.
type Rack struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RackSpec `json:"spec"`
}

// RackSpec is the desired state of a rack.
type RackSpec struct {
	// +versioned:wrapped(since: "v1", fromName: "server")
	// +listType=atomic
	Servers []Server `json:"servers,omitempty"`
	// +versioned:wrapped(since: "v1beta1", fromName: "spare")
	// +listType=map
	// +listMapKey=name
	Spares []Server `json:"spares,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "main")
	// +listType=map
	// +listMapKey=name
	Mains []Server `json:"mains"`
	// +versioned:wrapped(since: "v1", fromName: "level")
	Levels []Level `json:"levels,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "tone")
	// +listType=set
	Tones []Tone `json:"tones,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "guest", fromType: "*Level")
	Guests []Level `json:"guests,omitempty"`
	// +versioned:wrapped(since: "v1beta1", fromName: "port")
	Ports []int32 `json:"ports,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "friend")
	Friends []*Server `json:"friends,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "byName")
	ByNames []map[string]Server `json:"byNames,omitempty"`

	Rooms []Room          `json:"rooms,omitempty"`
	Sites map[string]Room `json:"sites,omitempty"`
	// +listType=map
	// +listMapKey=id
	Halls []Room `json:"halls,omitempty"`

	// +versioned:wrapped(since: "v1", fromName: "movedServer")
	// +versioned:moved(since: "v1beta1", fromPath: "spec.cellar.movedServer")
	MovedServers []Server `json:"movedServers,omitempty"`
	// +versioned:moved(since: "v2", fromPath: "spec.cellar.late")
	// +versioned:wrapped(since: "v1")
	Lates  []Server `json:"lates,omitempty"`
	Cellar *Cellar  `json:"cellar,omitempty"`
}

// Cellar is where things were.
type Cellar struct {
	Text string `json:"text,omitempty"`
}

// +kubebuilder:object:root=true

// Shelf has lists that were single values of other types.
type Shelf struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ShelfSpec   `json:"spec"`
	Status ShelfStatus `json:"status,omitempty"`
}

// ShelfStatus is the observed state of a shelf.
type ShelfStatus struct {
	// +versioned:wrapped(since: "v1", fromName: "seen", fromType: "*Server")
	Seen []Server `json:"seens"`
}

// ShelfSpec is the desired state of a shelf.
type ShelfSpec struct {
	Inlined `json:",inline"`

	// Counts were a smaller number before they were a list.
	//
	// +versioned:changed(since: "v1beta1", fromName: "num", fromType: "int32", lossy: "clients have small numbers", downgradeWith: "Small")
	// +versioned:wrapped(since: "v1", fromName: "count")
	Counts []int64 `json:"counts,omitempty"`
	// Wides were a smaller number, which loses nothing on the way up.
	//
	// +versioned:wrapped(since: "v1", fromName: "wide")
	Wides []int64 `json:"wides"`
	// +versioned:wrapped(since: "v1", fromName: "name")
	Names []string `json:"names,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "title")
	// +versioned:changed(since: "v1beta1", fromType: "string", fromName: "head")
	Titles []Title `json:"titles,omitempty"`
	// +versioned:wrapped(since: "v1beta1", fromName: "subtitle")
	// +versioned:changed(since: "v2", fromType: "[]string")
	Subtitles []Title `json:"subtitles,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "flag")
	Flags []bool `json:"flags,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "row")
	Rows [][]Server `json:"rows,omitempty"`
	// +versioned:wrapped(since: "v1beta1", fromName: "delay", fromType: "string", transform: "seconds")
	Delays []int32 `json:"delays,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "owner", fromType: "string", transform: "field(name)")
	Owners []Owner `json:"owners,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "box")
	Boxes []Box `json:"boxes,omitempty"`
	// +versioned:moved(since: "v1", fromPath: "spec.keyed.parts")
	// +listType=map
	// +listMapKey=name
	Parts []Server `json:"parts,omitempty"`
	Keyed *Keyed   `json:"keyed,omitempty"`
}

// Keyed is where a keyed list was.
type Keyed struct {
	Text string `json:"text,omitempty"`
}

// Inlined is part of a spec.
type Inlined struct {
	// +versioned:wrapped(since: "v1", fromName: "inner")
	Inners []Server `json:"inners,omitempty"`
}

// Owner has one field.
type Owner struct {
	Name string `json:"name,omitempty"`
}

// Box has a string that was split.
//
// +versioned:split(since: "v2", name: "address", parts: "{host}[:{port}]")
// +versioned:removed(since: "v2", name: "goneTwo", type: "string")
type Box struct {
	Host string `json:"host,omitempty"`
	Port *int32 `json:"port,omitempty"`
}

// Room has a single value below a list or a map.
type Room struct {
	ID string `json:"id"`
	// +versioned:wrapped(since: "v1", fromName: "device")
	// +listType=map
	// +listMapKey=name
	Devices []Server `json:"devices,omitempty"`
}

// Server has parts that changed.
//
// +versioned:removed(since: "v1beta1", name: "goneBeta", type: "string")
// +versioned:removed(since: "v1", name: "goneOne", type: "*int32")
// +versioned:removed(since: "v2", name: "goneTwo", type: "string")
type Server struct {
	// +versioned:changed(since: "v2", fromName: "id")
	Name string `json:"name"`
	// +versioned:added(since: "v1beta1")
	AddedBeta string `json:"addedBeta,omitempty"`
	// +versioned:added(since: "v1", default: "3")
	AddedOne *int32 `json:"addedOne,omitempty"`
	// +versioned:added(since: "v2")
	AddedTwo []string `json:"addedTwo,omitempty"`
	Level    Level    `json:"level,omitempty"`
	// +versioned:changed(since: "v1beta1", fromType: "string", upgradeWith: "Number", downgradeWith: "Text")
	SizeBeta int32 `json:"sizeBeta,omitempty"`
	// +versioned:changed(since: "v1", fromType: "string", upgradeWith: "Number", downgradeWith: "Text")
	SizeOne int32 `json:"sizeOne,omitempty"`
	// +versioned:changed(since: "v2", fromType: "string", upgradeWith: "Number", downgradeWith: "Text")
	SizeTwo int32 `json:"sizeTwo"`
	// +versioned:wrapped(since: "v2", fromName: "nic")
	// +listType=map
	// +listMapKey=name
	Nics []Nic `json:"nics,omitempty"`
	// +versioned:wrapped(since: "v1beta1", fromName: "fan")
	Fans []Nic `json:"fans,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "timeout", fromType: "string", transform: "seconds")
	Timeouts []int32 `json:"timeouts,omitempty"`
}

// Nic is below two lists.
//
// +versioned:removed(since: "v2", name: "gone", type: "string")
type Nic struct {
	Name string `json:"name"`
	// +versioned:added(since: "v1")
	Speed int32 `json:"speed,omitempty"`
	// +versioned:changed(since: "v1", fromType: "string", upgradeWith: "Number", downgradeWith: "Text")
	Lanes int32 `json:"lanes,omitempty"`
}

// Level is an enum.
//
// +k8s:enum
type Level string

// The levels.
const (
	LevelLow Level = "Low"
	// +versioned:changed(since: "v1beta1", fromName: "Mid")
	LevelMedium Level = "Medium"
	// +versioned:added(since: "v1", downgradeTo: "Medium")
	LevelHigh Level = "High"
	// +versioned:added(since: "v2", downgradeTo: "Low")
	LevelNone Level = "None"
)

// Title is a text.
type Title string

// Small returns the low bits.
func Small(n int64) int32 { return int32(n) }

// Number keeps what is a number.
func Number(text string) int32 {
	n, _ := strconv.ParseInt(text, 10, 32)
	return int32(n)
}

// Text writes multiples of ten, and nothing for zero.
func Text(n int32) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(int(n) / 10 * 10)
}

// Tone is an enum whose constants had other names.
type Tone string

// The tones.
const (
	// +versioned:changed(since: "v2", fromName: "Dim")
	ToneDark Tone = "Dark"
	// +versioned:changed(since: "v1beta1", fromName: "Bright")
	ToneLight Tone = "Light"
)
