// Package v1 is an API with every kind of change at every depth.
//
// +kubebuilder:object:generate=true
// +groupName=shop.example.com
// +versioned:version(name: "v1alpha1", deprecated: "use v1", served: false)
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1", storage: true)
// +versioned:tracking(store: "status")
package v1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.copies,statuspath=.status.ready
// +kubebuilder:printcolumn:name="Copies",type=integer,JSONPath=`.spec.copies`
// +kubebuilder:printcolumn:name="Backup",type=string,JSONPath=`.spec.backup.target`
// +kubebuilder:storageversion

// Store is a shop.
type Store struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   StoreSpec   `json:"spec,omitempty"`
	Status StoreStatus `json:"status,omitempty"`
}

// StoreList is a list of stores.
// +kubebuilder:object:root=true
type StoreList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Store `json:"items"`
}

// StoreSpec is what a store should be.
//
// +versioned:removed(since: "v1", name: "legacy", type: "*Legacy", doc: "Legacy is for older clients.", lossy: "its type changed too")
// +versioned:removed(since: "v1", name: "deprecatedFloor", type: "int64")
// +versioned:deprecated(since: "v1beta1", field: "deprecatedFloor", note: "use aisles")
// +versioned:removed(since: "v1", name: "coupons", type: "map[string]Legacy", lossy: "its type changed too")
// +versioned:added(since: "v1beta1", field: "coupons")
// +versioned:until("v1beta1")=+k8s:subfield("deprecatedFloor")=+k8s:minimum=0
type StoreSpec struct {
	Common `json:",inline"`

	// Copies says how many there are.
	//
	// +versioned:changed(since: "v1", fromName: "replicas")
	// +optional
	// +k8s:optional
	// +k8s:minimum=1
	Copies *int32 `json:"copies,omitempty"`

	// Port is where the store listens.
	//
	// +versioned:changed(since: "v1", fromName: "portNumber", fromType: "uint16", downgradeWith: "DowngradePort", lossless: true)
	Port uint32 `json:"port,omitempty"`

	// Address was a line of text, and lines before that.
	//
	// +versioned:changed(since: "v1beta1", fromType: "[]string", upgradeWith: "JoinLines", downgradeWith: "SplitLines", lossless: true)
	// +versioned:changed(since: "v1", fromType: "string", upgradeWith: "ParseAddress", downgradeWith: "FormatAddress")
	Address Address `json:"address"`

	// Contact changed from one of our types to another.
	//
	// +versioned:changed(since: "v1", fromType: "*Person", upgradeWith: "UpgradeContact", downgradeWith: "DowngradeContact", lossless: true)
	Contact *Contact `json:"contact,omitempty"`

	// Opened was of a type that nothing else here has.
	//
	// +versioned:changed(since: "v1", fromType: "*metav1.MicroTime", upgradeWith: "FormatMoment", downgradeWith: "ParseMoment")
	Opened string `json:"opened,omitempty"`

	// Limit grew behind its pointer.
	//
	// +versioned:changed(since: "v1", fromType: "*int8", downgradeWith: "DowngradeLimit", lossless: true)
	Limit *int64 `json:"limit,omitempty"`

	// Backup is new, and has no default.
	//
	// +versioned:added(since: "v1", lossy: "older clients make no backups")
	// +optional
	Backup *Backup `json:"backup,omitempty"`

	// Currency is new, and has a default that a function gives.
	//
	// +versioned:added(since: "v1beta1", default: "DefaultCurrency")
	Currency Currency `json:"currency,omitempty"`

	// Priority is new, grew afterwards, and has a default from before it did.
	//
	// +versioned:added(since: "v1beta1", default: "7")
	// +versioned:changed(since: "v1", fromType: "int8", downgradeWith: "DowngradePriority", lossless: true)
	Priority int32 `json:"priority,omitempty"`

	// Hours have a composite default.
	//
	// +versioned:added(since: "v1", default: `{"open": 8, "days": ["Mon", "Tue"], "rate": {"Mon": 2}, "mode": "Fast"}`)
	Hours *Hours `json:"hours,omitempty"`

	// Delivery has a default as v1beta1 has it.
	//
	// +versioned:added(since: "v1beta1", default: `{"max": 3, "speed": "Slow"}`)
	Delivery *Delivery `json:"delivery,omitempty"`
	// Returns have a default that does not know what v1 added.
	//
	// +versioned:added(since: "v1beta1", default: "DefaultReturns")
	Returns map[string]Delivery `json:"returns,omitempty"`
	// Route has a default that a function must convert.
	//
	// +versioned:added(since: "v1beta1", default: `{"legs": [{"max": 1}], "fee": 2}`)
	Route *Route `json:"route,omitempty"`
	// Path was text.
	//
	// +versioned:changed(since: "v1beta1", fromType: "string", upgradeWith: "ParsePath", downgradeWith: "FormatPath")
	Path *Route `json:"path,omitempty"`

	// Deprecated: use shelves.
	//
	// +versioned:deprecated(since: "v1", note: "use shelves.")
	// +listType=map
	// +listMapKey=label
	DeprecatedRacks []Shelf `json:"deprecatedRacks,omitempty"`

	// +listType=map
	// +listMapKey=label
	// +k8s:listType=map
	// +k8s:listMapKey=label
	Shelves []Shelf `json:"shelves,omitempty"`

	ByName     map[string]Shelf   `json:"byName,omitempty"`
	Pointers   map[string]*Shelf  `json:"pointers,omitempty"`
	Lists      map[string][]Shelf `json:"lists,omitempty"`
	Nested     [][]Shelf          `json:"nested,omitempty"`
	ItemPtrs   []*Shelf           `json:"itemPtrs,omitempty"`
	Pair       [2]Shelf           `json:"pair"`
	ByColor    map[Flavour]Shelf  `json:"byColor,omitempty"`
	Categories Categories         `json:"categories,omitempty"`
	Index      ShelfIndex         `json:"index,omitempty"`

	// +default="Red"
	Color Color `json:"color,omitempty"`
	// Trim was of an enum whose constants were renamed later.
	//
	// +versioned:changed(since: "v1", fromType: "Color")
	Trim    string           `json:"trim,omitempty"`
	Colors  []Color          `json:"colors,omitempty"`
	ColorOf map[string]Color `json:"colorOf,omitempty"`
	Level   Level            `json:"level,omitempty"`

	// Hosts was one name.
	//
	// +versioned:wrapped(since: "v1", fromName: "host", lossy: "older clients leave out an empty name")
	// +listType=set
	// +k8s:listType=set
	// +k8s:maxItems=3
	// +k8s:eachVal=+k8s:maxLength=63
	// +kubebuilder:validation:items:Pattern=`^[^ ]*$`
	// +default=["localhost"]
	Hosts []string `json:"hosts,omitempty"`
	// Aisles was one, of a type that has changed since.
	//
	// +versioned:wrapped(since: "v1beta1", fromName: "aisle")
	Aisles []Shelf `json:"aisles,omitempty" patchStrategy:"merge" patchMergeKey:"label"`
	// Grades was one number, of a type that has changed before and since.
	//
	// +versioned:wrapped(since: "v1beta1", fromName: "grade", lossy: "older clients write 0")
	// +versioned:changed(since: "v1", fromType: "[]int32", downgradeWith: "NarrowGrades")
	Grades []int64 `json:"grades"`
	// Trims was one color, whose constants have other names.
	//
	// +versioned:wrapped(since: "v1", fromName: "oneTrim", lossy: "older clients write an empty name")
	Trims []Color `json:"trims"`
	// Guests was a pointer, so that an empty name is one.
	//
	// +versioned:wrapped(since: "v1", fromName: "guest", fromType: "*string")
	Guests []string `json:"guests,omitempty"`
	// Friends are behind pointers.
	//
	// +versioned:wrapped(since: "v1", fromName: "friend")
	Friends []*Shelf `json:"friends,omitempty"`

	Plain    Plain    `json:"plain"`
	PlainPtr *Plain   `json:"plainPtr,omitempty"`
	Names    []string `json:"names,omitempty"`
	Tags     Tags     `json:"tags,omitempty"`

	Labels    map[string]string             `json:"labels,omitempty"`
	Raw       []byte                        `json:"raw,omitempty"`
	Wait      metav1.Duration               `json:"wait,omitempty"`
	Since     *metav1.Time                  `json:"since,omitempty"`
	Size      resource.Quantity             `json:"size,omitempty"`
	SizePtr   *resource.Quantity            `json:"sizePtr,omitempty"`
	Target    intstr.IntOrString            `json:"target,omitempty"`
	Resources corev1.ResourceList           `json:"resources,omitempty"`
	Refs      []corev1.LocalObjectReference `json:"refs,omitempty"`
	Selector  *metav1.LabelSelector         `json:"selector,omitempty"`
	Deep      map[string]map[string][]byte  `json:"deep,omitempty"`
}

