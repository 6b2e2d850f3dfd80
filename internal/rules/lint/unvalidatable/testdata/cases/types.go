// Package cases has rules on types that can and cannot have them.
package cases

// Valid are rules on values that have a place in a schema.
type Valid struct {
	// +k8s:required
	// +k8s:maxItems=4
	List []int32 `json:"list"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:eachVal=+k8s:maxLength=3
	Lists [][]string `json:"lists,omitempty"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:maxLength=3
	// +k8s:eachVal=+k8s:eachVal=+k8s:maxLength=3
	ByName map[Name][]string `json:"byName,omitempty"`
	// Whether a map is there can be said of any.
	//
	// +k8s:optional
	Maps map[string]map[string]string `json:"maps,omitempty"`
	// +k8s:required
	ByNumber map[int32]string `json:"byNumber"`
	// Nothing is said of these.
	Array   [4]int32     `json:"array"`
	Channel chan int     `json:"-"`
	Func    func()       `json:"-"`
	Any     Box[string]  `json:"any"`
	Opaque  *Box[string] `json:"opaque,omitempty"`
	// This is reported as a tag on the wrong type.
	//
	// +k8s:maxLength=3
	Letters [3]string `json:"letters"`
}

// Name is a string.
type Name string

// Box is generic.
type Box[T any] struct {
	Value T `json:"value"`
}

// Invalid are rules on other values.
type Invalid struct {
	// +k8s:required
	Array [4]int32 `json:"array"`
	// +k8s:immutable
	Pointer *[4]int32 `json:"pointer,omitempty"`
	// +k8s:immutable
	Named Four `json:"named"`
	// +k8s:eachVal=+k8s:immutable
	Arrays [][4]int32 `json:"arrays,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:eachVal=+k8s:maxLength=3
	Maps map[string]map[string]string `json:"maps,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:immutable
	ListOfMaps []map[string]map[string]string `json:"listOfMaps,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:maxLength=3
	ByNumber map[int32]string `json:"byNumber,omitempty"`
	// +k8s:immutable
	Any Box[string] `json:"any"`
	// +k8s:optional
	AnyPointer *Box[string] `json:"anyPointer,omitempty"`
	// +k8s:optional
	Channel chan int `json:"channel,omitempty"`
	// +k8s:optional
	Func func() `json:"func,omitempty"`
}

// Four is an array.
//
// +k8s:immutable
type Four [4]int32

// Pair is generic, with a rule in it.
type Pair[T any] struct {
	// +k8s:optional
	First *T `json:"first,omitempty"`
	// +k8s:optional
	// +k8s:maxLength=3
	Name string `json:"name,omitempty"`
}
