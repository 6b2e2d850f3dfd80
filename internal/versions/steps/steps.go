// Package steps holds what happens to objects between neighbouring versions of an API: at most one action for each item.
//
// [Build] takes a model with all versions, and returns an [API] for each group. [Report] reports what may be lost.
//
// Steps are plain data, built once for an API. A conversion between two versions goes through all versions between them. The
// author's functions and the types of their arguments are in the package of the newest version.
package steps

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// API is the versions of an API group that one package declares.
type API struct {
	Group string `json:"group,omitempty"`
	// Newest is the import path of the newest version.
	Newest string `json:"newest"`
	// Versions are in chronological order.
	Versions []Version `json:"versions"`
	// Kinds are those of the newest version and those that only older ones have.
	Kinds []Kind `json:"kinds"`
	// Restores are annotations in which earlier conversions have stored objects.
	Restores []jsonconvert.Restore `json:"restores,omitempty"`
	// Retired are versions that the API had before.
	Retired []string `json:"retired,omitempty"`
	// Steps has step k between the versions k and k+1.
	Steps []*Step `json:"steps"`
	// Model is the model with the types that the steps name.
	Model *model.Model `json:"-"`

	// filled are the types of the newest version with fields that a version has a default for: an empty object is not
	// absent.
	filled map[model.Name]bool
}

// Version is one version.
type Version struct {
	Name    string `json:"name"`
	Package string `json:"package"`
	// Places are the labels and annotations that are fields in other versions.
	Places []Place `json:"places,omitempty"`
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
	// Item is the kind of the items of a list.
	Item string `json:"item,omitempty"`
	// Store is where objects keep what another version cannot represent.
	Store jsonconvert.Store `json:"store,omitempty"`
}

// Step is what happens between two neighbouring versions.
type Step struct {
	Older string `json:"older"`
	Newer string `json:"newer"`
	// Types are the types of both versions that change, or whose parts change.
	Types []*Type `json:"types,omitempty"`

	byEnds map[[2]model.Name]*Type
}

// Type is what happens to a type.
type Type struct {
	// Name is the name in the newest version, and Older and Newer are those in the versions of the step.
	Name  string     `json:"name"`
	Older model.Name `json:"older"`
	Newer model.Name `json:"newer"`
	Kind  bool       `json:"kind,omitempty"`
	// Fields are those of a struct that change. Those of embedded structs are the struct's, as in JSON.
	Fields []*Field `json:"fields,omitempty"`
	// Moves are the fields that the versions have at different paths in the struct.
	Moves []*Move `json:"moves,omitempty"`
	// Hooks convert several fields together.
	Hooks []*Hook `json:"hooks,omitempty"`
	// Value converts what a type is declared as, unless it is a struct.
	Value *Value `json:"value,omitempty"`
	// Enum maps the constants whose values differ.
	Enum *Enum `json:"enum,omitempty"`
	// Up and Down are functions of the author that convert the whole type.
	Up   *Func `json:"up,omitempty"`
	Down *Func `json:"down,omitempty"`
	// Losses are what the conversions may lose, apart from those of other types.
	Losses []*Loss `json:"losses,omitempty"`
	// ToNewest means that the newer version lacks the type, and that a later one has it again. The step converts to the newest version at
	// once, for functions.
	ToNewest bool `json:"toNewest,omitempty"`
	// Span is the type in the newest version.
	Span source.Span `json:"span"`

	changes bool
}

// Field is what happens to a field.
type Field struct {
	// Older and Newer are the field in each version; nil where a version lacks it.
	Older *Key `json:"older,omitempty"`
	Newer *Key `json:"newer,omitempty"`
	// Value converts the value; nil if it is the same.
	Value *Value `json:"value,omitempty"`
	// Default is the value that the newer version has for objects of the older one, and DefaultFunc returns it.
	Default     string `json:"default,omitempty"`
	DefaultFunc *Func  `json:"defaultFunc,omitempty"`
	// Items says how the items of a list are known.
	Items *Items `json:"items,omitempty"`
	// Moved is set on a field that a Move converts.
	Moved bool `json:"moved,omitempty"`
	// Span is the field, or the marker of its removal.
	Span source.Span `json:"span"`

	// change is the marker that adds or removes the field.
	change model.Change
}

