package schema

import (
	"strings"
)

// step is one element of a field path: a name, or the text in brackets.
type step struct {
	name  string
	index bool
}

// steps splits a field path: spec.versions[0].properties[a.b].items.
func steps(path string) []step {
	var list []step
	for path != "" {
		switch path[0] {
		case '.':
			path = path[1:]
		case '[':
			end := strings.IndexByte(path, ']')
			if end < 0 {
				end = len(path)
			}
			list = append(list, step{name: path[1:end], index: true})
			path = path[min(end+1, len(path)):]
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			list = append(list, step{name: path[:end]})
			path = path[end:]
		}
	}
	return list
}

// descend follows the steps from a schema to one in it, and returns their number; 0 means that the
// next step is a keyword of s itself.
func descend(s *props, path []step) (inner *props, taken int) {
	at := func(i int) string {
		if i < len(path) && path[i].index {
			return path[i].name
		}
		return ""
	}
	if len(path) == 0 {
		return nil, 0
	}
	switch path[0].name {
	case "properties":
		if p, ok := s.Properties[at(1)]; ok {
			return &p, 2
		}
	case "items":
		if s.Items != nil && s.Items.Schema != nil {
			return s.Items.Schema, 1
		}
	case "additionalProperties":
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			return s.AdditionalProperties.Schema, 1
		}
	}
	return nil, 0
}

// edit calls f with the schema at the end of the steps, and with the remaining steps.
func edit(s *props, path []step, f func(s *props, rest []step)) {
	inner, taken := descend(s, path)
	if taken == 0 {
		f(s, path)
		return
	}
	edit(inner, path[taken:], f)
	if path[0].name == "properties" {
		s.Properties[path[1].name] = *inner
	}
}
