package ruletest

import (
	"fmt"
	"strconv"
	"strings"
)

// segment is one segment of a path: a field, a key, or the index of an item.
type segment struct {
	name  string
	index int // of an item, -1 for a name
}

// parsePath reads a path such as spec.users[0].name or
// metadata.labels["app.kubernetes.io/name"].
func parsePath(path string) ([]segment, error) {
	var segments []segment
	rest := path
	for rest != "" {
		switch rest[0] {
		case '.':
			if len(segments) == 0 {
				return nil, fmt.Errorf("the path %q begins with a dot", path)
			}
			rest = rest[1:]
			if rest == "" || rest[0] == '.' || rest[0] == '[' {
				return nil, fmt.Errorf("the path %q has a dot without a name", path)
			}
			continue
		case '[':
			inner, tail, err := brackets(rest)
			if err != nil {
				return nil, fmt.Errorf("the path %q %w", path, err)
			}
			rest = tail
			segments = append(segments, inner)
			if rest != "" && rest[0] != '.' && rest[0] != '[' {
				return nil, fmt.Errorf("the path %q has no dot after a bracket", path)
			}
		default:
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			segments = append(segments, segment{name: rest[:end], index: -1})
			rest = rest[end:]
		}
	}
	if len(segments) == 0 {
		return nil, fmt.Errorf("the path is empty")
	}
	return segments, nil
}

// brackets reads an index or a key in brackets, with or without quotes.
func brackets(text string) (segment, string, error) {
	if strings.HasPrefix(text, `["`) {
		end := strings.Index(text, `"]`)
		if end < 0 {
			return segment{}, "", fmt.Errorf("has a quote that is not closed")
		}
		return segment{name: text[2:end], index: -1}, text[end+2:], nil
	}
	end := strings.IndexByte(text, ']')
	if end < 0 {
		return segment{}, "", fmt.Errorf("has a bracket that is not closed")
	}
	inner := text[1:end]
	if i, err := strconv.Atoi(inner); err == nil && i >= 0 {
		return segment{name: inner, index: i}, text[end+1:], nil
	}
	return segment{name: inner, index: -1}, text[end+1:], nil
}

// set sets a value at a path below a value, and returns the latter. It creates missing objects and
// lists. The index after the last item appends an item.
func set(into any, path []segment, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	step := path[0]
	if list, ok := into.([]any); ok || into == nil && step.index >= 0 {
		if step.index < 0 {
			return nil, fmt.Errorf("%q is not a list index", step.name)
		}
		if step.index > len(list) {
			return nil, fmt.Errorf("item %d does not exist: the list has %d", step.index, len(list))
		}
		if step.index == len(list) {
			list = append(list, nil)
		}
		item, err := set(list[step.index], path[1:], value)
		if err != nil {
			return nil, err
		}
		list[step.index] = item
		return list, nil
	}
	object, ok := into.(map[string]any)
	if into == nil {
		object, ok = map[string]any{}, true
	}
	if !ok {
		return nil, fmt.Errorf("%q is below a value that is neither an object nor a list", step.name)
	}
	child, err := set(object[step.name], path[1:], value)
	if err != nil {
		return nil, err
	}
	object[step.name] = child
	return object, nil
}

// unset removes a field or an item. It returns an error if there is none.
func unset(from any, path []segment) (any, error) {
	step := path[0]
	switch from := from.(type) {
	case []any:
		if step.index < 0 || step.index >= len(from) {
			return nil, fmt.Errorf("item %s does not exist: the list has %d", step.name, len(from))
		}
		if len(path) == 1 {
			return append(from[:step.index:step.index], from[step.index+1:]...), nil
		}
		item, err := unset(from[step.index], path[1:])
		if err != nil {
			return nil, err
		}
		from[step.index] = item
		return from, nil
	case map[string]any:
		child, ok := from[step.name]
		if !ok {
			return nil, fmt.Errorf("field %q does not exist", step.name)
		}
		if len(path) == 1 {
			delete(from, step.name)
			return from, nil
		}
		below, err := unset(child, path[1:])
		if err != nil {
			return nil, err
		}
		from[step.name] = below
		return from, nil
	}
	return nil, fmt.Errorf("field %q does not exist", step.name)
}

// merge applies a JSON merge patch (RFC 7386).
func merge(into, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, ok := into.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for name, value := range changes {
		if value == nil {
			delete(object, name)
		} else {
			object[name] = merge(object[name], value)
		}
	}
	return object
}

// canonical returns the canonical form of a path of a validation error. Engines write map keys in
// brackets or after a dot.
func canonical(path string) string {
	segments, err := parsePath(path)
	if err != nil {
		return path
	}
	var b strings.Builder
	for i, s := range segments {
		switch {
		case s.index >= 0:
			fmt.Fprintf(&b, "[%d]", s.index)
		case i > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// within reports whether a path equals another or is below it.
func within(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