// Common is embedded.
type Common struct {
	// +versioned:changed(since: "v1beta1", fromName: "nom")
	// +versioned:changed(since: "v1", fromName: "name")
	Title string `json:"title,omitempty"`
}

// Shelf holds goods.
//
// +versioned:removed(since: "v1beta1", name: "colour", type: "Color")
type Shelf struct {
	// Label names the shelf.
	//
	// +versioned:changed(since: "v1", fromName: "id")
	Label string `json:"label"`
	// Width cannot always be what older versions hold.
	//
	// +versioned:changed(since: "v1", fromType: "int32", downgradeWith: "DowngradeWidth", lossless: true)
	Width int64 `json:"width,omitempty"`
	// +versioned:added(since: "v1beta1")
	Note string `json:"note,omitempty"`
}

// Categories form a tree.
type Categories []Category

// Category is a node of the tree.
type Category struct {
	// +versioned:changed(since: "v1beta1", fromName: "caption")
	Name     string     `json:"name"`
	Children Categories `json:"children,omitempty"`
	Parent   *Category  `json:"parent,omitempty"`
}

// ShelfIndex is a named map.
type ShelfIndex map[string]Shelf

// Tags are a named list of scalars.
type Tags []string

// Plain is the same in all versions.
type Plain struct {
	A string          `json:"a"`
	B int32           `json:"b"`
	C metav1.Duration `json:"c"`
}

