package structural

import (
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// CheckLists returns an error for each value of a set, and each key of a keyed list, that occurs
// more than once, at its second occurrence. A missing key differs from a null one.
func (s *Schema) CheckLists(path *field.Path, value any) field.ErrorList {
	if s == nil {
		return nil
	}
	var errs field.ErrorList
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if p, ok := s.properties[key]; ok {
				errs = append(errs, p.CheckLists(path.Child(key), value[key])...)
			}
			// The server checks a property by both schemas.
			errs = append(errs, s.values.CheckLists(path.Key(key), value[key])...)
		}
	case []any:
		switch s.listType {
		case "set":
			for _, i := range repeated(value) {
				errs = append(errs, field.Duplicate(path.Index(i), value[i]))
			}
		case "map":
			errs = s.checkKeys(path, value)
		}
		for i, item := range value {
			errs = append(errs, s.items.CheckLists(path.Index(i), item)...)
		}
	}
	return errs
}

// CheckKeys returns an error for each item of a keyed list that lacks a required key without a
// default. Merging would take the item for a new one.
func (s *Schema) CheckKeys(path *field.Path, value any) field.ErrorList {
	var errs field.ErrorList
	s.keyed(path, value, func(list *Schema, at *field.Path, item map[string]any) {
		for _, key := range list.keys {
			if p := list.items.properties[key]; item[key] == nil && slices.Contains(list.items.required, key) && (p == nil || p.def == nil) {
				errs = append(errs, field.Required(at.Child(key), "is a key of the list: without it, the item cannot be found"))
			}
		}
	})
	return errs
}

// OmitEmptyKeys removes the keys of items of keyed lists that are empty strings and have a default:
// for Go types with omitempty, which do not encode the string, they are unset.
func (s *Schema) OmitEmptyKeys(value any) {
	s.keyed(nil, value, func(list *Schema, _ *field.Path, item map[string]any) {
		for _, key := range list.keys {
			if p := list.items.properties[key]; p != nil && p.def != nil && item[key] == "" {
				delete(item, key)
			}
		}
	})
}

// checkKeys reports the items of a keyed list whose keys occur before.
func (s *Schema) checkKeys(path *field.Path, list []any) field.ErrorList {
	keys := make([]any, len(list))
	for i, item := range list {
		object, ok := item.(map[string]any)
		if !ok && item != nil {
			return field.ErrorList{field.Invalid(path.Index(i), item, "must be an object for an array of list-type map")}
		}
		key := map[string]any{}
		for _, name := range s.keys {
			if v, ok := object[name]; ok {
				key[name] = v
			}
		}
		keys[i] = key
	}
	var errs field.ErrorList
	for _, i := range repeated(keys) {
		errs = append(errs, field.Duplicate(path.Index(i), keys[i]))
	}
	return errs
}

// repeated returns the index of the second occurrence of each value.
func repeated(list []any) []int {
	if len(list) < 2 {
		return nil
	}
	seen := make(map[any]int, len(list))
	var again []int
	for i, v := range list {
		switch v.(type) {
		case map[string]any, []any:
			text, err := json.Marshal(v) // with sorted keys
			if err != nil {
				continue // not JSON
			}
			v = composite(text)
		}
		if seen[v]++; seen[v] == 2 {
			again = append(again, i)
		}
	}
	return again
}

// composite is the JSON of an object or list, which differs from any string.
type composite string

// keyed calls f with the objects of all keyed lists in a value, and the schema of their list.
func (s *Schema) keyed(path *field.Path, value any, f func(list *Schema, at *field.Path, item map[string]any)) {
	if s == nil {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			at := path.Child(key)
			if _, ok := s.properties[key]; !ok {
				at = path.Key(key)
			}
			s.child(key).keyed(at, value[key], f)
		}
	case []any:
		for i, item := range value {
			if object, ok := item.(map[string]any); ok && s.listType == "map" && s.items != nil {
				f(s, path.Index(i), object)
			}
			s.items.keyed(path.Index(i), item, f)
		}
	}
}
