// Package cases has API types and others, with and without json tags.
package cases

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Kind is an API type, and so is what it is made of.
type Kind struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec  Spec             `json:"spec,omitzero"`
	Items []*Item          `json:"items,omitempty"`
	ByKey map[string]Value `json:"byKey,omitempty"`

	cache Cache
}

// Spec is reached by a field.
type Spec struct {
	Embedded

	Tagged   string `json:"tagged"`
	Off      string `json:"-"`
	Untagged string
	OtherTag string `yaml:"otherTag"`
	IPFamily string
	URL      string
	A, B     int32
	hidden   string
}

// Embedded is inlined, and its fields need tags.
type Embedded struct {
	InEmbedded string
}

// Item is reached through a list of pointers.
type Item struct{ InItem string }

// Value is reached through a map.
type Value struct{ InValue string }

// Tagged is of no kind, but has tags of kindsmith.
type Tagged struct {
	// +k8s:required
	Name string `json:"name"`
	Size int32
}

// Cache is reached by a field only that is not on the wire.
type Cache struct{ Entries int }

// Config is not an API type.
type Config struct{ Verbose bool }

// Hiding has fields of inlined structs that JSON lacks.
type Hiding struct {
	// +k8s:optional
	Name  string `json:"name,omitempty"`
	Named `json:",inline"`
	Other `json:",inline"`
	Third `json:",inline"`
}

// Named has the name of a field of Hiding.
type Named struct {
	Name string `json:"name,omitempty"`
}

// Other has the name of a field of Third.
type Other struct {
	Twice string `json:"twice,omitempty"`
}

// Third has that of Other.
type Third struct {
	Twice string `json:"twice,omitempty"`
}