// Address is structured.
type Address struct {
	Street string `json:"street"`
	City   string `json:"city"`
}

// Person is what a contact was before v1.
type Person struct {
	Name   string   `json:"name"`
	Phones []string `json:"phones,omitempty"`
}

// Contact is how to reach someone.
type Contact struct {
	Display string   `json:"display"`
	Phones  []string `json:"phones,omitempty"`
}

// Backup says where copies go.
//
// +versioned:added(since: "v1")
type Backup struct {
	Target string `json:"target"`
}

// Hours are when the store is open.
//
// +versioned:added(since: "v1")
type Hours struct {
	Open int32            `json:"open"`
	Days []string         `json:"days,omitempty"`
	Rate map[string]*int8 `json:"rate,omitempty"`
	Mode *Mode            `json:"mode,omitempty"`
}

// Delivery has changed in all ways.
//
// +versioned:added(since: "v1beta1")
type Delivery struct {
	// +versioned:changed(since: "v1", fromName: "max")
	Limit int32 `json:"limit,omitempty"`
	Speed Speed `json:"speed,omitempty"`
	// +versioned:added(since: "v1", default: 5)
	Retries *int32 `json:"retries,omitempty"`
}

// Route has parts that changed.
//
// +versioned:added(since: "v1beta1")
type Route struct {
	Legs []Delivery `json:"legs,omitempty"`
	// +versioned:changed(since: "v1", fromType: "int32", upgradeWith: "FormatFee", downgradeWith: "ParseFee")
	Fee string `json:"fee,omitempty"`
	// +versioned:added(since: "v1", default: "DefaultCurrency")
	Currency Currency `json:"currency,omitempty"`
}

// Speed is an enum.
//
// +versioned:added(since: "v1beta1")
type Speed string

const (
	// +versioned:changed(since: "v1", fromName: "Slow")
	SpeedEconomy Speed = "Economy"
)

// Mode is an enum that came with its user.
//
// +versioned:added(since: "v1")
type Mode string

const (
	// ModeFast is fast.
	ModeFast Mode = "Fast"
)

// Currency is an open set of values.
type Currency string

// Color is a closed one.
//
// +k8s:enum
type Color string

const (
	// ColorRed was called otherwise.
	//
	// +versioned:changed(since: "v1", fromName: "Crimson")
	ColorRed  Color = "Red"
	ColorBlue Color = "Blue"
	// ColorTeal came late.
	//
	// +versioned:added(since: "v1beta1", downgradeTo: "Blue")
	ColorTeal Color = "Teal"
	// +versioned:added(since: "v1", downgradeTo: "Teal")
	ColorCyan Color = "Cyan"
	// Deprecated: nobody wants beige.
	//
	// +versioned:deprecated(since: "v1")
	ColorDeprecatedBeige Color = "DeprecatedBeige"
)

// Level is an enum of numbers.
type Level int32

const (
	LevelLow Level = 1
	// +versioned:changed(since: "v1", fromName: "2")
	LevelHigh Level = 10
)

// Flavour is a key of maps.
type Flavour string

// Legacy is a type that only older versions have.
type Legacy struct {
	// +versioned:changed(since: "v1beta1", fromName: "code")
	// +k8s:maxLength=9
	ID string `json:"id,omitempty"`
}

// StoreStatus is what a store is.
//
// +versioned:removed(since: "v1", name: "qps-limit", goName: "Rate", type: "int32", required: true)
type StoreStatus struct {
	// +versioned:changed(since: "v1", fromName: "readyReplicas")
	Ready      int32              `json:"ready,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// ChangedValues are values that other versions have.
	ChangedValues *convert.ChangedValues `json:"changedValues,omitempty"`
}
