package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kindsmith/kindsmith/examples/database/internal/offline"
)

// change is a value that differs between two objects. before is "" for an added
// value, after is "" for a removed one.
type change struct{ path, before, after string }

// changesOf returns the values that differ, removals first.
func changesOf(before, after runtime.Object) ([]change, error) {
	old, err := values(before)
	if err != nil {
		return nil, err
	}
	now, err := values(after)
	if err != nil {
		return nil, err
	}
	var list []change
	for _, path := range slices.Sorted(maps.Keys(old)) {
		if old[path] != now[path] {
			list = append(list, change{path, old[path], now[path]})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if old[path] == "" {
			list = append(list, change{path, "", now[path]})
		}
	}
	return list, nil
}

// values returns an object's values as JSON text, by path.
func values(obj runtime.Object) (map[string]string, error) {
	fields, err := offline.Fields(obj)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	var walk func(path string, v any) error
	walk = func(path string, v any) error {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				if err := walk(strings.TrimPrefix(path+"."+key, "."), value); err != nil {
					return err
				}
			}
			return nil
		case []any:
			for i, value := range v {
				if err := walk(fmt.Sprintf("%s[%d]", path, i), value); err != nil {
					return err
				}
			}
			return nil
		}
		text, err := json.Marshal(v)
		out[path] = string(text)
		return err
	}
	return out, walk("", fields)
}
