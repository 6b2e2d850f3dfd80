package defaulttag

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// broken is a rule that a default breaks, with its value.
type broken struct {
	eval.Error
	// value breaks the rule. If absent is set, a missing field breaks the rule, and value is the
	// enclosing object.
	value  *value.Value
	absent bool
}

// judge returns the rules that a default and the values in it break, including conditional rules.
// It ignores rules that relate other fields, and defaults of omitted fields, which are checked
// separately.
func judge(n *tag.Node, v *value.Value) []broken {
	set := eval.New(tag.Programs(n.Model, n.Tags).Unconditional())
	defaulted, errors := set.Constant(n.Owner, n.Field, plain(v))
	var found []broken
	for _, e := range errors {
		at, absent := locate(v, e.Field)
		if !absent || !has(defaulted, e.Field) {
			found = append(found, broken{e, at, absent})
		}
	}
	return found
}

// steps splits the path of an error into fields, indexes and keys.
func steps(path string) []string {
	var all []string
	for path != "" {
		end := strings.IndexAny(path, ".[")
		if path[0] == '[' {
			end = strings.IndexByte(path, ']')
			all = append(all, path[1:end])
			end++
		} else {
			if end < 0 {
				end = len(path)
			}
			all = append(all, path[:end])
		}
		path = strings.TrimPrefix(path[end:], ".")
	}
	return all
}

// locate follows a path into a value as far as possible; absent is set if an object lacks the next
// step.
func locate(v *value.Value, path string) (at *value.Value, absent bool) {
	for _, step := range steps(path) {
		var next *value.Value
		if i, err := strconv.Atoi(step); err == nil && v.Kind == value.Array {
			if i < len(v.Items) {
				next = v.Items[i]
			}
		} else {
			next = v.Member(step)
		}
		if next == nil {
			return v, true
		}
		v = next
	}
	return v, false
}

// has reports whether decoded JSON has a value at a path.
func has(v any, path string) bool {
	for _, step := range steps(path) {
		switch in := v.(type) {
		case map[string]any:
			v = in[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(in) {
				return false
			}
			v = in[i]
		default:
			return false
		}
	}
	return v != nil
}

// plain returns a value as decoded JSON.
func plain(v *value.Value) any {
	switch v.Kind {
	case value.Bool:
		return v.Text == "true"
	case value.Number:
		return json.Number(v.Text)
	case value.String:
		return v.Text
	case value.Array:
		list := make([]any, len(v.Items))
		for i, item := range v.Items {
			list[i] = plain(item)
		}
		return list
	case value.Object:
		object := map[string]any{}
		for _, m := range v.Members {
			object[m.Key] = plain(m.Value)
		}
		return object
	}
	return nil
}
