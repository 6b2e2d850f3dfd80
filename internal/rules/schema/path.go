package schema

import (
	"strings"
)

// Step is one element of a field path: a name, or the text in brackets.
type Step struct {
	Name  string
	Index bool
}

// Steps splits a field path: spec.versions[0].properties[a.b].items.
func Steps(path string) []Step {
	var list []Step
	for path != "" {
		switch path[0] {
		case '.':
			path = path[1:]
		case '[':
			end := strings.IndexByte(path, ']')
			if end < 0 {
				end = len(path)
			}
			list = append(list, Step{Name: path[1:end], Index: true})
			path = path[min(end+1, len(path)):]
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			list = append(list, Step{Name: path[:end]})
			path = path[end:]
		}
	}
	return list
}

// descend follows the steps from a schema to one in it, and returns their number; 0 means that the
// next step is a keyword of s itself.
func descend(s *props, path []Step) (inner *props, taken int) {
	at := func(i int) string {
		if i < len(path) && path[i].Index {
			return path[i].Name
		}
		return ""
	}
	if len(path) == 0 {
		return nil, 0
	}
	switch path[0].Name {
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

// Edit calls f with the schema at the end of the steps, and with the remaining steps.
func Edit(s *props, path []Step, f func(s *props, rest []Step)) {
	inner, taken := descend(s, path)
	if taken == 0 {
		f(s, path)
		return
	}
	Edit(inner, path[taken:], f)
	if path[0].Name == "properties" {
		s.Properties[path[1].Name] = *inner
	}
}
