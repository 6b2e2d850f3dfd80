package example

import (
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
)

// route returns the path to a node, through the first item of each list; nil if the object does not lead there.
func route(object map[string]any, n *fieldtree.Node) []any {
	if n.Parent == nil {
		return []any{}
	}
	above := route(object, n.Parent)
	switch {
	case above == nil:
		return nil
	case n.Name != "":
		return append(above, n.Name)
	}
	switch v := get(object, above).(type) {
	case []any:
		if len(v) > 0 {
			return append(above, 0)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			return append(above, key)
		}
	}
	return nil
}

// get returns the value at a path; nil for none.
func get(v any, at []any) any {
	for _, step := range at {
		switch key := step.(type) {
		case string:
			object, _ := v.(map[string]any)
			v = object[key]
		case int:
			list, _ := v.([]any)
			if key >= len(list) {
				return nil
			}
			v = list[key]
		}
	}
	return v
}

// put sets the value at a path, or removes it if it is nil. Objects on the way are made.
func put(object map[string]any, at []any, value any) {
	if len(at) == 0 {
		return
	}
	var v any = object
	for i, step := range at[:len(at)-1] {
		next := get(v, []any{step})
		if _, isName := at[i+1].(string); next == nil && isName {
			if in, ok := v.(map[string]any); ok {
				next = map[string]any{}
				in[step.(string)] = next
			}
		}
		v = next
	}
	switch last := at[len(at)-1].(type) {
	case string:
		if in, ok := v.(map[string]any); ok && value == nil {
			delete(in, last)
		} else if ok {
			in[last] = clone(value)
		}
	case int:
		if in, ok := v.([]any); ok && last < len(in) {
			in[last] = clone(value)
		}
	}
}

// part returns an object that has only the value at a path.
func part(v any, at []any) any {
	if len(at) == 0 {
		return v
	}
	below := part(get(v, at[:1]), at[1:])
	switch step := at[0].(type) {
	case string:
		if below == nil {
			return map[string]any{}
		}
		return map[string]any{step: below}
	default:
		return []any{below}
	}
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[key] = clone(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	}
	return v
}
