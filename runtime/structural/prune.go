package structural

import (
	"slices"
	"strconv"
	"strings"
)

// Prune removes the fields of a value that the schema does not have. It returns their paths, such
// as spec.ports[0].nam, sorted.
func (s *Schema) Prune(value any) (unknown []string) { return s.prune(value, s.isEmbedded()) }

// PruneResource is like Prune for a complete object, whose apiVersion, kind and metadata are kept
// whether or not the schema has them.
func (s *Schema) PruneResource(object any) (unknown []string) {
	if s == nil {
		s = &Schema{}
	}
	return s.prune(object, true)
}

func (s *Schema) prune(value any, embedded bool) []string {
	p := pruner{root: true}
	if s != nil && s.preserve {
		p.preserved(value, s, embedded)
	} else {
		p.value(value, s, embedded)
	}
	for i, path := range p.unknown {
		p.unknown[i] = strings.TrimPrefix(path, ".")
	}
	slices.Sort(p.unknown)
	return p.unknown
}

func (s *Schema) isEmbedded() bool { return s != nil && s.embedded }

// pruner collects the paths of removed fields. They are relative to the current value, each key
// with a dot before it: nothing is allocated on the way to values that are kept.
type pruner struct {
	unknown []string
	// root is set for the value that Prune was called with.
	root bool
}

func isMeta(key string) bool { return key == "apiVersion" || key == "kind" || key == "metadata" }

// descend prunes the value of a key or, if index is not negative, an item. Items of a preserved list
// are preserved too.
func (p *pruner) descend(key string, index int, value any, s *Schema, preserve bool) {
	found, root := len(p.unknown), p.root
	p.root = false
	if preserve || s != nil && s.preserve {
		p.preserved(value, s, s.isEmbedded())
	} else {
		p.value(value, s, s.isEmbedded())
	}
	p.root = root
	for i, path := range p.unknown[found:] {
		at := "." + key
		if index >= 0 {
			at = "[" + strconv.Itoa(index) + "]"
		}
		p.unknown[found+i] = at + path
	}
}

func (p *pruner) value(value any, s *Schema, embedded bool) {
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			if embedded && isMeta(key) {
				continue
			}
			if s != nil {
				c, known := s.properties[key]
				if !known && s.open {
					c, known = s.values, true
				}
				if known {
					p.descend(key, -1, v, c, false)
					continue
				}
			}
			// The server does not report these fields at the root.
			if !p.root || !isMeta(key) || s == nil {
				p.unknown = append(p.unknown, "."+key)
			}
			delete(value, key)
		}
	case []any:
		var items *Schema
		if s != nil {
			items = s.items
		}
		for i, v := range value {
			p.descend("", i, v, items, false)
		}
	}
}

// preserved prunes only below the known properties.
func (p *pruner) preserved(value any, s *Schema, embedded bool) {
	if s == nil {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			if embedded && isMeta(key) {
				continue
			}
			if c, known := s.properties[key]; known {
				p.descend(key, -1, v, c, false)
			} else if s.open {
				p.descend(key, -1, v, s.values, false)
			}
		}
	case []any:
		for i, v := range value {
			p.descend("", i, v, s.items, true)
		}
	}
}
