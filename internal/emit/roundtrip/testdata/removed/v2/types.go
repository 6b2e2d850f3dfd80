// Package v2 has a kind with removed fields whose types changed before they were removed.
//
// +groupName=removed.example.com
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

// Ship has removed fields in several parents.
type Ship struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ShipSpec `json:"spec"`
}

// ShipSpec is the desired state of a ship.
//
// +versioned:removed(since: "v2", name: "engine", type: "*Engine")
// +versioned:removed(since: "v2", name: "pumps", type: "[]Engine")
// +versioned:removed(since: "v1", name: "boilers", type: "map[string]Engine")
type ShipSpec struct {
	Parts `json:",inline"`

	Hull Hull  `json:"hull"`
	Mast *Hull `json:"mast,omitempty"`
	// +versioned:changed(since: "v1beta1", fromName: "boats")
	// +listType=map
	// +listMapKey=name
	LifeBoats []Hull `json:"lifeBoats,omitempty"`
	// +listType=atomic
	Rafts  []Hull          `json:"rafts,omitempty"`
	Ports  map[string]Hull `json:"ports,omitempty"`
	Cellar *Cellar         `json:"cellar,omitempty"`
	// +versioned:moved(since: "v1", fromPath: "spec.cellar.cabin")
	Cabin *Cabin `json:"cabin,omitempty"`
	// +versioned:wrapped(since: "v1", fromName: "anchor")
	// +listType=atomic
	Anchors []Cabin `json:"anchors,omitempty"`
}

// Cellar is where the cabin was.
type Cellar struct {
	Text string `json:"text,omitempty"`
}

// Parts are inlined.
//
// +versioned:removed(since: "v2", name: "speed", type: "int64")
// +versioned:changed(since: "v1", field: "speed", fromType: "string", transform: "seconds")
type Parts struct {
	Flag string `json:"flag,omitempty"`
}

// Hull has removed fields with transforms, functions, other names and other constants.
//
// +versioned:removed(since: "v2", name: "pause", type: "*int64")
// +versioned:changed(since: "v1", field: "pause", fromName: "wait", fromType: "*metav1.Duration", transform: "seconds")
// +versioned:changed(since: "v1beta1", field: "pause", fromName: "delay", fromType: "*int64", transform: "milliseconds")
// +versioned:removed(since: "v2", name: "crew", type: "int32")
// +versioned:changed(since: "v1", field: "crew", fromType: "string", upgradeWith: "Number", downgradeWith: "Text")
// +versioned:removed(since: "v1", name: "guests", type: "[]string")
// +versioned:wrapped(since: "v1beta1", field: "guests", fromName: "guest", fromType: "string")
// +versioned:removed(since: "v2", name: "load", type: "Load")
// +versioned:removed(since: "v2", name: "loads", type: "[]Load")
type Hull struct {
	Name string `json:"name"`
}

// Cabin has a removed field, and is moved and wrapped.
//
// +versioned:removed(since: "v2", name: "beds", type: "int32")
// +versioned:changed(since: "v1beta1", field: "beds", fromName: "bunks", fromType: "string", transform: "integer")
type Cabin struct {
	Door string `json:"door,omitempty"`
}

// Engine is a struct that only older versions have.
//
// +versioned:removed(since: "v1", name: "steam", type: "bool")
type Engine struct {
	// +versioned:changed(since: "v1", fromName: "hp")
	Power int32 `json:"power,omitempty"`
	// +versioned:changed(since: "v1beta1", fromType: "string", transform: "seconds")
	Idle *int64 `json:"idle,omitempty"`
	// +versioned:added(since: "v1beta1")
	Fuel string `json:"fuel,omitempty"`
	Load Load   `json:"load,omitempty"`
}

// Load is an enum of removed fields.
type Load string

// The loads.
const (
	LoadFull Load = "Full"
	// +versioned:changed(since: "v1beta1", fromName: "None")
	LoadEmpty Load = "Empty"
	// +versioned:added(since: "v1", downgradeTo: "Full")
	LoadHalf Load = "Half"
)

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
