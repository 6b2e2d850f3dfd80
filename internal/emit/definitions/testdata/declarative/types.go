// Package declarative is an API with declarative tags.
//
// +groupName=data.example.com
// +versionName=v1
package declarative

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Database is a database.
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:required
	Spec *DatabaseSpec `json:"spec"`
}

// DatabaseSpec says what is wanted.
type DatabaseSpec struct {
	// +k8s:required
	// +k8s:immutable
	Engine Engine `json:"engine"`

	// +k8s:optional
	// +k8s:maxLength=20
	Name *ShortName `json:"name,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=5
	Tight *ShortName `json:"tight,omitempty"`

	// +k8s:optional
	// +k8s:minimum=1
	// +k8s:maximum=10
	Replicas *int32 `json:"replicas,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=8
	Users []User `json:"users,omitempty"`

	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=3
	// +k8s:eachVal=+k8s:maxLength=4
	Tags []string `json:"tags,omitempty"`

	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=3
	Peers []Frozen `json:"peers,omitempty"`

	// +k8s:optional
	Limits map[string]Frozen `json:"limits,omitempty"`

	// +k8s:optional
	// +k8s:unionMember
	File *File `json:"file,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	Host *Host `json:"host,omitempty"`

	// +k8s:optional
	Wrapped *Box[Host] `json:"wrapped,omitempty"`
	// +k8s:optional
	Bare *Box[int32] `json:"bare,omitempty"`
}

// Engine is a kind of database.
//
// +k8s:enum
type Engine string

// The engines.
const (
	EnginePostgres Engine = "Postgres"
	EngineMySQL    Engine = "My" + "SQL"
)

// ShortName is a name that is short.
//
// +k8s:maxLength=10
// +k8s:minLength=2
type ShortName string

// User may log in.
type User struct {
	// +k8s:required
	// +k8s:maxLength=63
	Name string `json:"name"`
	// +k8s:required
	// +k8s:immutable
	// +k8s:maxLength=63
	Home string `json:"home"`
}

// Frozen cannot be changed.
type Frozen struct {
	// +k8s:required
	// +k8s:immutable
	// +k8s:maxLength=10
	Value string `json:"value"`
}

// File is a place on disk.
type File struct {
	// +k8s:required
	Path string `json:"path"`
}

// Host is a place on the net.
type Host struct {
	// +k8s:required
	Name string `json:"name"`
}

// Box holds something.
type Box[T any] struct {
	// +k8s:required
	Content *T `json:"content"`
	// +k8s:optional
	// +k8s:listType=atomic
	More []T `json:"more,omitempty"`
}
