// Package jsonconvert converts objects between the versions of an API, on their JSON.
//
// # For hosts
//
// A webhook, a controller or a command converts with a [Converter]:
//
//	converter, err := jsonconvert.New(v1alpha1.JSONConversion()) // generated, in the oldest version
//	…
//	object, err = converter.Convert(nil, object, "v1")
//
// [ReadFile] and [File.Converters] do the same without the Go types, from the tables that kindsmith model --tables or kindsmith
// plan prints. Package webhook, below this one, serves a converter to API servers.
//
// Input and output are JSON objects. An error about an object is an [*Error] with the path of the value and a [Reason].
// [Converter.Dropped] counts stored values that were not restored.
//
// # For generated code
//
// An [API] is plain data: versions in a chain, and a [Step] for two neighbours. Functions such as [FuncOf] and [HookOf] wrap those
// of the author, and [SchemaOf] describes a Go type.
//
// # How it works
//
// A conversion takes all steps between two versions. What a step loses is observed, not predicted: an object is converted there
// and back, and the difference is kept in the object as tracked values, in the annotation [TrackingAnnotation] or in the status.
// They are restored when the object is in the version again that lost them.
package jsonconvert

import (
	"encoding/json"
	"maps"
)

// API is the versions of an API group, and the steps between them. It is plain data, which prints as JSON, apart from functions
// and Go types.
type API struct {
	// Group is the API group, "" for the core group.
	Group string `json:"group,omitempty"`
	// Versions are in chronological order.
	Versions []Version `json:"versions"`
	// Kinds are the kinds of the group.
	Kinds []Kind `json:"kinds"`
	// Steps has step k between the versions k and k+1.
	Steps []Step `json:"steps"`
	// Retired are versions that the API had before. What is tracked for them is dropped.
	Retired []string `json:"retired,omitempty"`
	// Restores are annotations in which earlier conversions have stored objects.
	Restores []Restore `json:"restores,omitempty"`
	// Funcs are the functions that steps name.
	Funcs map[string]Func `json:"-"`
}

// Before returns the API with older versions before its own, the steps that follow each of them, and the functions that these
// steps name. It changes the API.
func (a *API) Before(versions []Version, steps []Step, funcs map[string]Func) *API {
	a.Versions, a.Steps = append(versions, a.Versions...), append(steps, a.Steps...)
	if a.Funcs == nil {
		a.Funcs = map[string]Func{}
	}
	maps.Copy(a.Funcs, funcs)
	return a
}

// Version is one version.
type Version struct {
	Name string `json:"name"`
	// Places are the labels and annotations that are fields in other versions.
	Places []Place `json:"places,omitempty"`
	// Kinds are the types of the kinds that the version has. A tracked value that does not fit its type is dropped.
	Kinds map[string]Schema `json:"kinds,omitempty"`
	// Types are the types that Kinds refer to by name.
	Types map[string]*Schema `json:"types,omitempty"`
}

// Place is a label or an annotation of a kind.
type Place struct {
	Kind string `json:"kind"`
	// In is labels or annotations.
	In  string `json:"in"`
	Key string `json:"key"`
}

// Kind is a kind of API objects, or of lists of them.
type Kind struct {
	Name string `json:"name"`
	// Item is the kind of the items of a list, which convert one by one.
	Item string `json:"item,omitempty"`
	// Store is where objects keep tracked values.
	Store Store `json:"store,omitempty"`
}

// Store is where an object keeps what its version cannot represent.
type Store string

const (
	// Untracked means that such values are lost.
	Untracked Store = ""
	// Status is the field status.changedValues.
	Status Store = "status"
	// Annotation is the annotation versioned.<group>/changed-values.
	Annotation Store = "annotation"
)

// Restore names an annotation in which conversions that people wrote before have stored an object of another version, so
// that the conversion back restores what the version of the object itself cannot represent. Cluster API's MarshalData
// writes cluster.x-k8s.io/conversion-data: the JSON of the whole object without its metadata.
type Restore struct {
	// Annotation is the key.
	Annotation string `json:"annotation"`
	// Version is the version of stored objects without an apiVersion.
	Version string `json:"version"`
}

// Step is what happens to objects between two neighbouring versions.
type Step struct {
	Older string `json:"older"`
	Newer string `json:"newer"`
	// Types are the types that change, by their names in the newest version. Kinds have their own names.
	Types map[string]*Type `json:"types"`
}

