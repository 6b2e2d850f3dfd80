// Package worked has the types of the worked examples of KEP-1929. rows.yaml has the examples.
//
// +k8s:automaticDefaults
package worked

// SubLevel is the struct of the first examples.
type SubLevel struct {
	// +default="default-name"
	Name   string `json:"name,omitempty"`
	Number int    `json:"number"`
}

// StructRoot is examples 1 to 7.
// +k8s:defaulter-gen=true
type StructRoot struct {
	Entry SubLevel `json:"entry"`
}

// PointerRoot is examples 8 to 13.
// +k8s:defaulter-gen=true
type PointerRoot struct {
	// +default={"name":"pointer-name"}
	Entry *SubLevel `json:"entry,omitempty"`
}

// BareRoot is example 14.
// +k8s:defaulter-gen=true
type BareRoot struct {
	Entry *SubLevel `json:"entry,omitempty"`
}

// AbsentRoot has a struct that is absent while it is zero.
// +k8s:defaulter-gen=true
type AbsentRoot struct {
	Entry SubLevel `json:"entry,omitzero"`
}

// ScalarRoot is examples 15 to 19.
// +k8s:defaulter-gen=true
type ScalarRoot struct {
	// +default="default-name"
	Name string `json:"name,omitempty"`
	// +default=0
	Defaulted int `json:"defaulted"`
}

// Apple is a list item with a default.
// +default="apple"
type Apple string

// ListRoot is examples 22 to 24.
// +k8s:defaulter-gen=true
type ListRoot struct {
	// +optional
	List     []Apple  `json:"list"`
	Pointers []*Apple `json:"pointers,omitempty"`
}

// WordsRoot is examples 25 and 29: items and values without a default.
// +k8s:defaulter-gen=true
type WordsRoot struct {
	List            []string           `json:"list,omitempty"`
	ListPointers    []*string          `json:"listPointers,omitempty"`
	Mapping         map[string]string  `json:"mapping,omitempty"`
	MappingPointers map[string]*string `json:"mappingPointers,omitempty"`
}

// Banana is a map value with a default.
// +default="banana"
type Banana string

// MapRoot is examples 27 and 28.
// +k8s:defaulter-gen=true
type MapRoot struct {
	Mapping  map[string]Banana  `json:"mapping,omitempty"`
	Pointers map[string]*Banana `json:"pointers,omitempty"`
}

// TypeRoot is the table of type markers.
// +k8s:defaulter-gen=true
type TypeRoot struct {
	Plain   Banana  `json:"plain,omitempty"`
	Pointer *Banana `json:"pointer,omitempty"`
	// +default="own"
	Own Banana `json:"own,omitempty"`
}

// Item is the struct of example 31.
// +default={"x":1}
type Item struct {
	X int `json:"x,omitempty"`
	// +default=7
	YY *int `json:"yy,omitempty"`
}

// Bare is Item without a default of its own.
type Bare struct {
	X int `json:"x,omitempty"`
	// +default=7
	YY *int `json:"yy,omitempty"`
}

// MapOfStructRoot is example 31.
// +k8s:defaulter-gen=true
type MapOfStructRoot struct {
	M     map[string]*Item `json:"m,omitempty"`
	Plain map[string]Bare  `json:"plain,omitempty"`
}

// Z is the item of the inner list.
// +default="z"
type Z string

// ListOfListRoot is example 32.
// +k8s:defaulter-gen=true
type ListOfListRoot struct {
	LL [][]Z `json:"ll,omitempty"`
}

// Port is an item of example 34.
type Port struct {
	Port int    `json:"port"`
	Name string `json:"name"`
}

// CompositeRoot is examples 33 and 34.
// +k8s:defaulter-gen=true
type CompositeRoot struct {
	// +default=["popcorn","chips"]
	Sl []string `json:"sl"`
	// +default=[{"port":80,"name":"http"}]
	Ports []Port `json:"ports,omitempty"`
}

// BoolRoot is example 35.
// +k8s:defaulter-gen=true
type BoolRoot struct {
	// +default=true
	Pointer *bool `json:"pointer,omitempty"`
	// +default=true
	Value bool `json:"value,omitempty"`
}
