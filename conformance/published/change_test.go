package published_test

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// place is a place in an object that has a value, or can have one.
type place struct {
	shape *shape
	value any
	has   bool
	set   func(any)
	// remove removes the value; nil in a list.
	remove func()
}

// placesIn returns the places in an object, without its type and metadata.
func placesIn(s *shape, object map[string]any) []place {
	var found []place
	for _, name := range s.names {
		switch name {
		case "apiVersion", "kind", "metadata":
		default:
			found = append(found, member(s.properties[name], object, name)...)
		}
	}
	return found
}

// member returns the place of a member of an object, and those below it.
func member(s *shape, object map[string]any, name string) []place {
	value, has := object[name]
	p := place{shape: s, value: value, has: has, set: func(v any) { object[name] = v }, remove: func() { delete(object, name) }}
	return append([]place{p}, below(s, value)...)
}

func below(s *shape, value any) (found []place) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range s.names {
			found = append(found, member(s.properties[name], v, name)...)
		}
		if s.values != nil {
			for _, name := range slices.Sorted(maps.Keys(v)) {
				found = append(found, member(s.values, v, name)...)
			}
		}
	case []any:
		if s.items != nil {
			for i, item := range v {
				found = append(found, place{shape: s.items, value: item, has: true, set: func(item any) { v[i] = item }})
				found = append(found, below(s.items, item)...)
			}
		}
	}
	return found
}

// changed returns a copy of an object with a few changes, mostly where rules can see them.
func (m *maker) changed(s *shape, object map[string]any) map[string]any {
	out := copied(object).(map[string]any)
	for range 1 + m.IntN(3) {
		all := placesIn(s, out)
		if len(all) == 0 {
			break
		}
		p := all[m.IntN(len(all))]
		for range 3 {
			if p.shape.ruled || p.has {
				break
			}
			p = all[m.IntN(len(all))]
		}
		m.change(p)
	}
	return out
}

// change writes another value at a place: every form of nothing, or something.
func (m *maker) change(p place) {
	switch n := m.IntN(10); {
	case n == 0:
		p.set(nil)
	case n == 1 && p.remove != nil:
		p.remove()
	case n == 2:
		p.set(zero(p.shape))
	case n < 6 && p.has:
		p.set(m.another(p))
	default:
		p.set(m.value(p.shape, 6))
	}
}

// zero returns the empty or zero value of a shape.
func zero(s *shape) any {
	switch {
	case s.XIntOrString:
		return int64(0)
	case s.Type == "array":
		return []any{}
	case s.Type == "string":
		return ""
	case s.Type == "integer", s.Type == "number":
		return int64(0)
	case s.Type == "boolean":
		return false
	}
	return map[string]any{}
}

// another returns a value that is close to the one at a place.
func (m *maker) another(p place) any {
	switch v := p.value.(type) {
	case string:
		if len(m.words) > 0 && m.IntN(2) == 0 {
			return m.words[m.IntN(len(m.words))]
		}
		return []any{v + "x", "", v + "-é", usual[m.IntN(len(usual))]}[m.IntN(4)]
	case bool:
		return !v
	case int64:
		return []any{v + 1, v - 1, -v, int64(0)}[m.IntN(4)]
	case float64:
		return v + 1
	case []any:
		if len(v) == 0 || p.shape.items == nil {
			break
		}
		i := m.IntN(len(v))
		switch m.IntN(4) {
		case 0:
			return slices.Delete(slices.Clone(v), i, i+1)
		case 1:
			return append(slices.Clone(v), copied(v[i]))
		case 2:
			out := slices.Clone(v)
			m.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
			return out
		default:
			return append(slices.Clone(v), m.value(p.shape.items, 6))
		}
	}
	return m.value(p.shape, 6)
}

// repaired makes an object more valid where an error is: it adds what is missing, and removes or replaces what is wrong.
func (m *maker) repaired(s *shape, object map[string]any, path string, missing bool) {
	now, found := any(object), place{}
	for _, step := range steps.FindAllStringSubmatch(path, -1) {
		name := step[1] + step[2]
		s = s.child(name)
		if s == nil {
			break
		}
		switch v := now.(type) {
		case map[string]any:
			found = member(s, v, name)[0]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(v) {
				return
			}
			found = place{shape: s, value: v[i], has: true, set: func(item any) { v[i] = item }}
		default:
			return
		}
		now = found.value
	}
	switch {
	case found.set == nil:
	case !missing && found.remove != nil && m.IntN(2) == 0:
		found.remove()
	default:
		found.set(m.value(found.shape, 8))
	}
}

// steps matches a step of a path: a field, or an index or key.
var steps = regexp.MustCompile(`([^.\[]+)|\[([^\]]*)\]`)