// Type is what happens to the values of a type.
type Type struct {
	// Fields are the fields that change, and the fields beside those that move.
	Fields []Field `json:"fields,omitempty"`
	// Moves are the fields that the versions have at different paths in the object. Fields has each of them as two fields
	// of one version.
	Moves []Move `json:"moves,omitempty"`
	// Hooks convert several fields together.
	Hooks []Hook `json:"hooks,omitempty"`
	// Value converts the values of a type without fields.
	Value *Value `json:"value,omitempty"`
	// Enum maps the values of an enum.
	Enum *Enum `json:"enum,omitempty"`
	// Up and Down are the names of functions that convert whole values.
	Up   string `json:"up,omitempty"`
	Down string `json:"down,omitempty"`
	// ToNewest means that the newer version lacks the type, and that a later one has it again. The step is one to the newest version, for
	// the arguments and results of functions.
	ToNewest bool `json:"toNewest,omitempty"`
}

// Field is a field in both versions.
type Field struct {
	// Older and Newer are the field in each version. One has no Name where a version lacks it.
	Older Key `json:"older,omitzero"`
	Newer Key `json:"newer,omitzero"`
	// Value converts the field's value; the zero Value copies it.
	Value Value `json:"value,omitzero"`
	// Default is the value that the newer version has for objects of the older one, and DefaultFunc the name of a function
	// that returns it. Result is the type of the function's result.
	Default     json.RawMessage `json:"default,omitempty"`
	DefaultFunc string          `json:"defaultFunc,omitempty"`
	Result      *Value          `json:"result,omitempty"`
}

// Key is a field in one version.
type Key struct {
	Name string `json:"name"`
	// Zero is the JSON of the value that the field's Go type cannot tell from an absent one; "" if there is none.
	Zero string `json:"zero,omitempty"`
	// EmptyIsAbsent means that an empty object is no other than an absent one.
	EmptyIsAbsent bool `json:"emptyIsAbsent,omitempty"`
	// Required means that stored objects must have the key, if only with its zero value.
	Required bool `json:"required,omitempty"`
}

// Value is how one value converts: by Type, Elem, List, or a function.
type Value struct {
	// Type is the name of a Type. A name that the step does not have is a type that stays the same.
	Type string `json:"type,omitempty"`
	// Elem converts the items of a list, or the values of a map.
	Elem *Value `json:"elem,omitempty"`
	// List converts the first item of a list that was a single value.
	List *Value `json:"list,omitempty"`
	// Call converts the value as a whole.
	Call *Call `json:"call,omitempty"`
	// OlderKeys and NewerKeys are the keys of the items of a list. Set means that the items are known by their values. The
	// items of other lists are known by their index.
	OlderKeys []string `json:"olderKeys,omitempty"`
	NewerKeys []string `json:"newerKeys,omitempty"`
	Set       bool     `json:"set,omitempty"`
}

// Call is a conversion by a function or a transform, whose arguments and results have the types of the newest version.
type Call struct {
	// Up and Down are the names of functions; without one the value is copied.
	Up   string `json:"up,omitempty"`
	Down string `json:"down,omitempty"`
	// Transform converts in place of functions.
	Transform *Transform `json:"transform,omitempty"`
	// From and To are the types before and after the step. They refer to types by Type and Elem alone.
	From Value `json:"from,omitzero"`
	To   Value `json:"to,omitzero"`
}

// Enum maps scalars, spelled as in JSON, by direction. All others are copied.
type Enum struct {
	Up   map[string]string `json:"up,omitempty"`
	Down map[string]string `json:"down,omitempty"`
}

// Move is a field that the versions have at different paths in an object. A parent that the destination lacks is created for a
// value, but not for one that counts as absent. An optional parent that is empty without the value is left out.
type Move struct {
	Older []PathKey `json:"older"`
	Newer []PathKey `json:"newer"`
	// Value converts the field's value; the zero Value copies it.
	Value Value `json:"value,omitzero"`
}

// PathKey is a field on the path of a Move.
type PathKey struct {
	Key
	// Optional means that a parent is left out if it is empty.
	Optional bool `json:"optional,omitempty"`
	// Entry means that the field is a label or an annotation. Strings that the field cannot have are none.
	Entry bool `json:"entry,omitempty"`
}

// Hook converts several fields of an object together.
type Hook struct {
	// Up and Down are the names of functions. Their argument is a list of the object before and after the conversion, and
	// their result one of the latter before and after the change.
	Up   string `json:"up,omitempty"`
	Down string `json:"down,omitempty"`
	// Before are the fields of the older version that functions see, by their types in the newest version. Type is the type
	// of the object that they see of the newer one.
	Before map[string]Value `json:"before,omitempty"`
	Type   string           `json:"type,omitempty"`
	// Split converts in place of functions.
	Split *Split `json:"split,omitempty"`
	// Older and Newer are the keys of the fields, which are restored together.
	Older []string `json:"older"`
	Newer []string `json:"newer"`
}

// Func converts one value. It returns JSON, nil for no value, and must not keep or change its argument. A function that fills in
// a field gets nil.
type Func func(value []byte) ([]byte, error)
