package defaulttag

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/eval"
	"github.com/kindsmith/kindsmith/internal/tag"
	"github.com/kindsmith/kindsmith/internal/value"
)

// broken is a rule that a default does not satisfy, and where.
type broken struct {
	eval.Error
	// value is what breaks it. Where the default leaves it out, absent is set and
	// value is the object that lacks it.
	value  *value.Value
	absent bool
}

// judge returns the rules that a default breaks, in it and in everything below,
// whatever conditions the rules are under. Rules about other fields are left out,
// and so are the defaults that it leaves to other fields: these are judged there.
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

// steps divides the path of an error in a value: fields, and indexes or keys.
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

// locate follows a path into a value as far as it goes; absent is set where it goes
// no further than the object that lacks the next step.
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

// has reports whether a path leads to a value in decoded JSON.
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
