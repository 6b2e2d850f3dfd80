package convert

import (
	"bytes"
	"encoding/json"
	"slices"
)

// ChangedValues are the values of an object that its API version cannot represent, so that
// converting it to another version restores them. A kind whose status has them declares:
//
//	// changedValues are values that other versions of the API have and this one does not.
//	//
//	// +optional
//	ChangedValues *convert.ChangedValues `json:"changedValues,omitempty"`
//
// Conversions read and write them; others must not change them.
type ChangedValues struct {
	// format is the format of the values.
	Format int32 `json:"format"`

	// upgrades are restored when the object is converted to the version that is their key,
	// or to a later one. Their paths and values are of that version.
	//
	// +optional
	Upgrades map[string][]ChangedValue `json:"upgrades,omitempty"`

	// downgrades are restored when the object is converted to the version that is their
	// key, or to an earlier one. Their paths and values are of that version.
	//
	// +optional
	Downgrades map[string][]ChangedValue `json:"downgrades,omitempty"`

	// hidden are labels and annotations with the keys of those that are fields in other versions.
	//
	// +optional
	// +listType=atomic
	Hidden []HiddenEntry `json:"hidden,omitempty"`

	// keep is the enclosing field that does not go with the last value: a status that the object
	// has, or labels and annotations that were empty before.
	//
	// +optional
	Keep string `json:"keep,omitempty"`

	// null is set if the enclosing field was null before, and is null again when the values are
	// removed.
	//
	// +optional
	Null bool `json:"null,omitempty"`
}

// ChangedValue is a value that a version cannot represent.
type ChangedValue struct {
	// jsonPath leads to the value.
	JSONPath string `json:"jsonPath"`

	// value is the value. It is not set if the field is not set.
	//
	// +optional
	// +nullable
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Value json.RawMessage `json:"value,omitempty"`

	// was is the value that the version shows instead. A value that was changed since is not
	// replaced. It is not set if the version shows none.
	//
	// +optional
	// +nullable
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Was json.RawMessage `json:"was,omitempty"`

	// lengths are the lengths of the lists whose items the path selects by index. If a list
	// has another length, the value is dropped.
	//
	// +optional
	// +listType=atomic
	Lengths []int `json:"lengths,omitempty"`
}

// HiddenEntry is a label or an annotation of a version in which its key means nothing. In another version a field has this key.
type HiddenEntry struct {
	// in is labels or annotations.
	In string `json:"in"`

	// key is its key.
	Key string `json:"key"`

	// value is its value.
	Value string `json:"value"`
}

// DeepCopyInto copies the receiver into out. The two share no memory afterwards.
func (in *ChangedValues) DeepCopyInto(out *ChangedValues) {
	*out = *in
	out.Upgrades, out.Downgrades, out.Hidden = copied(in.Upgrades), copied(in.Downgrades), slices.Clone(in.Hidden)
}

// DeepCopy returns a copy that shares no memory with the receiver: nil for nil.
func (in *ChangedValues) DeepCopy() *ChangedValues {
	if in == nil {
		return nil
	}
	out := new(ChangedValues)
	in.DeepCopyInto(out)
	return out
}

func copied(in map[string][]ChangedValue) map[string][]ChangedValue {
	if in == nil {
		return nil
	}
	out := make(map[string][]ChangedValue, len(in))
	for version, values := range in {
		values = slices.Clone(values)
		for i := range values {
			v := &values[i]
			v.Value, v.Was, v.Lengths = bytes.Clone(v.Value), bytes.Clone(v.Was), slices.Clone(v.Lengths)
		}
		out[version] = values
	}
	return out
}
