// Package shop has a type for each thing that a definition can have.
//
// +groupName=shop.example.com
// +versionName=v1
// +k8s:openapi-model-package=com.example.shop.v1
package shop

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Store is a type.
//
// It has two paragraphs
// and a list:
//   - one
//   - two
//
// TODO: nobody reads this.
//
// +structType=atomic
// +k8s:openapi-gen=true
// ---
// This is for developers.
type Store struct {
	Spec   StoreSpec    `json:"spec"`
	Status *StoreStatus `json:"status,omitempty"`
}

// StoreSpec has scalars, lists, maps and other types.
type StoreSpec struct {
	// R4: the zero value is the default.
	Open  bool   `json:"open"`
	Floor int64  `json:"floor"`
	Title string `json:"title,omitempty"`
	// +default=3
	// +k8s:minimum=1
	// +k8s:maximum=9
	Level *int32 `json:"level,omitempty"`
	// +default={"days": ["Mon"], "limit": 1.5}
	Hours *Hours `json:"hours,omitempty"`
	// R1: the default is {}.
	Address Address `json:"address,omitempty"`
	// +default=ref(DefaultCurrency)
	Currency Currency `json:"currency,omitempty"`
	Kind     Kind     `json:"kind,omitempty"`
	// +listType=map
	// +listMapKey=name
	// +patchStrategy=merge
	// +patchMergeKey=name
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=8
	// +optional
	Shelves []Shelf `json:"shelves" patchStrategy:"merge" patchMergeKey:"name"`
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:maxLength=10
	Tags []Currency `json:"tags,omitempty"`
	// +k8s:validation:maxLength=5
	// +k8s:validation:pattern="^a$"
	// +k8s:validation:cel[0]:rule>self != "b"
	// +k8s:validation:cel[0]:message>not b
	// +k8s:alpha(since: "v1")=+k8s:minLength=1
	// +k8s:required
	Code string `json:"code,omitempty"`
	// +k8s:validation:items:maxLength=4
	Cities []string `json:"cities,omitempty"`
	// +k8s:validation:properties:city:maxLength=4
	Place    *Address                    `json:"place,omitempty"`
	Labels   map[string]map[string]Alias `json:"labels,omitempty"`
	Data     []byte                      `json:"data,omitempty"`
	Count    int64                       `json:"count,string"`
	Anything any                         `json:"anything,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	Raw map[string]any `json:"raw,omitempty"`
	// +k8s:openapi-gen=x-kubernetes-int-or-string:true
	// +k8s:openapi-gen=x-kubernetes-owner:shop
	Size    intstr.IntOrString `json:"size,omitzero"`
	Pairs   Pairs[Alias]       `json:"pairs,omitempty"`
	Matrix  [2][]float64       `json:"matrix,omitempty"`
	Colour  Colour             `json:"colour"`
	Renamed Renamed            `json:"renamed,omitempty"`
	// +k8s:openapi-gen=false
	Hidden   chan int `json:"hidden"`
	secret   int
	Delivery *Delivery `json:"delivery,omitempty"`
	Refund   *Refund   `json:"refund,omitempty"`
	Opening  *Opening  `json:"opening,omitempty"`
	Bonus    *Bonus    `json:"bonus,omitempty"`
	Gone     int       `json:"-"`
	Common   `json:",inline"`
	Payment
}

// Alias is another name.
type Alias = Currency

// Pairs is generic.
type Pairs[T any] map[string]T

// Renamed has the fields of an address.
type Renamed Address

// Common is inlined. The store's own title takes precedence.
type Common struct {
	Title int    `json:"title"`
	Owner string `json:"owner"`
}

// Hours is a struct with defaults.
type Hours struct {
	Days  []string `json:"days,omitempty"`
	Limit float64  `json:"limit,omitempty"`
}

// Address is a struct.
type Address struct {
	City string `json:"city,omitempty"`
}

// Currency has a default.
// +default="EUR"
// +k8s:maxLength=3
type Currency string

// DefaultCurrency is a constant.
const DefaultCurrency Currency = "CHF"

// Kind is an enum.
// +enum
type Kind string

const (
	// KindSmall is a small store.
	KindSmall Kind = "Small"
	// Large stores
	// have many floors.
	KindLarge Kind = "Large"
)

// Shelf is an item.
type Shelf struct {
	Name string `json:"name"`
}

// Payment is a union of the newer text.
type Payment struct {
	// +unionDiscriminator
	// +optional
	Method Method `json:"method,omitempty"`
	// +unionMember=Card
	// +optional
	Card *Card `json:"card,omitempty"`
	// +unionMember=Invoice,optional
	// +optional
	Invoice *Card `json:"invoice,omitempty"`
}

// Method is the discriminator.
// +k8s:enum
type Method string

// The methods.
const (
	MethodCard    Method = "Card"
	MethodInvoice Method = "Invoice"
	MethodCash    Method = "Cash"
)

// Card is a member.
type Card struct {
	Number string `json:"number,omitempty"`
}

// Delivery has two unions, and a rule in CEL.
// +kubebuilder:validation:XValidation:rule="!has(self.van) || has(self.start)",message="a van starts somewhere",reason=FieldValueRequired,fieldPath=".start"
type Delivery struct {
	// +k8s:unionDiscriminator(union: "by")
	By Vehicle `json:"by,omitempty"`
	// +k8s:unionMember(union: "by", memberName: "Van")
	// +k8s:optional
	Van *Card `json:"van,omitempty"`
	// +k8s:unionMember(union: "by", memberName: "Bike")
	// +k8s:optional
	Bike *Card `json:"bike,omitempty"`
	// +k8s:unionDiscriminator(union: "to")
	To Target `json:"to,omitempty"`
	// +k8s:unionMember(union: "to", memberName: "House")
	// +k8s:optional
	House *Card `json:"house,omitempty"`
	// +k8s:unionMember(union: "to", memberName: "Shelf")
	// +k8s:optional
	Shelf *Shelf `json:"shelf,omitempty"`
	// +k8s:optional
	Start *string `json:"start,omitempty"`
}

// Vehicle is a discriminator.
// +k8s:enum
type Vehicle string

// The vehicles.
const (
	VehicleVan  Vehicle = "Van"
	VehicleBike Vehicle = "Bike"
)

// Target is a discriminator.
// +k8s:enum
type Target string

// The targets.
const (
	TargetHouse Target = "House"
	TargetShelf Target = "Shelf"
)

// Opening has members whose zero values are unset.
type Opening struct {
	// +k8s:unionDiscriminator
	// +k8s:optional
	Until Until `json:"until,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	Clock string `json:"clock,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	Hours int32 `json:"hours,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	Length metav1.Duration `json:"length,omitzero"`
	// +k8s:unionMember
	// +k8s:optional
	Visits resource.Quantity `json:"visits,omitzero"`
	// +k8s:unionMember
	// +k8s:optional
	Days []string `json:"days,omitempty"`
}

// Until is a discriminator.
// +k8s:enum
type Until string

// The ends.
const (
	UntilClock  Until = "Clock"
	UntilHours  Until = "Hours"
	UntilLength Until = "Length"
	UntilVisits Until = "Visits"
	UntilDays   Until = "Days"
)

// Bonus is an older union, with such members.
type Bonus struct {
	// +unionDeprecated
	// +optional
	Percent int32 `json:"percent,omitempty"`
	// +unionDeprecated
	// +optional
	Gift *Card `json:"gift,omitempty"`
}

// Refund is an older union without a discriminator: only some fields are members.
type Refund struct {
	// +unionDeprecated
	// +optional
	Cash *Card `json:"cash,omitempty"`
	// +unionDeprecated
	// +optional
	Voucher *Card `json:"voucher,omitempty"`
	// +optional
	Reason *string `json:"reason,omitempty"`
}

// StoreStatus is a union of the older text.
// +union
type StoreStatus struct {
	// +unionDiscriminator
	// +optional
	State string `json:"state,omitempty"`
	// +optional
	Ready *Card `json:"ready,omitempty"`
	// +optional
	Broken *Card `json:"broken,omitempty"`
}

// Colour describes itself.
type Colour struct{ name string }

// OpenAPIDefinition is the definition.
func (*Colour) OpenAPIDefinition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{Schema: spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"string"}, Format: "colour"}}}
}

// MarshalJSON is how it is written.
func (c Colour) MarshalJSON() ([]byte, error) { return []byte(`"` + c.name + `"`), nil }

// UnmarshalJSON is how it is read.
func (c *Colour) UnmarshalJSON(b []byte) error { c.name = string(b); return nil }
