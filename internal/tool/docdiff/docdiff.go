// Package docdiff compares YAML documents value by value.
//
// [Texts] returns each [Difference] of two files.
package docdiff

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"sigs.k8s.io/yaml"
)

// Difference is a value that differs, or that only one document has.
type Difference struct {
	// Path leads to the value: keys of mappings, and of lists the scalars that they have, or the names
	// of their items, else indices.
	Path []string
	// Before and After are the values; nil if a document has none. Reordered lists have their items
	// under the same keys in another order.
	Before, After any
	Reordered     bool
}

// Texts compares the texts of documents; an empty text is an empty document.
func Texts(before, after []byte) ([]Difference, error) {
	var x, y any
	if err := yaml.Unmarshal(before, &x); err != nil {
		return nil, fmt.Errorf("previous content: %w", err)
	}
	if err := yaml.Unmarshal(after, &y); err != nil {
		return nil, err
	}
	return compare(nil, x, y), nil
}

func compare(path []string, before, after any) []Difference {
	x, y := fieldsOf(emptyLike(before, after, path), emptyLike(after, before, path))
	if x == nil || y == nil {
		if reflect.DeepEqual(before, after) {
			return nil
		}
		return []Difference{{Path: path, Before: before, After: after}}
	}
	var found []Difference
	all := maps.Clone(x.values)
	maps.Copy(all, y.values)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		found = append(found, compare(append(slices.Clip(path), key), x.values[key], y.values[key])...)
	}
	both := func(f *fields, other *fields) []string {
		return slices.DeleteFunc(slices.Clone(f.order), func(key string) bool { _, ok := other.values[key]; return !ok })
	}
	if !slices.Equal(both(x, y), both(y, x)) {
		found = append(found, Difference{Path: path, Before: both(x, y), After: both(y, x), Reordered: true})
	}
	return found
}

// open are the mappings whose keys are compared one by one even if a document lacks the mapping, like
// the items of lists. Other mappings are one value then.
var open = []string{"annotations", "labels"}

// emptyLike returns an empty collection instead of a missing one.
func emptyLike(v, other any, path []string) any {
	switch other.(type) {
	case []any:
		if v == nil {
			return []any{}
		}
	case map[string]any:
		if v == nil && len(path) > 0 && slices.Contains(open, path[len(path)-1]) {
			return map[string]any{}
		}
	}
	return v
}

// fields are the values in a mapping or a list.
type fields struct {
	values map[string]any
	// order are the keys of a list in its order.
	order []string
}

// names are the fields that identify the items of lists in definitions.
var names = []string{"name", "rule", "jsonPath"}

// fieldsOf returns the values in two mappings or in two lists; nil for other values.
func fieldsOf(before, after any) (x, y *fields) {
	switch before := before.(type) {
	case map[string]any:
		if after, ok := after.(map[string]any); ok {
			return &fields{values: before}, &fields{values: after}
		}
	case []any:
		after, ok := after.([]any)
		if !ok {
			return nil, nil
		}
		for _, name := range append([]string{""}, names...) {
			if x, y := keyed(before, name), keyed(after, name); x != nil && y != nil {
				return x, y
			}
		}
		return numbered(before), numbered(after)
	}
	return nil, nil
}

func numbered(list []any) *fields {
	f := &fields{values: map[string]any{}}
	for i, item := range list {
		f.values[strconv.Itoa(i)] = item
	}
	return f
}

// keyed returns the items of a list by a field, or by themselves if it is ""; nil if that does not
// identify them.
func keyed(list []any, name string) *fields {
	f := &fields{values: map[string]any{}}
	for _, item := range list {
		key := item
		if name != "" {
			m, _ := item.(map[string]any)
			key = m[name]
		}
		switch key.(type) {
		case nil, map[string]any, []any:
			return nil
		}
		text := fmt.Sprint(key)
		if _, twice := f.values[text]; twice {
			return nil
		}
		f.values[text] = item
		f.order = append(f.order, text)
	}
	return f
}

// Text returns a value as JSON in one line of limited length.
func Text(v any) string {
	const longest = 80
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if r := []rune(string(text)); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return string(text)
}
