// Package v2 has a kind with lists whose keys changed, and strings that were split.
//
// +groupName=keyed.example.com
// +versioned:version(name: "v1alpha1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
// +versioned:version(name: "v2", storage: true)
package v2

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

// Fleet holds ships.
type Fleet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FleetSpec `json:"spec"`
}

// FleetSpec is the desired state of a fleet.
type FleetSpec struct {
	// +listType=map
	// +listMapKey=class
	Classes []Ship `json:"classes,omitempty"`
	// +listType=map
	// +listMapKey=style
	// +listMapKey=number
	// +versioned:changed(since: "v2", fromName: "styleList")
	Styles []Ship `json:"styles,omitempty"`
	// +listType=map
	// +listMapKey=number
	Numbers []Ship `json:"numbers,omitempty"`
	// +listType=map
	// +listMapKey=pause
	Pauses []Ship `json:"pauses,omitempty"`
	// +listType=set
	Set []Class `json:"set,omitempty"`

	Ports   []Port          `json:"ports,omitempty"`
	ByName  map[string]Port `json:"byName,omitempty"`
	Written Written         `json:"written"`
	// +versioned:changed(since: "v1", fromType: "string", transform: "split({dock}/{berth})")
	Home *Home `json:"home,omitempty"`
}

// Ship is a key of any kind.
type Ship struct {
	Class Class `json:"class"`
	Style Style `json:"style"`
	// +versioned:changed(since: "v2", fromName: "no")
	// +versioned:changed(since: "v1", fromName: "id")
	Number int64 `json:"number"`
	// +versioned:changed(since: "v1beta1", fromType: "metav1.Duration", transform: "seconds")
	Pause int64 `json:"pause"`

	// +versioned:added(since: "v1beta1")
	Early string `json:"early,omitempty"`
	// +versioned:added(since: "v2")
	Late *int32 `json:"late,omitempty"`
	// +listType=map
	// +listMapKey=class
	Escort []Boat `json:"escort,omitempty"`
}

// Boat is an item of an inner list.
//
// +versioned:removed(since: "v1beta1", name: "former", type: "string")
// +versioned:removed(since: "v2", name: "recent", type: "string")
type Boat struct {
	Class Class `json:"class"`
	// +versioned:added(since: "v1")
	Crew *int32 `json:"crew,omitempty"`
}

// Class has constants that were renamed twice.
type Class string

const (
	// +versioned:changed(since: "v1beta1", fromName: "Titan")
	// +versioned:changed(since: "v2", fromName: "Big")
	ClassLarge Class = "Large"
	// +versioned:changed(since: "v2", fromName: "Large")
	ClassMiddle Class = "Middle"
)

// Style has another case in each version.
//
// +versioned:changed(since: "v1beta1", transform: "case(snake)")
type Style string

const (
	StyleTallShip Style = "TallShip"
	StyleLowBoat  Style = "LowBoat"
)

// Port was a string.
//
// +versioned:split(since: "v1beta1", name: "address", parts: "[{scheme}://]{host}[:{port}]")
// +versioned:split(since: "v2", name: "dock", parts: "{pier}/{berth}")
type Port struct {
	// +versioned:added(since: "v2")
	Open   bool   `json:"open"`
	Scheme string `json:"scheme,omitempty"`
	Host   string `json:"host,omitempty"`
	Port   *int32 `json:"port,omitempty"`
	Pier   string `json:"pier,omitempty"`
	Berth  int32  `json:"berth,omitzero"`
}

// Written has parts that Go always writes.
//
// +versioned:split(since: "v1", name: "text", parts: "{first}:{middle}:{third}")
type Written struct {
	First string `json:"first"`
	// +versioned:changed(since: "v2", fromName: "middle")
	Second string `json:"second"`
	Third  bool   `json:"third"`
	// +versioned:added(since: "v1beta1")
	Extra bool `json:"extra"`
}

// Home has what a string had.
type Home struct {
	Dock  string `json:"dock,omitempty"`
	Berth string `json:"berth,omitempty"`
}
