// Package wire converts objects between API versions on their JSON.
//
// It decodes no object: it renames keys, replaces values whose spelling differs between
// the versions, fills in defaults, and copies everything else as it came, unknown fields,
// order of keys and spelling of numbers included.
package wire

import "encoding/json"

// Table is how objects of one older version convert to the hub, the newest version, and
// back. It is plain data: generated code has it as a Go literal, and it prints as JSON.
type Table struct {
	// Group is the API group, "" for the core group.
	Group string `json:"group,omitempty"`
	// Older and Hub are names of versions: v1beta1, v1.
	Older string `json:"older"`
	Hub   string `json:"hub"`
	// Versions are the names of all versions, in the order of their release. Tables without
	// tracked values do not need them.
	Versions []string `json:"versions,omitempty"`
	// Restores are annotations in which earlier conversions have stored objects.
	Restores []Restore `json:"restores,omitempty"`
	// Types are the types whose JSON differs between the versions, and the kinds.
	Types []Type `json:"types"`
	// Checks are the types of tracked values. Generated code has functions in place of them.
	Checks []Check `json:"checks,omitempty"`
}

// Type is a type with the JSON of an object.
type Type struct {
	// Kind is the kind of API objects, "" for other types.
	Kind string `json:"kind,omitempty"`
	// Store is where objects of the kind keep the values that the other version cannot
	// represent.
	Store Store `json:"store,omitempty"`
	// Restores is set on kinds whose conversions read the annotations of the table's Restores. Functions that convert whole
	// objects read them on their own.
	Restores bool `json:"restores,omitempty"`
	// Fields are the fields that differ, with those of inlined structs.
	Fields []Field `json:"fields,omitempty"`
	// Moves are the fields that the versions have at different paths in the object. Fields has each
	// of them as two fields, which only one version has.
	Moves []Move `json:"moves,omitempty"`
	// Hooks are called after the conversion of an object, oldest first.
	Hooks []Hook `json:"hooks,omitempty"`
	// Up and Down are the names of functions that convert whole objects.
	Up   string `json:"up,omitempty"`
	Down string `json:"down,omitempty"`
	// OlderFits and HubFits name functions that refuse objects that a version's type cannot have, where
	// hooks change fields that do not differ and are tracked.
	OlderFits string `json:"olderFits,omitempty"`
	HubFits   string `json:"hubFits,omitempty"`
	// OlderCheck and HubCheck are the indexes of Checks that do the same if there is no such function, plus 1.
	OlderCheck int `json:"olderCheck,omitempty"`
	HubCheck   int `json:"hubCheck,omitempty"`
}

// Store is where an object keeps tracked values: those that its version cannot represent.
type Store string

const (
	// Untracked means that such values are lost.
	Untracked Store = ""
	// Status is the field status.changedValues.
	Status Store = "status"
	// Annotation is the annotation versioned.<group>/changed-values.
	Annotation Store = "annotation"
)

// Field is one field in both versions.
type Field struct {
	// Older and Hub are the field's keys. One is "" where a version lacks the field.
	Older string `json:"older,omitempty"`
	Hub   string `json:"hub,omitempty"`
	// Names are the field's keys since versions, oldest first, if it was renamed more than
	// once or not in the hub's version.
	Names []Name `json:"names,omitempty"`
	// Value converts the field's value; the zero Value copies it. If the hub lacks the field, it converts
	// to the type that the field had last.
	Value Value `json:"value,omitzero"`
	// OlderOmits and HubOmits mean that a version leaves the key out if its value is empty:
	// false, 0, "", [] or {}. It applies to results of functions, also of FillFunc, and to structs with tracked values.
	OlderOmits bool `json:"olderOmits,omitempty"`
	HubOmits   bool `json:"hubOmits,omitempty"`
	// Fill is the value that objects of the older version get in the hub, and FillFunc the
	// name of a function that makes it. Without either the key stays absent.
	Fill     json.RawMessage `json:"fill,omitempty"`
	FillFunc string          `json:"fillFunc,omitempty"`
	// Spread means that the filled value is an object whose members are added.
	Spread bool `json:"spread,omitempty"`
	// Since is the version under which the value of a field that the older version lacks is
	// tracked, and Until the one of a field that the hub lacks; "" if it is not tracked.
	Since string `json:"since,omitempty"`
	Until string `json:"until,omitempty"`
	// OlderZero and HubZero are the zero values that Go writes for a field without
	// omitempty. They are not tracked where the field is absent. With OlderOmits and HubOmits, they are those that Go
	// leaves out, apart from empty values.
	OlderZero json.RawMessage `json:"olderZero,omitempty"`
	HubZero   json.RawMessage `json:"hubZero,omitempty"`
	// OlderNull and HubNull mean that null is a value of the field, also if Go leaves it out.
	OlderNull bool `json:"olderNull,omitempty"`
	HubNull   bool `json:"hubNull,omitempty"`
	// Hooked means that a hook converts a field that one version lacks.
	Hooked bool `json:"hooked,omitempty"`
	// Fits names a function that refuses values that a field of one version cannot have.
	Fits string `json:"fits,omitempty"`
	// Check is the index of a Check that does the same if there is no such function, plus 1.
	Check int `json:"check,omitempty"`
}