// Key is a field in one version.
type Key struct {
	// Go is the path of Go names, from the struct, through embedded structs.
	Go   []string   `json:"go"`
	JSON string     `json:"json"`
	Type *model.Ref `json:"type"`
	// Zero is the JSON of the value that the Go type cannot tell from an absent one; "" if there is none.
	Zero string `json:"zero,omitempty"`
	// EmptyIsAbsent means that the same is true of an empty object.
	EmptyIsAbsent bool `json:"emptyIsAbsent,omitempty"`
	// Required means that objects must have the key.
	Required bool `json:"required,omitempty"`
}

// Items says how the items of a list are known, by the names of their keys in each version.
type Items struct {
	Older []string `json:"older,omitempty"`
	Newer []string `json:"newer,omitempty"`
	// Set means that the items are scalars that do not repeat.
	Set bool `json:"set,omitempty"`
}

// ValueKind says how a value converts.
type ValueKind string

const (
	// Same means that the JSON is the same.
	Same ValueKind = "same"
	// Pair means that the types are those of a Type of the step.
	Pair ValueKind = "pair"
	// Pointer converts what it points to.
	Pointer ValueKind = "pointer"
	// List converts the items of a list or an array.
	List ValueKind = "list"
	// Map converts the values of a map.
	Map ValueKind = "map"
	// Wrap converts a single value to a list of one item, and a list to its first item.
	Wrap ValueKind = "wrap"
	// Call converts the value as a whole, by a function or a transform.
	Call ValueKind = "call"
	// Impossible means that no conversion is known.
	Impossible ValueKind = "impossible"
)

// Value is the conversion of one value.
type Value struct {
	Kind  ValueKind  `json:"kind"`
	Older *model.Ref `json:"older"`
	Newer *model.Ref `json:"newer"`
	// Type is the name of a Pair.
	Type string `json:"type,omitempty"`
	Elem *Value `json:"elem,omitempty"`
	// Up and Down are the functions of a Call; without one the value is copied. From and To are the types of their
	// arguments and results, in the newest version. Without To the value is that of the newest version after the step.
	Up   *Func      `json:"up,omitempty"`
	Down *Func      `json:"down,omitempty"`
	From *model.Ref `json:"from,omitempty"`
	To   *model.Ref `json:"to,omitempty"`

	// change is the marker of a Wrap or a Call.
	change *model.Changed
}

// Func is a function of the newest version's package, or a transform.
type Func struct {
	Name string `json:"name"`
	// Package is the package of a hand-written conversion of a whole type; the newest version has all other functions.
	Package string `json:"-"`
	// Transform converts in place of a function.
	Transform *jsonconvert.Transform `json:"transform,omitempty"`
	// Fails means that the function also returns an error.
	Fails bool `json:"fails,omitempty"`
	// Result is the type of the result of a function without arguments.
	Result *model.Ref `json:"result,omitempty"`
}

// Move is a field that the versions have at different paths in a struct.
type Move struct {
	Older []PathKey `json:"older"`
	Newer []PathKey `json:"newer"`
	// Value converts the value; nil if it is the same.
	Value *Value      `json:"value,omitempty"`
	Items *Items      `json:"items,omitempty"`
	Span  source.Span `json:"span"`

	// lossy is the author's reason to accept losses.
	lossy string
}

// PathKey is a field on a path.
type PathKey struct {
	*Key
	// Optional means that a struct is left out if it is empty.
	Optional bool `json:"optional,omitempty"`
	// Entry means that the field is a label or an annotation.
	Entry bool `json:"entry,omitempty"`
}

// Hook is a pair of functions that convert several fields together.
type Hook struct {
	// Up and Down are the functions; nil for none. Up takes pointers to Before and to the struct of the newest version, and
	// Down the reverse.
	Up   *Func `json:"up,omitempty"`
	Down *Func `json:"down,omitempty"`
	// Before are the fields of the functions' struct with fields of the older version, of types of the newest.
	Before map[string]*model.Ref `json:"before,omitempty"`
	// BeforeType is that struct.
	BeforeType *model.Name `json:"beforeType,omitempty"`
	// Split converts in place of functions.
	Split *jsonconvert.Split `json:"split,omitempty"`
	// Older and Newer are the keys that are converted together.
	Older []string    `json:"older"`
	Newer []string    `json:"newer"`
	Span  source.Span `json:"span"`

	change *model.Hook
}

// Enum maps the values that differ, spelled as in JSON. All others are kept.
type Enum struct {
	Up   map[string]string `json:"up,omitempty"`
	Down map[string]string `json:"down,omitempty"`

	// fallbacks are the constants of the newest version that others represent in the older one. open means that the older
	// version can have their values.
	fallbacks []fallback
	open      bool
}

// fallback is a constant of the newest version that the older version has another for.
type fallback struct{ from, to *model.Const }