// Move is a field that the versions have at different paths in an object. A parent that the
// destination lacks is created for a value, but not for null and for the zero value that Go writes for
// an absent one. An optional parent that is empty without the value is left out of the destination.
type Move struct {
	// Older and Hub are the paths, which begin with different fields.
	Older []Step `json:"older"`
	Hub   []Step `json:"hub"`
	// Paths are the field's paths since versions, oldest first, if it moved more than once or not in
	// the hub's version.
	Paths []Path `json:"paths,omitempty"`
	// Value converts the field's value; the zero Value copies it.
	Value Value `json:"value,omitzero"`
	// OlderOmits and HubOmits are as in Field. They apply to arguments of functions, too.
	OlderOmits bool `json:"olderOmits,omitempty"`
	HubOmits   bool `json:"hubOmits,omitempty"`
	// Since and Until are the versions under which parents are tracked that do not come back from the
	// older version and from the hub; "" if they are not tracked.
	Since string `json:"since,omitempty"`
	Until string `json:"until,omitempty"`
}

// Step is a field on the path of a Move.
type Step struct {
	Key string `json:"key"`
	// Zero is what Go writes for the field's zero value, nil if nothing. Of a parent it is an object
	// with what Go writes for its zero fields.
	Zero json.RawMessage `json:"zero,omitempty"`
	// OtherZero is that of a parent in the other version.
	OtherZero json.RawMessage `json:"otherZero,omitempty"`
	// Filled means that the conversion to the other version fills in fields of a parent, which is not left out then.
	Filled bool `json:"filled,omitempty"`
	// Optional means that Go leaves out a parent that is nil or zero.
	Optional bool `json:"optional,omitempty"`
	// Entry means that the value is a label or an annotation, the last step. An absent or empty value
	// is none, and the values of an empty one are tracked in the other version.
	Entry bool `json:"entry,omitempty"`
}

// Path is the keys on the path of a Move since a version.
type Path struct {
	Since string   `json:"since"`
	Keys  []string `json:"keys"`
}

// Hook names functions that change a converted object. Their argument is a list of the object before
// and after the conversion, and their result one of the latter before and after the change.
type Hook struct {
	Up   string `json:"up,omitempty"`
	Down string `json:"down,omitempty"`
	// Split converts in place of functions.
	Split *Split `json:"split,omitempty"`
	// Since and Until are the versions under which values are tracked that do not come back from the
	// older version and from the hub; "" if they are not tracked.
	Since string `json:"since,omitempty"`
	Until string `json:"until,omitempty"`
}

// Name is the key of a field since a version.
type Name struct {
	Since string `json:"since"`
	Key   string `json:"key"`
}

// Value is how one value converts: by Type, Each, Wrap, Enum, Transforms, Chain, or Up and Down.
type Value struct {
	// Type is the index of a Type, plus 1.
	Type int `json:"type,omitempty"`
	// Each converts the items of a list, or the values of a map.
	Each *Value `json:"each,omitempty"`
	// Wrap converts a single value to a list of one item, and a list to its first item. An empty
	// list is an absent value.
	Wrap *Value `json:"wrap,omitempty"`
	// ListSince is the version since which a wrapped value is a list.
	ListSince string `json:"listSince,omitempty"`
	// Enum maps values whose spelling differs; all others are copied.
	Enum *Enum `json:"enum,omitempty"`
	// Transforms convert to the hub in their order, and back in the reverse.
	Transforms []Transform `json:"transforms,omitempty"`
	// Chain are conversions to the hub one after another, and back in the reverse. What does not come
	// back is tracked as a whole.
	Chain []Value `json:"chain,omitempty"`
	// Up and Down are the names of functions; one without a name copies the value.
	Up   string `json:"up,omitempty"`
	Down string `json:"down,omitempty"`
	// Since and Until are the versions under which values are tracked that do not come back
	// from the older version and from the hub; "" if they are not tracked.
	Since string `json:"since,omitempty"`
	Until string `json:"until,omitempty"`
	// Keys are the keys of the items of a list, by their names in the hub. Set means that
	// the items are known by their values. The items of other lists are known by their index.
	Keys []string `json:"keys,omitempty"`
	Set  bool     `json:"set,omitempty"`
	// OlderFits and HubFits name functions that refuse tracked values that the type of a version cannot
	// have. Values that a function converts back need none.
	OlderFits string `json:"olderFits,omitempty"`
	HubFits   string `json:"hubFits,omitempty"`
	// OlderCheck and HubCheck are the indexes of Checks that do the same if there is no such function, plus 1.
	OlderCheck int `json:"olderCheck,omitempty"`
	HubCheck   int `json:"hubCheck,omitempty"`
}

// IsZero reports whether the value is copied, and not tracked.
func (v *Value) IsZero() bool {
	return v.Since == "" && v.Until == "" && v.Type == 0 && v.Each == nil && v.Wrap == nil && v.Enum == nil && !v.Transformed() && v.Up == "" && v.Down == ""
}

// Transformed reports whether transforms convert the value.
func (v *Value) Transformed() bool { return len(v.Transforms)+len(v.Chain) > 0 }

// Enum maps scalars, spelled as in JSON without quotes, by direction.
type Enum struct {
	Up   map[string]string `json:"up,omitempty"`
	Down map[string]string `json:"down,omitempty"`
}
